/// Where a day's outcome is decided: the standing entries of one habit on one day, tallied under its rule.
///
/// Adding an entry is O(1); the order of a day matters only for its latest entry (domain.md, "Outcome of a day").
struct DayCell: Sendable {
  /// 1 + the index of the day's first entry in arrival order; deleted ones stay in the chain.
  var head: UInt32 = 0
  var tail: UInt32 = 0
  /// Standing entries that count for the habit, late ones included.
  var entries: Int32 = 0
  /// Of those, the ones the rule looks at.
  var considered: Int32 = 0
  var failed: Int32 = 0
  /// 1 + the index of the latest considered entry.
  var latest: UInt32 = 0
  /// Sum of minutes in thousandths, or how many entries reach their threshold.
  var sum: Int64 = 0
}

extension Terms {
  /// Whether the rule looks at the entry: it is in time, and has the measure the rule needs in a form it knows.
  func considers(_ entry: EntryFact) -> Bool {
    guard Int(entry.lateness) <= lateBy else { return false }
    switch test {
    case .minutes: return entry.minutes >= 0
    case .completed: return entry.completed >= 0
    case .level: return level(of: entry) != nil
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
    guard test == .activity, Int(entry.lateness) <= lateBy else { return false }
    return entry.measures.reachesOne(of: measures(for: entry.activity))
  }

  /// Counts a considered entry in; `sign` -1 takes it out again.
  func tally(_ entry: EntryFact, into cell: inout DayCell, sign: Int32 = 1) {
    cell.considered += sign
    switch test {
    case .minutes: cell.sum += Int64(entry.minutes) * Int64(sign)
    case .activity: cell.sum += qualifies(entry) ? Int64(sign) : 0
    case .completed: cell.failed += entry.completed == 0 ? sign : 0
    default: break
    }
  }

  /// The outcome of a day with these entries; `latest` is its latest considered one.
  func outcome(of cell: DayCell, latest: EntryFact?) -> Outcome {
    switch test {
    case .minutes: return Thousandths(count: cell.sum).rounded * 1000 >= atLeast ? .good : .missed
    case .any: return cell.considered > 0 ? .good : .missed
    case .abstinence: return cell.considered > 0 ? .slip : .good
    case .activity: return cell.sum > 0 ? .good : .missed
    case .level: return latest.flatMap { level(of: $0)?.outcome } ?? .missed
    case .completed:
      guard let latest else { return .missed }
      if latest.completed == 0 { return .failed }
      return cell.failed > 0 ? .restarted : .good
    case .all, .either: return .missed
    }
  }
}
