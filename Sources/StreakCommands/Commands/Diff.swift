import EventLog
import Inspection
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
    ],
    example: Example(
      line: "streaks diff 4847 4848",
      answer: [
        "noalc",
        "  current          41 → 12",
        "  start            2025-09-24 → 2025-10-23",
        "  2025-10-08 good → healed",
        "  2025-10-22 healed → bad",
        "…",
      ])
  ) { invocation throws(Failure) in
    let run = DiffRun(invocation: invocation)
    let first = try run.state(at: invocation.word(0))
    let second = try run.state(at: invocation.word(1))
    let answer = LedgerDifference(from: (first.ledger, first.event), to: (second.ledger, second.event))
    let isEmpty = answer.difference.isEmpty
    if invocation.isJSON {
      invocation.print(JSON.document(answer).line)
    } else if isEmpty {
      invocation.print("no difference")
    } else {
      let later = answer.from.position <= answer.to.position ? second.ledger : first.ledger
      for line in DifferenceText.lines(answer.difference, later, invocation.style) { invocation.print(line) }
      try run.printBetween(answer.events, later)
    }
    return isEmpty ? .done : .failed
  }
}

private struct DiffRun {
  let invocation: Invocation

  func printBetween(_ ids: [String], _ ledger: Ledger) throws(Failure) {
    guard !ids.isEmpty else { return }
    invocation.print("")
    invocation.print(counted(ids.count, "event") + " between")
    let words = EventText(ledger: ledger)
    for placed in try invocation.reader.events(of: Set(ids.prefix(20))) {
      let says = Escaping.visible(words.text(of: placed.event))
      invocation.print(
        "  \(placed.position)  \(placed.event.day)  \(says)  "
          + invocation.style.paint(Event.shortID(placed.event.id), .grey))
    }
    if ids.count > 20 {
      invocation.print("  and \(ids.count - 20) more; `streaks timeline --from … --to …` shows all")
    }
  }

  func state(at text: String) throws(Failure) -> LoadedLedger {
    let point = try invocation.words.point(named: text)
    let loaded = try invocation.reader.load(point, today: try invocation.reader.today(of: point))
    try invocation.reader.check(point, reached: loaded)
    return loaded
  }
}
