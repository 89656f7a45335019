import EventLog
import Replay
import StreakDomain

extension Command {
  static let excuse = Command(
    name: "excuse", words: "FROM [TO]", summary: "excuse days: travel, illness, vacation",
    options: [
      json, Option("--habit", "HABIT", "only this habit (default: all)", repeatable: true),
      Option("--reason", "TEXT", "why"),
      Option("--withdraw", "EVENT", "take an excuse back, instead of FROM and TO"),
    ] + writing,
    details: [
      "An excused day with nothing logged changes nothing, as if the calendar did not have it. The answer says which",
      "closed days change. More than \(mostDays) days need --force, for a mistyped year is one.", "",
      "  streaks excuse 2025-08-01 2025-08-14 --reason vacation",
      "  streaks excuse --withdraw 0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b",
    ]
  ) { invocation throws(CommandError) in
    if invocation.arguments.has("--withdraw") { return try invocation.withdrawExcuse() }
    try invocation.arguments.limit(2, "FROM and TO")
    func day(_ index: Int, _ name: String) throws(CommandError) -> Day {
      let text = try invocation.word(index, name)
      guard let day = Day(text) else { throw .usage("\(name) is \(quoted(text)); it must be \(Forms.day)") }
      return day
    }
    let from = try day(0, "FROM")
    let to = invocation.arguments.positionals.count > 1 ? try day(1, "TO") : from
    guard from <= to else { throw .usage("TO is \(to), before FROM, \(from)") }
    let count = to - from + 1
    guard count <= mostDays || invocation.arguments.has("--force") else {
      throw .usage("\(from) to \(to) are \(count) days; more than \(mostDays) need --force")
    }
    var habits: [String] = []
    for habit in invocation.arguments.all("--habit") where !habits.contains(habit) { habits.append(habit) }
    let reason = try invocation.text("--reason")
    let payload = Payload.daysExcused(
      from: from, to: to, habits: habits.isEmpty ? nil : habits, reason: reason)
    guard let written = try invocation.write([try invocation.draft(payload)]) else { return .done }
    let whose = habits.isEmpty ? "all habits" : habits.joined(separator: ", ")
    return invocation.tell("excused \(DayWords.span(from...to)) for \(whose)", written)
  }

  /// Longer spans are asked about once more.
  private static let mostDays = 62
}

extension Invocation {
  fileprivate mutating func withdrawExcuse() throws(CommandError) -> ExitStatus {
    try arguments.limit(0, "no FROM and TO beside --withdraw")
    guard !arguments.has("--habit") else {
      throw .usage("--withdraw takes the whole excuse back, without --habit")
    }
    guard let id = try arguments.read("--withdraw", Forms.id, { Forms.isID($0) ? $0 : nil }) else {
      return .usage
    }
    let payload = Payload.excuseWithdrawn(excuse: id, reason: try text("--reason"))
    guard let written = try write([try draft(payload)]) else { return .done }
    let span = settled(written.after).excusedSpan(of: id).map { " of \(DayWords.span($0))" } ?? ""
    return tell("withdrew the excuse\(span)", written)
  }

  /// Says what was written, and which closed days came out otherwise by it.
  fileprivate func tell(_ says: String, _ written: Decision) -> ExitStatus {
    if isJSON {
      printDocument(written.results)
      return .done
    }
    print(Escaping.visible(says) + (written.results.first.map { suffix($0) } ?? ""))
    for line in closedDays(changedBy: written) + changes(written) { print("  " + line) }
    return .done
  }

  private func closedDays(changedBy written: Decision) -> [String] {
    let (before, after) = (settled(written.before), settled(written.after))
    let changes = Difference.between(before, after).verdicts.compactMap { change -> String? in
      guard let today = after.today, change.days.lowerBound < today, let old = change.before,
        let new = change.after
      else { return nil }
      let days = change.days.lowerBound...min(change.days.upperBound, today.previous)
      return Escaping.visible("\(change.habit): \(DayWords.span(days)) \(old.name) → \(new.name)")
    }
    return changes.isEmpty ? ["no closed day changes"] : changes
  }
}

/// Days as people are told of them.
enum DayWords {
  static func span(_ days: ClosedRange<Day>) -> String {
    days.lowerBound == days.upperBound ? "\(days.lowerBound)" : "\(days.lowerBound) to \(days.upperBound)"
  }
}
