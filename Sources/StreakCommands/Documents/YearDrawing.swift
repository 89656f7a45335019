import EventLog
import ReportPage
package import StreakDomain

/// A habit's year as SVG: one square per day in the color of its verdict, one column per week.
///
/// It has a light and a dark color scheme. Good days have no sign, so that the other days stand out.
package struct YearDrawing {
  private let title: String
  private let year: Int
  private let days: [Day: Verdict]
  private let summary: String
  private let legend: String

  private static let step = 13
  private static let top = 40

  package init(_ state: Streak, _ ledger: Ledger, year: Int) {
    self.year = year
    title = Escaping.visible(state.title)
    let (first, last) = YearDrawing.span(of: year)
    let verdicts = ledger.verdicts(of: state.habit, in: first...last)
    days = Dictionary(uniqueKeysWithValues: verdicts.map { ($0.day, $0.verdict) })
    let counts = Dictionary(grouping: verdicts, by: \.verdict).mapValues(\.count)
    let found = Verdict.allCases.compactMap { verdict in counts[verdict].map { (verdict, $0) } }
    summary = found.map { "\($1) \($0.rawValue)" }.joined(separator: ", ")
    legend = found.map { "\(CalendarText.sign($0)) \($1) \($0.rawValue)" }.joined(separator: ", ")
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
    lines.append("<text y=\"\(height - 4)\">\(legend.isEmpty ? "no days" : legend)</text>")
    return lines.joined(separator: "\n") + "\n</svg>"
  }

  private func square(_ day: Day, _ start: Day) -> String {
    let place = day - start
    let (x, y) = (place / 7 * YearDrawing.step, YearDrawing.top + place % 7 * YearDrawing.step)
    let look = days[day]?.rawValue ?? "none"
    let title = days[day] == nil ? "\(day)" : "\(day) \(look)"
    let square = "<rect class=\"\(look)\" x=\"\(x)\" y=\"\(y)\"><title>\(title)</title></rect>"
    guard let verdict = days[day], verdict != .good else { return square }
    return square
      + "<text class=\"sign \(look)\" x=\"\(x + 5).5\" y=\"\(y + 9)\">\(CalendarText.sign(verdict))</text>"
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private static let style = """
    <style>
    text { font: 10px system-ui, sans-serif; fill: #5d666e } .title { font-size: 13px; font-weight: 600 }
    rect { width: 11px; height: 11px; rx: 2px; fill: none; stroke: #dfe2e0 }
    rect.good { fill: #0ebf6e; stroke: none } rect.healed { fill: #e0a514; stroke: none } rect.graced { fill: #f0d183; stroke: none }
    rect.bad { fill: #c2382f; stroke: none } rect.restarted { fill: #4682dc; stroke: none } rect.rest { fill: #dceee4; stroke: none }
    rect.excused { fill: #b9bfc366; stroke: none } rect.missed { stroke: #c2382f }
    .sign { font-size: 9px; text-anchor: middle; pointer-events: none } .sign.missed { fill: #c2382f }
    .sign.bad, .sign.restarted { fill: #fff } .sign.healed, .sign.graced { fill: #10241a }
    @media (prefers-color-scheme: dark) {
    text { fill: #9aa4ab } rect { stroke: #2e3439 } rect.rest { fill: #203a2e } rect.missed { stroke: #e0635a } .sign.missed { fill: #e0635a }
    }
    </style>
    """
}
