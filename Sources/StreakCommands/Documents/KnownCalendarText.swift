import EventLog
import Inspection
import StreakDomain

/// What was known of days, for people: a sign a day, equal rows as one, a mark where the verdict of a past day changed.
struct KnownCalendarText {
  private let calendar: KnownCalendar
  private let columns: Int
  private let style: Style
  /// How many columns the names of rows take.
  private let front: Int

  /// A mark, or a space, and a sign.
  private static let cell = 2

  init(_ calendar: KnownCalendar, columns: Int?, style: Style) {
    self.calendar = calendar
    self.columns = max(20, columns ?? 100)
    self.style = style
    front = 1 + (calendar.rows.map { Layout.columns(of: Escaping.visible($0.label)) }.max() ?? 0)
  }

  var lines: [String] {
    var lines = [style.paint(Escaping.visible(calendar.title), .bold) + "  \(DayText.span(calendar.days))"]
    let known = Set(calendar.rows.flatMap { $0.verdicts.compactMap { $0 } })
    guard !known.isEmpty else {
      return lines + [
        "nothing was known of these days at \(calendar.rows.count == 1 ? "this point" : "any of \(calendar.rows.count) points")"
      ]
    }
    // Behind the days there is room for how many rows are alike.
    let room = max(1, (columns - front - 5) / KnownCalendarText.cell)
    for start in stride(from: 0, to: calendar.days.count, by: room) {
      lines += block(start..<min(calendar.days.count, start + room))
    }
    let empty = calendar.rows.prefix { $0.verdicts.allSatisfy { $0 == nil } }.count
    if empty > 0 {
      lines += ["", "\(counted(empty, "earlier point")) left out: these days had no verdict yet"]
    }
    return lines + ["", CalendarText.legend(of: known, style, columns: columns)]
  }

  /// Some days beside each other: the rows in which anything is known of them, alike ones as one.
  private func block(_ places: Range<Int>) -> [String] {
    var groups: [(label: String, verdicts: [Verdict?], count: Int)] = []
    for row in calendar.rows {
      let verdicts = Array(row.verdicts[places])
      if groups.last?.verdicts == verdicts {
        groups[groups.count - 1].count += 1
      } else if !groups.isEmpty || verdicts.contains(where: { $0 != nil }) {
        groups.append((row.label, verdicts, 1))
      }
    }
    guard !groups.isEmpty else { return [] }
    var before: [Verdict?]?
    return [""] + heads(places)
      + groups.map { label, verdicts, count in
        let cells = verdicts.indices.map { cell(verdicts[$0], before?[$0]) }.joined()
        before = verdicts
        let often = count > 1 ? style.paint("  ×\(count)", .grey) : ""
        return Style.padded(Escaping.visible(label), front) + cells.withoutSpacesBehind + often
      }
  }

  /// The month where one begins, and below it the number of each day, its tens over its ones.
  private func heads(_ places: Range<Int>) -> [String] {
    var months = [UInt8](repeating: 0x20, count: places.count * KnownCalendarText.cell + 8)
    var (tens, ones) = ("", "")
    for place in places {
      let day = calendar.days.lowerBound + place
      if place == places.lowerBound || day.date.day == 1 {
        let at = (place - places.lowerBound) * KnownCalendarText.cell + 1
        months.replaceSubrange(at..<at + 7, with: "\(day)".utf8.prefix(7))
      }
      tens += day.date.day < 10 ? "  " : " \(day.date.day / 10)"
      ones += " \(day.date.day % 10)"
    }
    let lead = String(repeating: " ", count: front)
    return [String(decoding: months, as: UTF8.self), tens, ones].map { (lead + $0).withoutSpacesBehind }
  }

  /// A verdict, and a mark where the row above had another of a day that was over.
  private func cell(_ verdict: Verdict?, _ before: Verdict??) -> String {
    let sign = verdict.map { style.paint(CalendarText.sign($0), CalendarText.colour($0)) } ?? " "
    guard let known = before.flatMap({ $0 }), known != .open, known != verdict else { return " " + sign }
    return style.paint("!", .red) + sign
  }
}
