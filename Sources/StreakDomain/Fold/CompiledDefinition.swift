/// A definition made ready for the fold: names as indexes, outcomes as codes.
///
/// A class, because it never changes and every entry looks at it: handing it on costs one reference.
final class CompiledDefinition: Sendable {
  /// As it was written.
  let source: Habit
  let test: RuleTest
  /// Whether not doing it is what counts: the rule `none`, or a sum that has no lower bound.
  let isLimit: Bool
  /// What a day without entries comes to.
  let emptyOutcome: Outcome
  /// The number of its `IdleDays.Law`; definitions that have the same share what weeks without entries do.
  let law: Int32
  let schedule: CompiledSchedule
  /// The week or month that a sum is of.
  let per: Schedule.Period?
  /// Only for `all` and `either`; indexes into the ledger's habits.
  let members: [Int]
  let streak: Bool
  let group: Group
  let forgiveness: CompiledForgiveness
  /// Run lengths that are milestones, ascending.
  let milestones: [Int]

  enum Group: Sendable {
    case strength, cardio, other
  }

  init(_ definition: Habit, names: inout SymbolTable, members: [Int], idle: inout IdleDays) {
    source = definition
    self.members = members
    streak = definition.streak ?? true
    isLimit = definition.rule.isLimit
    schedule = CompiledSchedule(definition.schedule)
    per = definition.rule.sum?.per
    milestones = (definition.milestones ?? Habit.usualMilestones).sorted()
    group = definition.group == "strength" ? .strength : definition.group == "cardio" ? .cardio : .other
    test = RuleTest(definition.rule, names: &names)
    forgiveness = CompiledForgiveness(definition)
    emptyOutcome = test.outcome(of: DayCell())
    law = idle.number(
      of: IdleDays.Law(
        forgiveness: forgiveness.kind, schedule: schedule, emptyOutcome: emptyOutcome,
        isHealed: forgiveness.heals(emptyOutcome), hasStreak: streak, isLimit: isLimit, per: per))
  }

  var isComposite: Bool { test.traits.combination != nil }

  /// The code of a day by its entries; not for a composite, nor for a sum of a week or month.
  func code(of cell: DayCell) -> DayCode {
    let outcome = test.outcome(of: cell)
    return outcome == emptyOutcome ? .none : DayCode(outcome)
  }

  /// Two runs that differ by a multiple of so many days fare alike.
  var period: Int { if case .jokers(let every, _) = forgiveness.kind { every } else { 1 } }

  /// Whether the length of a month matters for days without entries.
  var countsMonths: Bool { schedule.kind == .month || per == .month }

  /// Whether rest days depend on the run, and not on rest days alone.
  var restsByRun: Bool { schedule.kind == .every || !schedule.isDaily && test.traits.asksForCompleted }

  /// Whether a day of which nothing was said decides nothing: it is not the last of the week or month that a sum is of.
  func leavesOpen(_ day: Day) -> Bool { per.map { $0.days(around: day).upperBound > day } ?? false }

  /// Whether an outcome leaves today open and lets an excuse cover its day: missed, or a limit that was kept.
  func isQuiet(_ outcome: Outcome) -> Bool { outcome == .missed || isLimit && outcome == .good }

  /// What the amounts of a sum count.
  var unit: Text? { source.rule.sum?.unit }

  var hasJokers: Bool { if case .jokers = forgiveness.kind { true } else { false } }

  /// The outcome's name as `calendar` and `why` show it.
  func name(of outcome: Outcome) -> Text {
    Outcome.name(of: outcome, levels: source.rule.levels.names)
  }
}

/// What forgives days, in numbers.
struct CompiledForgiveness: Sendable {
  let kind: Kind
  /// By outcome code.
  private let healable: [Bool]
  /// Jokers taken, by outcome code.
  private let penalty: [Int]

  enum Kind: Hashable, Sendable {
    case none
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
    var healable = [Bool](repeating: false, count: Int(Outcome.firstLevel) + levels.count)
    var penalty = [Int](repeating: 0, count: healable.count)
    if case .joker(let rule)? = definition.forgiveness {
      for code in healable.indices {
        let outcome = Outcome(code: UInt16(code))
        let name = Outcome.name(of: outcome, levels: levels)
        let isBadLevel = code >= Int(Outcome.firstLevel)
        healable[code] =
          rule.heals.map { $0.contains(name) } ?? (isBadLevel || [.missed, .slip, .over].contains(outcome))
        let isBad = code >= Int(Outcome.failed.code)
        penalty[code] = isBad ? rule.penalty.first { $0.outcome == name }?.jokers ?? 0 : 0
      }
    }
    (self.healable, self.penalty) = (healable, penalty)
  }

  /// Whether a joker can save a day of an outcome.
  func heals(_ outcome: Outcome) -> Bool { healable[Int(outcome.code)] }

  /// How many jokers an outcome that was not healed takes.
  func penalty(of outcome: Outcome) -> Int { penalty[Int(outcome.code)] }
}

/// What a day's entries amount to under its rule, before any forgiveness.
package struct Outcome: Hashable, BitwiseCopyable, Sendable {
  package let code: UInt16

  static let good = Outcome(code: 0)
  static let missed = Outcome(code: 1)
  static let restarted = Outcome(code: 2)
  static let failed = Outcome(code: 3)
  static let slip = Outcome(code: 4)
  static let over = Outcome(code: 5)
  /// Codes from here on are bad levels, by their place in the definition.
  static let firstLevel: UInt16 = 6

  static func level(_ index: Int) -> Outcome { Outcome(code: firstLevel + UInt16(index)) }

  static func name(of outcome: Outcome, levels: [Text]) -> Text {
    switch outcome {
    case .good: "good"
    case .missed: "missed"
    case .restarted: "restarted"
    case .failed: "failed"
    case .slip: "slip"
    case .over: "over"
    default: levels[Int(outcome.code - firstLevel)]
    }
  }
}
