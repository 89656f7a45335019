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
