import EventLog
import StreakDomain

/// What another tracker says of a habit itself.
struct TrackerHabit {
  let name: String
  /// Nil where it is kept for the record only.
  let frequency: Frequency?
  var goal: Goal?
  /// How it has ended there, such as `is archived`.
  var ended: String?

  /// The number that a day must reach, or must not exceed.
  struct Goal: Equatable {
    let target: Double
    let unit: String
    let isLimit: Bool
  }

  /// A name that a habit here can have: `wake_up_early` of `Wake up early!`; nil where there is none.
  var id: String? {
    let letters = name.unicodeScalars.filter {
      $0.properties.isAlphabetic || $0.properties.numericType != nil || "_-. ".unicodeScalars.contains($0)
    }
    let id = TrackerNames.plain(String(String.UnicodeScalarView(letters)))
    return Forms.isHabit(id) ? id : nil
  }

  /// The definition under a name, and what of it is not what the tracker asks for.
  func definition(of habit: String) -> (definition: Definition, differences: [String]) {
    var differences: [String] = []
    var definition = Definition(habit: habit, rule: Rule(rule(&differences)))
    let title = ImportedEvent.line(name)
    if title.spelling != habit.spelling, title.unicodeScalars.count <= 64 { definition.name = title }
    if let frequency {
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
    } else {
      definition.streak = false
    }
    if let ended {
      differences.append("\(ended) there; `streaks define \(habit) --retire` ends it here")
    }
    return (definition, differences)
  }

  private func rule(_ differences: inout [String]) -> Rule.Kind {
    guard let goal else { return .any }
    let unit = goal.unit.asciiLowercased.trimmed
    var (measure, legal, bound) = (Measure.amount, Optional<String>.none, HealthUnit.thousandths(goal.target))
    if let time = TrackerUnit.time(unit), let minutes = HealthUnit.minutes(goal.target, time) {
      (measure, bound) = (.minutes, minutes)
    } else if let length = TrackerUnit.length(unit), let km = HealthUnit.kilometres(goal.target, length) {
      (measure, bound) = (.km, km)
    } else {
      legal = TrackerUnit.legal(goal.unit)
    }
    guard bound > Thousandths.zero || goal.isLimit, bound <= Thousandths(Sum.most) else {
      differences.append("its target of \(goal.target) cannot be said; any entry is enough here")
      return .any
    }
    if measure == .amount, legal.spelling != goal.unit.spelling, legal != nil || !goal.unit.isEmpty {
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
    case "min", "mins", "minute", "minutes", "m.": "min"
    case "h", "hr", "hrs", "hour", "hours": "hr"
    case "s", "sec", "secs", "second", "seconds": "s"
    default: nil
    }
  }

  static func length(_ unit: String) -> String? {
    switch unit {
    case "km", "kms", "kilometre", "kilometres", "kilometer", "kilometers": "km"
    case "mi", "mile", "miles": "mi"
    case "m", "metre", "metres", "meter", "meters": "m"
    default: nil
    }
  }

  /// The unit of an amount: `fl_oz` of `fl oz`; nil where no such form of it is allowed.
  static func legal(_ unit: String) -> String? {
    let joined = ImportedEvent.line(unit).rewriting { $0.properties.isWhitespace ? "_" : nil }
    return Forms.isUnit(joined) ? joined : nil
  }
}
