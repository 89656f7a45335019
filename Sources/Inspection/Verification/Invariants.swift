package import StreakDomain

package enum Invariants {
  package static func violation(of state: Streak, book: [JokerLine], in ledger: Ledger) -> String? {
    let jokers = state.jokers
    let counted = JokerLine.Action.allCases.map { action in book.count { $0.action == action } }
    if counted != [jokers.earned, jokers.spent, jokers.forfeited, jokers.penalised] {
      return "\(state.habit): the book's lines do not add up to \(jokers)"
    }
    if let last = book.last, last.held != jokers.held {
      return "\(state.habit): the book ends with \(last.held) held, the state with \(jokers.held)"
    }
    if jokers.earned != jokers.held + jokers.spent + jokers.penalised {
      return
        "\(state.habit): \(jokers.earned) jokers earned, but \(jokers.held) held, \(jokers.spent) spent and "
        + "\(jokers.penalised) penalised"
    }
    if jokers.held < 0 || jokers.held > ledger.largestCap(of: state.habit) {
      return "\(state.habit): \(jokers.held) jokers held, more than any definition allows"
    }
    let folded = ledger.firstFoldedDay(of: state.habit).map { (ledger.today ?? $0) - $0 + 1 } ?? 0
    if Verdict.allCases.reduce(0, { $0 + state.days[$1] }) != folded {
      return "\(state.habit): the verdicts do not add up to the \(folded) days folded"
    }
    if state.current > state.best || state.best > state.longest {
      return "\(state.habit): current \(state.current), best \(state.best), longest \(state.longest)"
    }
    return nil
  }
}
