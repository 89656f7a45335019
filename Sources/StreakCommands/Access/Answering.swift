import EventLog
import Inspection
import StreakDomain

/// The answers of commands that write.
extension Command {
  /// Prints the results of an append as a JSON document, with the changes of a definition from
  /// `define`.
  func printResults(of written: Decision, _ changes: [DefinitionFieldChange]? = nil) {
    printJSON(of: WriteAnswer(written.results.map { EventResult($0) }, changes: changes))
  }

  /// Prints the answer of a command that had nothing to write.
  ///
  /// As text this is `line`, and as JSON `answer`. With `--dry-run`, the JSON is a document without
  /// changes.
  func printNothingWritten(
    _ line: String, _ answer: WriteAnswer = WriteAnswer([])
  ) throws(Failure) {
    guard isJSON else { return print(line) }
    guard arguments.has("--dry-run") else { return printJSON(of: answer) }
    let loaded = try reader.load()
    let now = (loaded.ledger, loaded.event)
    printJSON(of: LedgerDifference(from: now, to: now))
  }

  /// Prints the answer of a command as text or JSON, or nothing if `written` is `nil`.
  ///
  /// The text begins with what `lines` returns for the first result and the ledger after the
  /// command. The changes and a hint about `streaks undo` follow. If nothing was to be written, the
  /// text is `unchanged`.
  ///
  /// The JSON document has the results, and the changes of a `definition`.
  func printAnswer(
    of written: Decision?, _ definition: [DefinitionFieldChange]? = nil,
    unchanged: [String] = [],
    _ lines: (_ result: AppendResult, _ after: Ledger, _ changesPast: Bool) -> [String]
  ) throws(Failure) {
    guard let written else { return }
    if isJSON { return printResults(of: written, definition) }
    guard let result = written.results.first else {
      return unchanged.forEach { print(Escaping.visible($0)) }
    }

    let changes = try changes(by: written)
    let past = written.lossesByClosing + changes.closedDays(before: changes.before.today)
    var lines = lines(result, changes.after, !past.isEmpty)
    if let repetition = result.repetition { lines[0] += " (\(repetition))" }

    for line in lines { print(Escaping.visible(line)) }
    for line in past + changes.lines { print("  " + line) }
    printUndoHint(after: result, in: changes.after)
  }

  /// Prints the hint that `streaks undo` reverts the command, unless the ledger already contains an
  /// undo.
  func printUndoHint(after result: AppendResult?, in ledger: Ledger) {
    guard result?.status == .recorded, !isGuest, !ledger.facts.hasUndone else { return }
    let options = ["--writer", "--events"].compactMap { name in
      arguments.value(name).map { value in
        let isPlain = value.parts(at: "/").allSatisfy { $0.isEmpty || Syntax.isWriter(String($0)) }
        return " \(name) \(isPlain ? value : Escaping.shell(value))"
      }
    }
    let hint = Escaping.visible("`streaks undo\(options.joined())` reverts it")
    print("  " + style.paint(hint, .grey))
  }

  /// Returns what the command changed.
  ///
  /// The ledgers before and after it are both advanced to the same today. Warns if the command
  /// advanced today by more than a quarter of a year.
  func changes(by written: Decision) throws(Failure) -> AnswerChanges {
    try changes(from: written.ledgerBefore, to: written.ledgerAfter)
  }

  func changes(from seen: Ledger, to after: Ledger) throws(Failure) -> AnswerChanges {
    var before = seen
    var after = after
    // A longer pause is less likely than a wrong clock.
    let longestPause = 92
    let isDry = arguments.has("--dry-run")
    if !isDry, !invocation.isGuest, let was = before.today, let today = after.today,
      today - was > longestPause
    {
      warn(
        """
        today is \(today), \(today - was) days after \(was); if this machine's clock is wrong, \
        `streaks undo` reverts it
        """)
    }

    if let clock = try reader.clock(of: after), before.position > 0 {
      let date = clock.day(of: try now())
      let today = max(date, after.today ?? date)
      before.advance(to: today)
      after.advance(to: today)
    }
    return AnswerChanges(before: before, after: after, seen: seen)
  }
}

extension Decision {
  /// Lines about what was lost on the days that the command closed; empty if nothing was.
  var lossesByClosing: [String] {
    guard batch.count > 0, let was = ledgerBefore.today, let today = ledgerAfter.today, was < today
    else { return [] }
    var closed = ledgerBefore
    closed.advance(to: today)

    let lost = AnswerChanges(before: ledgerBefore, after: closed).runs { old, new in
      guard
        new.current < old.current || new.jokers.held < old.jokers.held
          || new.jokers.spent > old.jokers.spent
      else { return false }
      guard let now = ledgerAfter[new.habit]?.state else { return true }
      // A run that continues has the same start or an earlier one.
      let isOver = now.start.map { $0 > old.start ?? $0 } ?? true
      return isOver || now.jokers.held - now.jokers.earned < old.jokers.held - old.jokers.earned
    }
    guard !lost.isEmpty else { return [] }
    let days = was.next == today ? "\(was) is over" : "\(was) to \(today.previous) are over"
    return ["\(days):"] + lost.map { "  " + $0 }
  }
}

extension AppendResult {
  /// A text such as `recorded before, at position 4, and deleted since`, or `nil` if the event is
  /// new.
  var repetition: String? {
    guard status == .exists else { return nil }
    let fate = replacement.map { ", and replaced by \(Event.shortID($0)) since" }
    let since = fate ?? (isDeleted ? ", and deleted since" : "")
    return "recorded before, at position \(position)\(since)"
  }
}

/// What a command changed, as lines of its answer.
struct AnswerChanges {
  /// The ledger before the command, advanced to the today of `after`.
  let before: Ledger
  let after: Ledger
  /// The ledger before the command, with today as a person last saw it.
  let seen: Ledger

  init(before: Ledger, after: Ledger, seen: Ledger? = nil) {
    self.before = before
    self.after = after
    self.seen = seen ?? before
  }

  /// Returns the state of `habit` before the command.
  ///
  /// A command can take back what the end of a day did, as a log for yesterday does. Then this is
  /// the state that the person saw last: nobody saw the run broken or saved by a joker in between.
  func old(_ habit: String) -> Streak? {
    let closed = before[habit]?.state
    guard let closed, let seen = seen[habit]?.state, let new = after[habit]?.state,
      seen.start != nil, seen.start == new.start, new.current >= seen.current
    else { return closed }
    let takesBack = closed.start != seen.start || new.jokers.spent < closed.jokers.spent
    return takesBack ? seen : closed
  }

  /// One line for each changed habit, such as `🏋️ Gym: run 37 → 38`, then the changes of
  /// achievements and XP.
  var lines: [String] {
    let old = Achievements(of: before)
    let new = Achievements(of: after)
    var lines = runs { _, _ in true }
    let moved = AchievementChanges(from: old.days, to: new.days).moved.map { achievement in
      let name = AchievementText.name(achievement.key, after)
      return "\(name) on \(achievement.after) instead of \(achievement.before)"
    }
    lines += Self.line(
      "achieved", new.added(since: old).map { AchievementText.name($0.key, after) })
    lines += Self.line(
      "no longer achieved", old.added(since: new).map { AchievementText.name($0.key, before) })
    lines += Self.line("achieved on another day", moved)
    if new.xp != old.xp { lines.append("XP \(old.xp) → \(new.xp)") }
    return lines
  }

  /// Returns the changed verdicts of days before `today`, such as `🏋️ Gym: 2025-11-03 good →
  /// missed`; at most six.
  func closedDays(before today: Day?) -> [String] {
    guard let today else { return [] }
    let most = 6
    let lines = Difference.between(before, after).verdicts.compactMap { change -> String? in
      guard change.days.lowerBound < today, let old = change.before, let new = change.after else {
        return nil
      }
      let days = change.days.lowerBound...min(change.days.upperBound, today.previous)
      let title = after[change.habit]?.state.title ?? change.habit
      return Escaping.visible("\(title): \(DayText.span(days)) \(old.rawValue) → \(new.rawValue)")
    }
    let more = counted(lines.count - most, "more change")
    return lines.prefix(most) + (lines.count > most ? ["and \(more) of days"] : [])
  }

  /// Returns a notice if the first day of `habit` moved back by more than `most` days; otherwise
  /// `nil`.
  func earlierStart(of habit: String, by most: Int) -> String? {
    let defined = before.facts.definitions(of: habit).first?.day
    guard let old = before[habit]?.firstDay ?? defined, let new = after[habit]?.firstDay,
      old - new > most
    else { return nil }
    let definition = after.facts.definition(of: habit, on: new)
    let empty =
      if let period = definition?.rule.sum?.per {
        "empty \(period.rawValue)s"
      } else {
        definition?.schedule == nil ? "empty days" : "empty days that its schedule requires"
      }
    return "\(habit) begins on \(new) now, \(old - new) days earlier; \(empty) are missed"
  }

  /// Returns a line with the first three of `achievements`, or none if there are no achievements.
  private static func line(_ what: String, _ achievements: [String]) -> [String] {
    guard !achievements.isEmpty else { return [] }
    let names = achievements.prefix(3).joined(separator: "; ")
    let more = achievements.count > 3 ? "; and \(achievements.count - 3) more" : ""
    return [Escaping.visible("\(what): \(names)\(more)")]
  }

  /// Returns one line for each habit whose run or jokers changed, or whose record fell, and for
  /// which `isTold` is true.
  func runs(where isTold: (Streak, Streak) -> Bool) -> [String] {
    after.habits.compactMap { habit in
      let new = habit.state
      guard let old = old(habit.id),
        old.current != new.current || old.jokers.held != new.jokers.held
          || old.jokers.spent < new.jokers.spent || new.longest < old.longest,
        isTold(old, new)
      else { return nil }

      var parts: [String] = []
      if old.current != new.current { parts.append("run \(old.current) → \(new.current)") }
      let staysLongest = old.best == old.longest && new.best < new.longest
      if staysLongest { parts.append("longest \(new.longest) stays") }
      if new.longest < old.longest { parts.append("longest \(old.longest) → \(new.longest)") }
      if old.jokers.held != new.jokers.held {
        parts.append("jokers \(old.jokers.held) → \(new.jokers.held)")
      } else if old.jokers.spent < new.jokers.spent {
        // As many jokers were earned as spent, so the number held is unchanged.
        parts.append("\(counted(new.jokers.spent - old.jokers.spent, "joker")) earned and spent")
      }
      return Escaping.visible("\(new.title): " + parts.joined(separator: ", "))
    }
  }
}
