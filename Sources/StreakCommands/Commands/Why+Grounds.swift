import EventLog
import Inspection
import StreakDomain

extension WhyRun {
  func explain(
    _ field: StateField, of ledger: ChainLedger, at point: Point
  ) throws(Failure) -> ExitStatus {
    let reader = ChainReader(invocation: invocation)
    let field = try reader.field(field, in: ledger.loaded.ledger)
    let document = try reader.chain(of: field, in: ledger, at: point)
    let text = try ChainText(
      document, invocation, showsAll: invocation.isJSON || invocation.arguments.has("--all"))
    if invocation.isJSON {
      invocation.print(text.json.line)
      return .done
    }
    if field == .ledger(.xp) { printXP(ledger.loaded.ledger) }
    for line in text.lines { invocation.print(line) }
    return .done
  }

  func explain(
    joker lot: Int, of habit: String, _ ledger: Ledger
  ) throws(Failure) -> ExitStatus {
    let lines = ledger.jokerBook(of: habit).filter { $0.lot?.number == lot }
    guard !lines.isEmpty else {
      let count = ledger.jokerBook(of: habit).compactMap(\.lot?.number).max() ?? 0
      throw .notFound(
        count == 0
          ? "\(habit) has no jokers"
          : "there is no joker \(habit)/\(lot); they go from \(habit)/1 to \(habit)/\(count)")
    }
    let text = JokerText(habit: habit, lot: lot, ledger: ledger)
    if invocation.isJSON {
      let steps = lines.map { WhyDocument.Step(day: $0.day, event: $0.because.last, says: text.sentence($0)) }
      let last = lines.last?.action ?? .earned
      let value = JSON.text(last == .earned ? "held" : last.rawValue)
      invocation.print(WhyDocument(of: "\(habit)/\(lot)", value: value, chain: steps).json.line)
      return .done
    }
    for line in text.sentences(lines) { invocation.print(Escaping.visible(line)) }
    return .done
  }

  private func printXP(_ ledger: Ledger) {
    for (habit, because, xp) in ledger.xpByHabit() {
      invocation.print("\(xp) XP from \(counted(because.count, "qualifying entry")) of \(habit)")
    }
    for achievement in ledger.achievements() where achievement.xp > 0 {
      let name = Escaping.visible(AchievementText.name(achievement.key, ledger))
      invocation.print("\(achievement.xp) XP for \(name), reached on \(achievement.on)")
    }
  }

  func explainAchievement(
    _ key: String, _ ledger: Ledger, _ turns: [Inquiry.Turn]
  ) throws(Failure) -> ExitStatus {
    let standing = ledger.achievements()
    let achievement = standing.first { $0.key == key }
    guard achievement != nil || !turns.isEmpty else {
      let paths = ledger.definedHabits.flatMap { habit in
        HabitField.allCases.map { "\(habit).\($0.rawValue)" }
      }
      let known =
        HabitWord.known(in: ledger) + standing.map(\.key)
        + (key.holds(".") ? paths : LedgerField.allCases.map(\.rawValue))
      var said: String?
      for habit in ledger.definedHabits where said == nil && key.begins(with: habit + ".") {
        let field = HabitField(onScreens: String(key.droppingBytes(habit.utf8.count + 1)))
        said = field.map { "\(habit).\($0.rawValue)" }
      }
      let hint = said.map { Nearest.meant($0) } ?? Nearest.hint(key, among: known)
      throw .notFound(
        "there is no habit, field or event \(quoted(key)), and no achievement of that key was ever reached\(hint)"
      )
    }
    let words = EventText(ledger: ledger)
    let events = try invocation.reader.events(of: Set(turns.map(\.event)))
    func says(_ turn: Inquiry.Turn) -> String {
      events.first { $0.event.id == turn.event }.map { words.text(of: $0.event) } ?? ""
    }
    if invocation.isJSON {
      var steps =
        achievement?.because.map {
          WhyDocument.Step(day: achievement?.on ?? Day.first, event: $0, says: words.entry($0))
        } ?? []
      steps += turns.map {
        WhyDocument.Step(
          day: $0.day, event: $0.event, says: "\(says($0)): \($0.stands ? "achieved" : "revoked") it")
      }
      invocation.print(WhyDocument(of: key, value: .day(achievement?.on), chain: steps).json.line)
      return .done
    }
    let name = Escaping.visible(AchievementText.name(key, ledger))
    if let achievement {
      let xp = achievement.xp > 0 ? ", worth \(achievement.xp) XP" : ""
      invocation.print("\(name) was achieved on \(achievement.on)\(xp).")
      let entries = achievement.because.map { "\(words.entry($0)) (\(Event.shortID($0)))" }
      invocation.print(
        "The entries of that day: \(Escaping.visible(entries.isEmpty ? "none" : entries.joined(separator: ", ")))."
      )
    } else {
      invocation.print("\(name) is not achieved.")
    }
    for turn in turns {
      let what = "\(says(turn)) (\(Event.shortID(turn.event)))"
      let verb = turn.stands ? "achieved" : "revoked"
      invocation.print("At \(turn.position), \(Escaping.visible(what)) \(verb) it.")
    }
    return .done
  }
}
