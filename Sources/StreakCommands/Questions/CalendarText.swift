import EventLog
import Inspection
package import StreakDomain

/// The days of a habit as text: months as grids with a column per weekday.
package struct CalendarText {
  private let title: String
  private let verdicts: [CalendarDay]
  private let days: [Day: CalendarDay]
  private let style: Style
  private let columns: Int
  private let weekStart: Weekday

  package init(
    _ habit: HabitView, _ span: ClosedRange<Day>, _ style: Style, columns: Int
  ) {
    title = style.paint(Escaping.visible(habit.state.title), .bold)
    verdicts = habit.calendar(in: span)
    days = Dictionary(uniqueKeysWithValues: verdicts.map { ($0.day, $0) })
    self.style = style
    self.columns = columns
    weekStart = habit.facts.weekStart
  }

  package var months: [String] {
    guard let first = verdicts.first?.day, let last = verdicts.last?.day else { return [] }
    var lines = [title]
    var month = first.startOfMonth
    while month <= last {
      lines += ["", "\(month.monthName) \(month.date.year)"] + weeks(of: month)
      month = month.endOfMonth.next
    }

    lines += ["", CalendarText.legend(of: verdicts, counts: true, style, columns)]
    let levels = DrinkLevel.allCases.compactMap { level -> String? in
      let count = verdicts.count { $0.outcome == Text(level.rawValue) }
      return count > 0 ? "\(level.rawValue) \(count)" : nil
    }
    return lines + (levels.isEmpty ? [] : [levels.joined(separator: "   ")])
  }

  private func weeks(of month: Day) -> [String] {
    let first = Week(of: month, from: weekStart).first
    let names = (first...first + 6).map { Style.padded(" \($0.weekdayName.prefix(2))", 6) }
    var lines = [names.joined().withoutSpacesBehind]
    for start in stride(from: first, through: month.endOfMonth, by: 7) {
      let cells = Week(of: start, from: weekStart).days.map {
        (month...month.endOfMonth).contains($0) ? cell($0) : ""
      }
      lines.append(cells.map { Style.padded($0, 6) }.joined().withoutSpacesBehind)
    }
    return lines
  }

  private func cell(_ day: Day) -> String {
    let number = (day.date.day < 10 ? " " : "") + "\(day.date.day)"
    return " " + (days[day]?.painted(number + " ", style: style) ?? style.paint(number, .grey))
  }

  /// Returns the legend for the verdicts of `days`: sign and name, such as `● good`, and, if
  /// `counts` is true, the number of days.
  private static func legend(
    of days: [CalendarDay], counts: Bool, _ style: Style, _ columns: Int
  ) -> String {
    let items = Verdict.allCases.compactMap { verdict -> String? in
      let count = days.count { $0.verdict == verdict }
      guard count > 0 else { return nil }
      let text = "\(verdict.sign) \(verdict.rawValue)" + (counts ? " \(count)" : "")
      return style.paint(text, verdict.color)
    }
    return Layout.row(items, to: columns)
  }

  /// The width of tables if nothing limits the width of lines.
  static let usualColumns = 80

  /// Returns a table of the days in `span`, with one row per habit and one column per day.
  ///
  /// A row ends with the progress of the week or month, or else with the run. It is shortened only
  /// if `columns` limits the line.
  static func rows(
    of ledger: Ledger, _ span: ClosedRange<Day>, _ style: Style, _ columns: Int?
  ) -> [String] {
    typealias Row = (state: Streak, days: [CalendarDay], progress: String)
    let habits = ledger.habits.compactMap { habit -> Row? in
      let state = habit.state
      let days = habit.calendar(in: span)
      // The row would be empty if the habit was retired before these days.
      let isRetired = state.status == .retired && days.allSatisfy { $0.verdict == .excused }
      return isRetired || habit.isWithdrawn ? nil : (state, days, progress(of: habit, state))
    }
    guard !habits.isEmpty else { return [] }

    let width = min(
      16, habits.map { Escaping.columns(of: Escaping.visible($0.state.name)) }.max() ?? 0)
    let front = String(repeating: " ", count: width + 3)
    let weekdays = span.map { " " + $0.weekdayName.prefix(2) }.joined()
    let numbers = span.map { ($0.date.day < 10 ? "  " : " ") + "\($0.date.day)" }.joined()
    let heads = [front + weekdays, front + numbers].map { style.paint($0, .grey) }

    let rows = habits.map { state, verdicts, progress in
      let days = Dictionary(uniqueKeysWithValues: verdicts.map { ($0.day, $0) })
      let signs = span.map { "  " + (days[$0]?.painted(style: style) ?? " ") }
      var row = TableRow()
      row.add(state.label(width) + signs.joined())
      row.add(columns.map { Layout.shortened(progress, to: row.room(in: $0)) } ?? progress)
      return row.text
    }

    let legend = legend(
      of: habits.flatMap(\.days), counts: false, style, columns ?? usualColumns)
    return [style.paint(DayText.span(span), .bold)] + heads + rows + ["", legend]
  }

  private static func progress(of habit: HabitView, _ state: Streak) -> String {
    if state.status == .retired { return "" }
    if let today = habit.today, let (sum, rule) = habit.sum(on: today), rule.per != nil {
      return rule.progress(sum) + " " + rule.span(isToday: true)
    }
    if let quota = state.quota,
      let progress = habit.clauses(of: quota, on: quota.through, isDone: true).first
    {
      return progress
    }
    return state.status == .off ? "" : counted(state.current, "day")
  }
}

extension Streak {
  /// Returns the icon in 3 columns, and the name shortened or padded to `width` columns.
  func label(_ width: Int) -> String {
    let icon = Style.padded(Escaping.visible(String((icon?.string ?? "").prefix(1))), 3)
    return icon + Style.padded(Layout.shortened(Escaping.visible(name), to: width), width)
  }
}

extension CalendarDay {
  /// Returns `front` and the verdict's sign, in the verdict's color or, on a good day, in the color
  /// of the day's level.
  fileprivate func painted(_ front: String = "", style: Style) -> String {
    let level = verdict == .good ? DrinkLevel(rawValue: outcome.string) : nil
    return style.paint(front + verdict.sign, verdict.color, rgb: level?.rgb)
  }
}

extension DrinkLevel {
  fileprivate var rgb: String {
    switch self {
    case .steady: "14;191;110"
    case .easy: "137;214;178"
    case .wild: "182;182;182"
    }
  }
}

extension Verdict {
  var sign: String {
    switch self {
    case .good: "●"
    case .healed: "★"
    case .graced: "◐"
    case .missed: "○"
    case .bad: "✗"
    case .restarted: "↻"
    case .open: "?"
    case .excused: "–"
    case .rest: "·"
    }
  }

  /// The meaning of the sign, in a sentence for people who don't know it.
  private var meaning: String {
    switch self {
    case .good: "Good: what the habit asks for was done"
    case .healed: "Healed: saved by a joker (★), so the run goes on; ☆ has room for a joker"
    case .graced: "Graced: missed, but that is allowed, so the run goes on"
    case .missed: "Missed: nothing or too little was logged, which ends a run"
    case .bad: "Bad: a slip, a failure, a bad level or over the limit, which ends a run"
    case .restarted: "Restarted: failed, then completed, so a new run began"
    case .open: "Open: not over yet"
    case .excused: "Excused: nothing was asked for, and the run stays as it was"
    case .rest: "Rest: not asked for on this day, and the run stays as it was"
    }
  }

  /// Pairs of a verdict and the meaning of its sign, which pages explain; `none` has no sign.
  static var meanings: JSONValue {
    let pairs = allCases.map { JSONValue.list([.text($0.rawValue), .text($0.meaning)]) }
    return .list(pairs + [.texts(["none", "Empty: not counted"])])
  }

  var color: Style.Color {
    switch self {
    case .good: .green
    case .healed, .graced: .yellow
    case .missed, .bad: .red
    case .restarted: .blue
    case .open, .excused, .rest: .grey
    }
  }
}
