import EventLog
import Replay
import StreakDomain

extension Command {
  static let blame = Command(
    name: "blame", group: .lookBack, words: Synopsis("FIELD", asking: "a FIELD, such as noalc.current"),
    summary: "the events that a number depends on",
    options: [
      json,
      Option("--at", "POINT", "a position, an event id, a day, a time, or end (default: end)"),
      Option("--all", nil, "every event of the chain, not only 30 lines"),
    ],
    details: [
      "FIELD is one of `replay --json`: HABIT.current, HABIT.jokers.held, HABIT.longest, xp … The chain is what the fold",
      "used: the definitions in force, the entries of each day of the run, what earned the jokers that carried it, excuses,",
      "the break before, and the event that set today. A ledger of these events alone has the same number.",
      "",
      "  streaks blame noalc.current", "  streaks blame gym.longest --at 2025-10-01",
      "  streaks blame noalc.jokers.held --json",
    ],
    example: Example(
      line: "streaks blame noalc.lastGood",
      answer: [
        "noalc.lastGood = 2025-11-19 at 5148, 2025-11-20, by 6 events",
        "1      2024-09-20  ledger opened  …a503db  opened the ledger",
        "3      2024-09-20  defined noalc  …80aaf3  in force",
        "4198   2025-10-01  ledger opened, days begin at 04:00  …92be9a  opened the ledger",
        "5115   2025-11-18  noalc steady  …72be60  good, run 27",
        "…",
      ])
  ) { invocation throws(CommandError) in
    let word = invocation.word(0)
    let chain = try BlameReader(invocation: invocation).chain(of: word)
    if invocation.isJSON {
      invocation.print(chain.json.line)
    } else {
      for line in try BlameText(chain, invocation).lines { invocation.print(line) }
    }
    return .done
  }
}

extension BlameDocument {
  var json: JSON {
    .object([
      "format": .whole(1), "field": .text(blame.field.description), "value": blame.value.json,
      "position": .whole(placed.position), "event": .text(placed.event), "today": .day(ledger.today),
      "chain": .list(links.map { $0.json(ledger.id(at: $0.position)) }),
    ])
  }
}

extension BlameDocument.Link {
  fileprivate func json(_ event: String) -> JSON {
    var members: JSON.Members = [
      "position": .whole(position), "event": .text(event), "type": .text(type.rawValue),
      "recorded": .text(recorded.description), "day": .day(day), "role": .text(role.rawValue),
    ]
    if let habit { members["habit"] = .text(habit) }
    if let verdict { members["verdict"] = .text(verdict.verdict.name) }
    if let habit, !book.isEmpty { members["book"] = .list(book.map { $0.json(of: habit) }) }
    return .object(members)
  }
}
