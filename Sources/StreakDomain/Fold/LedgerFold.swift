/// Folds the events of a stream into a ledger, one at a time.
///
/// ```swift
/// var fold = LedgerFold()
/// for event in events { _ = fold.apply(event) }
/// fold.settled.states()
/// ```
package struct LedgerFold: Sendable {
  private var ledger: Ledger

  /// Goes on from a ledger.
  package init(_ ledger: Ledger = Ledger()) {
    self.ledger = ledger
  }

  /// The ledger with all days folded; lent as `&fold.settled` nothing of it is copied.
  package var settled: Ledger {
    mutating get {
      ledger.settle()
      return ledger
    }
    _modify {
      ledger.settle()
      yield &ledger
    }
  }

  /// The ledger with the days of some habits folded, for who asks for no others and for no achievements.
  package subscript(settling habits: [HabitPlace]) -> Ledger {
    mutating get {
      ledger.settle(habits)
      return ledger
    }
    _modify {
      ledger.settle(habits)
      yield &ledger
    }
  }

  /// Folds the next event of the stream.
  ///
  /// - Returns: the position of the event that has this id already; then nothing changes.
  package mutating func apply(_ event: Event) -> Int? { ledger.apply(event) }

  /// Folds an entry in that its fact says all of: the same as `apply(_:)` of its event, without its strings.
  ///
  /// Its lateness is counted as if days began at midnight; `second` is the time of day on the person's clock.
  package mutating func apply(_ entry: EntryFact, id: EventKey, second: Int32) -> Int? {
    ledger.apply(entry, id: id, second: second)
  }

  /// Why the event would be refused on append, or nil.
  package mutating func refusal(of event: Event) -> Failure? {
    // Whether there is something to celebrate depends on folded days.
    if case .celebrationSeen = event.payload { ledger.settle() }
    return ledger.refusal(of: event)
  }
}

/// What depends on no folded day.
extension LedgerFold {
  package var names: SymbolTable {
    get { ledger.names }
    _modify { yield &ledger.stream.names }
  }
  package var dayStart: ClockTime { ledger.dayStart }
  package var zone: String? { ledger.zone }
  package var today: Day? { ledger.today }
  package var todaysEvent: String? { ledger.todaysEvent }
  package func movers(beyond day: Day) -> [String] { ledger.movers(beyond: day) }
  package var position: Int { ledger.position }
  package func position(of key: EventKey) -> Int? { ledger.position(of: key) }
  package func position(of id: String) -> Int? { ledger.position(of: id) }
  package func id(at position: Int) -> String { ledger.id(at: position) }
  package var index: EventIndex { ledger.index }
  package var definedCount: Int { ledger.definedCount }
  package var groundsRevision: Int { ledger.groundsRevision }
  package var earnedXP: Int { ledger.earnedXP }
  package func place(of habit: String) -> HabitPlace? { ledger.place(of: habit) }
  package func revision(_ habit: HabitPlace) -> Int { ledger.revision(habit) }
  package func outcomeRevision(_ habit: HabitPlace) -> Int { ledger.outcomeRevision(habit) }
}
