import EventLog
import Replay
import StreakDomain

extension Command {
  static let diff = Command(
    name: "diff", group: .lookBack, words: "POINT POINT",
    summary: "what differs between two states, and the events between",
    options: [json] + whatIf,
    details: [
      "A point is a position, an event id, a day, a time, or end. Exits 0 where nothing differs and 1 where",
      "something does, like diff.", "",
      "  streaks diff 4847 4848", "  streaks diff 2025-11-03 2025-11-04",
    ]
  ) { invocation throws(CommandError) in
    let first = try invocation.state(at: invocation.word(0))
    let second = try invocation.state(at: invocation.word(1))
    let difference = Difference.between(first.ledger, second.ledger)
    let (low, high) = first.ledger.position <= second.ledger.position ? (first, second) : (second, first)
    let events = (low.ledger.position..<high.ledger.position).map { high.ledger.id(at: $0 + 1) }
    if invocation.isJSON {
      invocation.print(
        difference.document(from: first.placed, to: second.placed, events: events).line)
    } else if difference.isEmpty {
      invocation.print("no difference")
    } else {
      let lines = DifferenceText.lines(
        difference, high.ledger, invocation.style)
      for line in lines { invocation.print(line) }
      try invocation.printBetween(events, high.ledger)
    }
    return difference.isEmpty ? .done : .failed
  }
}

extension LoadedLedger {
  var placed: PlacedEvent { PlacedEvent(position: ledger.position, event: event) }
}

extension Invocation {
  /// The first events between two states, a line each.
  fileprivate func printBetween(_ ids: [String], _ ledger: Ledger) throws(CommandError) {
    guard !ids.isEmpty else { return }
    print("")
    print(counted(ids.count, "event") + " between")
    let words = EventWords(ledger: ledger)
    for placed in try events(of: Set(ids.prefix(20).map(\.spelling))) {
      let says = Escaping.visible(words.text(of: placed.event))
      print(
        "  \(placed.position)  \(placed.event.day)  \(says)  "
          + style.paint(Event.shortID(placed.event.id), .grey))
    }
    if ids.count > 20 { print("  and \(ids.count - 20) more; `streaks timeline --from … --to …` shows all") }
  }

  /// The state at a point, seen from the day that the point says.
  fileprivate func state(at text: String) throws(CommandError) -> LoadedLedger {
    let point = try point(named: text)
    let loaded = try load(point, today: try today(of: point))
    try check(point, reached: loaded)
    return loaded
  }
}
