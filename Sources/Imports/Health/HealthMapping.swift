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

  /// Creates the default mapping with the targets from a JSON file, which replace default targets
  /// of the same types.
  package init(_ bytes: [UInt8], file: String) throws(Failure) {
    let reader = MappingReader(bytes: bytes, file: file)
    for (type, value) in try reader.members() {
      targets[type] = try reader.target(of: type, value)
    }
  }
}

/// A reader of the JSON file of a mapping, such as `{"Workout": {"habit": "gym"}}`.
private struct MappingReader {
  let bytes: [UInt8]
  let file: String

  /// Returns the types with their targets as JSON.
  func members() throws(Failure) -> [(key: Text, value: JSONValue)] {
    let document: JSONValue
    do throws(Failure) { document = try JSONValue(parsing: bytes) } catch {
      throw failure(error.column, error.says)
    }

    guard case .object(let members) = document.kind else {
      throw failure(
        document.column, "a mapping is an object, such as {\"TYPE\": {\"habit\": \"water\"}}")
    }
    return members
  }

  /// Returns the target of `type` according to `value`, an object with `habit` and `measure`.
  func target(of type: Text, _ value: JSONValue) throws(Failure) -> HealthMapping.Target {
    guard type == "Workout" || type.string.begins(with: "HK") else {
      throw failure(
        value.column,
        """
        \(quoted(type)) is not a type of an export; one begins with HK, or is Workout for all \
        workouts
        """
      )
    }
    guard case .object(let fields) = value.kind else {
      throw failure(
        value.column,
        "\(quoted(type)) must be an object with habit and measure, not \(value.kindName)")
    }

    let isWorkout =
      type == "Workout" || type.string.begins(with: HealthMapping.workout.string)
    let isQuantity = type.string.begins(with: "HKQuantityType")
    var habit: String?
    var measure: HealthMapping.Measure = isWorkout ? .workout : isQuantity ? .amount : .entry
    for (key, field) in fields {
      guard case .text(let text) = field.kind else {
        throw failure(field.column, "\(quoted(key)) must be text, not \(field.kindName)")
      }
      switch key {
      case "habit" where Syntax.isHabit(text): habit = text
      case "habit":
        throw failure(field.column, "\"habit\" is \(quoted(text)); it must be \(Syntax.habit)")
      case "measure": measure = try self.measure(text, field.column)
      default:
        let hint = Nearest.hint(key.string, among: ["habit", "measure"])
        throw failure(
          field.column, "unknown field \(quoted(key))\(hint); there are habit and measure")
      }
    }

    guard let habit else { throw failure(value.column, "\(quoted(type)) names no habit") }
    guard (measure == .workout) == isWorkout || [.minutes, .km, .entry].contains(measure) else {
      throw failure(value.column, "\(quoted(type)) cannot be measured by \(measure.rawValue)")
    }
    return HealthMapping.Target(habits: [habit], measure: measure)
  }

  private func measure(_ text: String, _ column: Int) throws(Failure) -> HealthMapping.Measure {
    if let measure = HealthMapping.Measure(rawValue: text) { return measure }
    let names = HealthMapping.Measure.allCases.map(\.rawValue)
    let hint = Nearest.hint(text, among: names)
    let list = names.joined(separator: ", ")
    throw failure(column, "measure is \(quoted(text))\(hint); it must be one of \(list)")
  }

  /// Returns a failure at the byte `column`, counted from 1 in the whole file.
  private func failure(_ column: Int, _ problem: Sentence) -> Failure {
    let before = bytes.prefix(column - 1)
    let start = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    let place = Place(file: file, line: before.count { $0 == 0x0A } + 1, column: column - start)
    let line = bytes[start...].prefix { $0 != 0x0A }
    return Failure(.refused, problem, at: place, text: String(decoding: line, as: UTF8.self))
  }
}

/// The possible activity names of a Health workout type, and the preset habits that the type counts
/// for.
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

  /// Returns the first of `names` that `rule` contains, or the most specific name if `rule`
  /// contains none.
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
