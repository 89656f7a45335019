package import StreakDomain

extension Rule {
  fileprivate var badOutcomes: [Text] { outcomes.filter { $0 != "good" && $0 != "restarted" } }
}

extension Forgiveness {
  /// Returns this forgiveness adapted to a new rule, and the names of the outcomes that the new rule doesn't
  /// have.
  ///
  /// If jokers healed all bad outcomes of the old rule, they heal all of the new rule.
  package func following(from old: Rule, to rule: Rule) -> (Forgiveness, dropped: [Text]) {
    guard case .joker(var joker) = self else { return (self, []) }
    let known = rule.outcomes
    let heals = joker.heals ?? []
    let kept = heals.filter { known.contains($0) }
    let coversAll = old.badOutcomes.allSatisfy(heals.contains)
    let lost = coversAll ? [] : heals.filter { !known.contains($0) }
    if kept.count < heals.count { joker.heals = coversAll ? rule.badOutcomes : kept.isEmpty ? nil : kept }
    let taken = joker.penalty.map(\.outcome).filter { !known.contains($0) && !lost.contains($0) }
    joker.penalty.removeAll { !known.contains($0.outcome) }
    return (.joker(joker), lost + taken)
  }
}
