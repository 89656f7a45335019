/// Everything the fold keeps of one habit.
struct HabitFold: Sendable {
  var name: Symbol
  var entries = HabitEntries()
  var days: HabitDays
  /// To its members, and to the composites that it is a member of.
  var links = Links()
  var records = Records()
  /// Today as it was judged; nil after a fact that may change it.
  var judged: Today?
  /// Counts the facts that may have changed anything of the habit.
  private(set) var revision = 0
  /// Counts those that may have changed its runs or verdicts.
  private(set) var outcomeRevision = 0
  /// Whether it is one of the ledger's `unsettled`.
  var isUnsettled = false
  /// What facts have touched since somebody last asked.
  var touched = Touched()

  init(name: Symbol, excused: DaySpans) {
    self.name = name
    days = HabitDays(Definitions(excused: excused))
  }

  /// The composites above a habit and the members below it, by any definition there ever was.
  struct Links: Sendable {
    /// The composites that have ever named this one, in depth, members before composites.
    var above: [Int] = []
    /// All that this one has ever named, in depth, members before composites.
    var below: [Int] = []
    /// How many habits are below it, one below the other.
    var height = 0
    /// Whether it was ever among its own members, in depth, if by definitions of different days.
    var isInCircle = false
  }

  /// A day that is not over, as it is so far and as it is if nothing more is logged.
  struct Today: Sendable {
    let day: Day
    let facts: FoldDay
    let record: DayRecord
    let closed: Verdict
    /// Of a composite with a run: when it ends if nothing more is logged.
    var coming: Coming?
  }

  /// The last day on which a run lives; nil where it always does.
  struct Coming: Sendable {
    let safeThrough: Day?
  }

  /// Which of a habit's days may look different, and whether only sums over its entries do.
  struct Touched: Sendable {
    /// The days whose entries, definition or excuse may be others.
    var days: ClosedRange<Day>?
    /// Whether a day's outcome, definition or excuse changed, so that runs may have.
    var hasNewOutcome = false
    /// Closed days whose records may be others.
    var closed: ClosedRange<Day>?
  }

  var definitions: Definitions { days.definitions }

  var isDefined: Bool { !days.definitions.isEmpty }

  /// The definition in force on a day.
  @inline(__always)
  func definition(on day: Day) -> CompiledDefinition { days.definitions.on(day) }

  func isRetired(on day: Day) -> Bool { days.definitions.isRetired(on: day) }

  /// Whether entries of the day count for anything.
  @inline(__always)
  func counts(_ day: Day) -> Bool { days.definitions.counts(day) }

  /// Remembers that days may look different.
  ///
  /// - Returns: whether they are the first since somebody asked.
  @inline(__always)
  mutating func touch(_ days: ClosedRange<Day>, isOutcome: Bool) -> Bool {
    revision += 1
    if isOutcome {
      touched.hasNewOutcome = true
      outcomeRevision += 1
      judged = nil
    }
    guard let known = touched.days else {
      touched.days = days
      return true
    }
    touched.days = known.joined(days)
    return false
  }

  /// Goes on counting where another fold of the same habit was.
  mutating func goOn(after other: HabitFold) {
    revision += other.revision + 1
    outcomeRevision += other.outcomeRevision + 1
  }

  /// The earliest day with a standing entry that counts, days on which the habit is a limit left out; O(regimes).
  var firstDoneDay: Day? {
    guard definitions.traits.contains(.limit) else { return entries.first }
    for (place, regime) in definitions.regimes.enumerated() where !definitions.compiled[regime.place].isLimit
    {
      if let day = entries.cells.firstWeighted(from: regime.from), day <= definitions.end(ofRegime: place) {
        return day
      }
    }
    return nil
  }
}

/// What is logged of a habit, by day.
struct HabitEntries: Sendable {
  var cells = DayMap<DayCell>()
  var totals = Totals()
  /// The earliest day with a standing entry that counts.
  var first: Day?
  /// `firstDoneDay` as it was counted on its day.
  var countedFirst: Day?
  /// Of days with many entries whose latest was deleted: the considered ones, ascending.
  var crowdedDays: [Day: [EntryPlace]] = [:]
  /// Days whose tallies and codes are still those of an older definition.
  var uncounted: ClosedRange<Day>?

  /// Looks for the first day with an entry that counts, where none is before a day.
  mutating func findFirst(from day: Day) { first = cells.firstWeighted(from: day) }
}

/// Where a habit's longest run was raised.
struct Records: Sendable {
  /// By the position of the state that had it; both ascend.
  private var raises: [Raise] = []
  /// The position of the state that was looked at last.
  private var looked = 0
  /// The first event since that look that had no look before it, as it takes no run away.
  private var skipped: Int?

  private struct Raise: Sendable {
    let position: Int
    let run: Int
    /// `Records.skipped` at this look; `.max` for none.
    let skipped: Int
    /// `Records.looked` at this look: the position of the look before it.
    let looked: Int
  }

  /// The longest run of a state that counts.
  var longest: Int { raises.last?.run ?? 0 }

  /// An event comes that takes no run away: the state before it can be looked at later.
  @inline(__always)
  mutating func skip(_ position: Int) { if skipped == nil { skipped = position } }

  /// Notes the longest run of a state.
  mutating func note(_ run: Int, at position: Int) {
    if run > longest {
      raises.append(Raise(position: position, run: run, skipped: skipped ?? .max, looked: looked))
    }
    (looked, skipped) = (position, nil)
  }

  /// Drops the raises of states that do not count.
  ///
  /// - Returns: whether there were any, and whether an earlier state that nobody looked at may have had such a run.
  mutating func drop(_ states: ClosedRange<Int>) -> (any: Bool, isUncertain: Bool) {
    var isUncertain = false
    let dropped = raises.filter { states.contains($0.position) }
    raises.removeAll { states.contains($0.position) }
    for raise in dropped {
      // No event since the look before took a run away: the state after the undo still has what earlier ones had.
      let isLast = raise.position == states.upperBound && raise.looked < states.lowerBound
      if raise.skipped <= states.lowerBound, !isLast { isUncertain = true }
      // The raise stood for all states since the look before; nobody has looked at them now.
      looked = min(looked, raise.looked)
      if raise.skipped < .max { skipped = min(skipped ?? .max, raise.skipped) }
    }
    return (!dropped.isEmpty, isUncertain)
  }
}

extension HabitFold {
  /// Sets the codes of days by their entries; days on which the habit is a composite are left out.
  ///
  /// - Returns: the first and the last day whose code changed.
  mutating func setCodes(in span: ClosedRange<Day>) -> ClosedRange<Day>? {
    var changed: ClosedRange<Day>?
    func note(_ days: ClosedRange<Day>?) {
      guard let days else { return }
      changed = changed?.joined(days) ?? days
    }
    var found: [Schedule.Period: Set<Day>] = [:]
    func setCodes(of per: Schedule.Period, around day: Day, _ fold: inout HabitFold) {
      guard found[per, default: []].insert(per.days(around: day).lowerBound).inserted else { return }
      note(fold.setCodes(of: per, around: day))
    }
    func setCode(_ day: Day, _ fold: inout HabitFold) {
      let definition = fold.definition(on: day)
      if let per = definition.per { return setCodes(of: per, around: day, &fold) }
      guard !definition.isComposite,
        fold.days.set(day, definition.code(of: fold.entries.cells[day] ?? DayCell()))
      else { return }
      note(day...day)
    }
    if definitions.traits.contains(.periodSum) {
      // Entries before the span have a say in the week and month in which it begins.
      for per in Schedule.Period.allCases { setCodes(of: per, around: span.lowerBound, &self) }
    }
    for leaf in days.tree.leaves(in: span) {
      for place in 0..<leaf.count { setCode(leaf.lowerBound + place, &self) }
    }
    for slot in entries.cells.slots(in: span) { setCode(slot.day, &self) }
    return changed
  }
}
