import EventLog
import Inspection
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
      Option("--from", .day, "the first day (default: two weeks before --to)"),
      Option("--to", .day, "the last day (default: today)"),
      Option("--heat", nil, "one sign per day, one column per week (default: the year of today)"),
      Option("--at", .point, "the days as they were known at a position, an event id, a day or a time"),
      Option(
        "--ahead", .count(1...366, of: "days"),
        "the next N days, or up to the end of the run, if nothing more is logged",
        excludes: ["--month", "--year", "--all", "--from", "--to", "--heat"]),
      on,
    ] + whatIf,
    details: [
      "Without HABIT: one row per habit for the last 14 days, with the progress of the week or month.",
      "With --at the days are those of `replay --at` at the same point: what was recorded up to then.", "",
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

  /// The number of days that the calendar shows by default.
  private static let calendarDays = 14

  private func printDays(of habits: [String], _ ledger: Ledger) throws(Failure) {
    let columns = context.columns
    let named = try namedDays(ledger)
    let isTable = habits.isEmpty && named == nil && !arguments.has("--heat")
    let shown = habits.isEmpty ? ledger.definedHabits : habits
    var span = named ?? Day.first...Day.last
    if named == nil, let today = ledger.today {
      let isNarrow = isTable && !isJSON && (columns ?? 80) < 80
      let days = isNarrow ? 7 : Invocation.calendarDays
      span =
        isTable
        ? max(Day.first, today + (1 - days))...today
        : arguments.has("--heat")
          ? Option.Value.days(ofYear: "\(today.date.year)") ?? today...today
          : today.startOfMonth...today.endOfMonth
    }
    if isJSON {
      let documents = shown.map { habit in
        let days = ledger.verdicts(of: habit, in: span).map { JSON(of: $0, omitsNil: true) }
        return JSON.object(["habit": .text(habit), "days": .list(days)])
      }
      return printJSON(["habits": .list(documents)])
    }
    guard !isTable else {
      for line in CalendarRows(ledger, span, style: style, columns: columns).lines { print(line) }
      return
    }
    for (index, habit) in shown.enumerated() {
      if index > 0 { print("") }
      guard let state = ledger.state(of: habit) else { continue }
      let text = CalendarText(state, ledger, span, style: style, columns: columns)
      for line in arguments.has("--heat") ? text.heat : text.months { print(line) }
    }
  }

  private func printForecasts(of habits: [String], _ days: Int, _ ledger: Ledger) {
    let forecasts = (habits.isEmpty ? ledger.definedHabits : habits).compactMap {
      ledger.forecast(of: $0, days: days)
    }
    if isJSON { return printJSON(["habits": .list(forecasts.map(\.json))]) }
    let shown = forecasts.filter { !habits.isEmpty || $0.run > 0 }
    if shown.isEmpty { print("no run that could end") }
    for (index, forecast) in shown.enumerated() {
      if index > 0 { print("") }
      for line in ForecastText.lines(forecast, ledger, style) { print(line) }
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
}

/// The last days of all habits: one row per habit, one column per day, and the progress of the week or month.
struct CalendarRows {
  private let rows: [Row]
  private let span: ClosedRange<Day>
  private let style: Style
  private let columns: Int
  private let nameWidth: Int

  private struct Row {
    let icon: String
    let name: String
    let days: [Day: CalendarDay]
    /// The alternative texts for the end of the row, longest first.
    ///
    /// The first text that fits the width is shown.
    let remarks: [String]
  }

  private static let cell = 3
  private static let icon = 3

  init(_ ledger: Ledger, _ span: ClosedRange<Day>, style: Style, columns: Int?) {
    rows = ledger.states().compactMap { state in
      let verdicts = ledger.verdicts(of: state.habit, in: span)
      if ledger.isWithdrawn(state.habit) { return nil }
      // The row would be empty if the habit was retired before these days.
      if state.status == .retired, verdicts.allSatisfy({ $0.verdict == .excused }) { return nil }
      return Row(
        icon: Escaping.visible(String((state.icon?.string ?? "").prefix(1))),
        name: Escaping.visible(state.name),
        days: Dictionary(uniqueKeysWithValues: verdicts.map { ($0.day, $0) }),
        remarks: CalendarRows.remarks(state, ledger))
    }
    self.span = span
    self.style = style
    self.columns = max(40, columns ?? 80)
    let most = self.columns < 100 ? 16 : 24
    nameWidth = min(most, rows.map { Escaping.columns(of: $0.name) }.max() ?? 0)
  }

  /// Returns alternative texts for the end of a row, longest first.
  ///
  /// They contain the progress, such as `2 of 3 this week`, or else the run. The result is empty if there is neither.
  private static func remarks(_ state: Streak, _ ledger: Ledger) -> [String] {
    guard state.status != .retired else { return [] }
    if let today = ledger.today, let (sum, rule) = ledger.sum(of: state.habit, on: today), rule.per != nil {
      return [rule.progress(sum) + " " + rule.span(isToday: true), rule.progress(sum)]
    }
    if let quota = state.quota {
      let asked = ledger.requiredDays(of: quota, of: state.habit)
      return quota.clauses(on: quota.through, isDone: true, asked: asked).prefix(1)
        + ["\(quota.good) this \(quota.period.rawValue)"]
    }
    return state.status == .off ? [] : [counted(state.current, "day")]
  }

  var lines: [String] {
    guard !rows.isEmpty else { return ["no habits yet; `streaks define` makes one"] }
    return [style.paint(DayText.span(span), .bold)] + heads + rows.map(line) + ["", legend]
  }

  private var days: [Day] { (0..<span.count).map { span.lowerBound + $0 } }
  private var front: Int { CalendarRows.icon + nameWidth }

  private var heads: [String] {
    let lead = String(repeating: " ", count: front)
    let weekdays = days.map { " " + $0.weekdayName.prefix(2) }.joined()
    let numbers = days.map { ($0.date.day < 10 ? "  " : " ") + "\($0.date.day)" }.joined()
    return [lead + weekdays, lead + numbers].map { style.paint($0, .grey) }
  }

  private func line(_ row: Row) -> String {
    let name = Style.padded(Layout.shortened(row.name, to: nameWidth), nameWidth)
    let cells = days.map { day -> String in
      guard let verdict = row.days[day] else { return "   " }
      return "  " + CalendarText.sign(of: verdict, style)
    }
    let room = columns - front - span.count * CalendarRows.cell - 2
    let remark = row.remarks.first { Layout.columns(of: $0) <= room } ?? ""
    return (Style.padded(row.icon, CalendarRows.icon) + name + cells.joined() + "  " + remark)
      .withoutSpacesBehind
  }

  private var legend: String {
    let known = Set(rows.flatMap { $0.days.values.map(\.verdict) })
    return CalendarText.legend(of: known, style, columns: columns)
  }
}

extension Forecast {
  var json: JSON {
    .object([
      "habit": .text(habit), "current": .whole(run), "safeThrough": .day(safeThrough),
      "untilJoker": untilJoker.map { .whole($0) } ?? .null,
      "days": .list(
        days.map { day in
          .object([
            "day": .day(day.day), "verdict": .text(day.verdict.rawValue), "run": .whole(day.run),
            "spent": .text(day.spent.map { "\(habit)/\($0)" }),
            "earned": .text(day.earned.map { "\(habit)/\($0)" }),
          ])
        }),
    ])
  }
}

enum ForecastText {
  static func lines(_ forecast: Forecast, _ ledger: Ledger, _ style: Style) -> [String] {
    let definition = ledger.definition(of: forecast.habit)
    let name = definition?.title ?? forecast.habit
    let unit = ledger.runUnit(of: forecast.habit, since: ledger.state(of: forecast.habit)?.start)
    var lines = [style.paint(Escaping.visible("\(name)  \(counted(forecast.run, unit))"), .bold)]
    var run = forecast.run
    for day in forecast.days {
      lines.append("  " + line(day, forecast.habit, isEnd: run > 0 && day.run == 0, style))
      run = day.run
    }
    if forecast.run == 0 {
      lines.append("  no run that could end")
    } else {
      lines.append(forecast.safeThrough.map { "  safe through \($0)" } ?? "  safe for a year or more")
    }
    if let until = forecast.untilJoker {
      lines.append("  the next joker is earned after \(counted(until, "more \(unit)")) of the run")
    }
    return lines
  }

  private static func line(
    _ day: Forecast.Step, _ habit: String, isEnd: Bool, _ style: Style
  ) -> String {
    var text = "\(day.day)  \(CalendarText.sign(day.verdict)) \(Style.padded(day.verdict.rawValue, 9))"
    if let spent = day.spent { text += "  covered by \(habit)/\(spent)" }
    if let earned = day.earned { text += "  earns \(habit)/\(earned)" }
    if isEnd { text += "  the run ends" }
    return style.paint(text.withoutSpacesBehind, isEnd ? .red : day.spent != nil ? .yellow : .grey)
  }
}
