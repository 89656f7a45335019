import EventLog
import Inspection
import StreakDomain
import TimeZones

/// The command that shows today's streaks, jokers and what is due.
struct ShowCommand: Command {
  static let name = "show"
  static let group = CommandGroup.everyday
  static let words: Synopsis = "[HABIT]"
  static let options: [Option] =
    [
      .json, Option("--all", nil, "habits that are off or retired, too"),
      .on,
    ] + Option.whatIf
  static let help = HelpText(PackageResources.show_txt)

  let invocation: Invocation

  func run() throws(Failure) -> ExitStatus {
    let loaded = try reader.loadToday()
    if let on = try words.day("--on", .pastOrNamed, in: loaded.ledger) {
      if let newest = try reader.whole().ledger.today, on < newest {
        warn(
          "seen from \(on), with the entries and deletions that were recorded later; "
            + "`streaks replay --at \(on)` shows what was known then")
      }
    } else {
      try reader.reportClock(loaded.ledger)
    }

    let habit = try words.chosenHabit(in: loaded.ledger)
    let document = loaded.document(habit: habit)
    if isJSON {
      printJSON(of: document)
    } else {
      let text = StateText(
        ledger: loaded.ledger, style: style, columns: context.columns,
        showsAll: arguments.has("--all"), isPretended: arguments.has("--on"))
      print(text.show(document, of: habit))
      if document.habits.isEmpty { reportEmpty(StateText.noHabits) }
    }
    return .done
  }
}

/// The text that `show` and `replay` print, with the habits grouped by today's status.
struct StateText {
  let ledger: Ledger
  let style: Style
  let columns: Int?
  let showsAll: Bool
  /// Whether `--on` pretends another today; if it does, celebrations aren't shown.
  var isPretended = false

  func show(_ document: LedgerState, of habit: String?) -> String {
    let day = document.today.map { "\($0.weekdayName), \($0)" } ?? "no events yet"
    var lines = ["\(day) · \(document.zone ?? "no zone")"]
    lines += groups(document.habits, isOne: habit != nil)
    // Good days aren't counted, because the habits already show them.
    let pending = document.celebrations.compactMap { CelebrationKey($0) }.count { key in
      if case .completed = key { return false }
      return habit == nil || key.habit == habit
    }
    if pending > 0, !isPretended { lines += ["", "\(pending) to celebrate · `streaks celebrate`"] }
    return lines.joined(separator: "\n")
  }

  func replay(_ document: LedgerState, habitOnly: Bool) -> String {
    var lines = ["position \(document.position) · \(document.event ?? "the empty ledger")"]
    if let recorded = document.recorded {
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
    let all = states.filter { isOne || !(ledger[$0.habit]?.isWithdrawn ?? false) }.map {
      HabitLine($0, ledger)
    }
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
