import EventLog
import StreakDomain

extension Command {
  package static let show = Command(
    name: "show", group: .everyday, words: "[HABIT]",
    summary: "today: streaks, jokers, what is due and what a miss would cost",
    options: [
      json, Option("--all", nil, "habits that are off or retired, too"),
      Option("--on", .day, "the day to see it from (default: today)"),
    ] + whatIf,
    details: [
      "★ is a joker that is held, ☆ room for one; a joker covers a missed day.", "", "  streaks show",
      "  streaks show noalc --json",
    ],
    example: Example(
      line: "streaks show noalc",
      answer: [
        "Thursday, 2025-11-20 · Europe/Berlin",
        "",
        "🍀 NoAlc  28 days  ★★★  due · a joker would cover today · safe through Saturday · longest 191",
      ])
  ) { invocation throws(Failure) in
    let loaded = try invocation.reader.loadToday()
    if !invocation.arguments.has("--on") { try invocation.reader.reportClock(loaded.ledger) }
    let habit = try invocation.words.chosenHabit(in: loaded.ledger)
    let document = loaded.document(habit: habit)
    if invocation.isJSON {
      invocation.print(JSON.document(document).line)
    } else {
      let text = StateText(
        ledger: loaded.ledger, style: invocation.style, columns: invocation.context.columns,
        showsAll: invocation.arguments.has("--all"))
      invocation.print(text.show(document, of: habit))
    }
    return .done
  }
}
