/// A habit's definition compiled for the fold, with names as indexes or symbols; a class, so that
/// it isn't copied.
final class CompiledDefinition: Sendable {
  /// The definition as it was logged.
  let source: Habit
  /// The weekday on which the weeks of the ledger begin.
  let weekStart: Weekday
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

  /// The kind of training that a habit counts as in the achievements.
  enum Group: Sendable {
    case strength, cardio, other
  }

  init(_ definition: Habit, names: inout SymbolTable, members: [Int], weekStart: Weekday) {
    source = definition
    self.weekStart = weekStart
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
    sumPeriod.map { days(of: $0, around: day).upperBound > day } ?? false
  }

  /// Returns the days of the ledger's week, or of the month, that contains `day`.
  func days(of period: Schedule.Period, around day: Day) -> ClosedRange<Day> {
    period.days(around: day, from: weekStart)
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

  /// The kind of forgiveness, with its limits.
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

    self.isHealable = isHealable
    self.penalty = penalty
  }

  func heals(_ outcome: Outcome) -> Bool { isHealable[Int(outcome.code)] }

  func penalty(of outcome: Outcome) -> Int { penalty[Int(outcome.code)] }
}
