/// What a state takes from the whole stream, whosever the events are (event-format.md, "The stream").
///
/// A ledger that is fed every event knows it by itself; one that is fed only its subject's events does not.
package struct StreamPlace: Sendable, Equatable {
  /// How many events the stream has so far.
  package let position: Int
  /// Of every subject; nil before the first `ledger.opened` or `day.changed`.
  package let zone: String?

  package init(position: Int, zone: String?) {
    self.position = position
    self.zone = zone
  }

  /// The place of a ledger that was fed every event.
  package init(of ledger: Ledger) {
    self.init(position: ledger.position, zone: ledger.zone)
  }
}
