/// A reminder whose time has come for a day on which the habit isn't done yet.
public struct DueReminder: Codable, Hashable, Sendable {
  /// The habit's id.
  public let habit: Habit.ID
  /// The day that the reminder asks about.
  public let day: Day
  /// The time for which the reminder is set.
  public let time: ClockTime
  /// The hours left to save the run if its status is `grace`; otherwise `nil`.
  public let hoursLeft: Thousandths?
}

extension Ledger {
  /// Returns the reminders due at a local date and time, in the order of the habits' first definitions
  /// (domain.md, "Reminders").
  package func dueReminders(on date: Day, at time: ClockTime, hoursLeft: Thousandths) -> [DueReminder] {
    roster.defined.compactMap { habit in
      let name = names.text(habits[habit].name)
      guard let reminder = reminders[name], reminder.isEnabled, isReached(reminder.time, at: time)
      else { return nil }
      let isEarly = !isReached(ClockTime.evening, at: reminder.time)
      let asksLater = habits[habit].definition(on: date).test.traits.isAskedTheMorningAfter
      let target = asksLater && isEarly ? date.previous : date
      guard counts(habit, target) else { return nil }
      let facts = facts(habit, target)
      guard facts.outcome == .missed, !facts.isExcused, isAsked(habit, on: target, by: { asks($0, target) })
      else { return nil }
      return DueReminder(
        habit: name, day: target, time: reminder.time,
        hoursLeft: state(of: name)?.status == .grace ? hoursLeft : nil)
    }
  }

  /// Whether the habit still requires the day, not counting rest days that it could use later.
  private func asks(_ habit: Int, _ day: Day) -> Bool {
    let definition = habits[habit].definition(on: day)
    let schedule = definition.schedule
    if definition.per != nil { return habits[habit].days.tree[day] != .letGo }
    let before = record(habit, through: day.previous)
    switch schedule.kind {
    case .daily: return true
    case .weekdays: return !schedule.passesOver(day)
    case .week, .month:
      guard let start = schedule.period?.days(around: day).lowerBound else { return true }
      return start == day || takenDays(habit, start...day.previous) < schedule.times
    case .every:
      let isNew = habits[habit].days.definitions.part(from: day).startsSchedule
      return before.run == 0 || !isNew && Int(before.rested) >= schedule.allowance(on: day)
    }
  }

  private func takenDays(_ habit: Int, _ span: ClosedRange<Day>) -> Int {
    let tally = tally(habit, span)
    return tally[.good] + tally[.healed] + tally[.restarted] + tally[.excused]
  }

  /// Whether `time` has passed at `now`, given when days begin.
  private func isReached(_ time: ClockTime, at now: ClockTime) -> Bool {
    now.minutes(since: dayStart) >= time.minutes(since: dayStart)
  }

  private func counts(_ habit: Int, _ day: Day) -> Bool {
    habits[habit].days.definitions.countsFrom.map { day >= $0 } ?? true
  }

  /// Returns the default time of a reminder.
  package func usualReminderTime(of habit: String) -> ClockTime {
    guard let definition = definition(of: habit) else { return .usual }
    if definition.group == "ritual" { return .beforeMidnight }
    return definition.rule.traits.isAskedTheMorningAfter ? .morning : .usual
  }
}

extension ClockTime {
  /// The time from which a reminder about levels asks about today.
  static let evening = ClockTime(minutes: 18 * 60)
  static let morning = ClockTime(minutes: 9 * 60)
  static let usual = ClockTime(minutes: 20 * 60)
  static let beforeMidnight = ClockTime(minutes: 22 * 60)
}
