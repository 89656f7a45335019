import StreakDomain

/// How often another tracker asks for a habit: so many times in any so many days.
struct Frequency: Equatable {
  let times: Int
  let days: Int

  /// The most days that are read, so that no product is too large.
  static let most = 36_500

  /// The nearest schedule, none for every day, and what is not the same about it.
  var schedule: (schedule: Schedule?, difference: String?) {
    guard times < days else { return (nil, nil) }
    if times <= 1 { return every(days, isExact: days <= Schedule.every.upperBound) }
    let isMonth = (28...31).contains(days) || days > 7 && times * 7 % days != 0
    let period: Schedule.Period = isMonth ? .month : .week
    let span = isMonth ? (28...31).contains(days) ? days : 30 : 7
    let asked = (2 * times * span + days) / (2 * days)
    // So seldom that not every month would have one.
    guard asked > 0 else { return every((2 * days + times) / (2 * times), isExact: false) }
    // What is less than every day stays so.
    let most = isMonth ? period.times.upperBound : period.times.upperBound - 1
    let schedule = Schedule.times(min(asked, most), per: period)
    let how =
      asked > most ? ", the most that can be said" : span == days ? "" : ", the nearest that can be said"
    return (schedule, "\(words) there, \(schedule.plain) here\(how)")
  }

  private func every(_ count: Int, isExact: Bool) -> (schedule: Schedule?, difference: String?) {
    let schedule = Schedule.every(min(count, Schedule.every.upperBound))
    let difference = "\(words) there, \(schedule.plain) here, the nearest that can be said"
    return (schedule, isExact ? nil : difference)
  }

  /// `3 in any 7 days`, `every day`.
  var words: String { times < days ? "\(times) in any \(days) days" : "every day" }
}

extension Schedule {
  /// `3 in a week from Monday`, `1 day in 14`.
  fileprivate var plain: String {
    switch self {
    case .weekdays(let weekdays): weekdays.short
    case .times(let times, .week): "\(times) in a week from Monday"
    case .times(let times, .month): "\(times) in a calendar month"
    case .every(let days): "1 day in \(days)"
    }
  }
}
