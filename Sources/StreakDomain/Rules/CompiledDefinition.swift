/// A habit's definition, compiled for the fold.
///
/// Names are replaced by indexes or symbols. This is a class, so that it isn't copied.
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
  /// The members of a composite, as indexes into `Facts.habits`.
  ///
  /// The list is empty for other rules.
  let members: [Int]
  /// Whether good days form a run; false if the definition sets `streak` to false.
  let countsStreak: Bool
  let group: Group
  /// The symbol of the activity `yoga`, which the achievement `tri-threat` requires.
  let yoga: Symbol
  let forgiveness: CompiledForgiveness
  /// The run lengths that are celebrated.
  private let milestones: [Int]

  /// The kind of training that a habit counts as in the achievements.
  enum Group: String, Sendable {
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
    milestones = definition.milestones ?? Habit.usualMilestones
    group = definition.group.flatMap { Group(rawValue: $0.string) } ?? .other
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

  func isMilestone(_ run: Int) -> Bool { milestones.contains(run) }

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
  /// The effect of each outcome on jokers, by the outcome's code; empty without jokers.
  ///
  /// `isHealable` is whether a joker can heal a day with the outcome. `penalty` is the number of
  /// jokers that the outcome costs if the day isn't healed.
  private let effects: [(isHealable: Bool, penalty: Int)]

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

    guard case .joker(let rule)? = definition.forgiveness else {
      effects = []
      return
    }
    let levels = definition.rule.levels.names
    effects = (0..<Outcome.firstBadLevel + UInt16(levels.count)).map { code in
      let outcome = Outcome(code: code)
      let name = Outcome.name(of: outcome, levels: levels)
      let isBadLevel = code >= Outcome.firstBadLevel
      let isHealable =
        rule.heals.map { $0.contains(name) }
        ?? (isBadLevel || [.missed, .slip, .over].contains(outcome))
      let isBad = code >= Outcome.failed.code
      let penalty = isBad ? rule.penalty.first { $0.outcome == name }?.jokers : nil
      return (isHealable, penalty ?? 0)
    }
  }

  func heals(_ outcome: Outcome) -> Bool { effects[Int(outcome.code)].isHealable }

  func penalty(of outcome: Outcome) -> Int { effects[Int(outcome.code)].penalty }
}
