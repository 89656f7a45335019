@testable package import StreakDomain

// Copies of what the new fold shares with the one that it replaces, for its own `EntryFact` and `Verdict`.

struct LevelTest: Sendable {
  let outcomes: [Outcome]
  private let bands: [Level]
  private let indexes: [Symbol]

  init(_ levels: Levels, names: inout SymbolTable) {
    bands = levels.bands
    outcomes = levels.bands.enumerated().map { levels.good.contains($1.name) ? .good : .level($0) }
    indexes = levels.names.map { names.intern($0.string) }
  }

  /// Returns the index of the entry's level, or `nil` if it has none or if its level and its drinks disagree.
  func place(of entry: EntryFact) -> Int? {
    let named = entry.level == 0 ? nil : indexes.firstIndex { $0.value == entry.level - 1 }
    guard entry.drinks >= 0 else { return named }
    let band = bands.firstIndex { $0.contains(Int(entry.drinks)) }
    return entry.level == 0 || band == named ? band : nil
  }
}

struct ActivityTest: Sendable {
  private var own: [(activity: Symbol, measures: Measures)] = []
  private var others = Measures()

  init(_ thresholds: [ActivityThreshold], names: inout SymbolTable) {
    for threshold in thresholds {
      own.append((names.intern(threshold.activity.string), threshold.measures))
      if threshold.activity == "*" { others = threshold.measures }
    }
  }

  func isReached(by entry: EntryFact) -> Bool {
    entry.measures.reachesOne(of: threshold(of: entry.activity))
  }

  private func threshold(of activity: UInt32) -> Measures {
    guard activity != 0 else { return others }
    for threshold in own where threshold.activity.value == activity - 1 { return threshold.measures }
    return others
  }
}

extension Totals {
  mutating func add(_ entry: EntryFact, sign: Int = 1) {
    entries += sign
    minutes.count += Int64(max(0, entry.minutes)) * Int64(sign)
    km.count += Int64(max(0, entry.km)) * Int64(sign)
    sets += max(0, Int(entry.sets)) * sign
    if entry.drinks > 0 { drinks += Int(entry.drinks) * sign }
    if entry.amount > 0 { amount.count += Int64(entry.amount) * Int64(sign) }
    guard entry.completed >= 0 else { return }
    played += sign
    completed += Int(entry.completed) * sign
  }
}

extension Verdict {
  var isGoodOrRestarted: Bool { self == .good || self == .restarted }
  var countsForSchedule: Bool { isGoodOrRestarted || self == .healed }
  var index: Int { place }
}
