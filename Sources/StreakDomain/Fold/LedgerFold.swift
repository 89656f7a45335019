/// Folds the events of a stream, one at a time, to one subject's ledger, and lends it to be read.
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

  /// Folds the next event of the stream in, whosever it is.
  ///
  /// - Returns: the position of the event that has this id already; then nothing changes.
  package mutating func apply(_ event: Event) -> Int? { ledger.apply(event) }

  /// Folds an entry in that its fact says all of: the same as `apply(_:)` of its event, without its strings.
  ///
  /// Its lateness is counted as if days began at midnight; `second` is the time of day on the person's clock.
  package mutating func apply(
    _ entry: EntryFact, id: EventKey, second: Int32, subject: String? = nil
  ) -> Int? {
    ledger.apply(entry, id: id, second: second, subject: subject)
  }

  /// Has another subject's ledger fold, judge or tell with this one's stream, which has every event.
  package mutating func lendStream<R>(to other: inout LedgerFold, _ body: (inout LedgerFold) -> R) -> R {
    swap(&ledger.stream, &other.ledger.stream)
    defer { swap(&ledger.stream, &other.ledger.stream) }
    return body(&other)
  }

  /// Folds in what was folded last into the ledger that lends its stream.
  package mutating func join(_ event: Event) { ledger.join(event) }

  /// Folds in the entry that was folded last into the ledger that lends its stream, by its fact.
  package mutating func join(_ entry: EntryFact, id: EventKey, second: Int32, subject: String?) {
    ledger.join(entry, id: id, second: second, subject: subject)
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
  package var subject: String? { ledger.subject }
  package var owner: String? { ledger.owner }
  package var zone: String? { ledger.zone }
  package var today: Day? { ledger.today }
  package var hasDefinitionsAhead: Bool { ledger.hasDefinitionsAhead }
  package var todaysEvent: String? { ledger.todaysEvent }
  package func movers(beyond day: Day) -> [String] { ledger.movers(beyond: day) }
  package var position: Int { ledger.position }
  package func position(of key: EventKey) -> Int? { ledger.position(of: key) }
  package var index: EventIndex { ledger.index }
  package var definedCount: Int { ledger.definedCount }
  package var groundsRevision: Int { ledger.groundsRevision }
  package var earnedXP: Int { ledger.earnedXP }
  package func folds(_ subject: String?) -> Bool { ledger.folds(subject) }
  package func place(of habit: String) -> HabitPlace? { ledger.place(of: habit) }
  package func revision(_ habit: HabitPlace) -> Int { ledger.revision(habit) }
  package func outcomeRevision(_ habit: HabitPlace) -> Int { ledger.outcomeRevision(habit) }
}

extension Ledger {
  /// Raised with every change of the program that makes another number of the same events.
  package static let foldVersion = 3
}
