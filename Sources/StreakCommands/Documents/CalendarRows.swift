import Inspection
import EventLog
import StreakDomain

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
    /// The first one that fits the width is shown.
    let remarks: [String]
  }

  private static let cell = 3
  private static let icon = 3

  init(_ ledger: Ledger, _ span: ClosedRange<Day>, style: Style, columns: Int?) {
    rows = ledger.states().compactMap { state in
      let verdicts = ledger.verdicts(of: state.habit, in: span)
      // A habit retired before these days would have an empty row.
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

  /// Returns the alternative texts for a habit, longest first.
  ///
  /// They are the progress of its week or month, or the current run if it has no such period. There is none
  /// if the habit is retired, or has neither a period nor a streak.
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
