/// The name of an achievement, taken apart (domain.md, "Achievements").
package enum AchievementKey: Hashable, Sendable {
  case triThreat, cardioKing, balancedWarrior, ultraEndurance
  /// The length of the tier's run.
  case streakMaster(Int)
  case collector(Int)
  case marathon(Int)
  case devotee(Int)
  case variety(Int)
  case milestone(habit: String, run: Int)

  /// Reads a key; a milestone may be of any habit and any run of two days or more.
  package init?(_ text: String) {
    if let known = AchievementKey.fixed.first(where: { $0.description == text }) {
      self = known
      return
    }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0] == "milestone", !parts[1].isEmpty, let run = Int(parts[2]), run >= 2,
      parts[2] == String(run)
    else { return nil }
    self = .milestone(habit: String(parts[1]), run: run)
  }

  /// Every key but the milestones.
  package static let fixed: [AchievementKey] =
    [.triThreat, .cardioKing, .balancedWarrior, .ultraEndurance]
    + Ledger.streakTiers.map { .streakMaster($0.1) } + Ledger.collectorTiers.map { .collector($0) }
    + Ledger.marathonTiers.map { .marathon($0) } + Ledger.devoteeTiers.map { .devotee($0) }
    + Ledger.varietyTiers.map { .variety($0) }
}

extension AchievementKey: CustomStringConvertible {
  package var description: String {
    switch self {
    case .triThreat: "tri-threat"
    case .cardioKing: "cardio-king"
    case .balancedWarrior: "balanced-warrior"
    case .ultraEndurance: "ultra-endurance"
    case .streakMaster(let run):
      "streak-master:" + (Ledger.streakTiers.first { $0.1 == run }?.0 ?? String(run))
    case .collector(let tier): "collector:\(tier)"
    case .marathon(let tier): "marathon:\(tier)"
    case .devotee(let tier): "devotee:\(tier)"
    case .variety(let tier): "variety:\(tier)"
    case .milestone(let habit, let run): "milestone:\(habit):\(run)"
    }
  }
}
