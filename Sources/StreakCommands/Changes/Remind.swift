import EventLog
import Inspection
import StreakDomain

/// The command that prints the due reminders, or sets one.
struct RemindCommand: Command {
  static let name = "remind"
  static let group = CommandGroup.everyday
  static let words = Synopsis("[TIME]", unless: ["--off"])
  static let options: [Option] =
    [
      .json, Option("--set", .habit, "remind daily at TIME, such as 20:00", excludes: ["--off"]),
      Option("--off", .habit, "stop reminding"),
    ] + Option.writing(with: "--set", "--off")
  static let help = HelpText(PackageResources.remind_txt)

  let invocation: Invocation

  func run() throws(Failure) -> ExitStatus {
    if let word = arguments.value("--set") ?? arguments.value("--off") {
      try setReminder(of: word)
    } else {
      try printDueReminders()
    }
    return .done
  }

  private func setReminder(of word: String) throws(Failure) {
    let isEnabled = arguments.has("--set")
    let ledger = try reader.load().ledger
    let habit = try words.habit(toRecord: word, in: ledger)
    let reminder = ledger.facts.reminders[habit]
    let isOn = reminder?.isEnabled == true
    guard isEnabled || isOn else {
      return try printNothingWritten("\(habit) has no reminder that is on")
    }

    let time = try time(of: habit, in: ledger)
    if isEnabled, isOn, reminder?.time == time, !arguments.has("--id") {
      return try printNothingWritten("the reminder of \(habit) is set to \(time) already")
    }
    let draft = writer.draft(.reminderSet(habit: habit, time: time, enabled: isEnabled))
    let written = try writer.write(makingOf: { _ in Drafts([draft]) })
    let definition = ledger.facts.definition(of: habit)
    try printAnswer(of: written) { _, after, _ in
      let reminder = after.facts.reminders[habit]
      if reminder?.time != time || reminder?.isEnabled != isEnabled {
        return ["the reminder of \(habit) was changed since it was set so"]
      }
      if !isEnabled { return ["reminds of \(habit) no longer"] }
      if definition?.rule.isLimit ?? false {
        return [
          "\(habit) is a limit, and limits have no reminders; \(time) counts once it is no limit"
        ]
      }
      let days = definition?.schedule.map { "while \($0.words)," } ?? "daily"
      return ["reminds of \(habit) \(days) at \(time)"]
    }
  }

  /// Returns the time to set: the argument, or the usual time of the habit, or with `--off` the
  /// reminder's time.
  private func time(of habit: String, in ledger: Ledger) throws(Failure) -> ClockTime {
    let usual = ledger.facts.definition(of: habit)?.usualReminderTime
    var time = arguments.has("--set") ? usual : ledger.facts.reminders[habit]?.time
    if let word = arguments.positionals.first { time = TimeWord.clockTime(word) }
    guard let time else {
      throw .usage(
        "\(quoted(word(0))) is not a time of day; it must be HH:MM from 00:00 to 23:59")
    }
    return time
  }

  private func printDueReminders() throws(Failure) {
    if let time = arguments.positionals.first {
      throw .usage(
        "\(quoted(time)) goes with --set HABIT; without it `remind` lists what is due now")
    }

    let ledger = try reader.loadToday().ledger
    let now = try now()
    let zone = try context.zone(known: ledger.facts.zone)
    let clock = try reader.clock(in: zone, from: ledger.facts.dayStart)
    let due = Reminders(of: ledger).due(at: now, by: clock)
    if isJSON { return printJSON(of: ReminderList(due), omitsNil: true) }
    for reminder in due { print(reminderLine(reminder, ledger, today: clock.day(of: now))) }
    if due.isEmpty { reportEmpty("no reminder is due now") }
  }

  private func reminderLine(_ reminder: DueReminder, _ ledger: Ledger, today: Day) -> String {
    guard let habit = ledger[reminder.habit] else { return reminder.habit }
    let state = habit.state
    let days = habit.runWords(of: state)
    let question =
      if reminder.day < today {
        hasBegun(habit, by: reminder.day)
          ? "how was yesterday, \(reminder.day)?" : "day 1 is today"
      } else if let hoursLeft = reminder.hoursLeft {
        "missed before; \(hoursLeft) hours left to save \(days)"
      } else {
        openWords(habit, state)
          + (state.ifMissed == .breaks
            ? ", \(days) at stake" : state.current > 0 ? ", \(days) so far" : "")
      }
    return Escaping.visible("\(state.title): \(question)")
  }

  /// Whether the habit has an entry or a definition on `day` or before.
  private func hasBegun(_ habit: HabitView, by day: Day) -> Bool {
    let definitions = habit.facts.definitions(of: habit.id).map(\.day)
    return (definitions + [habit.firstDay].compactMap { $0 }).contains { $0 <= day }
  }

  /// Returns what today still lacks, such as `0 of 10 mi this week, 7 days left`.
  private func openWords(_ habit: HabitView, _ state: Streak) -> String {
    guard let today = habit.today else { return "" }
    if state.progress?.period != nil {
      return habit.progressWords(on: today).joined(separator: ", ")
    }
    if let quota = state.quota {
      return habit.clauses(of: quota, on: today, isDone: false).joined(separator: ", ")
    }
    return habit.lossToday ?? "still open today"
  }
}
