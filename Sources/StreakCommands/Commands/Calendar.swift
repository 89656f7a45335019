import EventLog
import StreakDomain

extension Command {
  static let calendar = Command(
    name: "calendar", group: .everyday, words: "HABIT…",
    summary: "a calendar of days with their verdicts",
    options: [
      json, Option("--month", "YYYY-MM", "that month (default: the month of today)"),
      Option("--year", "YYYY", "that year"), Option("--all", nil, "every day so far"),
      Option("--heat", nil, "one sign per day, one column per week (default: the year of today)"),
      Option("--on", "DAY", "the day to see it from (default: today)"),
    ] + whatIf,
    details: ["  streaks calendar noalc", "  streaks calendar meditation noalc --month 2025-11"],
    example: Example(
      line: "streaks calendar gym --month 2025-10",
      answer: [
        "🏋️ Gym",
        "",
        "October 2025",
        " Mo    Tu    We    Th    Fr    Sa    Su",
        "              1 ·   2 ●   3 ·   4 ●   5 ·",
        "  6 ·   7 ●   8 ●   9 ●  10 ·  11 ●  12 ·",
        " 13 ·  14 ·  15 ·  16 ·  17 ★  18 ●  19 ●",
        " 20 ·  21 ●  22 ·  23 ●  24 ·  25 ●  26 ●",
        " 27 ·  28 ●  29 ·  30 ●  31 ·",
        "…",
      ])
  ) { invocation throws(CommandError) in
    let run = CalendarRun(invocation: invocation)
    let loaded = try invocation.reader.loadToday()
    var habits: [String] = []
    for word in invocation.arguments.positionals {
      habits.append(try invocation.words.habit(named: word, in: loaded.ledger))
    }
    let span = try run.span(today: loaded.ledger.today)
    if invocation.isJSON {
      let documents = habits.map { habit in
        JSON.object([
          "habit": .text(habit),
          "days": .list(
            loaded.ledger.verdicts(of: habit, in: span).map { $0.json(of: habit, loaded.ledger) }),
        ])
      }
      invocation.print(JSON.object(["format": .whole(1), "habits": .list(documents)]).line)
    } else {
      for (index, habit) in habits.enumerated() {
        if index > 0 { invocation.print("") }
        guard let state = loaded.ledger.state(of: habit) else { continue }
        let text = CalendarText(
          state, loaded.ledger, span, style: invocation.style, columns: invocation.context.columns)
        for line in invocation.arguments.has("--heat") ? text.heat : text.months { invocation.print(line) }
      }
    }
    return .done
  }
}

/// The steps of `calendar`.
private struct CalendarRun {
  let invocation: Invocation

  func span(today: Day?) throws(CommandError) -> ClosedRange<Day> {
    let chosen = ["--month", "--year", "--all"].filter { invocation.arguments.has($0) }
    guard chosen.count < 2 else { throw .usage("\(chosen[0]) and \(chosen[1]) do not go together") }
    if invocation.arguments.has("--heat"), invocation.arguments.has("--month") {
      throw .usage("--heat is of a year, not of a --month")
    }
    if invocation.arguments.has("--all") { return Day.first...Day.last }
    let month = try invocation.arguments.read("--month", "a month YYYY-MM") {
      $0.utf8.count == 7 ? Day($0 + "-01") : nil
    }
    if let month { return month...month.endOfMonth }
    let year = try invocation.arguments.read("--year", "a year YYYY") {
      $0.utf8.count == 4 ? Day($0 + "-01-01") : nil
    }
    if let year { return try self.year(year.date.year) }
    guard let today else { return Day.first...Day.last }
    if invocation.arguments.has("--heat") { return try self.year(today.date.year) }
    return today.startOfMonth...today.endOfMonth
  }

  private func year(_ year: Int) throws(CommandError) -> ClosedRange<Day> {
    guard let first = Day(year: year, month: 1, day: 1), let last = Day(year: year, month: 12, day: 31) else {
      throw .usage("there is no year \(year) here")
    }
    return first...last
  }
}

extension DayVerdict {
  func json(of habit: String, _ ledger: Ledger) -> JSON {
    var members: JSON.Members = [
      "day": .day(day), "verdict": .text(verdict.name), "outcome": .text(outcome), "entries": .texts(entries),
    ]
    if let lot { members["lot"] = .text("\(habit)/\(lot)") }
    return .object(members)
  }
}
