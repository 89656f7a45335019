/// What all ledgers of a stream have in common, whosever the events are (event-format.md, "The stream").
struct Stream: Sendable {
  var names = SymbolTable()
  var index = EventIndex()
  var settings = StreamSettings()
}

/// What events say of their whole stream.
package struct StreamSettings: Sendable {
  /// Nil before the first `ledger.opened` or `day.changed`.
  package internal(set) var zone: String?
  /// The owner's name: the first that a `ledger.opened` says.
  package internal(set) var owner: String?
  /// When days begin.
  package internal(set) var dayStart = ClockTime.midnight

  package init() {}

  /// Notes what the next event says; one that repeats an id must not come here.
  ///
  /// - Returns: whether the owner has a name from this event on.
  package mutating func note(_ event: Event) -> Bool {
    switch event.payload {
    case .ledgerOpened(let owner, let start):
      zone = event.zone
      if let start { dayStart = start }
      guard self.owner == nil, let owner else { return false }
      self.owner = owner
      return true
    case .dayChanged: zone = event.zone
    default: break
    }
    return false
  }
}

extension Stream: StoredPart {
  mutating func pass(_ coder: inout StateCoder) {
    coder.part(&names)
    coder.part(&index)
    coder.part(&settings.zone)
    coder.part(&settings.owner)
    coder.value(&settings.dayStart)
  }
}
