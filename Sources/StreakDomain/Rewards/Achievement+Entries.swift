extension Ledger {
  static let collectorTiers = [10, 25, 50, 100, 250]
  static let marathonTiers = [7, 30, 60, 120, 365]
  static let devoteeTiers = [3, 7, 14, 30, 60]
  static let varietyTiers = [3, 5, 8, 12, 16]

  /// `collector`, `marathon`, `devotee` and `variety`: counts over the entries of all habits.
  func entryGrounds() -> [Achievement] {
    var found: [Achievement] = []
    var entries = 0
    var days = 0
    var chain = 0
    var previous: Day?
    for day in activeDays where daily[day].entries > 0 {
      let before = (entries, days, chain)
      entries += Int(daily[day].entries)
      days += 1
      let longest = previous?.next == day ? chain + 1 : 1
      previous = day
      found += tiers("collector", Ledger.collectorTiers, above: before.0, through: entries, day)
      found += tiers("marathon", Ledger.marathonTiers, above: before.1, through: days, day)
      found += tiers("devotee", Ledger.devoteeTiers, above: longest - 1, through: longest, day)
      chain = longest
    }
    found += varieties()
    var seen: Set<String> = []
    return found.filter { seen.insert($0.key).inserted }
  }

  private func varieties() -> [Achievement] {
    let first = defined.compactMap { habits[$0].firstEntryDay }.sorted()
    return Ledger.varietyTiers.flatMap { tier in
      tier > first.count ? [] : tiers("variety", [tier], above: tier - 1, through: tier, first[tier - 1])
    }
  }

  /// The achievements of the tiers within (`above`, `through`], reached on the day.
  private func tiers(
    _ name: String, _ tiers: [Int], above: Int, through: Int, _ day: Day
  ) -> [Achievement] {
    tiers.filter { $0 > above && $0 <= through }.map { tier in
      Achievement(key: "\(name):\(tier)", on: day, because: entries(of: defined, on: day), xp: 0)
    }
  }
}
