import Replay
import StreakDomain

/// The events that make a number of the page's end what it is.
package struct PageChain {
  let habit: String
  let field: HabitField
  /// Each with the position that it leads to.
  let lines: [(position: Int?, text: String)]

  func json(_ number: Int) -> JSON {
    .list([
      .whole(number), .text(field.rawValue),
      .list(lines.map { .list([$0.position.map { .whole($0) } ?? .null, .text($0.text)]) }),
    ])
  }
}

extension Invocation {
  /// The chains of the page's numbers, as `blame` finds them.
  func pageChains(today: Day?) throws(CommandError) -> [PageChain] {
    let ledger = try blamed(at: .end, today: today)
    let fields = ledger.loaded.ledger.definedHabits.flatMap { habit in
      [HabitField.current, .held].map { StateField.habit(habit, $0) }
    }
    var shown: [PageChain] = []
    for chain in try chains(of: fields, in: ledger) {
      guard case .habit(let habit, let field) = chain.blame.field, chain.blame.value.description != "0" else {
        continue
      }
      shown.append(PageChain(habit: habit, field: field, lines: try BlameText(chain, self).items))
    }
    return shown
  }
}
