/// A definition made ready for the fold: names as indexes, outcomes as codes.
///
/// A class, because it never changes and every entry looks at it: handing it on costs one reference.
final class Terms: Sendable {
  let definition: Definition
  let test: Test
  /// Only for `minutes` and `sum` rules, in thousandths.
  let atLeast: Int64
  /// Only for `sum` rules, in thousandths.
  let atMost: Int64
  /// Whether not doing it is what counts: the rule `none`, or a sum that has no lower bound.
  let isLimit: Bool
  let rhythm: Rhythm
  let lateBy: Int
  /// Only for `level` rules, in the definition's order.
  let levels: [LevelTerm]
  /// Only for `activity` rules.
  let thresholds: [(activity: NameIndex, measures: Measures)]
  let otherActivities: Measures
  /// Only for `all` and `either`; indexes into the ledger's habits.
  let members: [Int]
  let streak: Bool
  let group: Group
  let mercy: Mercy
  /// Run lengths that are milestones, ascending.
  let milestones: [Int]
  /// By outcome code.
  let healable: [Bool]
  /// Jokers taken, by outcome code.
  let penalty: [Int]

  /// The kind of rule without its payload, which costs nothing to look at.
  enum Test: Sendable, Equatable {
    case minutes, level, any, abstinence, sum(Measure), completed, activity, all, either
  }

  /// The forgiveness in numbers.
  enum Mercy: Sendable {
    case none
    case jokers(every: Int, cap: Int)
    case grace(days: Int)
  }

  struct LevelTerm: Sendable {
    let name: NameIndex
    let level: Level
    let outcome: Outcome
  }

  enum Group: Sendable {
    case strength, cardio, other
  }

  init(_ definition: Definition, names: inout Names, members: [Int]) {
    self.definition = definition
    self.members = members
    lateBy = definition.rule.lateBy ?? Int.max
    streak = definition.streak ?? true
    isLimit = definition.rule.isLimit
    rhythm = Rhythm(definition.schedule)
    milestones = (definition.milestones ?? Definition.usualMilestones).sorted()
    mercy =
      switch definition.forgiveness ?? .none {
      case .none: .none
      case .joker(let rule): .jokers(every: rule.every, cap: rule.cap)
      case .grace(let days): .grace(days: days)
      }
    group = definition.group == "strength" ? .strength : definition.group == "cardio" ? .cardio : .other
    var levels: [LevelTerm] = []
    var thresholds: [(activity: NameIndex, measures: Measures)] = []
    var others = Measures()
    var atLeast = Thousandths.zero
    var atMost = Thousandths(count: Int64.max)
    switch definition.rule.kind {
    case .minutes(let threshold):
      test = .minutes
      atLeast = threshold
    case .level(let bands, let good):
      test = .level
      for (index, level) in bands.enumerated() {
        let outcome = good.has(level.name) ? Outcome.good : Outcome.level(index)
        levels.append(LevelTerm(name: names.intern(level.name), level: level, outcome: outcome))
      }
    case .activity(let all):
      test = .activity
      for threshold in all {
        if threshold.activity == "*" { others = threshold.measures }
        thresholds.append((names.intern(threshold.activity), threshold.measures))
      }
    case .sum(let sum):
      test = .sum(sum.of)
      atLeast = sum.atLeast ?? .zero
      atMost = sum.atMost ?? atMost
    case .any: test = .any
    case .none: test = .abstinence
    case .completed: test = .completed
    case .all: test = .all
    case .either: test = .either
    }
    self.atLeast = atLeast.count
    self.atMost = atMost.count
    self.levels = levels
    self.thresholds = thresholds
    otherActivities = others
    (healable, penalty) = Terms.forgiveness(definition, levels: levels)
  }

  private static func forgiveness(
    _ definition: Definition, levels: [LevelTerm]
  ) -> (healable: [Bool], penalty: [Int]) {
    var healable = [Bool](repeating: false, count: Int(Outcome.firstLevel) + levels.count)
    var penalty = [Int](repeating: 0, count: healable.count)
    guard case .joker(let rule)? = definition.forgiveness else { return (healable, penalty) }
    for code in healable.indices {
      let outcome = Outcome(code: UInt16(code))
      let name = Outcome.name(of: outcome, levels: levels.map { $0.level.name })
      let isBadLevel = code >= Int(Outcome.firstLevel)
      healable[code] =
        rule.heals.map { $0.has(name) } ?? (isBadLevel || [.missed, .slip, .over].contains(outcome))
      let isBad = code >= Int(Outcome.failed.code)
      penalty[code] = isBad ? rule.penalty.first { $0.outcome.spelling == name.spelling }?.jokers ?? 0 : 0
    }
    return (healable, penalty)
  }

  /// Whether nothing speaks for or against the run: what leaves today open, and what an excuse covers.
  func isQuiet(_ outcome: Outcome) -> Bool { outcome == .missed || isLimit && outcome == .good }

  /// What the amounts of a sum count.
  var unit: String? { if case .sum(let sum) = definition.rule.kind { sum.unit } else { nil } }

  var hasJokers: Bool { if case .jokers = mercy { true } else { false } }

  var isComposite: Bool { test == .all || test == .either }

  func measures(for activity: UInt32) -> Measures {
    guard activity != 0 else { return otherActivities }
    for threshold in thresholds where threshold.activity.value == activity - 1 { return threshold.measures }
    return otherActivities
  }

  /// The outcome's name as `calendar` and `why` show it.
  func name(of outcome: Outcome) -> String {
    Outcome.name(of: outcome, levels: levels.map { $0.level.name })
  }
}

/// What a day's entries amount to under its rule, before any forgiveness.
package struct Outcome: Hashable, Sendable {
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

  static func name(of outcome: Outcome, levels: [String]) -> String {
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
