@testable package import StreakDomain

/// The outcome of a closed day in two bytes, or the reason why the day has no outcome of its own.
///
///     any              entries x.x             codes good, emptyDay, good
///     all of a and b   a excused, b rests      code notRequired
///     10 per week      entries 4.9..           codes emptyDay, emptyDay, good, notRequired, notRequired
struct DayCode: Hashable, Sendable {
  private let number: UInt16

  /// The outcome of a day without entries, according to the definition in force.
  ///
  /// It is also the code of a composite's day that isn't good, and of a day on which the sum of a week or month is
  /// undecided.
  static let emptyDay = DayCode(number: .max)
  /// No outcome because members of a composite rest, or because an earlier day decided the sum of the week or month.
  static let notRequired = DayCode(number: .max - 1)
  /// No outcome because all members of a composite are excused.
  static let allExcused = DayCode(number: .max - 2)

  private init(number: UInt16) {
    self.number = number
  }

  init(_ outcome: Outcome) {
    number = outcome.code
  }

  /// The outcome, or `nil` for the three special codes.
  @inline(__always)
  var outcome: Outcome? { number < DayCode.allExcused.number ? Outcome(code: number) : nil }
}

/// The input of one step of the fold: one day of one habit.
struct DayInput {
  var day: Day
  var outcome: Outcome
  /// Whether an excuse covers the outcome, the habit is retired, or all members of a composite are excused.
  var isExcused: Bool
  /// Whether the day rests regardless of the schedule: because of a composite's members, or because another day decides
  /// the sum of the week or month.
  var isRest: Bool
  /// Whether the day before has a different schedule.
  var startsSchedule = false
  /// Whether the day is today and nothing is decided yet.
  var isOpen = false

  /// Creates the input for a closed day with the given code.
  @inline(__always)
  init(_ day: Day, code: DayCode, in interval: Definitions.Interval) {
    let definition = interval.definition
    self.day = day
    outcome = code.outcome ?? definition.emptyOutcome
    isRest = code == .notRequired || code == .emptyDay && definition.isBeforePeriodEnd(day)
    isExcused =
      interval.isRetired || code == .allExcused || interval.isExcused && definition.isTentative(outcome)
    startsSchedule = interval.startsSchedule && day == interval.days.lowerBound
  }
}
