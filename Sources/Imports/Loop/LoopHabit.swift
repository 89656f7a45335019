import EventLog
import Inspection
import StreakDomain

/// A habit of Loop, with its settings if `Habits.csv` describes it.
struct LoopHabit {
  let name: Text
  var unit = ""
  var isNumerical: Bool?
  /// The frequency with which the habit is due, or `nil` if the file doesn't specify it.
  var frequency: Frequency?
  /// The target of a numerical habit, which is a maximum if `isLimit` is true.
  var target = DecimalNumber.zero
  var isLimit = false
  var isArchived = false

  /// Returns the definition for `habit` that is nearest to the settings in Loop, and sentences
  /// about the differences.
  ///
  /// `weekStart` is the weekday on which the weeks of the ledger begin; Loop's own isn't in its
  /// export.
  func definition(of habit: String, _ frequency: Frequency, weekStart: Weekday) -> (
    definition: Habit, differences: [String]
  ) {
    var differences: [String] = []
    var definition = Habit(habit, rule: Rule(rule(&differences)))
    let title = Text(line: name.string.trimmed)
    if title != Text(habit), title.string.unicodeScalars.count <= 64 { definition.name = title }

    // A frequency becomes the period of a sum, or a schedule.
    if let sum = definition.rule.sum, let per = frequency.period {
      definition.rule = Rule(
        .sum(Sum(of: sum.of, unit: sum.unit, atLeast: sum.atLeast, atMost: sum.atMost, per: per)))
      let here = per == .week ? "a week from \(weekStart.name)" : "a calendar month"
      differences.append("adds up any \(frequency.days) days there, and \(here) here")
    } else if let (schedule, difference) = frequency.schedule {
      if definition.rule.isLimit {
        differences.append("at most so much in \(frequency.days) days there, on each day here")
      } else {
        definition.schedule = schedule
        if isNumerical ?? false {
          differences.append("adds up \(frequency.days) days there, and here one day must reach it")
        }
        if let difference { differences.append(difference) }
        if case .times(_, .week) = schedule {
          differences.append(
            "its weeks begin on \(weekStart.name) here; Loop's export does not say when")
        }
      }
    }

    return (definition, differences)
  }

  private func rule(_ differences: inout [String]) -> Rule.Kind {
    guard isNumerical ?? false else { return .any }
    let unit = LoopUnit(unit)
    let named = unit.measure == .amount ? unit.legal : nil

    guard let bound = unit.convert(target, to: unit.measure, in: named)?.bound,
      bound > .zero || isLimit, bound <= Thousandths(Limits.amount)
    else {
      differences.append(
        "its target of \(target.millionths) has no counterpart here, where any entry counts")
      return .any
    }

    return .sum(
      Sum(
        of: unit.measure, unit: named, atLeast: isLimit ? nil : bound, atMost: isLimit ? bound : nil
      ))
  }
}

/// A unit of Loop, which is free text.
struct LoopUnit {
  private let text: String
  /// The measure that fits the unit: minutes, kilometres, or an amount.
  let measure: Measure
  /// The symbol of the unit in `MeasureUnit`, or the lowercase text if `MeasureUnit` doesn't know
  /// the unit.
  let symbol: String

  init(_ text: String) {
    self.text = text
    let plain = text.asciiLowercased.trimmed
    let word = ["m.": "min", "kms": "km"][plain] ?? plain
    // Lengths come first, because `m` stands for metres.
    let unit = MeasureUnit.named(word, .length) ?? MeasureUnit.named(word)
    // An amount in inches or yards isn't a distance, and would be a small fraction of a kilometre.
    let isCounted = unit.map { $0.isSmall && !["s", "m"].contains($0.symbol) } ?? false
    measure = isCounted ? .amount : unit?.measure ?? .amount
    symbol = unit?.symbol ?? plain
  }

  /// The unit in a form that is allowed for amounts, for example `fl_oz`, or `nil` if there is no
  /// such form.
  var legal: Text? {
    let joined = Text(line: text.trimmed).string.rewriting {
      $0.properties.isWhitespace ? "_" : nil
    }
    return Syntax.isUnit(joined) ? Text(joined) : nil
  }

  /// Converts a number to the unit of `measure`, or to `unit` for an amount; returns `nil` if the
  /// units don't fit.
  func convert(
    _ number: DecimalNumber, to measure: Measure, in unit: Text?
  ) -> DecimalNumber? {
    let wanted: String? =
      switch measure {
      case .minutes, .km: measure.bareUnit
      case .amount where unit != legal: unit?.string
      case .amount, .sets, .drinks, .entries: nil
      }
    return MeasureUnit.convert(
      number, fromForeign: symbol.isEmpty ? wanted ?? "" : symbol, to: wanted ?? symbol)
  }
}

/// The frequency with which Loop requires a habit: `times` in any `days` days.
struct Frequency {
  let times: Int
  let days: Int

  /// The maximum of `days`, which avoids overflows.
  static let maximumDays = 36_500

  /// The period over which a goal is summed, or `nil` if it is a goal for each day.
  ///
  /// It is a week for once in 7 days, and a month for once in 28 to 31 days.
  var period: Schedule.Period? {
    guard times == 1 else { return nil }
    return days == 7 ? .week : (28...31).contains(days) ? .month : nil
  }

  /// The schedule that is nearest to the frequency, or `nil` for every day.
  ///
  /// `difference` describes how it differs from the frequency, or is `nil` if it doesn't.
  var schedule: (schedule: Schedule, difference: String?)? {
    guard times < days else { return nil }
    let isMonth = (28...31).contains(days)
    guard times > 1, isMonth || times * 7 >= days else {
      let count = min((2 * days + times) / (2 * times), Limits.every.upperBound)
      let schedule = Schedule.every(days: count)
      return (schedule, count * times == days ? nil : difference(from: schedule, isExact: false))
    }
    // A frequency of less than every day must not become every day.
    let count =
      isMonth
      ? min(times, Limits.timesPerMonth.upperBound) : min((14 * times + days) / (2 * days), 6)
    let schedule = Schedule.times(count, per: isMonth ? .month : .week)
    return (schedule, difference(from: schedule, isExact: isMonth ? count == times : days == 7))
  }

  private func difference(from schedule: Schedule, isExact: Bool) -> String {
    "\(words) there, here \(schedule.words)" + (isExact ? "" : ", the nearest that can be said")
  }

  var words: String { times < days ? "\(times) in any \(days) days" : "every day" }
}
