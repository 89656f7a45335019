import EventLog
import Inspection
import StreakDomain

/// The command that shows days with their verdicts, or the days to come.
struct CalendarCommand: Command {
  static let name = "calendar"
  static let group = CommandGroup.everyday
  static let words: Synopsis = "[HABIT…]"
  static let options: [Option] =
    [
      .json,
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
      .on,
    ] + Option.whatIf
  static let help = HelpText(PackageResources.calendar_txt)

  let invocation: Invocation

  func run() throws(Failure) -> ExitStatus {
    let ledger = try (arguments.has("--at") ? reader.loadAtPoint() : reader.loadToday()).ledger
    let habits = try words.habits(named: arguments.positionals, in: ledger)
      .compactMap { ledger[$0] }
    if let days = arguments.count("--ahead") {
      printForecasts(of: habits, days, ledger)
    } else {
      try printDays(of: habits, ledger)
    }
    return .done
  }

  private static let tableDays = 14

  private func printDays(of habits: [HabitView], _ ledger: Ledger) throws(Failure) {
    let chosenDays = try chosenDays(ledger)
    let isTable = habits.isEmpty && chosenDays == nil
    let shown = habits.isEmpty ? ledger.habits : habits
    let columns = context.columns ?? CalendarText.usualColumns
    let days = chosenDays ?? usualDays(ledger, isTable: isTable, isNarrow: columns < 80)

    if isJSON {
      let calendars = shown.map {
        HabitCalendar(habit: $0.id, days: $0.calendar(in: days))
      }
      return printJSON(of: HabitList(calendars), omitsNil: true)
    }
    if isTable {
      let rows = CalendarText.rows(of: ledger, days, style, context.columns)
      return printBlocks([rows], known: ledger, orElse: StateText.noHabits)
    }
    let blocks = shown.map { habit in
      let months = CalendarText(habit, days, style, columns: columns).months
      if months.isEmpty { reportEmpty(Escaping.visible("\(habit.state.title)  no days here")) }
      return months
    }
    printBlocks(blocks, known: ledger, orElse: shown.isEmpty ? StateText.noHabits : nil)
  }

  /// Prints the blocks that have lines, separated by empty lines.
  ///
  /// With `--at`, a line before them says when they were known. If no block has lines, `sentence`
  /// is reported instead.
  private func printBlocks(_ blocks: [[String]], known ledger: Ledger, orElse sentence: String?) {
    let blocks = blocks.filter { !$0.isEmpty }
    guard !blocks.isEmpty else {
      if let sentence { reportEmpty(sentence) }
      return
    }

    if arguments.has("--at"), let today = ledger.today {
      print("as it was known at \(ledger.position), on \(today)")
    }
    blocks.joined(separator: [""]).forEach(print)
  }

  /// Returns the last days of a table, or the month of today.
  private func usualDays(
    _ ledger: Ledger, isTable: Bool, isNarrow: Bool
  ) -> ClosedRange<Day> {
    guard let today = ledger.today else { return Day.first...Day.last }
    guard isTable else { return today.startOfMonth...today.endOfMonth }
    let count = isNarrow && !isJSON ? 7 : CalendarCommand.tableDays
    return max(Day.first, today + (1 - count))...today
  }

  /// Returns the days that the options specify, or `nil` if there is no such option.
  private func chosenDays(_ ledger: Ledger) throws(Failure) -> ClosedRange<Day>? {
    if arguments.has("--all") { return Day.first...Day.last }
    if let month = arguments.value("--month") { return Option.Value.days(ofMonth: month) }
    if let year = arguments.value("--year") { return Option.Value.days(ofYear: year) }

    let from = try words.day("--from", in: ledger)
    let to = try words.day("--to", in: ledger)
    guard from != nil || to != nil else { return nil }
    let last = to ?? max(ledger.today ?? Day.last, from ?? Day.first)
    let first = from ?? max(Day.first, last + (1 - CalendarCommand.tableDays))
    guard first <= last else { throw .usage("--from \(first) is after --to \(last)") }
    return first...last
  }

  private func printForecasts(of habits: [HabitView], _ days: Int, _ ledger: Ledger) {
    let forecasts = (habits.isEmpty ? ledger.habits : habits).compactMap {
      $0.forecast(days: days)
    }
    if isJSON { return printJSON(of: HabitList(forecasts)) }
    let shown = forecasts.filter { !habits.isEmpty || $0.current > 0 }
    let blocks = shown.map { $0.lines(ledger, style) }
    printBlocks(blocks, known: ledger, orElse: "no run that could end")
  }
}

extension Forecast {
  fileprivate func lines(_ ledger: Ledger, _ style: Style) -> [String] {
    let name = ledger.facts.definition(of: habit)?.title ?? habit
    let unit = ledger[habit].map { $0.runUnit(since: $0.state.start) } ?? "day"
    var lines = [style.paint(Escaping.visible("\(name)  \(counted(current, unit))"), .bold)]

    var before = current
    for day in days {
      let isEnd = before > 0 && day.run == 0
      let color: Style.Color = isEnd ? .red : day.spent != nil ? .yellow : .grey
      var row = TableRow(indent: 2)
      row.add("\(day.day)")
      row.add("\(day.verdict.sign) \(day.verdict.rawValue)", width: 11)
      row.add(day.spent.map { "covered by \($0)" } ?? "")
      row.add(day.earned.map { "earns \($0)" } ?? "")
      row.add(isEnd ? "the run ends" : "")
      lines.append(style.paint(row.text, color))
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
