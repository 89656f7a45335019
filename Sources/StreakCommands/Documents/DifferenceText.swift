import EventLog
import Replay
import StreakDomain

/// What changed, for people.
enum DifferenceText {
  /// The changes of one event in a few words; empty where nothing that people look at changed.
  static func phrases(_ difference: Difference, _ style: Style) -> [String] {
    var phrases: [String] = []
    for habit in habits(of: difference) {
      let parts = parts(of: habit, difference, style)
      if !parts.isEmpty { phrases.append(Escaping.visible(habit) + " " + parts.joined(separator: ", ")) }
    }
    for change in difference.changes {
      guard case .ledger(let field) = change.field, field == .xp else { continue }
      phrases.append("XP \(change.before) → \(change.after)")
    }
    phrases += difference.unlocked.map { style.paint("+ \(Escaping.visible($0))", .green) }
    phrases += difference.revoked.map { style.paint("- \(Escaping.visible($0))", .red) }
    return phrases
  }

  /// The changes grouped by habit, a line each; the fields that only count are left out.
  static func lines(_ difference: Difference, _ style: Style) -> [String] {
    var lines: [String] = []
    for habit in habits(of: difference) {
      lines.append(style.paint(Escaping.visible(habit), .bold))
      let isNew = difference.changes.contains { $0.field == .habit(habit, .status) && $0.before == .null }
      if isNew { lines.append("  is defined") }
      for change in difference.changes where change.field.isShown(of: habit) {
        guard case .habit(_, let field) = change.field, !isNew || field == .current else { continue }
        lines.append(
          "  \(Style.padded(field.rawValue, 16)) \(visible(change.before)) → \(visible(change.after))")
      }
      lines += spans(of: difference.verdicts.filter { $0.habit == habit }).map { "  " + $0 }
      for book in difference.books where book.habit == habit {
        lines += book.removed.map { "  - " + AuditText.line($0, habit, style) }
        lines += book.added.map { "  + " + AuditText.line($0, habit, style) }
      }
    }
    for change in difference.changes {
      guard case .ledger(let field) = change.field else { continue }
      lines.append("\(Style.padded(field.rawValue, 18)) \(visible(change.before)) → \(visible(change.after))")
    }
    lines += difference.unlocked.map { "unlocked " + style.paint(Escaping.visible($0), .green) }
    lines += difference.revoked.map { "revoked  " + style.paint(Escaping.visible($0), .red) }
    return lines
  }

  /// The habits that differ in anything people look at, in the order of the difference.
  private static func habits(of difference: Difference) -> [String] {
    var seen: Set<String> = []
    let changed = difference.changes.compactMap { change -> String? in
      guard case .habit(let habit, _) = change.field, change.field.isShown(of: habit) else { return nil }
      return habit
    }
    return (changed + difference.verdicts.map(\.habit) + difference.books.map(\.habit))
      .filter { seen.insert($0).inserted }
  }

  private static func parts(of habit: String, _ difference: Difference, _ style: Style) -> [String] {
    if difference.changes.contains(where: { $0.field == .habit(habit, .status) && $0.before == .null }) {
      return ["is defined"]
    }
    var parts: [String] = []
    for change in difference.changes {
      guard case .habit(habit, let field) = change.field else { continue }
      switch field {
      case .current: parts.append("run \(change.before) → \(change.after)")
      case .held: parts.append("jokers \(change.before) → \(change.after)")
      case .longest where change.before != .null: parts.append("longest \(change.after)")
      default: break
      }
    }
    let verdicts = difference.verdicts.filter { $0.habit == habit && ($0.after != .open || $0.before != nil) }
    return parts + spans(of: verdicts)
  }

  /// Verdicts that changed alike on days in a row, told as one: `2025-10-18…2025-10-21 healed → missed`.
  static func spans(of changes: [VerdictChange]) -> [String] {
    var spans: [(first: VerdictChange, last: Day)] = []
    for change in changes {
      if let span = spans.last, span.last.next == change.day, span.first.before == change.before,
        span.first.after == change.after
      {
        spans[spans.count - 1].last = change.day
      } else {
        spans.append((change, change.day))
      }
    }
    return spans.map { first, last in
      let days = first.day == last ? "\(first.day)" : "\(first.day)…\(last)"
      let after = first.after?.name ?? "gone"
      return first.before.map { "\(days) \($0.name) → \(after)" } ?? "\(days) \(after)"
    }
  }

  private static func visible(_ value: StateValue) -> String { Escaping.visible(value.description) }
}

extension StateField {
  /// Whether people are told of it: sums over entries and days come with every event.
  func isShown(of habit: String) -> Bool {
    guard case .habit(habit, let field) = self else { return false }
    return !field.rawValue.hasPrefix("totals.") && !field.rawValue.hasPrefix("days.")
  }
}
