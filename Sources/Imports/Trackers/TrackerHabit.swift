import EventLog
import StreakDomain

/// What another tracker says of a habit itself.
struct TrackerHabit {
  let name: Text
  let frequency: Frequency
  var goal: Goal?
  var isArchived = false

  /// The number that a day must reach, or must not exceed.
  struct Goal: Equatable {
    let target: Double
    let unit: Text
    let isLimit: Bool
  }

  /// A name that a habit here can have: `wake_up_early` of `Wake up early!`; nil where there is none.
  var id: String? {
    let letters = name.string.unicodeScalars.filter {
      $0.properties.isAlphabetic || $0.properties.numericType != nil || "_-. ".unicodeScalars.contains($0)
    }
    let id = TrackerNames.plain(String(String.UnicodeScalarView(letters)))
    return Forms.isHabit(id) ? id : nil
  }

  /// The definition under a name, and what of it is not what the tracker asks for.
  func definition(of habit: String) -> (definition: Habit, differences: [String]) {
    var differences: [String] = []
    var definition = Habit(habit, rule: Rule(rule(&differences)))
    let title = ImportedEvent.line(name.string)
    if title != habit, title.unicodeScalars.count <= 64 { definition.name = Text(title) }
    if let sum = definition.rule.sum, let per = frequency.period {
      definition.rule = Rule(
        .sum(Sum(of: sum.of, unit: sum.unit, atLeast: sum.atLeast, atMost: sum.atMost, per: per)))
      let here = per == .week ? "a week from Monday" : "a calendar month"
      differences.append("adds up any \(frequency.days) days there, and \(here) here")
    } else {
      let (schedule, difference) = frequency.schedule
      if definition.rule.isLimit, schedule != nil {
        differences.append("at most so much in \(frequency.days) days there, on each day here")
      } else {
        definition.schedule = schedule
        if schedule != nil, goal != nil {
          differences.append("adds up \(frequency.days) days there, and here one day must reach it")
        }
        if let difference { differences.append(difference) }
      }
    }
    if isArchived {
      differences.append("is archived there; `streaks define \(habit) --retire` ends it here")
    }
    return (definition, differences)
  }

  private func rule(_ differences: inout [String]) -> Rule.Kind {
    guard let goal else { return .any }
    let unit = goal.unit.string.asciiLowercased.trimmed
    var (measure, legal, bound) = (Measure.amount, Optional<Text>.none, HealthUnit.thousandths(goal.target))
    if let time = TrackerUnit.time(unit), let minutes = HealthUnit.minutes(goal.target, time) {
      (measure, bound) = (.minutes, minutes)
    } else if let length = TrackerUnit.length(unit), let km = HealthUnit.kilometres(goal.target, length) {
      (measure, bound) = (.km, km)
    } else {
      legal = TrackerUnit.legal(goal.unit.string)
    }
    guard bound > Thousandths.zero || goal.isLimit, bound <= Thousandths(Sum.most) else {
      differences.append("its target of \(goal.target) cannot be said; any entry is enough here")
      return .any
    }
    if measure == .amount, legal != goal.unit, legal != nil || !goal.unit.isEmpty {
      let here = legal.map { "\(quoted($0)) here" } ?? "left out"
      differences.append("the unit \(quoted(goal.unit)) is \(here)")
    } else if measure != .amount, unit != (measure == .km ? "km" : "min"), unit != measure.rawValue {
      differences.append("the unit \(quoted(goal.unit)) is \(measure.rawValue) here")
    }
    return .sum(
      Sum(
        of: measure, unit: legal, atLeast: goal.isLimit ? nil : bound, atMost: goal.isLimit ? bound : nil))
  }
}

/// What people call units, as `HealthUnit` knows them.
enum TrackerUnit {
  static func time(_ unit: String) -> String? {
    switch unit {
    case "m.": "min"
    // It may be metres.
    case "m": nil
    default: MeasureUnit.times.named(unit)?.symbol
    }
  }

  static func length(_ unit: String) -> String? {
    unit == "kms" ? "km" : MeasureUnit.lengths.named(unit)?.symbol
  }

  /// The unit of an amount: `fl_oz` of `fl oz`; nil where no such form of it is allowed.
  static func legal(_ unit: String) -> Text? {
    let joined = ImportedEvent.line(unit).rewriting { $0.properties.isWhitespace ? "_" : nil }
    return Forms.isUnit(joined) ? Text(joined) : nil
  }
}

/// How often another tracker asks for a habit: so many times in any so many days.
struct Frequency: Equatable {
  let times: Int
  let days: Int

  /// The most days that are read, so that no product is too large.
  static let most = 36_500

  /// The week or month of which a number is asked once in so many days.
  var period: Schedule.Period? {
    guard times == 1 else { return nil }
    return days == 7 ? .week : (28...31).contains(days) ? .month : nil
  }

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
    let schedule = Schedule.every(days: min(count, Schedule.every.upperBound))
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
