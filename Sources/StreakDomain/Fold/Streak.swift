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
  /// The habit's name; its id where it has none.
  public let name: LedgerText
  /// The sign to show before the name.
  public let icon: LedgerText?
  /// The run after today, in days; of a rule that adds up weeks or months, in those.
  public let current: Int
  /// The first day of the run; nil where there is none.
  public let start: Day?
  /// The longest run by what is known today, counted as ``current``.
  public let best: Int
  /// The longest run that there ever was after any event, counted as ``current``; it falls only at an undo or a
  /// corrected day.
  public package(set) var longest: Int
  /// The latest day that was good or restarted.
  public let lastGood: Day?
  /// What there is to do today.
  public let status: Status
  /// What today brings if nothing more is logged.
  public let ifMissed: IfMissed
  /// The last day on which the run lives if nothing more is logged.
  public let safeThrough: Day?
  /// Jokers held, earned and gone.
  public let jokers: JokerCounts
  /// Of a habit that is asked for so many times a week or month, how far it has come in this one.
  public let quota: Quota?
  /// Of a habit that adds something up, how far today is, or this week or month.
  public package(set) var progress: SumProgress?
  /// How many days came out as each verdict.
  public let days: VerdictCounts
  /// Sums over the standing entries.
  public package(set) var totals: Totals

  /// Its icon and name, not escaped.
  package var title: String { [icon, name].compactMap { $0?.string }.joined(separator: " ") }

  /// What there is to do today.
  public enum Status: String, CaseIterable, Codable, Sendable {
    /// The habit counts no streak.
    case off
    /// The habit was given up.
    case retired
    /// There was no good day yet.
    case new
    /// The schedule does not ask for today.
    case rest
    /// A missed day is being forgiven: today decides over the run.
    case grace
    /// Today is asked for and not done.
    case due
    /// Today is done.
    case done
    /// There is no run.
    case broken
  }

  /// What today brings if nothing more is logged.
  public enum IfMissed: String, CaseIterable, Codable, Sendable {
    /// There is no run to lose.
    case nothing = "none"
    /// The run goes on.
    case safe
    /// Today becomes a rest day.
    case rests
    /// A joker is spent.
    case heals
    /// A day of grace is used.
    case graced
    /// The run ends.
    case breaks
  }
}

/// What is asked of the week or month that today is in.
public struct Quota: Hashable, Sendable {
  /// The week or month that is counted in.
  public let period: Schedule.Period
  /// How many days of it are asked for.
  public let times: Int
  /// Good, healed and restarted days.
  public let good: Int
  /// Rest days left.
  public let rests: Int
  /// The last day of the week or month.
  public let through: Day
}

extension Quota: Encodable {
  private enum CodingKeys: CodingKey { case times, good, rests, through }
}

/// How far the sum of today is, or that of its week or month.
public struct SumProgress: Hashable, Sendable {
  /// What it comes to.
  public let total: Thousandths
  /// What is asked for; nil where nothing is.
  public let atLeast: Thousandths?
  /// The most that there may be; nil where there may be any.
  public let atMost: Thousandths?
  /// The week or month that is added up; nil is today alone.
  public let period: Schedule.Period?
  /// The last day that is added up.
  public let through: Day

  /// `day`, `week` or `month`.
  package var per: String { period?.rawValue ?? "day" }
}

extension SumProgress: Encodable {
  private enum CodingKeys: CodingKey { case total, atLeast, atMost, per, through }

  /// As in a state, with `per` the `day`, `week` or `month` that is added up.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(total, forKey: .total)
    try container.encodeIfPresent(atLeast, forKey: .atLeast)
    try container.encodeIfPresent(atMost, forKey: .atMost)
    try container.encode(per, forKey: .per)
    try container.encode(through, forKey: .through)
  }
}

/// Jokers, by what became of them.
public struct JokerCounts: Encodable, Hashable, Sendable {
  /// There now.
  public package(set) var held = 0
  /// Earned by runs, the forfeited ones not among them.
  public package(set) var earned = 0
  /// Spent to save a day.
  public package(set) var spent = 0
  /// Lost as soon as they were earned, because as many were held as may be.
  public package(set) var forfeited = 0
  /// Taken by a bad outcome, as the rule's penalty says.
  public package(set) var penalised = 0
}

extension Ledger {
  /// The states of all defined habits, in the order of their first definitions.
  package func states() -> [Streak] { roster.defined.map { state(of: $0) } }

  package func state(of habit: String) -> Streak? {
    habitIndex(named: habit).flatMap { habits[$0].isDefined ? state(of: $0) : nil }
  }

  /// The ids of all defined habits, in the order of their first definitions.
  package var definedHabits: [String] { roster.defined.map { names.text(habits[$0].name) } }

  /// The ids of the habits that are not retired, which a mistyped name most likely means; all, where all are.
  package var currentHabits: [String] {
    guard let today else { return definedHabits }
    let current = definedHabits.filter { retirement(of: $0, on: today.next) == nil }
    return current.isEmpty ? definedHabits : current
  }

  /// The definition of a habit in force today.
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

  /// The latest good or restarted day.
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

  /// What is asked of the week or month of today; nil without such a schedule.
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

  /// How far the sum of today is; nil without a rule that is one.
  func progress(_ habit: Int) -> SumProgress? {
    guard let today, !habits[habit].isRetired(on: today), let sum = todaysDefinition(habit).source.rule.sum
    else {
      return nil
    }
    return SumProgress(
      total: habits[habit].sumSoFar(on: today), atLeast: sum.atLeast, atMost: sum.atMost, period: sum.per,
      through: min(sum.per?.days(around: today).upperBound ?? today, Day.last))
  }

  /// How many days of a span that ends with today or before were good, healed or restarted.
  private func keptDays(_ habit: Int, _ span: ClosedRange<Day>) -> Int {
    let tally = tally(habit, span)
    let isToday = span.upperBound == today && record(habit, on: span.upperBound)?.verdict.isKept ?? false
    return tally[.good] + tally[.healed] + tally[.restarted] + (isToday ? 1 : 0)
  }

  /// Whether the weekdays of a habit, or of one of a composite's members that are not excused, name a day.
  private func isAsked(_ habit: Int, on day: Day) -> Bool {
    isAsked(habit, on: day) { !habits[$0].definition(on: day).schedule.passesOver(day) }
  }

  /// Whether a schedule asks for a day, and of a composite that of one of its members, in depth, that are not excused.
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
