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
      """
      --set without a TIME: 22:00 for the group ritual, 09:00 for levels (asking about yesterday), \
      else 20:00.
      """,
      "Prints nothing when nothing is due, so cron or a timer can pass the lines on:", "",
      "  streaks remind --set noalc 09:00",
      "  streaks remind | while read -r line; do notify-send Streaks \"$line\"; done",
    ],
    example: Example(
      line: "streaks remind --set reading 20:00",
      answer: ["reminds of reading daily at 20:00", "  `streaks undo` reverts it"])
  ) { invocation throws(Failure) in
    try invocation.remind()
    return .done
  }
}

extension Invocation {
  fileprivate func remind() throws(Failure) {
    guard let word = arguments.value("--set") ?? arguments.value("--off") else {
      return try printDueReminders()
    }
    let ledger = try reader.load().ledger
    let habit = try words.habit(toRecord: word, in: ledger)
    let known = ledger.facts.reminders[habit]
    let isEnabled = arguments.has("--set")
    if !isEnabled, !(known?.isEnabled ?? false) {
      return isJSON
        ? printJSON(["results": .list([])]) : print("\(habit) has no reminder that is on")
    }
    var time = isEnabled ? ledger.facts.definition(of: habit)?.usualReminderTime : known?.time
    if let text = arguments.positionals.first { time = TimeWord.clockTime(text) }
    guard let time else {
      throw .usage(
        """
        \(quoted(arguments.positionals[0])) is not a time of day; it must be HH:MM from 00:00 to \
        23:59
        """
      )
    }
    let definition = ledger.facts.definition(of: habit)
    let days = definition?.schedule.map { "while \($0.words)," } ?? "daily"
    let draft = try writer.draft(.reminderSet(habit: habit, time: time, enabled: isEnabled))
    try printAnswer(of: writer.write(makingOf: { _ in Drafts([draft]) })) { _, after, _ in
      let isSet =
        after.facts.reminders[habit].map { $0.time == time && $0.isEnabled == isEnabled } ?? false
      if !isSet { return ["the reminder of \(habit) was changed since it was set so"] }
      if !isEnabled { return ["reminds of \(habit) no longer"] }
      return definition?.rule.isLimit ?? false
        ? ["\(habit) is a limit, and limits have no reminders; \(time) counts once it is no limit"]
        : ["reminds of \(habit) \(days) at \(time)"]
    }
  }

  private func printDueReminders() throws(Failure) {
    if let time = arguments.positionals.first {
      throw .usage(
        "\(quoted(time)) goes with --set HABIT; without it `remind` lists what is due now")
    }
    let ledger = try reader.loadToday().ledger
    let now = try now()
    let zone = ledger.facts.zone ?? context.machineZone()
    let clock = try reader.clock(in: zone, from: ledger.facts.dayStart)
    let today = clock.day(of: now)
    let due = Reminders(of: ledger).due(at: now, by: clock)
    if isJSON { return printJSON(["due": JSONValue(of: due, omitsNil: true)]) }
    for reminder in due { print(reminderLine(reminder, ledger, today: today)) }
  }

  private func reminderLine(_ reminder: DueReminder, _ ledger: Ledger, today: Day) -> String {
    guard let habit = ledger[reminder.habit] else { return reminder.habit }
    let state = habit.state
    let days = habit.runWords(of: state)
    let question =
      if reminder.day < today {
        "how was yesterday, \(reminder.day)?"
      } else if let hoursLeft = reminder.hoursLeft {
        "missed before; \(hoursLeft) hours left to save \(days)"
      } else {
        "still open today"
          + (state.ifMissed == .breaks
            ? ", \(days) at stake" : state.current > 0 ? ", \(days) so far" : "")
      }
    return Escaping.visible("\(state.title): \(question)")
  }
}
