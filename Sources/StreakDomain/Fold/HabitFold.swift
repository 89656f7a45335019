/// The state of one habit in a ledger.
struct HabitFold: Sendable {
  var name: Symbol
  var entries = HabitEntries()
  var days: HabitDays
  var links = Links()
  var records = Records()
  var judged: Today?
  /// Incremented by each fact that may have changed anything about the habit.
  private(set) var revision = 0
  /// Incremented by each fact that may have changed runs or verdicts.
  private(set) var outcomeRevision = 0
  var isUnsettled = false
  var touched = Touched()

  init(name: Symbol, excused: DaySpans) {
    self.name = name
    days = HabitDays(Definitions(excused: excused))
  }

  struct Links: Sendable {
    /// The composites that contain this habit, directly or indirectly, members before composites.
    var above: [Int] = []
    /// The habits that this one contains, directly or indirectly, members before composites.
    var below: [Int] = []
    var height = 0
    /// Whether the habit is its own descendant, possibly only by definitions of different days.
    var isInCircle = false
  }

  struct Today: Sendable {
    let day: Day
    let facts: FoldDay
    let record: DayRecord
    let closed: Verdict
    var coming: Coming?
  }

  struct Coming: Sendable {
    let safeThrough: Day?
  }

  struct Touched: Sendable {
    var days: ClosedRange<Day>?
    var hasNewOutcome = false
    var closed: ClosedRange<Day>?
  }

  var definitions: Definitions { days.definitions }

  var isDefined: Bool { !days.definitions.isEmpty }

  @inline(__always)
  func definition(on day: Day) -> CompiledDefinition { days.definitions.on(day) }

  func isRetired(on day: Day) -> Bool { days.definitions.isRetired(on: day) }

  @inline(__always)
  func counts(_ day: Day) -> Bool { days.definitions.counts(day) }

  /// Marks days as possibly changed; returns whether they are the first since the last query.
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

  mutating func goOn(after other: HabitFold) {
    revision += other.revision + 1
    outcomeRevision += other.outcomeRevision + 1
  }

  /// The earliest day with a counted entry on which the habit isn't a limit; O(regimes).
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

struct HabitEntries: Sendable {
  var cells = DayMap<DayCell>()
  var totals = Totals()
  var first: Day?
  var countedFirst: Day?
  /// The considered entries, ascending, of days with many entries whose latest was deleted.
  var crowdedDays: [Day: [EntryPlace]] = [:]
  var uncounted: ClosedRange<Day>?

  mutating func findFirst(from day: Day) { first = cells.firstWeighted(from: day) }
}

/// The history of the habit's longest run.
struct Records: Sendable {
  private var raises: [Raise] = []
  private var looked = 0
  private var skipped: Int?

  private struct Raise: Sendable {
    let position: Int
    let run: Int
    let skipped: Int
    let looked: Int
  }

  /// The longest run of all states that count.
  var longest: Int { raises.last?.run ?? 0 }

  @inline(__always)
  mutating func skip(_ position: Int) { if skipped == nil { skipped = position } }

  mutating func note(_ run: Int, at position: Int) {
    if run > longest {
      raises.append(Raise(position: position, run: run, skipped: skipped ?? .max, looked: looked))
    }
    (looked, skipped) = (position, nil)
  }

  /// Removes the raises of states that don't count.
  ///
  /// `isUncertain` is true if an unrecorded earlier state may have had such a run.
  mutating func drop(_ states: ClosedRange<Int>) -> (any: Bool, isUncertain: Bool) {
    var isUncertain = false
    let dropped = raises.filter { states.contains($0.position) }
    raises.removeAll { states.contains($0.position) }
    for raise in dropped {
      let isLast = raise.position == states.upperBound && raise.looked < states.lowerBound
      if raise.skipped <= states.lowerBound, !isLast { isUncertain = true }
      looked = min(looked, raise.looked)
      if raise.skipped < .max { skipped = min(skipped ?? .max, raise.skipped) }
    }
    return (!dropped.isEmpty, isUncertain)
  }
}

extension HabitFold {
  /// Sets the codes of days from their entries, and returns the range of days whose codes changed.
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
      for per in Schedule.Period.allCases { setCodes(of: per, around: span.lowerBound, &self) }
    }
    for leaf in days.tree.leaves(in: span) {
      for place in 0..<leaf.count { setCode(leaf.lowerBound + place, &self) }
    }
    for slot in entries.cells.slots(in: span) { setCode(slot.day, &self) }
    return changed
  }
}

/// The sums over a habit's entries, excluding deleted ones.
public struct Totals: BitwiseCopyable, Codable, Hashable, Sendable {
  public package(set) var entries = 0
  public package(set) var minutes = Thousandths.zero
  public package(set) var km = Thousandths.zero
  public package(set) var sets = 0
  public package(set) var drinks = 0
  public package(set) var amount = Thousandths.zero
  /// The number of entries that were completed or failed.
  public package(set) var played = 0
  /// The number of completed entries.
  public package(set) var completed = 0

  mutating func add(_ entry: EntryFact, sign: Int = 1) {
    entries += sign
    minutes.count += Int64(max(0, entry.minutes)) * Int64(sign)
    km.count += Int64(max(0, entry.km)) * Int64(sign)
    sets += max(0, Int(entry.sets)) * sign
    if entry.drinks > 0 { drinks += Int(entry.drinks) * sign }
    if entry.amount > 0 { amount.count += Int64(entry.amount) * Int64(sign) }
    guard entry.completed >= 0 else { return }
    played += sign
    completed += Int(entry.completed) * sign
  }
}
