/// The name of an achievement, taken apart (domain.md, "Achievements").
package enum AchievementKey: Hashable, Sendable {
  /// One that names no habit, such as `tri-threat` or `collector:gold`.
  case named(String)
  case milestone(habit: String, run: Int)

  /// Reads a key; a milestone may be of any habit and any run of two days or more.
  package init?(_ text: String) {
    if AchievementKey.fixed.contains(text) {
      self = .named(text)
      return
    }
    let parts = text.parts(at: ":")
    guard parts.count == 3, parts[0] == "milestone", !parts[1].isEmpty, let run = Int(parts[2]), run >= 2,
      parts[2] == String(run)
    else { return nil }
    self = .milestone(habit: String(parts[1]), run: run)
  }

  /// Every key but the milestones.
  package static let fixed =
    Achievement.single
    + ["streak-master", "collector", "marathon", "devotee", "variety"].flatMap { name in
      Tier.names.map { "\(name):\($0)" }
    }
}

extension AchievementKey: CustomStringConvertible {
  package var description: String {
    switch self {
    case .named(let key): key
    case .milestone(let habit, let run): "milestone:\(habit):\(run)"
    }
  }
}

/// What an achievement is called, not yet spelled out: after most events the names are only compared.
package enum GroundName: Hashable, Sendable {
  /// Of a habit by its place in the ledger, and the length of the run.
  case milestone(habit: Int, run: Int)
  /// By its place in `Achievement.single`.
  case single(Int)
  /// With its place in `Tier.names`.
  case tiered(Kind, Int)

  package enum Kind: String, Sendable {
    case streakMaster = "streak-master"
    case collector, marathon, devotee, variety
  }
}

extension Ledger {
  /// The key of an achievement (domain.md, "Achievements").
  package func key(of ground: GroundName) -> String {
    switch ground {
    case .milestone(let habit, let run): "milestone:\(names.text(habits[habit].name)):\(run)"
    case .single(let place): Achievement.single[place]
    case .tiered(let kind, let tier): "\(kind.rawValue):\(Tier.names[tier])"
    }
  }
}
