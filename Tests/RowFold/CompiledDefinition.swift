@testable package import StreakDomain

/// A definition prepared for the fold, with names as indexes and outcomes as codes.
///
/// It is a class because it is passed on for every entry, which costs only a reference.
final class CompiledDefinition: Sendable {
  let source: Habit
  let test: RuleTest
  /// Whether the habit is a limit: the rule `none`, or a sum without a lower bound.
  let isLimit: Bool
  /// The outcome of a day without entries.
  let emptyOutcome: Outcome
  let schedule: CompiledSchedule
  /// The week or month over which the rule sums, or `nil` if it judges each day alone.
  let period: Schedule.Period?
  /// The indexes of a composite's members in `Ledger.habits`; empty for other rules.
  let members: [Int]
  let countsStreak: Bool
  let group: Group
  /// The symbol of the activity `yoga`, which the achievement `tri-threat` requires.
  let yoga: Symbol
  let forgiveness: CompiledForgiveness
  /// Run lengths in ascending order.
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
    schedule = CompiledSchedule(definition.schedule)
    period = definition.rule.sum?.per
    milestones = (definition.milestones ?? Habit.usualMilestones).sorted()
    group = definition.group == "strength" ? .strength : definition.group == "cardio" ? .cardio : .other
    test = RuleTest(definition.rule, names: &names)
    forgiveness = CompiledForgiveness(definition)
    emptyOutcome = test.outcome(of: DayCell())
  }

  var isComposite: Bool { test.traits.combination != nil }

  /// Returns the code of a day with the entries in `cell`.
  ///
  /// Not for composites, nor for sums of a week or month: their codes don't depend on a single cell.
  func code(of cell: DayCell) -> DayCode {
    let outcome = test.outcome(of: cell)
    return outcome == emptyOutcome ? .emptyDay : DayCode(outcome)
  }

  /// Whether the rule sums a week or month that ends after `day`.
  func isBeforePeriodEnd(_ day: Day) -> Bool { period.map { $0.days(around: day).upperBound > day } ?? false }

  /// Whether `outcome` leaves today open and can be excused: a missed day, or a limit that was kept.
  func isTentative(_ outcome: Outcome) -> Bool { outcome == .missed || isLimit && outcome == .good }

  /// The unit of the amounts that the rule sums, or `nil` if there is none.
  var unit: Text? { source.rule.sum?.unit }

  var hasJokers: Bool { if case .jokers = forgiveness.kind { true } else { false } }

  func name(of outcome: Outcome) -> Text {
    Outcome.name(of: outcome, levels: source.rule.levels.names)
  }
}

/// The forgiveness of a definition, with outcomes as codes.
struct CompiledForgiveness: Sendable {
  let kind: Kind
  /// Whether a joker can heal a day, by outcome code.
  private let isHealable: [Bool]
  /// The number of jokers that a day takes if it wasn't healed, by outcome code.
  private let penalty: [Int]

  enum Kind: Hashable, Sendable {
    case none
    /// A joker at each multiple of `every` days of a run; at most `cap` are held.
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
          rule.heals.map { $0.contains(name) } ?? (isBadLevel || [.missed, .slip, .over].contains(outcome))
        let isBad = code >= Int(Outcome.failed.code)
        penalty[code] = isBad ? rule.penalty.first { $0.outcome == name }?.jokers ?? 0 : 0
      }
    }
    (self.isHealable, self.penalty) = (isHealable, penalty)
  }

  func heals(_ outcome: Outcome) -> Bool { isHealable[Int(outcome.code)] }

  func penalty(of outcome: Outcome) -> Int { penalty[Int(outcome.code)] }
}
