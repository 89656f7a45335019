import EventLog
import StreakDomain

extension Command {
  static let calendar = Command(
    name: "calendar", words: "HABIT…", summary: "the days with their verdicts, a month to look at",
    options: [
      json, Option("--month", "YYYY-MM", "that month (default: the month of today)"),
      Option("--year", "YYYY", "that year"), Option("--all", nil, "every day so far"),
      Option("--on", "DAY", "the day to see it from (default: today)"),
    ] + whatIf,
    details: ["  streaks calendar noalc", "  streaks calendar meditation noalc --month 2025-11"]
  ) { invocation throws(CommandError) in
    _ = try invocation.word(0, "a HABIT")
    let loaded = try invocation.loadToday()
    let habits = invocation.arguments.positionals
    for habit in habits { try invocation.require(habit, in: loaded.ledger) }
    let span = try invocation.span(today: loaded.ledger.today)
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
        for line in CalendarText.lines(habit, loaded.ledger, span, style: invocation.style) {
          invocation.print(line)
        }
      }
    }
    return .done
  }
}

extension Invocation {
  fileprivate func span(today: Day?) throws(CommandError) -> ClosedRange<Day> {
    let chosen = ["--month", "--year", "--all"].filter { arguments.has($0) }
    guard chosen.count < 2 else { throw .usage("\(chosen[0]) and \(chosen[1]) do not go together") }
    if arguments.has("--all") { return Day.first...Day.last }
    let month = try arguments.read("--month", "a month YYYY-MM") {
      $0.utf8.count == 7 ? Day($0 + "-01") : nil
    }
    if let month { return month...month.endOfMonth }
    let year = try arguments.read("--year", "a year YYYY") { $0.utf8.count == 4 ? Day($0 + "-01-01") : nil }
    if let year { return year...(Day(year: year.date.year, month: 12, day: 31) ?? year) }
    guard let today else { return Day.first...Day.last }
    return today.startOfMonth...today.endOfMonth
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
