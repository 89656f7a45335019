import EventLog
import Inspection
import StreakDomain
import TimeZones

extension Command {
  static let remind = Command(
    name: "remind", group: .everyday, words: Synopsis("[TIME]", unless: ["--off"]),
    summary: "the reminders due now, one per line; or set one",
    options: [
      json, Option("--set", .habit, "remind daily at TIME, such as 20:00", excludes: ["--off"]),
      Option("--off", .habit, "stop reminding"),
    ] + writing(with: "--set", "--off"),
    details: [
      "Without a TIME: 22:00 for the group ritual, 09:00 for levels (asking about yesterday), else 20:00.",
      "Prints nothing when nothing is due, so cron or a timer can pass the lines on:", "",
      "  streaks remind --set noalc 09:00",
      "  streaks remind | while read -r line; do notify-send Streaks \"$line\"; done",
    ],
    example: Example(
      line: "streaks remind --set reading 20:00",
      answer: ["reminds of reading daily at 20:00", "  `streaks undo` takes it back"])
  ) { invocation throws(Failure) in
    try invocation.remind()
    return .done
  }
}

extension Invocation {
  fileprivate func remind() throws(Failure) {
    if let habit = arguments.value("--set") { return try setReminder(habit) }
    if let habit = arguments.value("--off") { return try stopReminder(habit) }
    try printDueReminders()
  }

  private func printDueReminders() throws(Failure) {
    if let time = arguments.positionals.first {
      throw .usage("\(quoted(time)) goes with --set HABIT; without it `remind` lists what is due now")
    }
    let ledger = try reader.loadToday().ledger
    let now = try now()
    let zone = ledger.zone ?? context.machineZone()
    let clock = try reader.clock(in: zone, from: ledger.dayStart)
    let today = clock.day(of: now)
    let due = ledger.dueReminders(at: now, by: clock)
    guard isJSON else {
      for reminder in due { print(reminderLine(reminder, ledger, today: today)) }
      return
    }
    let list = due.map { reminder in
      var members: JSON.Members = [
        "habit": .text(reminder.habit), "day": .day(reminder.day), "time": .text(reminder.time.description),
      ]
      members["hoursLeft"] = reminder.hoursLeft.map { .number($0) }
      return JSON.object(members)
    }
    printJSON(["due": .list(list)])
  }

  private func reminderLine(_ reminder: DueReminder, _ ledger: Ledger, today: Day) -> String {
    guard let state = ledger.state(of: reminder.habit) else { return reminder.habit }
    let days = ledger.runWords(of: state)
    let question =
      if reminder.day < today {
        "how was yesterday, \(reminder.day)?"
      } else if let hoursLeft = reminder.hoursLeft {
        "missed before; \(hoursLeft) hours left to save \(days)"
      } else {
        "still open today" + (state.current > 0 ? ", \(days) so far" : "")
      }
    return Escaping.visible("\(state.title): \(question)")
  }

  private func setReminder(_ word: String) throws(Failure) {
    let ledger = try reader.load().ledger
    let habit = try words.habit(named: word, in: ledger)
    var time = ledger.usualReminderTime(of: habit)
    if let text = arguments.positionals.first {
      guard let given = TimeWord.clockTime(text) else {
        throw .usage("\(quoted(text)) is no time of day; it must be HH:MM from 00:00 to 23:59")
      }
      time = given
    }
    let definition = ledger.definition(of: habit)
    let days = definition?.schedule.map { "while \($0.words)," } ?? "daily"
    try changeReminder(
      of: habit, to: time, isEnabled: true,
      definition?.rule.isLimit ?? false
        ? "\(habit) is a limit, and limits have no reminders; \(time) is kept for when it is not a limit"
        : "reminds of \(habit) \(days) at \(time)")
  }

  private func stopReminder(_ word: String) throws(Failure) {
    let ledger = try reader.load().ledger
    let habit = try words.habit(named: word, in: ledger)
    guard let reminder = ledger.reminders[habit], reminder.isEnabled else {
      if isJSON { return printJSON(["results": .list([])]) }
      return print("\(habit) has no reminder that is on")
    }
    try changeReminder(of: habit, to: reminder.time, isEnabled: false, "reminds of \(habit) no longer")
  }

  private func changeReminder(
    of habit: String, to time: ClockTime, isEnabled: Bool, _ told: String
  ) throws(Failure) {
    let draft = try writer.draft(.reminderSet(habit: habit, time: time, enabled: isEnabled))
    try printAnswer(of: writer.write(Drafts([draft]))) { _, _, _ in [told] }
  }
}
