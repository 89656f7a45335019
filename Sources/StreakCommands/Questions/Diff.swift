import EventLog
import Inspection
import StreakDomain

/// The command that compares two states.
struct DiffCommand: Command {
  static let name = "diff"
  static let group = CommandGroup.lookBack
  static let words: Synopsis = "POINT POINT [HABIT…]"
  static let options: [Option] = [.json] + Option.whatIf
  static let help = HelpText(PackageResources.diff_txt)

  let invocation: Invocation

  func run() throws(Failure) -> ExitStatus {
    let first = try state(at: word(0))
    let second = try state(at: word(1))
    var answer = LedgerDifference(
      from: (first.ledger, first.event), to: (second.ledger, second.event))
    try reader.reportAhead([first.recorded, second.recorded])

    let later = answer.from.position <= answer.to.position ? second.ledger : first.ledger
    let habits = Set(try words.habits(named: arguments.positionals.dropFirst(2), in: later))
    answer.difference.keepOnly(habits)
    let isEmpty = answer.difference.isEmpty

    if isJSON {
      printJSON(of: answer)
    } else if isEmpty {
      reportEmpty("no difference")
    } else {
      let lines = DifferenceText.lines(answer.difference, later, style)
      let shown = lines.isEmpty ? ["only entries or sums changed; --json has them"] : lines
      for line in shown { print(line) }
      try printEvents(answer.events, later, of: habits)
    }
    return isEmpty ? .done : .failed
  }

  /// Prints the first 20 events of `ids` that may concern `habits`, and how many follow.
  ///
  /// If `habits` is empty, every event concerns it.
  private func printEvents(
    _ ids: [String], _ ledger: Ledger, of habits: Set<String>
  ) throws(Failure) {
    let limit = 20
    let isAll = habits.isEmpty
    var events = try reader.events(of: Set(isAll ? ids.prefix(limit) : ids[...]))
    if !isAll {
      let related = habits.union(
        habits.flatMap { ledger.facts.definition(of: $0)?.rule.members ?? [] })
      events = events.filter {
        $0.event.payload.touches.habits(in: ledger.facts).map { !$0.isDisjoint(with: related) }
          ?? true
      }
    }

    let count = isAll ? ids.count : events.count
    guard count > 0 else { return }
    print("")
    let concerned = habits.sorted().map(Escaping.visible).joined(separator: ", ")
    print(counted(count, "event") + " between" + (isAll ? "" : " that may concern \(concerned)"))
    let words = EventText(ledger: ledger)
    let showsWriter = try reader.whole().stream?.hasSeveralSegments ?? false
    for placed in events.prefix(limit) {
      let description = Escaping.visible(words.text(of: placed.event))
      let id = Event.shortID(placed.event.id) + (showsWriter ? placed.writerWords : "")
      let time = RecordedTime(
        reader.time(of: StepLine(placed.event, at: placed.position)),
        by: ledger.facts.wallClock(at: placed.position), about: placed.event.day)
      print(
        TableRow.text(
          indent: 2, ("\(placed.position)", 0), (time.text, 0), (description, 0),
          (style.paint(id, .grey), 0)))
    }
    if count > limit {
      print("  and \(count - limit) more; `streaks timeline --from … --to …` shows all")
    }
  }

  private func state(at text: String) throws(Failure) -> LoadedLedger {
    let point = try words.point(named: text)
    return try reader.load(point, today: try reader.today(of: point))
  }
}

/// The text of the differences between two states.
enum DifferenceText {
  /// The maximum number of changed verdicts per habit in the text of one line; `why` and `--json`
  /// show all verdicts.
  private static let mostSpans = 6

  /// Returns the changes of runs, jokers, verdicts, XP and achievements, such as `noalc run 6 → 7 ·
  /// XP 40 → 55`.
  static func line(_ difference: Difference, _ ledger: Ledger, _ style: Style) -> String {
    var parts = difference.byHabit.map(phrases).filter { !$0.isEmpty }
    for change in difference.changes {
      if case .ledger(.xp) = change.field { parts.append("XP " + arrow(change)) }
    }
    return (parts + difference.achievementPhrases(ledger, style)).joined(separator: " · ")
  }

  private static func phrases(_ habit: String, _ difference: Difference) -> String {
    let name = Escaping.visible(habit)
    if difference.isOfNewHabit { return name + " is defined" }

    var text = ""
    func add(_ phrase: String) { text += (text.isEmpty ? name + " " : ", ") + phrase }
    for change in difference.definitions {
      let words = change.effects
      if !words.isEmpty {
        add(Escaping.visible(words.joined(separator: ", ")) + " from \(change.day)")
      }
    }
    for change in difference.changes {
      switch change.field {
      case .habit(_, .current): add("run " + arrow(change))
      case .habit(_, .held): add("jokers " + arrow(change))
      case .habit(_, .longest) where change.before != .null: add("longest " + arrow(change))
      default: break
      }
    }

    var spans = 0
    var rest = 0
    for change in difference.verdicts where change.after != .open || change.before != nil {
      spans += 1
      if spans <= mostSpans { add(change.text) } else { rest += change.days.count }
    }
    if rest > 0 { add("and \(counted(rest, "more day"))") }
    return text
  }

  private static func arrow(_ change: FieldChange) -> String {
    func visible(_ value: StateValue) -> String {
      value == .null ? "–" : Escaping.visible(value.description)
    }
    return "\(visible(change.before)) → \(visible(change.after))"
  }

  /// Returns the lines of a difference, without fields that change with nearly every event.
  ///
  /// `ledger` must be the later state.
  static func lines(_ difference: Difference, _ ledger: Ledger, _ style: Style) -> [String] {
    let jokers = JokerLineText(ledger: ledger, style: style)
    var lines: [String] = []
    for (habit, habitDifference) in difference.byHabit {
      let isNew = habitDifference.isOfNewHabit
      lines.append(style.paint(Escaping.visible(habit), .bold))
      if isNew { lines.append("  is defined") }
      for change in habitDifference.changes {
        guard case .habit(_, let field) = change.field, !isNew || field == .current else {
          continue
        }
        lines.append(TableRow.text(indent: 2, (words(field.path), 16), (arrow(change), 0)))
      }

      for change in habitDifference.definitions {
        for words in change.effects {
          lines.append("  from \(change.day): " + Escaping.visible(words))
        }
      }
      lines += habitDifference.verdicts.map { "  " + $0.text }
      for book in habitDifference.books {
        lines += book.removed.map { "  - " + jokers.line($0, of: habit) }
        lines += book.added.map { "  + " + jokers.line($0, of: habit) }
      }
    }
    for change in difference.changes {
      guard case .ledger(let field) = change.field else { continue }
      lines.append(TableRow.text((field.rawValue, 18), (arrow(change), 0)))
    }
    return lines
      + difference.achievementPhrases(ledger, style, signs: ("unlocked ", "revoked  ", "moved    "))
  }

  private static func words(_ field: String) -> String {
    field.rewriting { scalar in
      if scalar == "." { return " " }
      return scalar.properties.isUppercase ? " " + scalar.properties.lowercaseMapping : nil
    }
  }
}

extension Difference {
  /// The differences of each habit, in the order in which the habits changed, without fields that
  /// text output omits.
  fileprivate var byHabit: [(habit: String, difference: Difference)] {
    var habits: [(habit: String, difference: Difference)] = []
    func index(of habit: String) -> Int {
      if let index = habits.lastIndex(where: { $0.habit == habit }) { return index }
      habits.append((habit, Difference()))
      return habits.count - 1
    }
    for change in changes {
      guard case .habit(let habit, let field) = change.field, field.isShown else { continue }
      habits[index(of: habit)].difference.changes.append(change)
    }
    for change in definitions where !change.effects.isEmpty {
      habits[index(of: change.after.id)].difference.definitions.append(change)
    }
    for change in verdicts { habits[index(of: change.habit)].difference.verdicts.append(change) }
    for change in books { habits[index(of: change.habit)].difference.books.append(change) }
    return habits
  }

  /// Whether the difference contains a habit that is defined only in the later state.
  fileprivate var isOfNewHabit: Bool {
    changes.contains { change in
      if case .habit(_, .status) = change.field { change.before == .null } else { false }
    }
  }

  /// Returns the achievements that were unlocked, such as `+ Devotee, bronze`, those that were
  /// revoked, and those that were reached on another day.
  func achievementPhrases(
    _ ledger: Ledger, _ style: Style, signs: (String, String, String) = ("+ ", "- ", "")
  ) -> [String] {
    func name(_ key: String) -> String { Escaping.visible(AchievementText.name(key, ledger)) }
    return unlocked.map { style.paint(signs.0 + name($0), .green) }
      + revoked.map { style.paint(signs.1 + name($0), .red) }
      + moved.map { style.paint(signs.2 + "\(name($0.key)) \($0.before) → \($0.after)", .yellow) }
  }
}

extension ChangedDefinition {
  /// The changed fields that can change days or numbers, such as `schedule 3/week → 2/week`.
  var effects: [String] {
    DefinitionText.words(from: before, to: after, without: ["name", "icon", "color"])
  }
}

extension VerdictChange {
  /// The change as text, such as `2025-10-18…2025-10-21 healed → missed`.
  var text: String {
    let span =
      days.lowerBound == days.upperBound
      ? "\(days.lowerBound)" : "\(days.lowerBound)…\(days.upperBound)"
    return "\(span) " + (before.map { "\($0.rawValue) → " } ?? "") + (after?.rawValue ?? "–")
  }
}
