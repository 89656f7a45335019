package import StreakDomain

/// The laws that every state of a habit obeys.
package enum Invariants {
  /// Describes the first invariant that `state` violates, or returns `nil`; `book` is the joker
  /// book of the habit.
  package static func violation(of state: Streak, book: [JokerLine], in ledger: Ledger) -> String? {
    let jokers = state.jokers
    let counted = JokerLine.Action.allCases.map { action in book.count { $0.action == action } }
    let cap =
      ledger.facts.definitions(of: state.habit).compactMap(\.source.forgiveness?.cap).max() ?? 0
    let folded = ledger[state.habit]?.firstDay.map { (ledger.today ?? $0) - $0 + 1 } ?? 0

    if counted != [jokers.earned, jokers.spent, jokers.forfeited, jokers.penalised]
      || jokers.held != book.last?.held ?? jokers.held
    {
      return "\(state.habit): the book's lines do not add up to \(jokers)"
    }
    if jokers.earned != jokers.held + jokers.spent + jokers.penalised {
      return "\(state.habit): the jokers earned are not those held, spent and penalised: \(jokers)"
    }
    if !(0...cap).contains(jokers.held) {
      return "\(state.habit): \(jokers.held) jokers held, more than any definition allows"
    }
    if Verdict.allCases.reduce(0, { $0 + state.days[$1] }) != folded {
      return "\(state.habit): the verdicts do not add up to the \(folded) days folded"
    }
    if state.current > state.best || state.best > state.longest {
      return
        "\(state.habit): current \(state.current), best \(state.best), longest \(state.longest)"
    }
    return nil
  }
}
