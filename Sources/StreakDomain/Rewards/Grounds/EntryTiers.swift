/// `collector`, `marathon` and `devotee`: entries, days and chains of days with any entry.
struct EntryTiers: Sendable {
  static let collector = [10, 25, 50, 100, 250]
  /// With more entries than these one more brings no collector tier.
  static let mostEntries = 250
  static let marathon = [7, 30, 60, 120, 365]
  static let devotee = [3, 7, 14, 30, 60]

  /// Each tier on the day it was first reached, in that order.
  private(set) var reached: [Reached] = []
  private var entries = 0
  private var days = 0
  private var chain = 0
  private var longestChain = 0
  private var previous: Day?

  struct Reached: Sendable, Equatable {
    let name: GroundName
    let on: Day
  }

  mutating func pass(_ day: Day, _ ground: DailyActivity) {
    guard ground.entries > 0 else { return }
    enter(.collector, EntryTiers.collector, above: entries, through: entries + Int(ground.entries), day)
    entries += Int(ground.entries)
    enter(.marathon, EntryTiers.marathon, above: days, through: days + 1, day)
    days += 1
    chain = previous?.next == day ? chain + 1 : 1
    previous = day
    guard chain > longestChain else { return }
    enter(.devotee, EntryTiers.devotee, above: longestChain, through: chain, day)
    longestChain = chain
  }

  private mutating func enter(
    _ kind: GroundName.Kind, _ tiers: [Int], above: Int, through: Int, _ day: Day
  ) {
    guard above < tiers[tiers.count - 1] else { return }
    for (tier, least) in tiers.enumerated() where least > above && least <= through {
      reached.append(Reached(name: .tiered(kind, tier), on: day))
    }
  }
}

/// The five steps of an achievement that grows (domain.md, "Achievements").
enum Tier {
  static let names = ["bronze", "silver", "gold", "diamond", "legendary"]
}
