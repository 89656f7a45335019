@testable package import StreakDomain

/// How a rule judges entries and days, made ready for the fold: names as indexes, bounds in thousandths.
///
/// A class, as `CompiledDefinition` is: every entry is judged, and a struct with lists in it would be copied for that.
final class RuleTest: Sendable {
  private let kind: Rule.Name
  let traits: Rule.Traits
  /// What is added up; only for rules that add something up, as the bounds.
  private let measure: Measure
  private let atLeast: Int64
  private let atMost: Int64
  let levels: LevelTest
  private let activities: ActivityTest
  private let lateBy: Int

  init(_ rule: Rule, names: inout SymbolTable) {
    kind = rule.name
    traits = rule.traits
    lateBy = rule.lateBy ?? Int.max
    measure = rule.measure ?? .entries
    let bounds = rule.bounds
    (atLeast, atMost) = (bounds?.atLeast?.count ?? 0, bounds?.atMost?.count ?? .max)
    levels = LevelTest(rule.levels, names: &names)
    activities = ActivityTest(rule.thresholds, names: &names)
  }

  /// Whether the entry comes so late that it does not count.
  func isTooLate(_ entry: EntryFact) -> Bool { Int(entry.lateness) > lateBy }

  /// Whether the rule looks at the entry: it is in time, and has the measure the rule needs in a form it knows.
  @inline(__always)
  func considers(_ entry: EntryFact) -> Bool {
    !isTooLate(entry) && reads(entry)
  }

  /// Whether the entry has the measure the rule needs in a form it knows.
  @inline(__always)
  func reads(_ entry: EntryFact) -> Bool {
    switch kind {
    case .minutes, .sum: return entry[measure] >= 0
    case .completed: return entry.completed >= 0
    case .level: return levels.place(of: entry) != nil
    case .any, .never, .activity: return true
    case .all, .either: return false
    }
  }

  /// Whether the entry alone reaches its activity's threshold and is not too late (domain.md, "Achievements").
  func qualifies(_ entry: EntryFact) -> Bool {
    kind == .activity && !isTooLate(entry) && activities.isReached(by: entry)
  }

  /// Counts a considered entry in; `sign` -1 takes it out again.
  func tally(_ entry: EntryFact, into cell: inout DayCell, sign: Int64 = 1) {
    switch kind {
    case .minutes, .sum: cell.sum += entry[measure] * sign
    case .activity: cell.sum += qualifies(entry) ? sign : 0
    case .completed: cell.sum += entry.completed == 0 ? sign : 0
    case .any, .never: cell.sum += sign
    case .level, .all, .either: break
    }
  }

  /// What the latest considered entry makes of its day, for the rules that ask it alone.
  func outcome(after latest: EntryFact) -> Outcome {
    switch kind {
    case .level: levels.place(of: latest).map { levels.outcomes[$0] } ?? .missed
    case .completed: latest.completed == 0 ? .failed : .good
    case .minutes, .any, .never, .sum, .activity, .all, .either: .good
    }
  }

  /// The outcome of a day with these entries.
  func outcome(of cell: DayCell) -> Outcome {
    switch kind {
    case .minutes: Thousandths(count: cell.sum).rounded * 1000 >= atLeast ? .good : .missed
    case .sum: cell.sum < atLeast ? .missed : cell.sum > atMost ? .over : .good
    case .any, .activity: cell.sum > 0 ? .good : .missed
    case .never: cell.sum > 0 ? .slip : .good
    case .level: cell.latestOutcome
    case .completed: cell.latestOutcome == .good && cell.sum > 0 ? .restarted : cell.latestOutcome
    case .all, .either: .missed
    }
  }

  /// The outcome that a day gives its week or month by the sum up to it; nil where a later day decides.
  func decision(at sum: Int64, isLastDay: Bool) -> Outcome? {
    if sum > atMost { return .over }
    if sum >= atLeast, atMost == .max || isLastDay { return .good }
    return isLastDay ? .missed : nil
  }
}
