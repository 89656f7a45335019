package import StreakDomain

/// An event to append: what the caller gave, and where it stood.
package struct Draft: Sendable {
  /// The id, `at`, `day` and `zone` the caller gave; the store fills in the rest.
  package var id: String?
  package var at: Timestamp?
  package var day: Day?
  package var zone: String?
  /// Kept only where an event is supposed to have been recorded; `append` stamps its own.
  package var recorded: Instant?
  package var event: Event
  /// For errors: `-:3:1` on standard input, `log` for a command.
  package var place: Place
  package var text: String
  /// Where an expectation's predicate stands.
  package var expectsPlace: Place

  /// Reads one JSON line; `recorded`, `more` and `seal` are dropped and stamped anew.
  package init(
    line: [UInt8], file: String, number: Int, keepsRecorded: Bool = false
  ) throws(LogError) {
    do throws(LineError) {
      let draft = try EventDecoder.draft(line, keepsRecorded: keepsRecorded)
      id = draft.id
      at = draft.at
      day = draft.day
      zone = draft.zone
      recorded = draft.recorded
      event = draft.event
      place = Place(file: file, line: number, column: 1)
      expectsPlace = Place(file: file, line: number, column: draft.expectsColumn)
      text = String(decoding: line, as: UTF8.self)
    } catch {
      throw .badLine(
        Place(file: file, line: number, column: error.column), text: String(decoding: line, as: UTF8.self),
        error.problem)
    }
  }

  /// A draft that a command made.
  package init(_ payload: Payload, command: String) {
    event = Event(
      id: "", at: Timestamp(instant: Instant(microseconds: 0), offset: 0),
      recorded: Instant(microseconds: 0), day: Day.first, zone: "", payload: payload)
    place = Place(file: command, line: 0, column: 0)
    expectsPlace = place
    text = ""
  }

  /// A draft of a payload for a ledger that no command serves; without a zone the ledger's is taken.
  package init(_ payload: Payload, zone: String?) {
    self.init(payload, command: "event")
    self.zone = zone
  }

  /// Whether a stored event says all that the caller gave.
  func isHeld(by stored: Event) -> Bool {
    var given = event
    given.id = id ?? stored.id
    given.at = at ?? stored.at
    given.day = day ?? stored.day
    given.zone = zone ?? stored.zone
    given.recorded = stored.recorded
    return stored.holds(EventEncoder.fields(given))
  }
}
