import EventLog
import StreakDomain

extension Command {
  package static let calendar = Command(
    name: "calendar", group: .everyday, words: "[HABIT…]",
    summary: "the last days of all habits; of one, its months",
    options: [
      json,
      Option(
        "--month", .month, "that month (default of one habit: the month of today)",
        excludes: ["--year", "--all", "--from", "--to", "--heat"]),
      Option("--year", .year, "that year", excludes: ["--all", "--from", "--to"]),
      Option("--all", nil, "every day so far", excludes: ["--from", "--to"]),
      Option("--from", .day, "days from that one on (default: two weeks up to --to)"),
      Option("--to", .day, "days up to that one (default: today)"),
      Option("--heat", nil, "one sign per day, one column per week (default: the year of today)"),
      Option("--at", .point, "the days as they were known at a position, an event id, a day or a time"),
      Option(
        "--ahead", .count(1...366, of: "days"), "the next N days from today on, if nothing more is logged",
        excludes: ["--month", "--year", "--all", "--from", "--to", "--heat"]),
      Option("--on", .day, "the day to see it from (default: today)"),
    ] + whatIf,
    details: [
      "Without a habit: all habits on the last 14 days, a row each, and how far the week or month is.",
      "With --at the days are those of `replay --at` the same point: what was recorded up to then.", "",
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
    let run = CalendarRun(invocation: invocation)
    let reader = invocation.reader
    let ledger = try (invocation.arguments.has("--at") ? reader.loadAtPoint() : reader.loadToday()).ledger
    var habits: [String] = []
    for word in invocation.arguments.positionals {
      habits.append(try invocation.words.habit(named: word, in: ledger))
    }
    if let days = invocation.arguments.count("--ahead") { return run.printAhead(habits, days, ledger) }
    return try run.print(habits, ledger)
  }
}

private struct CalendarRun {
  let invocation: Invocation

  private static let (fewDays, manyDays) = (7, 14)

  func print(_ habits: [String], _ ledger: Ledger) throws(Failure) -> ExitStatus {
    let columns = invocation.context.columns
    let named = try namedDays(ledger)
    let isTable = habits.isEmpty && named == nil && !invocation.arguments.has("--heat")
    let shown = habits.isEmpty ? ledger.definedHabits : habits
    var span = named ?? Day.first...Day.last
    if named == nil, let today = ledger.today {
      let isNarrow = isTable && !invocation.isJSON && (columns ?? 80) < 80
      let days = isNarrow ? CalendarRun.fewDays : CalendarRun.manyDays
      span =
        isTable
        ? max(Day.first, today + (1 - days))...today
        : invocation.arguments.has("--heat")
          ? Option.Value.days(ofYear: "\(today.date.year)") ?? today...today
          : today.startOfMonth...today.endOfMonth
    }
    if invocation.isJSON {
      let documents = shown.map { habit in
        JSON.object([
          "habit": .text(habit),
          "days": .list(ledger.verdicts(of: habit, in: span).map { JSON(of: $0, omitsNil: true) }),
        ])
      }
      invocation.print(JSON.object(["format": .whole(1), "habits": .list(documents)]).line)
    } else if isTable {
      let rows = CalendarRows(ledger, span, style: invocation.style, columns: columns)
      for line in rows.lines { invocation.print(line) }
    } else {
      for (index, habit) in shown.enumerated() {
        if index > 0 { invocation.print("") }
        guard let state = ledger.state(of: habit) else { continue }
        let text = CalendarText(state, ledger, span, style: invocation.style, columns: columns)
        for line in invocation.arguments.has("--heat") ? text.heat : text.months { invocation.print(line) }
      }
    }
    return .done
  }

  func printAhead(_ habits: [String], _ days: Int, _ ledger: Ledger) -> ExitStatus {
    let forecasts = (habits.isEmpty ? ledger.definedHabits : habits).compactMap {
      ledger.forecast(of: $0, days: days)
    }
    if invocation.isJSON {
      invocation.print(JSON.object(["format": .whole(1), "habits": .list(forecasts.map(\.json))]).line)
      return .done
    }
    let shown = forecasts.filter { !habits.isEmpty || $0.run > 0 }
    if shown.isEmpty { invocation.print("no run that could end") }
    for (index, forecast) in shown.enumerated() {
      if index > 0 { invocation.print("") }
      for line in ForecastText.lines(forecast, ledger, invocation.style) { invocation.print(line) }
    }
    return .done
  }

  private func namedDays(_ ledger: Ledger) throws(Failure) -> ClosedRange<Day>? {
    if invocation.arguments.has("--all") { return Day.first...Day.last }
    if let month = invocation.arguments.value("--month") { return Option.Value.days(ofMonth: month) }
    if let year = invocation.arguments.value("--year") { return Option.Value.days(ofYear: year) }
    let from = try invocation.words.day("--from", in: ledger)
    let to = try invocation.words.day("--to", in: ledger)
    guard from != nil || to != nil else { return nil }
    let last = to ?? max(ledger.today ?? Day.last, from ?? Day.first)
    let first = from ?? max(Day.first, last + (1 - CalendarRun.manyDays))
    guard first <= last else { throw .usage("--from \(first) is after --to \(last)") }
    return first...last
  }
}
