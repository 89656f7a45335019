@testable package import StreakDomain

/// A schedule in two bytes, with the rules for rest days (domain.md, "Schedules").
///
///              mon-fri       3 per week       every 3
///     day      MTWTFSSMTW    MTWTFSSMTWTFS
///     entries  xxxxx..x.x    x.x...x.....x    x..x...x
///     verdict  gggggrrgmg    grgrrrgrrrrmg    grrgrrmg
struct CompiledSchedule: Hashable, Sendable {
  /// The kind in the upper four bits, its number in the lower twelve.
  private let code: UInt16

  enum Kind: UInt16, Sendable {
    case daily, weekdays, week, month, every
  }

  init(_ schedule: Schedule?) {
    func code(_ kind: Kind, _ number: Int) -> UInt16 { kind.rawValue << 12 | UInt16(number) }
    self.code =
      switch schedule {
      case nil: code(.daily, 0)
      case .weekdays(let days): days == .all ? code(.daily, 0) : code(.weekdays, Int(days.rawValue))
      case .times(let times, .week): code(.week, times)
      case .times(let times, .month): code(.month, times)
      case .every(let days): code(.every, days)
      }
  }

  var kind: Kind { Kind(rawValue: code >> 12) ?? .daily }
  private var number: Int { Int(code & 0xFFF) }

  /// The number of good days required per `period`.
  var times: Int { number }

  var isDaily: Bool { code == 0 }

  var limitsRestDays: Bool { code >> 12 >= Kind.week.rawValue }

  private var weekdays: Weekdays { Weekdays(rawValue: UInt8(truncatingIfNeeded: code)) }

  /// Whether the schedule names weekdays and `day` isn't one of them.
  func excludesWeekday(of day: Day) -> Bool { kind == .weekdays && !weekdays.has(day.weekdayNumber) }

  /// The period of an n-per-week or n-per-month schedule, or `nil` for other schedules.
  var period: Schedule.Period? {
    switch kind {
    case .week: .week
    case .month: .month
    case .daily, .weekdays, .every: nil
    }
  }

  /// Returns the maximum number of rest days in the week or month of `day`, or in a row for `every`.
  func restAllowance(on day: Day) -> Int {
    switch kind {
    case .daily, .weekdays: 0
    case .week: 7 - number
    case .month: day.wholeMonth.count - number
    case .every: number - 1
    }
  }

  /// Returns the number of rest days used before `day`: `rested` from the day before, or 0 if a new week or month of
  /// the schedule starts on `day`.
  func restDays(_ rested: UInt16, carriedInto day: Day) -> UInt16 {
    guard rested > 0, let period else { return rested }
    return period.days(around: day).lowerBound == day ? 0 : rested
  }

  /// Returns the number of rest days used after `day` has rested too, at most the allowance.
  func restDays(_ rested: UInt16, adding day: Day) -> UInt16 {
    limitsRestDays ? max(rested, UInt16(min(Int(rested) + 1, restAllowance(on: day)))) : 0
  }

  /// Whether `day` is a rest day, with `run` and `rested` as they are before `day`.
  ///
  /// A good day never rests, except that of a limit on a weekday that the schedule doesn't name.
  func allowsRest(on day: Day, isGood: Bool, isLimit: Bool, run: Int32, rested: UInt16) -> Bool {
    switch kind {
    case .daily: false
    case .weekdays: (!isGood || isLimit) && excludesWeekday(of: day)
    case .week, .month: !isGood && Int(rested) < restAllowance(on: day)
    case .every: !isGood && run > 0 && Int(rested) < restAllowance(on: day)
    }
  }
}
