import EventLog
import Replay
import StreakDomain

extension Command {
  static let diff = Command(
    name: "diff", words: "POINT POINT", summary: "what differs between two states, and the events between",
    options: [json] + whatIf,
    details: [
      "A point is a position, an event id, a day, a time, or end. Exits 0 where nothing differs and 1 where",
      "something does, like diff.", "",
      "  streaks diff 4847 4848", "  streaks diff 2025-11-03 2025-11-04",
    ]
  ) { invocation throws(CommandError) in
    try invocation.arguments.limit(2, "two POINTs")
    let first = try invocation.state(at: invocation.word(0, "two POINTs"))
    let second = try invocation.state(at: invocation.word(1, "two POINTs"))
    let difference = Difference.between(first.ledger, second.ledger)
    let (low, high) = first.ledger.position <= second.ledger.position ? (first, second) : (second, first)
    let events = (low.ledger.position..<high.ledger.position).map { high.ledger.id(at: $0 + 1) }
    if invocation.isJSON {
      invocation.print(
        difference.document(from: first.placed, to: second.placed, events: events).line)
    } else if difference.isEmpty {
      invocation.print("no difference")
    } else {
      for line in DifferenceText.lines(difference, invocation.style) { invocation.print(line) }
      if !events.isEmpty {
        invocation.print("")
        invocation.print(events.count == 1 ? "1 event between" : "\(events.count) events between")
        for id in events.prefix(20) { invocation.print("  " + id) }
        if events.count > 20 { invocation.print("  … --json lists all") }
      }
    }
    return difference.isEmpty ? .done : .failed
  }
}

extension LoadedLedger {
  var placed: PlacedEvent { PlacedEvent(position: ledger.position, event: event) }
}

extension Invocation {
  /// The state at a point, seen from the day that the point says.
  fileprivate func state(at text: String) throws(CommandError) -> LoadedLedger {
    let point = try point(named: text)
    let loaded = try load(point, today: try today(of: point))
    try check(point, reached: loaded)
    return loaded
  }
}
