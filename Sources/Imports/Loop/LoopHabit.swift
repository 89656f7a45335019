import EventLog
import Inspection
import StreakDomain

/// A habit with its settings in Loop, as `Habits.csv` describes them.
struct LoopHabit {
  let name: Text
  let frequency: Frequency
  var goal: Goal?
  var isArchived = false

  struct Goal {
    let target: Double
    let unit: Text
    let isLimit: Bool
  }

  /// Returns a definition of `habit` with these settings, and sentences on what differs from them.
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
    let unit = LoopUnit(goal.unit.string)
    let named = unit.measure == .amount ? unit.legal : nil
    guard let bound = unit.convert(goal.target, to: unit.measure, in: named),
      bound > .zero || goal.isLimit, bound <= Thousandths(Sum.most)
    else {
      differences.append("its target of \(goal.target) cannot be said; any entry is enough here")
      return .any
    }
    if unit.measure == .amount, named != goal.unit, named != nil || !goal.unit.isEmpty {
      differences.append(
        "the unit \(quoted(goal.unit)) is \(named.map { "\(quoted($0)) here" } ?? "left out")")
    } else if unit.measure != .amount, ![unit.symbol, unit.measure.rawValue].contains(goal.unit.string) {
      differences.append("the unit \(quoted(goal.unit)) is \(unit.measure.rawValue) here")
    }
    return .sum(
      Sum(
        of: unit.measure, unit: named, atLeast: goal.isLimit ? nil : bound,
        atMost: goal.isLimit ? bound : nil))
  }
}

/// A unit of Loop, which is free text.
struct LoopUnit {
  private let text: String
  /// The measure that fits the unit: minutes, kilometres, or an amount.
  let measure: Measure
  /// The symbol of `MeasureUnit`, or the text if there is none.
  let symbol: String

  init(_ text: String) {
    self.text = text
    let plain = text.asciiLowercased.trimmed
    let word = ["m.": "min", "kms": "km"][plain] ?? plain
    // Lengths come first, because `m` stands for metres.
    if let length = MeasureUnit.lengths.named(word) {
      (measure, symbol) = (.km, length.symbol)
    } else if let time = MeasureUnit.times.named(word) {
      (measure, symbol) = (.minutes, time.symbol)
    } else {
      (measure, symbol) = (.amount, plain)
    }
  }

  /// The unit in a form that an amount may have, for example `fl_oz`, or `nil` if that is impossible.
  var legal: Text? {
    let joined = ImportedEvent.line(text).rewriting { $0.properties.isWhitespace ? "_" : nil }
    return Forms.isUnit(joined) ? Text(joined) : nil
  }

  /// Returns a number as a measure, in `unit` if it is an amount, or `nil` if the units don't fit.
  func convert(_ number: Double, to measure: Measure, in unit: Text?) -> Thousandths? {
    let wanted: String? =
      switch measure {
      case .minutes: "min"
      case .km: "km"
      case .amount where unit != legal: unit?.string
      case .amount, .sets, .drinks, .entries: nil
      }
    return MeasureUnit.convert(number, from: symbol.isEmpty ? wanted ?? "" : symbol, to: wanted ?? symbol)
  }
}

/// The frequency with which Loop requires a habit: `times` in any `days` days.
struct Frequency {
  let times: Int
  let days: Int

  /// The maximum of `days`, which avoids overflows.
  static let most = 36_500

  /// The period over which a goal is summed, if the habit is required once in about a week or a month; otherwise `nil`.
  var period: Schedule.Period? {
    guard times == 1 else { return nil }
    return days == 7 ? .week : (28...31).contains(days) ? .month : nil
  }

  /// The schedule that is nearest to the frequency, or `nil` for every day, and a sentence on how it differs.
  var schedule: (schedule: Schedule?, difference: String?) {
    guard times < days else { return (nil, nil) }
    if times <= 1 { return every(days, isExact: days <= Schedule.every.upperBound) }
    let isMonth = (28...31).contains(days) || days > 7 && times * 7 % days != 0
    let period: Schedule.Period = isMonth ? .month : .week
    let span = isMonth ? (28...31).contains(days) ? days : 30 : 7
    let asked = (2 * times * span + days) / (2 * days)
    // Otherwise some months would have no required day.
    guard asked > 0 else { return every((2 * days + times) / (2 * times), isExact: false) }
    // A frequency of less than every day must not become every day.
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

  var words: String { times < days ? "\(times) in any \(days) days" : "every day" }
}

extension Schedule {
  fileprivate var plain: String {
    switch self {
    case .weekdays(let weekdays): weekdays.short
    case .times(let times, .week): "\(times) in a week from Monday"
    case .times(let times, .month): "\(times) in a calendar month"
    case .every(let days): "1 day in \(days)"
    }
  }
}
