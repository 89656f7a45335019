import EventLog
import Imports
import Inspection
import StreakDomain

/// A summary of what a step recorded, in one line, such as `12 entries of 3 habits and 2
/// definitions, 2025-10-01 to 2025-11-03`; the caller must escape it with `Escaping.visible`.
struct StepCounts {
  let lines: [StepLine]
  let ledger: Ledger
  /// Returns the text for the habit with the given id.
  var called: (String) -> String = { $0 }

  static let hint = "--verbose lists them"

  /// Whether a command prints a line for each of `count` events, rather than a summary.
  static func listsRows(of count: Int, _ arguments: Arguments) -> Bool {
    count <= 3 || arguments.has("--verbose")
  }

  /// The numbers of events and their days.
  ///
  /// For an import the text also names the app, and for an undo it ends with `(undo)`.
  var text: String {
    let isUndo = lines.allSatisfy { $0.item.event?.isUndo ?? false }
    var text = imported ?? counts
    if let days { text += ", \(DayText.span(days))" }
    if isUndo { text += " (undo)" }
    return text
  }

  /// The text of an import, such as `imported 153 entries of 6 habits from Loop`, or `nil` if no
  /// import recorded all lines.
  var imported: String? {
    let kinds = Set(lines.map { ImportKind(by: $0.item.by) })
    guard kinds.count == 1, let kind = kinds.first ?? nil else { return nil }

    // An entry is taken back by the same entry again and its deletion.
    let takenBack = Dictionary(grouping: lines.filter(\.isClearing), by: \.item.type)
      .values.max { $0.count < $1.count }
    guard let takenBack else { return "imported \(counts) from \(kind.appName)" }
    let entries = counted(takenBack.count, "entry")
    let news = StepCounts(
      lines: lines.filter { !$0.isClearing }, ledger: ledger, called: called)
    return news.lines.isEmpty
      ? "took back \(entries)\(habits(of: takenBack)) that no longer count in \(kind.appName)"
      : "imported \(news.counts) from \(kind.appName), \(entries) taken back"
  }

  /// The number of events of each type, such as `12 entries of 3 habits and 2 definitions`.
  var counts: String {
    let byType = Dictionary(grouping: lines, by: \.item.type)
    let parts = StepCounts.types.compactMap { type in
      byType[type].map { counted($0.count, type.noun) + habits(of: $0) }
    }
    guard let last = parts.last, parts.count > 1 else { return parts.joined() }
    return "\(parts.dropLast().joined(separator: ", ")) and \(last)"
  }

  /// All types of events, those about days before those about habits.
  private static var types: [EventType] {
    let ofDays: [EventType] = [.entryLogged, .entryDeleted, .daysExcused, .excuseWithdrawn]
    return ofDays + EventType.allCases.filter { !ofDays.contains($0) }
  }

  /// Returns the number of habits with entries in `lines`, or the habit if there is only one.
  private func habits(of lines: [StepLine]) -> String {
    let habits = Set(lines.compactMap { entry(of: $0)?.habit })
    guard let first = habits.first else { return "" }
    return " of " + (habits.count == 1 ? called(first) : counted(habits.count, "habit"))
  }

  /// The days of the entries and excuses, or those of all events if there are neither.
  private var days: ClosedRange<Day>? {
    let ofEntries = lines.compactMap { entry(of: $0)?.days ?? excusedDays(of: $0) }
    let all = ofEntries.isEmpty ? lines.map { $0.item.day...$0.item.day } : ofEntries
    guard let first = all.map(\.lowerBound).min(), let last = all.map(\.upperBound).max() else {
      return nil
    }
    return first...last
  }

  /// Returns the habit of the entry that `line` logged or deleted, and the entry's day as a range
  /// of one day.
  ///
  /// Returns `nil` if `line` neither logged nor deleted an entry.
  private func entry(of line: StepLine) -> (habit: String, days: ClosedRange<Day>)? {
    if case .entryDeleted(let id, _)? = line.item.event?.payload {
      return ledger.facts.entry(of: id).map { ($0.entry.habit, $0.day...$0.day) }
    }
    guard line.item.type == .entryLogged else { return nil }
    return line.item.habit(in: ledger.facts).map { ($0, line.item.day...line.item.day) }
  }

  private func excusedDays(of line: StepLine) -> ClosedRange<Day>? {
    guard let payload = line.item.event?.payload else { return nil }
    if let days = payload.excusedDays { return days }
    if case .excuse(let id) = payload.touches { return ledger.facts.excusedSpan(of: id) }
    return nil
  }
}

extension StepCounts {
  init(_ events: [Event], _ ledger: Ledger) {
    self.init(lines: events.map { StepLine($0, at: 0) }, ledger: ledger)
  }
}

extension StepLine {
  /// Whether an import wrote the line only to take back an entry.
  var isClearing: Bool { item.by?.string.ends(with: Event.clearing) ?? false }
}
