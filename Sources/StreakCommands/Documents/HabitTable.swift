import EventLog
import StreakDomain

/// The layout of a list of habits in columns.
///
/// If there isn't enough room, it shortens the remarks first, then the names, then the jokers.
package struct HabitTable {
  private let style: Style
  private let columns: Int?
  private let nameWidth: Int
  private let runWidth: Int
  private let jokerWidth: Int

  package init(_ lines: [HabitLine], style: Style, columns: Int?) {
    self.style = style
    self.columns = columns
    let most = columns.map { min(24, max(8, $0 / 4)) } ?? 24
    nameWidth = min(most, lines.map { Escaping.columns(of: Escaping.visible($0.state.name)) }.max() ?? 0)
    runWidth = max(6, lines.map(\.run.utf8.count).max() ?? 0)
    jokerWidth = lines.map { Escaping.columns(of: $0.jokers) }.max() ?? 0
  }

  package func line(_ line: HabitLine, in group: HabitLine.Group? = nil) -> String {
    let state = line.state
    let icon = Style.padded(Escaping.visible(String((state.icon?.string ?? "").prefix(1))), 3)
    let name = Style.padded(Layout.shortened(Escaping.visible(state.name), to: nameWidth), nameWidth)
    let run = line.run
    let space = String(repeating: " ", count: runWidth - run.utf8.count + 2)
    var front = icon + name + space + style.paint(run, HabitTable.colour(line))
    let fits = columns.map { $0 >= 56 } ?? true
    if jokerWidth > 0, fits {
      let jokers = line.jokers
      let space = String(repeating: " ", count: jokerWidth - Escaping.columns(of: jokers))
      front += "  " + (jokers.isEmpty ? "" : style.paint(jokers, .yellow)) + space
    }
    let room = columns.map { $0 - Layout.columns(of: front) - 2 } ?? .max
    var remarks = line.said(in: group)
    // Without room for both, the next remark is more useful than the word for today.
    if remarks.count > line.remarks.count, remarks.count > 1,
      Layout.columns(of: remarks[0] + " · " + remarks[1]) > room
    {
      remarks = line.remarks
    }
    var remark = remarks.first ?? ""
    for next in remarks.dropFirst() where Layout.columns(of: remark + " · " + next) <= room {
      remark += " · " + next
    }
    return (front + "  " + remark).withoutSpacesBehind
  }

  private static func colour(_ line: HabitLine) -> Style.Colour {
    if line.isAtRisk { return .red }
    return switch line.group {
    case .due, .free: .yellow
    case .done: .green
    case .over: .red
    case .resting, .excused, .beginning, .aside: .grey
    }
  }
}
