/// A reminder whose time has come for a day on which the habit isn't done yet.
public struct DueReminder: Codable, Hashable, Sendable {
  public let habit: Habit.ID
  /// The day that the reminder asks about.
  public let day: Day
  public let time: ClockTime
  /// The hours left to save the run if the habit's status is `grace`; otherwise `nil`.
  public let hoursLeft: Thousandths?
}

/// The reminders of a settled ledger (domain.md, "Reminders").
package struct Reminders: Sendable {
  private let facts: Facts
  private let fold: Fold

  package init(of ledger: Ledger) {
    facts = ledger.facts
    fold = ledger.days
  }

  /// Returns the reminders due at a local date and time, in the order of definitions.
  package func due(on date: Day, at time: ClockTime, hoursLeft: Thousandths) -> [DueReminder] {
    facts.order.defined.compactMap { index in
      let view = HabitView(facts: facts, fold: fold, index: index)
      guard let reminder = facts.reminders[view.id], reminder.isEnabled,
        isReached(reminder.time, at: time)
      else { return nil }

      let isEarly = !isReached(ClockTime.evening, at: reminder.time)
      let asksLater = view.habit.definition(on: date).test.traits.isAskedTheMorningAfter
      let target = asksLater && isEarly ? date.previous : date
      guard view.habit.countsFrom.map({ target >= $0 }) ?? true else { return nil }

      let input = fold.input(of: index, on: target)
      guard input.outcome == .missed, !input.isExcused,
        view.isRequired(on: target, by: { isStillRequired($0, on: target) })
      else { return nil }

      return DueReminder(
        habit: view.id, day: target, time: reminder.time,
        hoursLeft: view.state.status == .grace ? hoursLeft : nil)
    }
  }

  /// Whether the habit's own schedule still requires `day`, regardless of members.
  private func isStillRequired(_ view: HabitView, on day: Day) -> Bool {
    let interval = view.habit.definitions.interval(from: day)
    let schedule = interval.definition.schedule
    if interval.definition.sumPeriod != nil {
      return view.habit.code(on: day, under: interval.definition) != .notRequired
    }

    switch schedule {
    case nil: return true
    case .weekdays?: return !schedule.excludesWeekday(of: day)
    case .times?:
      let period = schedule.period.map { interval.definition.days(of: $0, around: day) }
      guard let start = period?.lowerBound, start < day else { return true }
      let used = view.habit.closedDays.slice(start...day.previous).count {
        $0.isFolded
          && ($0.record.verdict.countsForSchedule || $0.record.verdict == .excused)
      }
      return used < schedule.times
    case .every?:
      let before = view.record(on: day.previous) ?? DayRecord()
      let rests = interval.startsSchedule ? 0 : Int(before.rested)
      return before.run == 0 || rests >= schedule.restAllowance(on: day)
    }
  }

  /// Whether `now` is at or after `time`, where both are counted from the time at which days begin.
  private func isReached(_ time: ClockTime, at now: ClockTime) -> Bool {
    now.minutes(since: facts.dayStart) >= time.minutes(since: facts.dayStart)
  }
}

extension Habit {
  /// The time of a reminder for which nobody specified a time.
  package var usualReminderTime: ClockTime {
    if group == "ritual" { return .beforeMidnight }
    return rule.traits.isAskedTheMorningAfter ? .morning : .usual
  }
}

extension ClockTime {
  /// The time that separates the two days a reminder about levels can ask about.
  ///
  /// From this time on, it asks about today, and before it about yesterday.
  static let evening = ClockTime(minutes: 18 * 60)
  static let morning = ClockTime(minutes: 9 * 60)
  static let usual = ClockTime(minutes: 20 * 60)
  static let beforeMidnight = ClockTime(minutes: 22 * 60)
}
