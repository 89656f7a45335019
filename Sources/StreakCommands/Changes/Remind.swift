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
      answer: [
        "reminds of reading daily at 20:00"
      ])
  ) { invocation throws(Failure) in
    let run = RemindRun(invocation: invocation)
    if let habit = invocation.arguments.value("--set") { return try run.setReminder(habit) }
    if let habit = invocation.arguments.value("--off") { return try run.stopReminder(habit) }
    return try run.printDue()
  }
}

private struct RemindRun {
  let invocation: Invocation

  func printDue() throws(Failure) -> ExitStatus {
    if let time = invocation.arguments.positionals.first {
      throw .usage("\(quoted(time)) goes with --set HABIT; without it `remind` lists what is due now")
    }
    let ledger = try invocation.reader.loadToday().ledger
    let now = try invocation.now()
    let zone = ledger.zone ?? invocation.context.machineZone()
    let clock = try invocation.reader.clock(in: zone, from: ledger.dayStart)
    let today = clock.day(of: now)
    let due = ledger.dueReminders(at: now, by: clock)
    if invocation.isJSON {
      let list = due.map { reminder in
        var members: JSON.Members = [
          "habit": .text(reminder.habit), "day": .day(reminder.day), "time": .text(reminder.time.description),
        ]
        if let left = reminder.hoursLeft { members["hoursLeft"] = .number(left) }
        return JSON.object(members)
      }
      invocation.print(JSON.object(["format": .whole(1), "due": .list(list)]).line)
    } else {
      for reminder in due { invocation.print(line(reminder, ledger, today: today)) }
    }
    return .done
  }

  private func line(_ reminder: DueReminder, _ ledger: Ledger, today: Day) -> String {
    guard let state = ledger.state(of: reminder.habit) else { return reminder.habit }
    let days = ledger.runWords(of: state)
    let question: String
    if reminder.day < today {
      question = "how was yesterday, \(reminder.day)?"
    } else if let hoursLeft = reminder.hoursLeft {
      question = "missed before; \(hoursLeft) hours left to save \(days)"
    } else if state.current > 0 {
      question = "still open today, \(days) so far"
    } else {
      question = "still open today"
    }
    return Escaping.visible("\(state.title): \(question)")
  }

  func setReminder(_ word: String) throws(Failure) -> ExitStatus {
    let ledger = try invocation.reader.load().ledger
    let habit = try invocation.words.habit(named: word, in: ledger)
    var time = ledger.usualReminderTime(of: habit)
    if let text = invocation.arguments.positionals.first {
      guard let given = TimeWord.clockTime(text) else {
        throw .usage("\(quoted(text)) is no time of day; it must be HH:MM from 00:00 to 23:59")
      }
      time = given
    }
    let definition = ledger.definition(of: habit)
    let isLimit = definition?.rule.isLimit ?? false
    let days = definition?.schedule.map { "while \($0.words)," } ?? "daily"
    let told =
      isLimit
      ? "\(habit) is a limit, and limits have no reminders; \(time) is kept for when it is not a limit"
      : "reminds of \(habit) \(days) at \(time)"
    return try change(habit, time, isEnabled: true, told)
  }

  func stopReminder(_ word: String) throws(Failure) -> ExitStatus {
    let ledger = try invocation.reader.load().ledger
    let habit = try invocation.words.habit(named: word, in: ledger)
    guard let reminder = ledger.reminders[habit], reminder.isEnabled else {
      if invocation.isJSON {
        invocation.writer.printDocument([])
      } else {
        invocation.print("\(habit) has no reminder that is on")
      }
      return .done
    }
    return try change(habit, reminder.time, isEnabled: false, "reminds of \(habit) no longer")
  }

  private func change(
    _ habit: String, _ time: ClockTime, isEnabled: Bool, _ told: String
  ) throws(Failure) -> ExitStatus {
    let draft = try invocation.writer.draft(.reminderSet(habit: habit, time: time, enabled: isEnabled))
    guard let written = try invocation.writer.write([draft]) else { return .done }
    if invocation.isJSON {
      invocation.writer.printDocument(written.results)
    } else {
      invocation.print(told + (written.results.first?.suffix ?? ""))
      invocation.writer.printClosed(by: written)
    }
    return .done
  }
}
