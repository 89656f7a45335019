extension Rule {
  /// The outcomes that jokers can cover.
  fileprivate var badOutcomes: [String] { outcomes.filter { $0 != "good" && $0 != "restarted" } }
}

extension Forgiveness {
  /// This forgiveness under another rule, and the words of outcomes that it had and that rule does not have.
  ///
  /// Jokers that covered every bad outcome go on to cover every one.
  package func following(from old: Rule, to rule: Rule) -> (Forgiveness, dropped: [String]) {
    guard case .joker(var joker) = self else { return (self, []) }
    let known = rule.outcomes
    let heals = joker.heals ?? []
    let kept = heals.filter { known.has($0) }
    let coversAll = old.badOutcomes.allSatisfy(heals.has)
    let lost = coversAll ? [] : heals.filter { !known.has($0) }
    if kept.count < heals.count { joker.heals = coversAll ? rule.badOutcomes : kept.isEmpty ? nil : kept }
    let taken = joker.penalty.map(\.outcome).filter { !known.has($0) && !lost.has($0) }
    joker.penalty.removeAll { !known.has($0.outcome) }
    return (.joker(joker), lost + taken)
  }
}
