import EventLog
import Inspection
import StreakDomain

enum DifferenceText {
  /// Returns the changes without the sums; `ledger` resolves ids, so it must be the state with more events.
  static func lines(
    _ difference: Difference, _ ledger: Ledger, _ style: Style
  ) -> [String] {
    let jokers = JokerLineText(ledger: ledger, style: style)
    var lines: [String] = []
    // Grouped in advance, because there may be thousands of habits.
    let changes = Dictionary(grouping: difference.changes.filter { $0.field.habit != nil }) {
      $0.field.habit ?? ""
    }
    let verdicts = Dictionary(grouping: difference.verdicts, by: \.habit)
    let books = Dictionary(grouping: difference.books, by: \.habit)
    for habit in habits(of: difference) {
      lines.append(style.paint(Escaping.visible(habit), .bold))
      let own = changes[habit] ?? []
      let isNew = own.contains(where: \.isDefinition)
      if isNew { lines.append("  is defined") }
      for change in own where change.field.isShown {
        guard case .habit(_, let field) = change.field, !isNew || field == .current else { continue }
        lines.append(
          "  \(Style.padded(words(field.rawValue), 16)) \(visible(change.before)) → \(visible(change.after))")
      }
      lines += spans(of: verdicts[habit] ?? []).map { "  " + $0 }
      for book in books[habit] ?? [] {
        lines += book.removed.map { "  - " + jokers.line($0, of: habit) }
        lines += book.added.map { "  + " + jokers.line($0, of: habit) }
      }
    }
    for change in difference.changes {
      guard case .ledger(let field) = change.field else { continue }
      lines.append("\(Style.padded(field.rawValue, 18)) \(visible(change.before)) → \(visible(change.after))")
    }
    lines += difference.unlocked.map {
      "unlocked " + style.paint(Escaping.visible(AchievementText.name($0, ledger)), .green)
    }
    lines += difference.revoked.map {
      "revoked  " + style.paint(Escaping.visible(AchievementText.name($0, ledger)), .red)
    }
    return lines
  }

  private static func habits(of difference: Difference) -> [String] {
    var seen: Set<String> = []
    let changed = difference.changes.compactMap { change -> String? in
      guard case .habit(let habit, _) = change.field, change.field.isShown else { return nil }
      return habit
    }
    return (changed + difference.verdicts.map(\.habit) + difference.books.map(\.habit))
      .filter { seen.insert($0).inserted }
  }

  private static func spans(of changes: [VerdictChange]) -> [String] {
    changes.map { change in
      var text: [UInt8] = []
      change.write(into: &text)
      return String(decoding: text, as: UTF8.self)
    }
  }

  private static func visible(_ value: StateValue) -> String {
    value == .null ? "–" : Escaping.visible(value.description)
  }

  /// Converts a field's name to words, such as `lastGood` to `last good` and `jokers.held` to `jokers held`.
  private static func words(_ field: String) -> String {
    field.rewriting { scalar in
      if scalar == "." { return " " }
      return scalar.properties.isUppercase ? " " + scalar.properties.lowercaseMapping : nil
    }
  }
}

extension StateField {
  var habit: String? {
    if case .habit(let habit, _) = self { habit } else { nil }
  }

  var isShown: Bool {
    if case .habit(_, let field) = self { field.isShown } else { false }
  }
}
