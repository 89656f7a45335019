import EventLog
import StreakDomain

extension Command {
  static let excuse = Command(
    name: "excuse", words: "FROM [TO]", summary: "excuse days: travel, illness, vacation",
    options: [
      json, Option("--habit", "HABIT", "only this habit (default: all)", repeatable: true),
      Option("--reason", "TEXT", "why"),
    ] + writing,
    details: [
      "An excused day with nothing logged changes nothing, as if the calendar did not have it.", "",
      "  streaks excuse 2025-08-01 2025-08-14 --reason vacation",
    ]
  ) { invocation throws(CommandError) in
    try invocation.arguments.limit(2, "FROM and TO")
    func day(_ index: Int, _ name: String) throws(CommandError) -> Day {
      let text = try invocation.word(index, name)
      guard let day = Day(text) else { throw .usage("\(name) is \(quoted(text)); it must be \(Forms.day)") }
      return day
    }
    let from = try day(0, "FROM")
    let to = invocation.arguments.positionals.count > 1 ? try day(1, "TO") : from
    guard from <= to else { throw .usage("TO is \(to), before FROM, \(from)") }
    var habits: [String] = []
    for habit in invocation.arguments.all("--habit") where !habits.contains(habit) { habits.append(habit) }
    let reason = try invocation.text("--reason")
    let payload = Payload.daysExcused(
      from: from, to: to, habits: habits.isEmpty ? nil : habits, reason: reason)
    guard let written = try invocation.write([try invocation.draft(payload)]) else { return .done }
    if invocation.isJSON {
      invocation.printDocument(written.results)
    } else {
      let whose = habits.isEmpty ? "all habits" : habits.joined(separator: ", ")
      let known = written.results.first.map { invocation.suffix($0) } ?? ""
      invocation.print("excused \(from == to ? "\(from)" : "\(from) to \(to)") for \(whose)\(known)")
      for line in invocation.changes(written) { invocation.print("  " + line) }
    }
    return .done
  }
}
