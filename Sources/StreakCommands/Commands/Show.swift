import EventLog
import StreakDomain

extension Command {
  static let show = Command(
    name: "show", words: "[HABIT]", summary: "today: streaks, jokers, what is due and what today would cost",
    options: [json, Option("--on", "DAY", "the day to see it from (default: today)")] + whatIf,
    details: ["  streaks show", "  streaks show noalc --json"]
  ) { invocation throws(CommandError) in
    try invocation.arguments.limit(1, "one HABIT")
    let loaded = try invocation.loadToday()
    if !invocation.arguments.has("--on") { try invocation.reportClock(loaded.ledger) }
    let habit = invocation.arguments.positionals.first
    if let habit { try invocation.require(habit, in: loaded.ledger) }
    let document = loaded.document(habit: habit)
    if invocation.isJSON {
      invocation.print(document.json.line)
    } else {
      invocation.print(StateText.show(document, loaded.ledger, style: invocation.style))
    }
    return .done
  }
}
