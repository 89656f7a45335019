/// A definition compiled for the fold, with names as symbols and outcomes as codes.
///
/// It is a class because it is immutable and used for every entry; passing it costs one reference.
final class CompiledDefinition: Sendable {
  let source: Habit
  let test: RuleTest
  let isLimit: Bool
  let emptyOutcome: Outcome
  let law: Int32
  let schedule: CompiledSchedule
  let per: Schedule.Period?
  let members: [Int]
  let streak: Bool
  let group: Group
  let forgiveness: CompiledForgiveness
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

  /// Returns the code of a day from its entries; not for composites and sums of a week or month.
  func code(of cell: DayCell) -> DayCode {
    let outcome = test.outcome(of: cell)
    return outcome == emptyOutcome ? .none : DayCode(outcome)
  }

  /// The period of earning jokers: runs whose lengths differ by a multiple of it are equivalent.
  var period: Int { if case .jokers(let every, _) = forgiveness.kind { every } else { 1 } }

  var countsMonths: Bool { schedule.kind == .month || per == .month }

  var restsByRun: Bool { schedule.kind == .every || !schedule.isDaily && test.traits.asksForCompleted }

  func leavesOpen(_ day: Day) -> Bool { per.map { $0.days(around: day).upperBound > day } ?? false }

  /// Whether the outcome leaves today open and can be excused: missed, or good for a limit.
  func isQuiet(_ outcome: Outcome) -> Bool { outcome == .missed || isLimit && outcome == .good }

  var unit: Text? { source.rule.sum?.unit }

  var hasJokers: Bool { if case .jokers = forgiveness.kind { true } else { false } }

  func name(of outcome: Outcome) -> Text {
    Outcome.name(of: outcome, levels: source.rule.levels.names)
  }
}

struct CompiledForgiveness: Sendable {
  let kind: Kind
  private let healable: [Bool]
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

  func heals(_ outcome: Outcome) -> Bool { healable[Int(outcome.code)] }

  func penalty(of outcome: Outcome) -> Int { penalty[Int(outcome.code)] }
}

/// The outcome of a day under its rule, before forgiveness.
package struct Outcome: Hashable, BitwiseCopyable, Sendable {
  package let code: UInt16

  static let good = Outcome(code: 0)
  static let missed = Outcome(code: 1)
  static let restarted = Outcome(code: 2)
  static let failed = Outcome(code: 3)
  static let slip = Outcome(code: 4)
  static let over = Outcome(code: 5)
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
