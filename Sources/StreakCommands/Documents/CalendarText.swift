import EventLog
import StreakDomain

/// Months as grids, Monday first: a number and a sign for each day, coloured on a terminal, legible without.
enum CalendarText {
  static func lines(_ habit: String, _ ledger: Ledger, _ span: ClosedRange<Day>, style: Style) -> [String] {
    guard let state = ledger.state(of: habit) else { return [] }
    let days = ledger.verdicts(of: habit, in: span)
    let title = Escaping.visible([state.icon, state.name].compactMap { $0 }.joined(separator: " "))
    guard let first = days.first?.day, let last = days.last?.day else {
      return [style.paint(title, .bold), "no days here"]
    }
    let byDay = Dictionary(uniqueKeysWithValues: days.map { ($0.day, $0) })
    var lines = [style.paint(title, .bold)]
    var month = first.startOfMonth
    while month <= last {
      lines += ["", monthName(month), " Mo    Tu    We    Th    Fr    Sa    Su"]
      lines += weeks(month, byDay, style)
      month = month.endOfMonth.next
    }
    return lines + ["", legend(days, style)] + levels(days, style)
  }

  private static func monthName(_ month: Day) -> String {
    let names = [
      "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
      "November", "December",
    ]
    let (year, number, _) = month.date
    return "\(names[number - 1]) \(year)"
  }

  private static func weeks(_ month: Day, _ days: [Day: DayVerdict], _ style: Style) -> [String] {
    var lines: [String] = []
    var week = month.monday
    while week <= month.endOfMonth {
      let cells = (0..<7).map { offset -> String in
        let day = week + offset
        guard day >= month, day <= month.endOfMonth else { return "      " }
        return cell(day, days[day], style)
      }
      lines.append(cells.joined().withoutSpacesBehind)
      week = week + 7
    }
    return lines
  }

  private static func cell(_ day: Day, _ verdict: DayVerdict?, _ style: Style) -> String {
    let number = day.date.day < 10 ? " \(day.date.day)" : "\(day.date.day)"
    guard let verdict else { return " \(style.paint(number, .grey))   " }
    let text = "\(number) \(sign(verdict.verdict))"
    if let level = DrinkLevel(rawValue: verdict.outcome) { return " " + style.paint(text, level) + " " }
    return " " + style.paint(text, colour(verdict.verdict)) + " "
  }

  static func sign(_ verdict: Verdict) -> String {
    switch verdict {
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

  private static func colour(_ verdict: Verdict) -> Style.Colour {
    switch verdict {
    case .good: .green
    case .healed, .graced: .yellow
    case .missed, .bad: .red
    case .restarted: .blue
    case .open, .excused, .rest: .grey
    }
  }

  /// The levels of drinks that were not good, in their colours.
  private static func levels(_ days: [DayVerdict], _ style: Style) -> [String] {
    let shown = DrinkLevel.allCases.compactMap { level -> String? in
      let count = days.count { $0.outcome == level.rawValue }
      return count > 0 ? style.paint("\(level.rawValue) \(count)", level) : nil
    }
    return shown.isEmpty ? [] : [shown.joined(separator: "   ")]
  }

  /// The signs that occur, with how often.
  private static func legend(_ days: [DayVerdict], _ style: Style) -> String {
    let counts = Dictionary(grouping: days, by: \.verdict).mapValues(\.count)
    return Verdict.allCases.compactMap { verdict in
      counts[verdict].map { style.paint("\(sign(verdict)) \(verdict.name) \($0)", colour(verdict)) }
    }.joined(separator: "   ")
  }
}
