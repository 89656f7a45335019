/// The state of a habit (domain.md, "A habit's state").
///
/// ```swift
/// if let streak = ledger.streak(of: "noalc"), streak.ifMissed == .breaks {
///   print("\(streak.current) days are at stake")
/// }
/// ```
///
/// ## Topics
/// ### The run
/// - ``current``
/// - ``start``
/// - ``best``
/// - ``longest``
/// - ``lastGood``
/// ### Today
/// - ``status-swift.property``
/// - ``ifMissed-swift.property``
/// - ``safeThrough``
/// - ``quota``
/// - ``progress``
/// ### Sums
/// - ``jokers``
/// - ``days``
/// - ``totals``
public struct Streak: Encodable, Hashable, Sendable {
  /// The habit's id.
  public let habit: Habit.ID
  /// The habit's name, or its id if it has no name.
  public let name: LedgerText
  /// The emoji or symbol to display before the name.
  public let icon: LedgerText?
  /// The length of the run after today, in days; for a sum of weeks or months, in weeks or months.
  public let current: Int
  /// The first day of the run, or `nil` without a run.
  public let start: Day?
  /// The longest run according to the current entries, in the unit of ``current``.
  public let best: Int
  /// The largest value of ``best`` after any event; only an undo or a corrected day lowers it.
  public package(set) var longest: Int
  /// The latest good or restarted day.
  public let lastGood: Day?
  /// The status of the habit today.
  public let status: Status
  /// The effect of today if nothing more is logged.
  public let ifMissed: IfMissed
  /// The last day on which the run is alive if nothing more is logged.
  public let safeThrough: Day?
  /// The numbers of jokers held, earned and lost.
  public let jokers: JokerCounts
  /// The progress in the current week or month, for a schedule of several times a week or month.
  public let quota: Quota?
  /// The progress of today's, this week's or this month's sum, for a rule `sum`.
  public package(set) var progress: SumProgress?
  /// The number of days with each verdict.
  public let days: VerdictCounts
  /// The sums over all entries, excluding deleted ones.
  public package(set) var totals: Totals

  package var title: String { [icon, name].compactMap { $0?.string }.joined(separator: " ") }

  /// The status of a habit today.
  public enum Status: String, CaseIterable, Codable, Sendable {
    /// The habit doesn't count a streak.
    case off
    /// The habit is retired.
    case retired
    /// There has been no good day yet.
    case new
    /// Today isn't required.
    case rest
    /// The run survived a miss, and today decides whether it continues.
    case grace
    /// Today is required and not done yet.
    case due
    /// Today is decided, and the run continues.
    case done
    /// There is no run.
    case broken
  }

  /// The effect of today if nothing more is logged.
  public enum IfMissed: String, CaseIterable, Codable, Sendable {
    /// There is no run to lose.
    case nothing = "none"
    /// The run continues.
    case safe
    case rests
    case heals
    case graced
    case breaks
  }
}

/// The required days of the current week or month.
public struct Quota: Hashable, Sendable {
  /// The type of period.
  public let period: Schedule.Period
  /// The number of required days.
  public let times: Int
  /// The number of good, healed and restarted days.
  public let good: Int
  /// The number of rest days left.
  public let rests: Int
  /// The last day of the week or month.
  public let through: Day
}

extension Quota: Encodable {
  private enum CodingKeys: CodingKey { case times, good, rests, through }
}

/// The progress of a sum today, or in the current week or month.
public struct SumProgress: Hashable, Sendable {
  /// The sum so far.
  public let total: Thousandths
  /// The minimum, or `nil` if there is none.
  public let atLeast: Thousandths?
  /// The maximum, or `nil` if there is none.
  public let atMost: Thousandths?
  /// The week or month of the sum, or `nil` for today alone.
  public let period: Schedule.Period?
  /// The last day that is added up.
  public let through: Day

  package var per: String { period?.rawValue ?? "day" }
}

extension SumProgress: Encodable {
  private enum CodingKeys: CodingKey { case total, atLeast, atMost, per, through }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(total, forKey: .total)
    try container.encodeIfPresent(atLeast, forKey: .atLeast)
    try container.encodeIfPresent(atMost, forKey: .atMost)
    try container.encode(per, forKey: .per)
    try container.encode(through, forKey: .through)
  }
}

/// The numbers of jokers by action.
public struct JokerCounts: Encodable, Hashable, Sendable {
  /// The jokers held now.
  public package(set) var held = 0
  /// The jokers earned, excluding forfeited ones.
  public package(set) var earned = 0
  /// The jokers spent to save a day.
  public package(set) var spent = 0
  /// The jokers not earned because the maximum was held.
  public package(set) var forfeited = 0
  /// The jokers lost to bad outcomes.
  public package(set) var penalised = 0
}

extension Ledger {
  package func states() -> [Streak] { roster.defined.map { state(of: $0) } }

  package func state(of habit: String) -> Streak? {
    habitIndex(named: habit).flatMap { habits[$0].isDefined ? state(of: $0) : nil }
  }

  /// The ids of all defined habits, in the order of their first definitions.
  package var definedHabits: [String] { roster.defined.map { names.text(habits[$0].name) } }

  /// The ids of the habits that aren't retired, or of all habits if all are retired.
  package var currentHabits: [String] {
    guard let today else { return definedHabits }
    let current = definedHabits.filter { retirement(of: $0, on: today.next) == nil }
    return current.isEmpty ? definedHabits : current
  }

  package func definition(of habit: String) -> Habit? {
    guard let index = habitIndex(named: habit), habits[index].isDefined else { return nil }
    return todaysDefinition(index).source
  }

  private func todaysDefinition(_ habit: Int) -> CompiledDefinition {
    habits[habit].definition(on: today ?? Day.first)
  }

  func state(of habit: Int) -> Streak {
    let definition = todaysDefinition(habit).source
    let name = names.text(habits[habit].name)
    let record = today.map { todaysRecord(habit, on: $0) } ?? DayRecord()
    let best = max(Int(habits[habit].days.closed.best), Int(record.run))
    var tally = habits[habit].days.closed.tally
    if let today, let first = habits[habit].days.first, first <= today { tally.count(record) }
    let lastGood = lastGood(habit, record)
    return Streak(
      habit: name, name: definition.name ?? Text(name), icon: definition.icon,
      current: Int(record.run), start: record.start, best: best,
      longest: isCutOff ? best : max(habits[habit].records.longest, best), lastGood: lastGood,
      status: status(habit, record, hasGoodDay: lastGood != nil),
      ifMissed: ifMissed(habit, record), safeThrough: safeThrough(habit, record),
      jokers: JokerCounts(
        held: Int(record.held), earned: tally.earned, spent: tally.spent, forfeited: tally.forfeited,
        penalised: tally.penalised),
      quota: quota(habit, record), progress: progress(habit), days: tally.verdicts,
      totals: habits[habit].entries.totals)
  }

  func lastGood(_ habit: Int, _ record: DayRecord) -> Day? {
    guard let today, let first = habits[habit].days.first, first <= today else { return nil }
    return record.verdict.isGood ? today : habits[habit].days.closed.lastGood
  }

  func status(_ habit: Int, _ record: DayRecord, hasGoodDay: Bool) -> Streak.Status {
    guard let today else { return todaysDefinition(habit).streak ? .new : .off }
    if !todaysDefinition(habit).streak { return .off }
    if habits[habit].isRetired(on: today) { return .retired }
    if !hasGoodDay { return .new }
    guard record.run > 0 else { return .broken }
    if record.verdict == .rest || record.verdict == .open && !isAsked(habit, on: today) { return .rest }
    guard record.verdict == .open else { return .done }
    return record.misses > 0 && ifMissed(habit, record) != .rests ? .grace : .due
  }

  func ifMissed(_ habit: Int, _ record: DayRecord) -> Streak.IfMissed {
    guard record.run > 0, let today else { return .nothing }
    guard record.verdict == .open, todaysDefinition(habit).streak, !habits[habit].isRetired(on: today) else {
      return .safe
    }
    switch undecided(habit, today).closed {
    case .good, .excused: return .safe
    case .rest: return .rests
    case .healed: return .heals
    case .graced: return .graced
    case .missed, .bad, .restarted, .open: return .breaks
    }
  }

  func quota(_ habit: Int, _ record: DayRecord) -> Quota? {
    guard let today, !habits[habit].isRetired(on: today),
      let period = todaysDefinition(habit).schedule.period,
      case let times = todaysDefinition(habit).schedule.times
    else { return nil }
    let days = period.days(around: today)
    let left = todaysDefinition(habit).schedule.allowance(on: today) - Int(record.rested)
    return Quota(
      period: period, times: times, good: keptDays(habit, days.lowerBound...today), rests: max(0, left),
      through: min(days.upperBound, Day.last))
  }

  func progress(_ habit: Int) -> SumProgress? {
    guard let today, !habits[habit].isRetired(on: today), let sum = todaysDefinition(habit).source.rule.sum
    else {
      return nil
    }
    return SumProgress(
      total: habits[habit].sumSoFar(on: today), atLeast: sum.atLeast, atMost: sum.atMost, period: sum.per,
      through: min(sum.per?.days(around: today).upperBound ?? today, Day.last))
  }

  private func keptDays(_ habit: Int, _ span: ClosedRange<Day>) -> Int {
    let tally = tally(habit, span)
    let isToday = span.upperBound == today && record(habit, on: span.upperBound)?.verdict.isKept ?? false
    return tally[.good] + tally[.healed] + tally[.restarted] + (isToday ? 1 : 0)
  }

  /// Whether the habit's weekdays include the day; for a composite, those of a member that isn't excused.
  private func isAsked(_ habit: Int, on day: Day) -> Bool {
    isAsked(habit, on: day) { !habits[$0].definition(on: day).schedule.passesOver(day) }
  }

  /// Whether `asks` is true for the habit and, for a composite, for a member that isn't excused.
  func isAsked(_ habit: Int, on day: Day, by asks: (Int) -> Bool) -> Bool {
    var known: [Int: Bool] = [:]
    func isAsked(_ habit: Int) -> Bool {
      if let found = known[habit] { return found }
      known[habit] = true
      let members = habits[habit].definition(on: day).members
      let found =
        asks(habit)
        && (members.isEmpty
          || members.contains { member in
            guard habits[member].isDefined, !isCircular(member, in: habit, on: day) else { return true }
            return !facts(member, day).isExcused && isAsked(member)
          })
      known[habit] = found
      return found
    }
    return isAsked(habit)
  }
}
