import EventLog
package import StreakDomain

/// A habit's year as SVG: a square a day, a column a week from Monday; it follows the reader's light or dark.
package struct YearDrawing {
  private let title: String
  private let year: Int
  private let days: [Day: Verdict]
  private let summary: String

  private static let step = 13
  private static let top = 40

  package init(_ state: HabitState, _ ledger: Ledger, year: Int) {
    self.year = year
    title = Escaping.visible(state.title)
    let (first, last) = YearDrawing.span(of: year)
    let verdicts = ledger.verdicts(of: state.habit, in: first...last)
    days = Dictionary(uniqueKeysWithValues: verdicts.map { ($0.day, $0.verdict) })
    let counts = Dictionary(grouping: verdicts, by: \.verdict).mapValues(\.count)
    summary = Verdict.allCases.compactMap { verdict in counts[verdict].map { "\($0) \(verdict.name)" } }
      .joined(separator: ", ")
  }

  private static func span(of year: Int) -> (first: Day, last: Day) {
    (Day(year: year, month: 1, day: 1) ?? Day.first, Day(year: year, month: 12, day: 31) ?? Day.last)
  }

  package var svg: String {
    let (first, last) = YearDrawing.span(of: year)
    let start = first.monday
    let weeks = (last - start) / 7 + 1
    let (width, height) = (weeks * YearDrawing.step, YearDrawing.top + 7 * YearDrawing.step + 18)
    var lines = [
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(width) \(height)\" width=\"\(width)\" "
        + "height=\"\(height)\" role=\"img\" aria-labelledby=\"t d\">",
      "<title id=\"t\">\(Escaping.xml(title)) in \(year)</title>",
      "<desc id=\"d\">\(summary.isEmpty ? "no days" : summary)</desc>", YearDrawing.style,
      "<text y=\"14\" class=\"title\">\(Escaping.xml(title)) in \(year)</text>",
    ]
    for month in 1...12 {
      guard let day = Day(year: year, month: month, day: 1) else { continue }
      let column = (day - start + 6) / 7
      lines.append(
        "<text x=\"\(column * YearDrawing.step)\" y=\"34\">\(YearDrawing.months[month - 1])</text>")
    }
    for number in first.number...last.number { lines.append(square(Day(unchecked: number), start)) }
    lines.append("<text y=\"\(height - 4)\">\(summary.isEmpty ? "no days" : summary)</text>")
    return lines.joined(separator: "\n") + "\n</svg>"
  }

  private func square(_ day: Day, _ start: Day) -> String {
    let place = day - start
    let look = days[day]?.name ?? "none"
    let (x, y) = (place / 7 * YearDrawing.step, YearDrawing.top + place % 7 * YearDrawing.step)
    return
      "<rect class=\"\(look)\" x=\"\(x)\" y=\"\(y)\"><title>\(day) \(look == "none" ? "" : look)</title></rect>"
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private static let style = """
    <style>
    text { font: 10px system-ui, sans-serif; fill: #5d666e } .title { font-size: 13px; font-weight: 600 }
    rect { width: 11px; height: 11px; rx: 2px; fill: none; stroke: #dfe2e0 }
    .good { fill: #0ebf6e; stroke: none } .healed { fill: #e0a514; stroke: none } .graced { fill: #f0d183; stroke: none }
    .bad { fill: #c2382f; stroke: none } .restarted { fill: #4682dc; stroke: none } .excused { fill: #b9bfc3; stroke: none }
    .rest { fill: #dceee4; stroke: none } .missed { stroke: #c2382f }
    @media (prefers-color-scheme: dark) { text { fill: #9aa4ab } rect { stroke: #2e3439 } .rest { fill: #203a2e } .missed { stroke: #e0635a } }
    </style>
    """
}
