import EventLog
import Inspection
import StreakDomain

/// The changes of an event in short form: `noalc run 6 → 7, longest 7, 2025-11-03 open → good · XP 40 → 55`.
struct Phrases {
  private let style: Style
  private static let first = Array("  ".utf8)
  private static let next = Array(" · ".utf8)
  fileprivate static let arrow = Array(" → ".utf8)

  /// The maximum number of verdict changes shown per habit; `why` and `--json` show all.
  private static let mostSpans = 6

  init(_ style: Style) {
    self.style = style
  }

  func write(_ difference: Difference, _ ledger: Ledger, into text: inout [UInt8]) {
    let start = text.count
    var verdicts = VerdictGroups(difference.verdicts)
    let changes = difference.changes
    var place = 0
    while place < changes.count, let habit = changes[place].field.habit {
      let first = place
      var isShown = false
      while place < changes.count, case .habit(habit, let field) = changes[place].field {
        isShown = isShown || field.isShown
        place += 1
      }
      if isShown { write(habit, changes[first..<place], verdicts.take(habit), into: &text, after: start) }
    }
    verdicts.eachLeft { own in
      if let habit = own.first?.habit { write(habit, [], own, into: &text, after: start) }
    }
    for change in changes[place...] where change.field == .ledger(.xp) {
      part(&text, from: start)
      text += "XP ".utf8
      write(change, into: &text)
    }
    for key in difference.unlocked {
      write("+ " + AchievementText.name(key, ledger), .green, into: &text, after: start)
    }
    for key in difference.revoked {
      write("- " + AchievementText.name(key, ledger), .red, into: &text, after: start)
    }
  }

  private func write(_ text: String, _ colour: Style.Colour, into line: inout [UInt8], after start: Int) {
    part(&line, from: start)
    line += style.paint(Escaping.visible(text), colour).utf8
  }

  private func part(_ text: inout [UInt8], from start: Int) {
    text += text.count == start ? Phrases.first : Phrases.next
  }

  private func write(_ change: FieldChange, into text: inout [UInt8]) {
    change.before.write(into: &text)
    text += Phrases.arrow
    change.after.write(into: &text)
  }

  private func write(
    _ habit: String, _ changes: ArraySlice<FieldChange>, _ verdicts: ArraySlice<VerdictChange>,
    into text: inout [UInt8], after start: Int
  ) {
    let before = text.count
    part(&text, from: start)
    text += Escaping.visible(habit).utf8
    let name = text.count
    func next() { text += (text.count == name ? " " : ", ").utf8 }
    if changes.contains(where: \.isDefinition) {
      next()
      text += "is defined".utf8
      return
    }
    for change in changes {
      guard case .habit(_, let field) = change.field else { continue }
      switch field {
      case .current:
        next()
        text += "run ".utf8
        write(change, into: &text)
      case .held:
        next()
        text += "jokers ".utf8
        write(change, into: &text)
      case .longest where change.before != .null:
        next()
        text += "longest ".utf8
        change.after.write(into: &text)
      default: break
      }
    }
    let told = verdicts.filter { $0.after != .open || $0.before != nil }
    for change in told.prefix(Phrases.mostSpans) {
      next()
      change.write(into: &text)
    }
    if told.count > Phrases.mostSpans {
      next()
      text += "and \(told.dropFirst(Phrases.mostSpans).reduce(0) { $0 + $1.days.count }) days more".utf8
    }
    if text.count == name { text.removeLast(name - before) }
  }
}

extension VerdictChange {
  /// Appends the change in the form `2025-10-18…2025-10-21 healed → missed`.
  func write(into text: inout [UInt8]) {
    days.lowerBound.write(into: &text)
    if days.lowerBound != days.upperBound {
      text += "…".utf8
      days.upperBound.write(into: &text)
    }
    text.append(UInt8(ascii: " "))
    if let before {
      text += before.rawValue.utf8
      text += Phrases.arrow
    }
    text += (after?.rawValue ?? "gone").utf8
  }
}

extension FieldChange {
  /// Whether the change belongs to the first definition of a habit.
  var isDefinition: Bool {
    if case .habit(_, .status) = field { before == .null } else { false }
  }
}
