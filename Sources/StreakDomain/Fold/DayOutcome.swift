/// Where a day's outcome is decided: the standing entries of one habit on one day, tallied under its rule.
///
/// Adding an entry is O(1) and looks at no other; the order of a day matters only for its latest entry (domain.md,
/// "Habits and rules").
struct DayCell: DayValue {
  /// 1 + the index of the entry that arrived last, the first of the day's chain; deleted ones stay in it.
  var head: UInt32 = 0
  /// Standing entries that count for the habit, late ones included.
  var entries: Int32 = 0
  /// 1 + the index of the latest of those the rule looks at, and what the fold needs of it.
  private(set) var latest: UInt32 = 0
  private(set) var latestOutcome = Outcome.missed
  private var latestAt: Int64 = 0
  /// Of those the rule looks at: what they add up to in thousandths, or how many fail, reach their threshold or are there.
  var sum: Int64 = 0

  /// Takes an entry that the rule looks at as the day's latest, if it is; another is looked up only of the same time.
  @inline(__always)
  mutating func consider(_ entry: EntryFact, at place: UInt32, in entries: [EntryFact], _ terms: Terms) {
    if latest != 0 {
      guard latestAt <= entry.at else { return }
      guard latestAt < entry.at || entries[Int(latest) - 1].precedes(entry) else { return }
    }
    latest = place
    latestAt = entry.at
    latestOutcome = terms.outcome(after: entry)
  }

  /// Whether there is an entry that counts, to find the first day with one.
  var weight: Int32 { entries > 0 ? 1 : 0 }

  mutating func forgetLatest() {
    latest = 0
    latestOutcome = .missed
  }
}

extension Terms {
  /// Whether the rule looks at the entry: it is in time, and has the measure the rule needs in a form it knows.
  @inline(__always)
  func considers(_ entry: EntryFact) -> Bool {
    Int(entry.lateness) <= lateBy && reads(entry)
  }

  /// Whether the entry has the measure the rule needs in a form it knows.
  @inline(__always)
  func reads(_ entry: EntryFact) -> Bool {
    switch test {
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
    guard test == .activity, Int(entry.lateness) <= lateBy else { return false }
    return entry.measures.reachesOne(of: measures(for: entry.activity))
  }

  /// Counts a considered entry in; `sign` -1 takes it out again.
  func tally(_ entry: EntryFact, into cell: inout DayCell, sign: Int64 = 1) {
    switch test {
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
    switch test {
    case .level: level(of: latest)?.outcome ?? .missed
    case .completed: latest.completed == 0 ? .failed : .good
    default: .good
    }
  }

  /// The outcome of a day with these entries.
  func outcome(of cell: DayCell) -> Outcome {
    switch test {
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
