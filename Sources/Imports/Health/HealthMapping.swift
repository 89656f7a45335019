import EventLog
package import StreakDomain

/// The mapping from types of Health records, such as step counts, to habits and measures.
package struct HealthMapping: Sendable {
  /// The content of the entry that is made from a record.
  package enum Measure: String, CaseIterable, Sendable {
    /// The total number of drinks of the day so far.
    case drinks
    /// The duration of a session or workout, or the number of another record as minutes.
    case minutes
    case km
    /// The record's number and unit as a text.
    case value
    /// The sum of all numbers of the day, in the unit of the habit.
    case amount
    /// An entry without a measure.
    case entry
    /// The activity, minutes and kilometres of a workout.
    case workout
  }

  /// The habit and the measure for the records of a type.
  package struct Target: Sendable {
    /// The candidates for the habit; the first one that is defined in the ledger is used.
    package let habits: [String]
    package let measure: Measure
  }

  package static let alcohol: Text = "HKQuantityTypeIdentifierNumberOfAlcoholicBeverages"
  package static let mindfulness: Text = "HKCategoryTypeIdentifierMindfulSession"
  package static let workout: Text = "HKWorkoutActivityType"
  static let sleep: Text = "HKCategoryTypeIdentifierSleepAnalysis"
  private static let steps: Text = "HKQuantityTypeIdentifierStepCount"
  private static let water: Text = "HKQuantityTypeIdentifierDietaryWater"

  private var targets = [
    alcohol: Target(habits: ["noalc", "noalc-strict"], measure: .drinks),
    mindfulness: Target(habits: ["meditation"], measure: .minutes),
    steps: Target(habits: [Preset.steps.rawValue], measure: .amount),
    water: Target(habits: [Preset.water.rawValue], measure: .amount),
  ]

  package init() {}

  func target(of type: Text) -> Target? {
    if let target = targets[type] { return target }
    guard type.string.begins(with: Self.workout.string) else { return nil }
    return targets["Workout"] ?? Target(habits: HealthActivity(type).habits, measure: .workout)
  }

  /// The short names of types that `--type` accepts.
  static let shortNames: [Text: Text] = [
    "alcohol": alcohol, "mindfulness": mindfulness, "workout": workout, "steps": steps,
    "water": water,
  ]

  /// Returns the word for `type` that `--type` accepts.
  static func shortName(of type: Text) -> String {
    (shortNames.first { $0.value == type }?.key ?? type).string
  }

  package static let typeNames = shortNames.keys.sorted().strings
  package static func isType(_ text: String) -> Bool {
    typeNames.contains(text) || text.begins(with: "HK")
  }

  /// Creates the mapping from a JSON file, such as `{"Workout": {"habit": "gym"}}`.
  ///
  /// Its targets replace the default targets of the same types.
  package init(_ bytes: [UInt8], file: String) throws(Failure) {
    do throws(Failure) {
      let document = try JSONValue(parsing: bytes)
      guard case .object(let members) = document.kind else {
        throw Failure(
          .refused, column: document.column,
          "a mapping is an object, such as {\"TYPE\": {\"habit\": \"water\"}}")
      }
      for (type, value) in members { targets[type] = try Target(value, of: type) }
    } catch {
      // The column is counted in the whole file.
      let place = LineStarts(bytes, of: file).place(of: error.column - 1)
      let line = bytes[(error.column - place.column)...].prefix { $0 != UInt8(ascii: "\n") }
      throw Failure(.refused, error.says, at: place, text: String(decoding: line, as: UTF8.self))
    }
  }
}

extension HealthMapping.Target {
  /// Creates the target of `type` from `value`, an object with `habit` and `measure`.
  fileprivate init(_ value: JSONValue, of type: Text) throws(Failure) {
    func failure(_ value: JSONValue, _ problem: Sentence) -> Failure {
      Failure(.refused, column: value.column, problem)
    }
    guard type == "Workout" || type.string.begins(with: "HK") else {
      throw failure(
        value,
        """
        \(quoted(type)) is not a type of an export; one begins with HK, or is Workout for all \
        workouts
        """
      )
    }
    guard case .object(let fields) = value.kind else {
      throw failure(
        value, "\(quoted(type)) must be an object with habit and measure, not \(value.kindName)")
    }

    let isWorkout =
      type == "Workout" || type.string.begins(with: HealthMapping.workout.string)
    let isQuantity = type.string.begins(with: "HKQuantityType")
    var habit: String?
    var measure: HealthMapping.Measure = isWorkout ? .workout : isQuantity ? .amount : .entry
    for (key, field) in fields {
      let text = try FieldValue(key.string, field).text()
      switch key {
      case "habit" where Syntax.isHabit(text): habit = text
      case "habit":
        throw failure(field, "\"habit\" is \(quoted(text)); it must be \(Syntax.habit)")
      case "measure":
        guard let named = HealthMapping.Measure(rawValue: text) else {
          let names = HealthMapping.Measure.allCases.map(\.rawValue)
          let hint = Nearest.hint(text, among: names)
          let list = names.joined(separator: ", ")
          throw failure(field, "measure is \(quoted(text))\(hint); it must be one of \(list)")
        }
        measure = named
      default:
        let hint = Nearest.hint(key.string, among: ["habit", "measure"])
        throw failure(field, "unknown field \(quoted(key))\(hint); there are habit and measure")
      }
    }

    guard let habit else { throw failure(value, "\(quoted(type)) names no habit") }
    guard (measure == .workout) == isWorkout || [.minutes, .km, .entry].contains(measure) else {
      throw failure(value, "\(quoted(type)) cannot be measured by \(measure.rawValue)")
    }
    self.init(habits: [habit], measure: measure)
  }
}

/// A type of workout in Health: the names that its activity can have here, and its preset habits.
struct HealthActivity {
  /// The names to look for in a habit's rule, the most specific name first, such as
  /// `traditional_strength`, `strength`.
  let names: [Text]
  let habits: [String]

  init(_ type: Text) {
    let name = String(type.string.droppingBytes(HealthMapping.workout.string.utf8.count))
    let activityNames: [String: [Text]] = [
      "TraditionalStrengthTraining": ["traditional_strength", "strength"],
      "FunctionalStrengthTraining": ["functional_strength", "strength"],
      "CoreTraining": ["core", "strength"], "HighIntensityIntervalTraining": ["hiit"],
    ]
    names = activityNames[name] ?? [HealthActivity.snake(name)]
    // `cardio` never counts traditional strength training.
    let isCardio = name != "TraditionalStrengthTraining"
    let isStrength = names.last == "strength"
    habits = (isCardio ? ["cardio"] : []) + (isStrength ? ["strength"] : []) + ["workout"]
  }

  /// Returns the first of `names` that `rule` contains.
  ///
  /// If it contains none, returns the most specific name.
  func name(by rule: Rule?) -> Text {
    let activities = rule?.thresholds.map(\.activity) ?? []
    return names.first { activities.contains($0) } ?? names[0]
  }

  /// Converts a name such as `MindAndBody` to `mind_and_body`.
  private static func snake(_ name: String) -> Text {
    var snake = ""
    for scalar in name.unicodeScalars {
      if scalar.properties.isUppercase, !snake.isEmpty { snake += "_" }
      snake += scalar.properties.lowercaseMapping
    }
    return snake.isEmpty ? "other" : Text(snake)
  }
}
