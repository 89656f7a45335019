import EventLog
import Inspection
import StreakDomain

/// The command that shows today's streaks, jokers and what is due.
struct ShowCommand: Command {
  static let name = "show"
  static let group = CommandGroup.everyday
  static let words: Synopsis = "[HABIT]"
  static let options: [Option] =
    [
      .json, Option("--all", nil, "habits that are off or retired, too"),
      Option("--at", .point, "as it was known then, as in `replay` (default: now)"),
      .on,
    ] + Option.whatIf
  static let help = HelpText(PackageResources.show_txt)

  let invocation: Invocation

  func run() throws(Failure) -> ExitStatus {
    let isPast = arguments.has("--at")
    let loaded = try isPast ? reader.loadAtPoint() : reader.loadToday()
    if !isPast { try reportToday(of: loaded.ledger) }

    let habit = try words.chosenHabit(in: loaded.ledger)
    let document = loaded.document(habit: habit)
    if isJSON {
      printJSON(of: document)
    } else {
      let text = StateText(
        ledger: loaded.ledger, style: style, columns: context.columns,
        showsAll: arguments.has("--all"), isPretended: isPast || arguments.has("--on"))
      print(text.show(document, of: habit))
      if document.habits.isEmpty { reportEmpty(StateText.noHabits) }
    }
    return .done
  }

  /// Warns if `--on` is a day before later events, or if today is ahead of the clock.
  private func reportToday(of ledger: Ledger) throws(Failure) {
    guard let on = try words.day("--on", .pastOrNamed, in: ledger) else {
      return try reader.reportClock(ledger)
    }
    guard let newest = try reader.whole().ledger.today, on < newest else { return }
    warn(
      "seen from \(on), with the entries and deletions that were recorded later; "
        + "`streaks show --at \(on)` shows what was known then")
  }
}

/// The text that `show` and `replay` print, with the habits grouped by today's status.
struct StateText {
  let ledger: Ledger
  let style: Style
  let columns: Int?
  let showsAll: Bool
  /// Whether the state isn't that of now; if so, celebrations aren't shown.
  var isPretended = false

  func show(_ document: LedgerState, of habit: String?) -> String {
    let day = document.today.map { "\($0.weekdayName), \($0)" } ?? "no events yet"
    var lines = ["\(day) · \(document.zone ?? "no zone")"]
    lines += groups(document.habits, isOne: habit != nil)
    let pending = document.celebrations.compactMap { CelebrationKey($0) }.filter {
      habit == nil || $0.habit == habit
    }
    // Good days alone get no line, because the habits already show them.
    let areGoodDays = pending.allSatisfy { if case .completed = $0 { true } else { false } }
    if !areGoodDays, !isPretended {
      lines += ["", "\(pending.count) to celebrate · `streaks celebrate`"]
    }
    return lines.joined(separator: "\n")
  }

  /// Returns the text of `replay`.
  ///
  /// `written` is the time to show instead of `recorded`, unless it is `nil`. `laterCount` is the
  /// number of events that `--with` added to the state, which come after the point of `--at`.
  func replay(
    _ document: LedgerState, habitOnly: Bool, written: Instant?, laterCount: Int
  ) -> String {
    let later = laterCount > 0 ? ", with \(counted(laterCount, "later event"))" : ""
    let position = document.position - laterCount
    var lines = ["position \(position) · \(document.event ?? "the empty ledger")\(later)"]
    if let recorded = written ?? document.recorded {
      let clock = document.zone.flatMap { DayClock(zone: $0, start: .midnight) }
      lines.append("recorded \(RecordedTime.minute(recorded, by: clock))")
    }
    lines += ["today \(document.today?.description ?? "-") · \(document.zone ?? "-")"]
    lines += groups(document.habits, isOne: habitOnly)
    if habitOnly { return lines.joined(separator: "\n") }

    let activity = document.activity
    if activity.lastActivity != nil {
      let days = [
        counted(activity.strengthDays, "strength day"), counted(activity.cardioDays, "cardio day"),
      ]
      lines += ["", "activity: \(days[0]), \(days[1]), \(activity.mixedDays) with both"]
    }

    if !document.achievements.isEmpty {
      let count = counted(document.achievements.count, "achievement")
      lines += ["", "\(document.xp) XP, \(count), the latest (--json has all):"]
      for achievement in document.achievements.suffix(3) {
        let name = AchievementText.name(achievement.key, ledger) + AchievementText.xp(achievement)
        lines.append("  \(achievement.on)  " + Escaping.visible(name))
      }
    }
    return lines.joined(separator: "\n")
  }

  /// The sentence about a ledger without habits, which is printed on standard error.
  static let noHabits = "no habits yet; `streaks define` makes one"

  /// Returns the habits by group, after an empty line, or nothing if there are no habits.
  private func groups(_ states: [Streak], isOne: Bool) -> [String] {
    guard !states.isEmpty else { return [] }
    let habits = states.compactMap { ledger[$0.habit] }.filter { isOne || !$0.isWithdrawn }
    let all = habits.map { HabitLine($0) }
    let shown = all.filter { isOne || showsAll || $0.group != .aside }
    let table = HabitTable(shown, style: style, columns: columns)
    if isOne { return [""] + shown.map { table.line($0) } }
    var parts = HabitLine.grouped(shown).map { group, lines in
      [style.paint("\(lines.count) \(group.title)", .bold)]
        + lines.map { table.line($0, in: group) }
    }
    let aside = all.count - shown.count
    if aside > 0 { parts.append(["\(aside) off or retired · `--all` shows them"]) }
    return [""] + parts.joined(separator: [""])
  }
}
