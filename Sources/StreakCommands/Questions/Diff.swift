import EventLog
import Inspection
import StreakDomain

extension Command {
  static let diff = Command(
    name: "diff", group: .lookBack, words: "POINT POINT [HABIT…]",
    summary: "what differs between two states, and the events between",
    options: [json] + whatIf,
    details: [
      "A point is a position, an event id, a day, a time, or end. With habits, only their changes and events.",
      "Exits 0 if nothing differs and 1 if something does, like diff.", "",
      "  streaks diff 4847 4848", "  streaks diff 2025-11-03 2025-11-04 noalc",
    ],
    example: Example(
      line: "streaks diff 4847 4848",
      answer: [
        "noalc",
        "  current          41 → 12",
        "  start            2025-09-24 → 2025-10-23",
        "  2025-10-08 good → healed",
        "  2025-10-22 healed → bad",
        "…",
      ])
  ) { invocation throws(Failure) in
    try invocation.compareStates()
  }
}

extension Invocation {
  fileprivate func compareStates() throws(Failure) -> ExitStatus {
    let first = try state(at: word(0))
    let second = try state(at: word(1))
    var answer = LedgerDifference(from: (first.ledger, first.event), to: (second.ledger, second.event))
    let later = answer.from.position <= answer.to.position ? second.ledger : first.ledger
    let habits = Set(try habits(named: arguments.positionals.dropFirst(2), in: later))
    if !habits.isEmpty { answer.difference.keepOnly(habits) }
    let isEmpty = answer.difference.isEmpty
    if isJSON {
      printJSON(of: answer)
    } else if isEmpty {
      print("no difference")
    } else {
      let lines = DifferenceText.lines(answer.difference, later, style)
      for line in lines.isEmpty ? ["only sums changed; --json has them"] : lines { print(line) }
      try printEvents(answer.events, later, of: habits)
    }
    return isEmpty ? .done : .failed
  }

  /// Prints the first 20 events between the points and the number of others.
  ///
  /// If `habits` isn't empty, only events about these habits are included.
  private func printEvents(_ ids: [String], _ ledger: Ledger, of habits: Set<String>) throws(Failure) {
    let most = 20
    var shown = ids
    if !habits.isEmpty {
      let events = try reader.events(of: Set(ids)).map(\.event)
      shown = events.filter { $0.habits(in: ledger).map { !$0.isDisjoint(with: habits) } ?? false }.map(\.id)
    }
    guard !shown.isEmpty else { return }
    print("")
    print(counted(shown.count, "event") + " between" + (habits.isEmpty ? "" : ", of these habits"))
    let words = EventText(ledger: ledger)
    let showsWriter = try reader.whole().stream.map { $0.segments.count > 1 } ?? false
    for placed in try reader.events(of: Set(shown.prefix(most))) {
      let says = Escaping.visible(words.text(of: placed.event))
      let time = RecordedTime(placed.event).text
      let id = Event.shortID(placed.event.id) + (showsWriter ? placed.writerWords : "")
      print("  \(placed.position)  \(time)  \(says)  \(style.paint(id, .grey))")
    }
    if shown.count > most {
      print("  and \(shown.count - most) more; `streaks timeline --from … --to …` shows all")
    }
  }

  private func state(at text: String) throws(Failure) -> LoadedLedger {
    let point = try words.point(named: text)
    let loaded = try reader.load(point, today: try reader.today(of: point))
    try reader.check(point, reached: loaded)
    return loaded
  }
}

enum DifferenceText {
  /// Returns the lines of a difference, without sums.
  ///
  /// `ledger` must be the later state, which knows all events.
  static func lines(_ difference: Difference, _ ledger: Ledger, _ style: Style) -> [String] {
    let jokers = JokerLineText(ledger: ledger, style: style)
    var lines: [String] = []
    // Grouping once is faster than filtering for each habit, because there may be thousands of habits.
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
      lines += (verdicts[habit] ?? []).map { "  " + $0.text }
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

  private static func visible(_ value: StateValue) -> String {
    value == .null ? "–" : Escaping.visible(value.description)
  }

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
