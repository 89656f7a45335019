extension HabitHistory {
  /// A fact that holds from a day on; of two on one day the later in the stream wins.
  struct Dated<Fact: Sendable>: Sendable {
    let day: Day
    let position: UInt32
    let fact: Fact
  }

  /// What holds from a day on, until the next regime.
  struct Regime: Sendable {
    let from: Day
    /// Index into `terms`.
    let terms: Int
    let isRetired: Bool
    /// Whether the one before has another schedule.
    var changesSchedule = false

    func startsSchedule(on day: Day) -> Bool { changesSchedule && day == from }
  }
}

/// What is kept of a habit between two looks at it.
extension HabitHistory {
  /// Whether days that are not settled may have a run longer than any so far; of composites that is not known.
  func mayExceedLongest(on today: Day) -> Bool {
    isEverComposite || folded.best > longest || today - folded.firstUnsettledRun + 1 > longest
  }

  /// Which of a habit's days may look different, and whether only sums over its entries do.
  struct Touched: Sendable {
    /// The days whose entries, definition or excuse may be others.
    var days: ClosedRange<Day>?
    /// Whether a day's outcome, definition or excuse changed, so that runs may have.
    var hasNewOutcome = false
    /// Closed days that were folded again; others only follow those that were folded before.
    var refolded: ClosedRange<Day>?
  }

  /// A record of today, and what it was read from: another day or a newer fact makes it void.
  struct SettledToday: Sendable {
    let day: Day
    let outcomeRevision: Int
    let record: DayRecord
    let facts: FoldDay
    /// Its verdict were it closed with nothing more logged.
    let closed: Verdict
  }

  /// Days to come, and what they were read from.
  struct Ahead: Sendable {
    let day: Day
    let outcomeRevision: Int
    var folded: FoldedDays
  }
}
