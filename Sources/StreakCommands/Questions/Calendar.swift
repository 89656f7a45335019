import EventLog
import Inspection
import StreakDomain

extension Command {
  package static let calendar = Command(
    name: "calendar", group: .everyday, words: "[HABIT…]",
    summary: "the last 14 days of all habits, or the months of one",
    options: [
      json,
      Option(
        "--month", .month, "that month (default of one habit: the month of today)",
        excludes: ["--year", "--all", "--from", "--to"]),
      Option("--year", .year, "that year", excludes: ["--all", "--from", "--to"]),
      Option("--all", nil, "every day so far", excludes: ["--from", "--to"]),
      Option("--from", .day, "the first day (default: two weeks before --to)"),
      Option("--to", .day, "the last day (default: today)"),
      Option(
        "--at", .point, "the days as they were known at a position, an event id, a day or a time"),
      Option(
        "--ahead", .count(1...366, of: "days"),
        "the next N days if nothing more is logged, or fewer if the run ends before",
        excludes: ["--month", "--year", "--all", "--from", "--to"]),
      on,
    ] + whatIf,
    details: [
      """
      Without HABIT: one row per habit for the last 14 days, with the progress of the week or month.
      """,
      "--at POINT shows the days as they were known then, like `replay --at`.", "",
      "  streaks calendar", "  streaks calendar meditation noalc --month 2025-11",
      "  streaks calendar noalc --month 2025-10 --at 4847", "  streaks calendar --ahead 7",
    ],
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
  ) { invocation throws(Failure) in
    try invocation.showCalendar()
    return .done
  }
}

extension Invocation {
  fileprivate func showCalendar() throws(Failure) {
    let ledger = try (arguments.has("--at") ? reader.loadAtPoint() : reader.loadToday()).ledger
    let habits = try habits(named: arguments.positionals, in: ledger)
    if arguments.has("--at"), !isJSON, let today = ledger.today {
      print("as it was known at \(ledger.position), on \(today)")
    }
    if let days = arguments.count("--ahead") { return printForecasts(of: habits, days, ledger) }
    try printDays(of: habits, ledger)
  }

  private static let calendarDays = 14

  private func printDays(of habits: [String], _ ledger: Ledger) throws(Failure) {
    let named = try namedDays(ledger)
    let isTable = habits.isEmpty && named == nil
    let shown = habits.isEmpty ? ledger.facts.definedHabits : habits
    let columns = context.columns ?? 80
    var span = named ?? Day.first...Day.last
    if named == nil, let today = ledger.today {
      let days = columns < 80 && !isJSON ? 7 : Invocation.calendarDays
      let month = today.startOfMonth...today.endOfMonth
      span = isTable ? max(Day.first, today + (1 - days))...today : month
    }
    if isJSON {
      let calendars = shown.map {
        HabitCalendar(habit: $0, days: ledger[$0]?.calendar(in: span) ?? [])
      }
      return printJSON(["habits": JSONValue(of: calendars, omitsNil: true)])
    }
    if isTable { return CalendarText.rows(of: ledger, span, style, columns).forEach(print) }
    for (index, state) in shown.compactMap({ ledger[$0]?.state }).enumerated() {
      if index > 0 { print("") }
      CalendarText(state, ledger, span, style, columns: columns).months.forEach(print)
    }
  }

  private func namedDays(_ ledger: Ledger) throws(Failure) -> ClosedRange<Day>? {
    if arguments.has("--all") { return Day.first...Day.last }
    if let month = arguments.value("--month") { return Option.Value.days(ofMonth: month) }
    if let year = arguments.value("--year") { return Option.Value.days(ofYear: year) }
    let from = try words.day("--from", in: ledger)
    let to = try words.day("--to", in: ledger)
    guard from != nil || to != nil else { return nil }
    let last = to ?? max(ledger.today ?? Day.last, from ?? Day.first)
    let first = from ?? max(Day.first, last + (1 - Invocation.calendarDays))
    guard first <= last else { throw .usage("--from \(first) is after --to \(last)") }
    return first...last
  }

  private func printForecasts(of habits: [String], _ days: Int, _ ledger: Ledger) {
    let forecasts = (habits.isEmpty ? ledger.facts.definedHabits : habits).compactMap {
      ledger[$0]?.forecast(days: days)
    }
    if isJSON { return printJSON(["habits": JSONValue(of: forecasts)]) }
    let shown = forecasts.filter { !habits.isEmpty || $0.current > 0 }
    if shown.isEmpty { print("no run that could end") }
    for (index, forecast) in shown.enumerated() {
      if index > 0 { print("") }
      forecast.lines(ledger, style).forEach(print)
    }
  }
}

private struct HabitCalendar: Encodable {
  let habit: String
  let days: [CalendarDay]
}

extension Forecast {
  fileprivate func lines(_ ledger: Ledger, _ style: Style) -> [String] {
    let name = ledger.facts.definition(of: habit)?.title ?? habit
    let unit = ledger[habit].map { $0.runUnit(since: $0.state.start) } ?? "day"
    var lines = [style.paint(Escaping.visible("\(name)  \(counted(current, unit))"), .bold)]
    var before = current
    for day in days {
      let isEnd = before > 0 && day.run == 0
      let colour: Style.Colour = isEnd ? .red : day.spent != nil ? .yellow : .grey
      var row = TableRow(indent: 2)
      row.add("\(day.day)")
      row.add("\(day.verdict.sign) \(day.verdict.rawValue)", width: 11)
      row.add(day.spent.map { "covered by \($0)" } ?? "")
      row.add(day.earned.map { "earns \($0)" } ?? "")
      row.add(isEnd ? "the run ends" : "")
      lines.append(style.paint(row.text, colour))
      before = day.run
    }
    let safe = safeThrough.map { "safe through \($0)" } ?? "safe for a year or more"
    lines.append("  " + (current == 0 ? "no run that could end" : safe))
    if let untilJoker {
      lines.append(
        "  the next joker is earned after \(counted(untilJoker, "more \(unit)")) of the run")
    }
    return lines
  }
}
