/// Folds the events of a stream into a ledger, one at a time.
///
/// ```swift
/// var fold = LedgerFold()
/// for event in events { _ = fold.apply(event) }
/// fold.settled.states()
/// ```
package struct LedgerFold: Sendable {
  private var ledger: Ledger

  package init(_ ledger: Ledger = Ledger()) {
    self.ledger = ledger
  }

  /// The ledger with all days folded; passing `&fold.settled` avoids a copy.
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

  /// The ledger with the days of `habits` folded, for callers that need no other habits and no achievements.
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

  /// Folds the next event; if its id is already known, returns that event's position and changes nothing.
  package mutating func apply(_ event: Event) -> Int? { ledger.apply(event) }

  /// Folds an entry from its fact, with the same effect as `apply(_:)` of its event.
  ///
  /// The fact's lateness assumes days that begin at midnight; `second` is the local time of day.
  package mutating func apply(_ entry: EntryFact, id: EventKey, second: Int32) -> Int? {
    ledger.apply(entry, id: id, second: second)
  }

  package mutating func refusal(of event: Event) -> Failure? {
    if case .celebrationSeen = event.payload { ledger.settle() }
    return ledger.refusal(of: event)
  }
}

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
