/// The outcome of a closed day, or one of three special codes, packed into two bytes.
///
/// Each example has a rule, the entries of the days (`.` is none) or the members, and a code per
/// day:
///
///     any              entries x.x          codes good, defaultOutcome, good
///     all of a and b   a excused, b rests   code notRequired
///     10 per week      entries 4.9..        codes defaultOutcome, defaultOutcome, good,
///                                                 notRequired, notRequired
struct DayCode: Hashable, Sendable {
  private let number: UInt16

  /// The code of a day that has the outcome of a day without entries.
  ///
  /// That outcome is the `emptyOutcome` of the definition in force. Two other kinds of days have
  /// this code, too: a day on which a composite isn't good, and a day after which the outcome of
  /// the week or month is still undecided.
  static let defaultOutcome = DayCode(number: .max)
  /// The code of a day that isn't required.
  ///
  /// Either the composite's members rest, or an earlier day decided the outcome of the week or
  /// month.
  static let notRequired = DayCode(number: .max - 1)
  /// The code of a composite's day on which all members are excused.
  static let allExcused = DayCode(number: .max - 2)

  /// The outcome, or `nil` if the code is one of the three special codes.
  @inline(__always)
  var outcome: Outcome? { number < DayCode.allExcused.number ? Outcome(code: number) : nil }
}

extension DayCode {
  init(_ outcome: Outcome) { self.init(number: outcome.code) }
}

/// The input of one step of the fold: one day of one habit.
struct DayInput {
  var day: Day
  var outcome: Outcome
  /// Whether the day is excused.
  ///
  /// The reason is an excuse, a retirement, or a composite of which all members are excused.
  var isExcused: Bool
  /// Whether the day is a rest day for a reason other than the schedule.
  ///
  /// Either the composite's members rest, or another day decides the outcome of the week or month.
  var isRest: Bool
  /// Whether a different schedule was in force on the previous day, so that rest days are counted
  /// from 0 again.
  var startsSchedule = false
  /// Whether the day is today and its verdict isn't decided yet.
  var isOpen = false

  /// Creates the input of the fold for `day`, which must be in `interval`; `isOpen` is false.
  @inline(__always)
  init(_ day: Day, code: DayCode, in interval: Definitions.Interval) {
    let definition = interval.definition
    self.day = day
    outcome = code.outcome ?? definition.emptyOutcome
    isRest = code == .notRequired || code == .defaultOutcome && definition.isBeforePeriodEnd(day)
    isExcused =
      interval.isRetired || code == .allExcused
      || interval.isExcused && definition.isTentative(outcome)
    startsSchedule = interval.startsSchedule && day == interval.days.lowerBound
  }
}
