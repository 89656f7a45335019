import EventLog
import Inspection
import StreakDomain

extension Command {
  package static let replay = Command(
    name: "replay", group: .lookBack,
    words: Synopsis("", asking: "only options, such as --habit HABIT"),
    summary: "rebuild every streak, joker and achievement at any point",
    options: [
      json, Option("--at", .point, "a position, an event id, a day, a time, or end (default: end)"),
      Option("--on", .day, "pretend today is DAY, earlier or later"),
      Option("--habit", .habit, "only this habit"),
    ] + whatIf,
    details: [
      """
      What any device had recorded by POINT, even if its file arrived later. With a day or a time, \
      that is today.
      """,
      "To pretend that today is another day, knowing everything recorded since, use `show --on`.",
      "",
      "  streaks replay --at 2025-11-03", "  streaks replay --at 1200 --json",
    ],
    example: Example(
      line: "streaks replay --at 4849 --habit noalc",
      answer: [
        "position 4849 · 019a4e8c-7820-7c7e-a700-769b2ec366d7",
        "recorded 2025-11-04 12:07",
        "today 2025-11-04 · Europe/Berlin",
        "",
        """
        🍀 NoAlc  12 days  ★☆☆  due · a joker would cover today · safe through tomorrow · longest 191
        """,
      ])
  ) { invocation throws(Failure) in
    try invocation.replayToPoint()
    return .done
  }
}

extension Invocation {
  fileprivate func replayToPoint() throws(Failure) {
    let loaded = try reader.loadAtPoint()
    let habit = try words.habit("--habit")
    if let habit { try words.require(habit, in: loaded.ledger) }
    let document = loaded.document(habit: habit)
    if isJSON { return printJSON(of: document) }
    let text = StateText(
      ledger: loaded.ledger, style: style, columns: context.columns, showsAll: true)
    print(text.replay(document, habitOnly: habit != nil))
  }
}
