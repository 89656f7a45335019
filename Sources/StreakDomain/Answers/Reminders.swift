/// A reminder whose time has come for a day on which the habit isn't done yet.
public struct DueReminder: Codable, Hashable, Sendable {
  public let habit: Habit.ID
  /// The day that the reminder asks about.
  public let day: Day
  public let time: ClockTime
  /// The hours left to save the run if the habit's status is `grace`; otherwise `nil`.
  public let hoursLeft: Thousandths?
}

extension Ledger {
  /// Returns the reminders due at a local date and time, in the order of definitions (domain.md,
  /// "Reminders").
  package func dueReminders(on date: Day, at time: ClockTime, hoursLeft: Thousandths)
    -> [DueReminder]
  {
    order.defined.compactMap { habit in
      let name = names.text(habits[habit].id)
      guard let reminder = reminders[name], reminder.isEnabled, isReached(reminder.time, at: time)
      else { return nil }
      let isEarly = !isReached(ClockTime.evening, at: reminder.time)
      let asksLater = habits[habit].definition(on: date).test.traits.isAskedTheMorningAfter
      let target = asksLater && isEarly ? date.previous : date
      guard counts(habit, target) else { return nil }
      let input = input(of: habit, on: target)
      guard input.outcome == .missed, !input.isExcused,
        isRequired(habit, on: target, by: { isStillRequired($0, on: target) })
      else { return nil }
      return DueReminder(
        habit: name, day: target, time: reminder.time,
        hoursLeft: state(of: name)?.status == .grace ? hoursLeft : nil)
    }
  }

  /// Whether the habit's own schedule still requires `day`, regardless of members (domain.md,
  /// "Reminders").
  private func isStillRequired(_ habit: Int, on day: Day) -> Bool {
    let interval = habits[habit].definitions.interval(from: day)
    let schedule = interval.definition.schedule
    if interval.definition.sumPeriod != nil {
      return habits[habit].code(on: day, under: interval.definition) != .notRequired
    }
    switch schedule {
    case nil: return true
    case .weekdays?: return !schedule.excludesWeekday(of: day)
    case .times?:
      guard let start = schedule.period?.days(around: day).lowerBound, start < day else {
        return true
      }
      let used = habits[habit].closedDays.slice(start...day.previous).count {
        $0.isFolded && ($0.record.verdict.countsForSchedule || $0.record.verdict == .excused)
      }
      return used < schedule.times
    case .every?:
      let before = record(habit, on: day.previous) ?? DayRecord()
      let rests = interval.startsSchedule ? 0 : Int(before.rested)
      return before.run == 0 || rests >= schedule.restAllowance(on: day)
    }
  }

  /// Whether `now` is at or after `time`, where both are counted from the time at which days begin.
  private func isReached(_ time: ClockTime, at now: ClockTime) -> Bool {
    now.minutes(since: dayStart) >= time.minutes(since: dayStart)
  }

  private func counts(_ habit: Int, _ day: Day) -> Bool {
    habits[habit].definitions.countsFrom.map { day >= $0 } ?? true
  }

  package func usualReminderTime(of habit: String) -> ClockTime {
    guard let definition = definition(of: habit) else { return .usual }
    if definition.group == "ritual" { return .beforeMidnight }
    return definition.rule.traits.isAskedTheMorningAfter ? .morning : .usual
  }
}

extension ClockTime {
  /// The time from which a reminder about levels asks about today; a reminder before this time asks
  /// about yesterday.
  static let evening = ClockTime(minutes: 18 * 60)
  static let morning = ClockTime(minutes: 9 * 60)
  static let usual = ClockTime(minutes: 20 * 60)
  static let beforeMidnight = ClockTime(minutes: 22 * 60)
}
