/// Where a day's outcome is decided: the standing entries of one habit on one day, tallied under its rule.
///
/// Adding an entry is O(1) and looks at no other; the order of a day matters only for its latest entry (domain.md,
/// "Habits and rules").
struct DayCell: DayValue {
  /// The entry that arrived last, the first of the day's chain; deleted ones stay in it.
  var head = EntryPlace.end
  /// Standing entries that count for the habit, late ones included.
  var entries: Int32 = 0
  /// The latest of those the rule looks at, and what the fold needs of it.
  private(set) var latest = EntryPlace.end
  private(set) var latestOutcome = Outcome.missed
  private var latestAt: Int64 = 0
  /// Of those the rule looks at: what they add up to in thousandths, or how many fail, reach their threshold or are there.
  var sum: Int64 = 0

  /// Takes an entry that the rule looks at as the day's latest, if it is; another is looked up only of the same time.
  @inline(__always)
  mutating func consider(_ entry: EntryFact, at place: EntryPlace, in entries: [EntryFact], _ terms: Terms) {
    if latest != .end {
      guard latestAt <= entry.at else { return }
      guard latestAt < entry.at || entries[latest].precedes(entry) else { return }
    }
    latest = place
    latestAt = entry.at
    latestOutcome = terms.test.outcome(after: entry)
  }

  /// Whether there is an entry that counts, to find the first day with one.
  var weight: Int32 { entries > 0 ? 1 : 0 }

  mutating func forgetLatest() {
    latest = .end
    latestOutcome = .missed
  }
}

/// How a rule judges entries and days, made ready for the fold: names as indexes, bounds in thousandths.
///
/// A class, as `Terms` is: every entry is judged, and a struct with lists in it would be copied for that.
final class RuleTest: Sendable {
  let kind: Kind
  /// Only for `minutes` and `sum` rules, in thousandths.
  private let atLeast: Int64
  /// Only for `sum` rules, in thousandths.
  private let atMost: Int64
  /// Only for `level` rules, in the definition's order.
  let levels: [LevelTerm]
  /// Only for `activity` rules.
  private let thresholds: [(activity: NameIndex, measures: Measures)]
  private let otherActivities: Measures
  private let lateBy: Int

  /// The kind of rule without its payload, which costs nothing to look at.
  enum Kind: Sendable, Equatable {
    case minutes, level, any, abstinence, sum(Measure), completed, activity, all, either
  }

  struct LevelTerm: Sendable {
    let name: NameIndex
    let level: Level
    let outcome: Outcome
  }

  init(_ rule: Rule, names: inout Names) {
    lateBy = rule.lateBy ?? Int.max
    var (atLeast, atMost) = (Int64(0), Int64.max)
    var levels: [LevelTerm] = []
    var thresholds: [(activity: NameIndex, measures: Measures)] = []
    var others = Measures()
    switch rule.kind {
    case .minutes(let threshold):
      kind = .minutes
      atLeast = threshold.count
    case .level(let bands, let good):
      kind = .level
      for (index, level) in bands.enumerated() {
        let outcome = good.has(level.name) ? Outcome.good : Outcome.level(index)
        levels.append(LevelTerm(name: names.intern(level.name), level: level, outcome: outcome))
      }
    case .activity(let all):
      kind = .activity
      for threshold in all {
        if threshold.activity == "*" { others = threshold.measures }
        thresholds.append((names.intern(threshold.activity), threshold.measures))
      }
    case .sum(let sum):
      kind = .sum(sum.of)
      atLeast = sum.atLeast?.count ?? 0
      atMost = sum.atMost?.count ?? atMost
    case .any: kind = .any
    case .none: kind = .abstinence
    case .completed: kind = .completed
    case .all: kind = .all
    case .either: kind = .either
    }
    (self.atLeast, self.atMost) = (atLeast, atMost)
    (self.levels, self.thresholds, otherActivities) = (levels, thresholds, others)
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
    case .minutes: return entry.minutes >= 0
    case .completed: return entry.completed >= 0
    case .level: return level(of: entry) != nil
    case .sum(let measure): return entry[measure] >= 0
    case .any, .abstinence, .activity: return true
    case .all, .either: return false
    }
  }

  /// The level an entry names or its drinks fall into; nil when the two disagree or there is none.
  func level(of entry: EntryFact) -> LevelTerm? {
    let named = entry.level == 0 ? nil : levels.first { $0.name.value == entry.level - 1 }
    guard entry.drinks >= 0 else { return named }
    let band = levels.first { $0.level.contains(Int(entry.drinks)) }
    guard entry.level != 0 else { return band }
    return band?.name == named?.name ? named : nil
  }

  /// Whether the entry alone reaches its activity's threshold and is not too late (domain.md, "Achievements").
  func qualifies(_ entry: EntryFact) -> Bool {
    guard kind == .activity, !isTooLate(entry) else { return false }
    return entry.measures.reachesOne(of: measures(for: entry.activity))
  }

  private func measures(for activity: UInt32) -> Measures {
    guard activity != 0 else { return otherActivities }
    for threshold in thresholds where threshold.activity.value == activity - 1 { return threshold.measures }
    return otherActivities
  }

  /// Counts a considered entry in; `sign` -1 takes it out again.
  func tally(_ entry: EntryFact, into cell: inout DayCell, sign: Int64 = 1) {
    switch kind {
    case .minutes: cell.sum += Int64(entry.minutes) * sign
    case .sum(let measure): cell.sum += entry[measure] * sign
    case .activity: cell.sum += qualifies(entry) ? sign : 0
    case .completed: cell.sum += entry.completed == 0 ? sign : 0
    case .any, .abstinence: cell.sum += sign
    case .level, .all, .either: break
    }
  }

  /// What the latest considered entry makes of its day, for the rules that ask it alone.
  fileprivate func outcome(after latest: EntryFact) -> Outcome {
    switch kind {
    case .level: level(of: latest)?.outcome ?? .missed
    case .completed: latest.completed == 0 ? .failed : .good
    case .minutes, .any, .abstinence, .sum, .activity, .all, .either: .good
    }
  }

  /// The outcome of a day with these entries.
  func outcome(of cell: DayCell) -> Outcome {
    switch kind {
    case .minutes: Thousandths(count: cell.sum).rounded * 1000 >= atLeast ? .good : .missed
    case .sum: cell.sum < atLeast ? .missed : cell.sum > atMost ? .over : .good
    case .any, .activity: cell.sum > 0 ? .good : .missed
    case .abstinence: cell.sum > 0 ? .slip : .good
    case .level: cell.latestOutcome
    case .completed: cell.latestOutcome == .good && cell.sum > 0 ? .restarted : cell.latestOutcome
    case .all, .either: .missed
    }
  }
}
