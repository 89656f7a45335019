/// A habit's definition compiled for the fold, with names as indexes or symbols; a class, so that
/// it isn't copied.
final class CompiledDefinition: Sendable {
  /// The definition as it was logged.
  let source: Habit
  let test: RuleTest
  /// Whether the rule is a limit: `never`, or a sum without a lower bound.
  ///
  /// A day without entries is good under a limit.
  let isLimit: Bool
  /// The outcome of a day without entries.
  let emptyOutcome: Outcome
  /// The schedule, or `nil` if every day is required.
  let schedule: Schedule?
  /// The week or month whose entries the rule adds up, or `nil` if the rule judges each day alone.
  let sumPeriod: Schedule.Period?
  /// The members of a composite, as indexes into `Ledger.habits`; empty for other rules.
  let members: [Int]
  /// Whether good days form a run; false if the definition sets `streak` to false.
  let countsStreak: Bool
  let group: Group
  /// The symbol of the activity `yoga`, which the achievement `tri-threat` requires.
  let yoga: Symbol
  let forgiveness: CompiledForgiveness
  /// The run lengths that are celebrated, in ascending order.
  let milestones: [Int]

  enum Group: Sendable {
    case strength, cardio, other
  }

  init(_ definition: Habit, names: inout SymbolTable, members: [Int]) {
    source = definition
    yoga = names.intern("yoga")
    self.members = members
    countsStreak = definition.streak ?? true
    isLimit = definition.rule.isLimit
    schedule = definition.schedule == .weekdays(.all) ? nil : definition.schedule
    sumPeriod = definition.rule.sum?.per
    milestones = (definition.milestones ?? Habit.usualMilestones).sorted()
    group =
      definition.group == "strength" ? .strength : definition.group == "cardio" ? .cardio : .other
    test = RuleTest(definition.rule, names: &names)
    forgiveness = CompiledForgiveness(definition)
    emptyOutcome = test.outcome(of: DayCell())
  }

  var isComposite: Bool { test.traits.combination != nil }

  /// Returns the code of a day with the entries in `cell`, for rules that judge each day by its own
  /// entries.
  func code(of cell: DayCell) -> DayCode {
    let outcome = test.outcome(of: cell)
    return outcome == emptyOutcome ? .defaultOutcome : DayCode(outcome)
  }

  /// Whether all days without entries before the habit's first day have the same verdict.
  ///
  /// False if the schedule names weekdays, or if the rule adds up a week or month.
  var hasSameEmptyDays: Bool {
    if case .weekdays? = schedule { return false }
    return sumPeriod == nil
  }

  /// Whether the rule adds up a week or month that ends after `day`.
  func isBeforePeriodEnd(_ day: Day) -> Bool {
    sumPeriod.map { $0.days(around: day).upperBound > day } ?? false
  }

  /// Whether a day with `outcome` can be excused, and stays open while it is today.
  ///
  /// True for `missed`, and for `good` if the rule is a limit.
  func isTentative(_ outcome: Outcome) -> Bool { outcome == .missed || isLimit && outcome == .good }

  var staysOpenWhenEmpty: Bool { sumPeriod == nil && !isComposite && isTentative(emptyOutcome) }

  func isMilestone(_ run: Int) -> Bool {
    let index = milestones.partitioningIndex { $0 >= run }
    return index < milestones.count && milestones[index] == run
  }

  /// The unit of the amounts that the rule sums, or `nil` if there is none.
  var unit: Text? { source.rule.sum?.unit }

  var hasJokers: Bool { if case .jokers = forgiveness.kind { true } else { false } }

  func name(of outcome: Outcome) -> Text {
    Outcome.name(of: outcome, levels: source.rule.levels.names)
  }
}

/// The rules by which a run survives a day that isn't good, with outcomes as codes.
struct CompiledForgiveness: Sendable {
  let kind: Kind
  /// Whether a joker can heal a day with each outcome; the index is the outcome's code.
  private let isHealable: [Bool]
  /// The number of jokers that each outcome costs if the day isn't healed; the index is the
  /// outcome's code.
  private let penalty: [Int]

  enum Kind: Hashable, Sendable {
    case none
    /// Jokers, of which one is earned at each multiple of `every` days of a run. At most `cap` are
    /// held at a time.
    case jokers(every: Int, cap: Int)
    case grace(days: Int)
  }

  init(_ definition: Habit) {
    kind =
      switch definition.forgiveness ?? .nothing {
      case .nothing: .none
      case .joker(let rule): .jokers(every: rule.every, cap: rule.cap)
      case .grace(let days): .grace(days: days)
      }
    let levels = definition.rule.levels.names
    var isHealable = [Bool](repeating: false, count: Int(Outcome.firstBadLevel) + levels.count)
    var penalty = [Int](repeating: 0, count: isHealable.count)
    if case .joker(let rule)? = definition.forgiveness {
      for code in isHealable.indices {
        let outcome = Outcome(code: UInt16(code))
        let name = Outcome.name(of: outcome, levels: levels)
        let isBadLevel = code >= Int(Outcome.firstBadLevel)
        isHealable[code] =
          rule.heals.map { $0.contains(name) }
          ?? (isBadLevel || [.missed, .slip, .over].contains(outcome))
        let isBad = code >= Int(Outcome.failed.code)
        penalty[code] = isBad ? rule.penalty.first { $0.outcome == name }?.jokers ?? 0 : 0
      }
    }
    (self.isHealable, self.penalty) = (isHealable, penalty)
  }

  func heals(_ outcome: Outcome) -> Bool { isHealable[Int(outcome.code)] }

  func penalty(of outcome: Outcome) -> Int { penalty[Int(outcome.code)] }
}

/// The rules for rest days (domain.md, "Schedules"); `nil` requires every day.
///
/// In these histories, `x` is an entry, and a verdict is good (`g`), rest (`r`) or missed (`m`):
///
///              mon-fri       3 per week       every 3
///     day      MTWTFSSMTW    MTWTFSSMTWTFS
///     entries  xxxxx..x.x    x.x...x.....x    x..x...x
///     verdict  gggggrrgmg    grgrrrgrrrrmg    grrgrrmg
extension Schedule? {
  /// The number of good days that the schedule requires per `period`, or 0 if it doesn't require a
  /// number per period.
  var times: Int { if case .times(let times, _)? = self { times } else { 0 } }

  /// The period of an n-per-week or n-per-month schedule, or `nil` for any other schedule.
  var period: Schedule.Period? { if case .times(_, let period)? = self { period } else { nil } }

  /// Whether the schedule allows a limited number of rest days, such as four a week for three times
  /// a week.
  var limitsRestDays: Bool {
    switch self {
    case nil, .weekdays?: false
    case .times?, .every?: true
    }
  }

  /// Whether the schedule names weekdays and `day` isn't one of them.
  func excludesWeekday(of day: Day) -> Bool {
    if case .weekdays(let weekdays)? = self { !weekdays.has(day.weekdayNumber) } else { false }
  }

  /// Returns the maximum number of rest days.
  ///
  /// For the schedule `times` it is the maximum in the week or month of `day`, such as 4 for three
  /// times a week. For `every` it is the maximum in a row, and for other schedules it is 0.
  func restAllowance(on day: Day) -> Int {
    switch self {
    case nil, .weekdays?: 0
    case .times(let times, .week)?: 7 - times
    case .times(let times, .month)?: day.wholeMonth.count - times
    case .every(let days)?: days - 1
    }
  }

  /// Returns the number of rest days used before `day`, given `rested`, the number after the
  /// previous day.
  ///
  /// The result is 0 if a new week or month of the schedule starts on `day`, otherwise `rested`.
  func restDays(_ rested: UInt16, carriedInto day: Day) -> UInt16 {
    guard rested > 0, let period else { return rested }
    return period.days(around: day).lowerBound == day ? 0 : rested
  }

  /// Returns the number of rest days used after the rest day `day`, given `rested`, the number
  /// before `day`.
  ///
  /// The result is `rested` + 1, but at most the allowance. It is 0 if the schedule doesn't limit
  /// rest days.
  func restDays(_ rested: UInt16, adding day: Day) -> UInt16 {
    limitsRestDays
      ? Swift.max(rested, UInt16(Swift.min(Int(rested) + 1, restAllowance(on: day)))) : 0
  }

  /// Whether the schedule makes `day` a rest day.
  ///
  /// `run` is the length of the run before `day`, and `rested` the number of rest days used before
  /// `day`. A good day becomes a rest day only if the habit is a limit and the schedule excludes
  /// the weekday.
  func allowsRest(on day: Day, isGood: Bool, isLimit: Bool, run: Int32, rested: UInt16) -> Bool {
    switch self {
    case nil: false
    case .weekdays?: (!isGood || isLimit) && excludesWeekday(of: day)
    case .times?: !isGood && Int(rested) < restAllowance(on: day)
    case .every?: !isGood && run > 0 && Int(rested) < restAllowance(on: day)
    }
  }
}
