import EventLog
import Inspection
package import StreakDomain

/// The days of a habit as text: either months as grids with a column per weekday, or years with one sign per day.
package struct CalendarText {
  private let title: String
  private let days: [Day: CalendarDay]
  private let verdicts: [CalendarDay]
  private let style: Style
  private let columns: Int?

  package init(_ state: Streak, _ ledger: Ledger, _ span: ClosedRange<Day>, style: Style, columns: Int?) {
    title = Escaping.visible(state.title)
    verdicts = ledger.verdicts(of: state.habit, in: span)
    days = Dictionary(uniqueKeysWithValues: verdicts.map { ($0.day, $0) })
    self.style = style
    self.columns = columns
  }

  package var months: [String] {
    framed { first, last in
      var months: [Day] = []
      var month = first.startOfMonth
      while month <= last {
        months.append(month)
        month = month.endOfMonth.next
      }
      let isOne = months.count == 1 && (columns ?? 80) >= 42
      let width = isOne ? 42 : 28
      let beside = isOne ? 1 : max(1, ((columns ?? 80) + 2) / (width + 2))
      var lines: [String] = []
      for start in stride(from: 0, to: months.count, by: beside) {
        let blocks = months[start..<min(start + beside, months.count)].map { block($0, cell: width / 7) }
        let height = blocks.map(\.count).max() ?? 0
        lines.append("")
        for row in 0..<height {
          let cells = blocks.map { Style.padded(row < $0.count ? $0[row] : "", width) }
          lines.append(cells.joined(separator: "  ").withoutSpacesBehind)
        }
      }
      return lines
    }
  }

  package var heat: [String] {
    framed { first, last in
      var lines: [String] = []
      for year in first.date.year...last.date.year {
        guard let start = Day(year: year, month: 1, day: 1), let end = Day(year: year, month: 12, day: 31)
        else { continue }
        let half = Day(year: year, month: 6, day: 30) ?? end
        let isNarrow = (columns ?? 80) < 57
        for span in isNarrow ? [start...half, half.next...end] : [start...end]
        where span.overlaps(first...last) {
          lines += ["", "\(year)"] + map(span)
        }
      }
      return lines
    }
  }

  private func framed(_ body: (Day, Day) -> [String]) -> [String] {
    guard let first = verdicts.first?.day, let last = verdicts.last?.day else {
      return [style.paint(title, .bold), "no days here"]
    }
    return [style.paint(title, .bold)] + body(first, last) + ["", legend] + levels
  }

  private func map(_ span: ClosedRange<Day>) -> [String] {
    let start = span.lowerBound.monday
    let weeks = (span.upperBound - start) / 7 + 1
    var names = [String](repeating: " ", count: weeks)
    var month = span.lowerBound
    while month <= span.upperBound {
      let week = (month - start + 6) / 7
      for (offset, letter) in month.monthName.prefix(3).enumerated() where week + offset < weeks {
        names[week + offset] = String(letter)
      }
      month = month.endOfMonth.next
    }
    let rows = (0..<7).map { weekday -> String in
      let signs = (0..<weeks).map { week -> String in
        let day = start + (week * 7 + weekday)
        guard span.contains(day), let verdict = days[day] else { return " " }
        return CalendarText.sign(of: verdict, style)
      }
      return (start + weekday).weekdayName.prefix(2) + " " + signs.joined().withoutSpacesBehind
    }
    return ["   " + names.joined().withoutSpacesBehind] + rows
  }

  private func block(_ month: Day, cell width: Int) -> [String] {
    let weekdays = (0..<7).map { Style.padded(" " + (month.monday + $0).weekdayName.prefix(2), width) }
    var lines = ["\(month.monthName) \(month.date.year)", weekdays.joined().withoutSpacesBehind]
    var week = month.monday
    while week <= month.endOfMonth {
      let cells = (0..<7).map { offset -> String in
        let day = week + offset
        guard day >= month, day <= month.endOfMonth else { return Style.padded("", width) }
        return Style.padded(cell(day, isWide: width > 4), width)
      }
      lines.append(cells.joined().withoutSpacesBehind)
      week = week + 7
    }
    return lines
  }

  private func cell(_ day: Day, isWide: Bool) -> String {
    let number = day.date.day < 10 ? " \(day.date.day)" : "\(day.date.day)"
    guard let verdict = days[day] else { return (isWide ? " " : "") + style.paint(number, .grey) }
    let text = number + (isWide ? " " : "") + CalendarText.sign(verdict.verdict)
    return (isWide ? " " : "") + CalendarText.paint(text, verdict, style)
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

  static func sign(of day: CalendarDay, _ style: Style) -> String { paint(sign(day.verdict), day, style) }

  private static func paint(_ text: String, _ day: CalendarDay, _ style: Style) -> String {
    guard day.verdict == .good, let level = DrinkLevel(rawValue: day.outcome.string) else {
      return style.paint(text, colour(day.verdict))
    }
    return style.paint(text, level.colour, else: .green)
  }

  static func legend(of known: Set<Verdict>, _ style: Style, columns: Int?) -> String {
    let items = Verdict.allCases.filter(known.contains).map { verdict in
      style.paint("\(sign(verdict)) \(verdict.rawValue)", colour(verdict))
    }
    return Layout.row(items, to: columns)
  }

  static func colour(_ verdict: Verdict) -> Style.Colour {
    switch verdict {
    case .good: .green
    case .healed, .graced: .yellow
    case .missed, .bad: .red
    case .restarted: .blue
    case .open, .excused, .rest: .grey
    }
  }

  private var levels: [String] {
    let shown = DrinkLevel.allCases.compactMap { level -> String? in
      let count = verdicts.count { $0.outcome == Text(level.rawValue) }
      return count > 0 ? "\(level.rawValue) \(count)" : nil
    }
    return shown.isEmpty ? [] : [shown.joined(separator: "   ")]
  }

  private var legend: String {
    let counts = Dictionary(grouping: verdicts, by: \.verdict).mapValues(\.count)
    let items = Verdict.allCases.compactMap { verdict in
      counts[verdict].map {
        style.paint("\(CalendarText.sign(verdict)) \(verdict.rawValue) \($0)", CalendarText.colour(verdict))
      }
    }
    return Layout.row(items, to: columns)
  }
}

extension DrinkLevel {
  package var colour: (red: Int, green: Int, blue: Int) {
    switch self {
    case .steady: (0x0E, 0xBF, 0x6E)
    case .easy: (0x89, 0xD6, 0xB2)
    case .wild: (0xB6, 0xB6, 0xB6)
    }
  }
}
