import EventLog
package import StreakDomain

/// Which types of an export become entries of which habit, and what measures them.
package struct HealthMapping: Sendable {
  /// What a record brings to its entry.
  package enum Measure: String, CaseIterable, Sendable {
    /// The day's count of drinks so far.
    case drinks
    /// A time in its unit, or how long it lasted.
    case minutes
    case km
    /// The number and its unit, as text.
    case value
    /// Nothing but that it happened.
    case entry
    /// Of a workout: activity, minutes and kilometres.
    case workout
  }

  package struct Target: Sendable {
    /// The habits that may take it; the first that is defined does.
    package let habits: [String]
    package let measure: Measure
    /// The unit of numbers that come without one.
    package let unit: Text?
  }

  package static let alcohol: Text = "HKQuantityTypeIdentifierNumberOfAlcoholicBeverages"
  package static let mindfulness: Text = "HKCategoryTypeIdentifierMindfulSession"
  package static let workout: Text = "HKWorkoutActivityType"

  /// What `--map` says.
  private var mapped: [Text: Target] = [:]

  package init() {}

  package func target(of type: Text) -> Target? {
    if let target = mapped[type] { return target }
    switch type {
    case Self.alcohol: return Target(habits: ["noalc", "noalc-strict"], measure: .drinks, unit: nil)
    case Self.mindfulness: return Target(habits: ["meditation"], measure: .minutes, unit: nil)
    default: break
    }
    guard type.string.begins(with: Self.workout.string) else { return nil }
    if let target = mapped["Workout"] { return target }
    return Target(habits: HealthActivity(type).habits, measure: .workout, unit: nil)
  }

  /// The names that `--type` takes beside whole identifiers.
  package static let shortNames: [Text: Text] = [
    "alcohol": alcohol, "mindfulness": mindfulness, "workout": workout,
  ]

  /// Whether a type is one that `--type` names, by a whole identifier or a short name.
  package static func names(_ names: [Text], _ type: Text) -> Bool {
    names.contains { name in
      let full = shortNames[name] ?? name
      return type == full || full == workout && type.string.begins(with: workout.string)
    }
  }
}

extension HealthMapping {
  /// Reads a mapping file: `{"TYPE": {"habit": "water", "measure": "value", "unit": "mL"}}`.
  package init(_ bytes: [UInt8], file: String) throws(Failure) {
    func place(_ column: Int) -> (Place, String) { Self.place(bytes, column, file) }
    func bad(_ value: JSONValue, _ says: Sentence) -> Failure {
      let (place, line) = place(value.column)
      return Failure(.refused, says, at: place, text: line)
    }
    let document: JSONValue
    do throws(Failure) { document = try JSONValue(parsing: bytes) } catch {
      let (place, line) = place(error.column)
      throw Failure(.refused, error.says, at: place, text: line)
    }
    guard case .object(let members) = document.kind else {
      throw bad(document, "a mapping is an object, such as {\"TYPE\": {\"habit\": \"water\"}}")
    }
    for (type, value) in members {
      guard type == "Workout" || type.string.begins(with: "HK") else {
        throw bad(
          value,
          "\(quoted(type)) is no type of an export; one begins with HK, or is Workout for all workouts")
      }
      guard case .object(let fields) = value.kind else {
        throw bad(
          value, "\(quoted(type)) must be an object with habit, and measure or unit, not \(value.kindName)")
      }
      mapped[type] = try Self.target(type, fields, value, bad)
    }
  }

  private static func target(
    _ type: Text, _ fields: [(key: Text, value: JSONValue)], _ whole: JSONValue,
    _ bad: (JSONValue, Sentence) -> Failure
  ) throws(Failure) -> Target {
    var texts: [Text: String] = [:]
    for (key, value) in fields {
      guard ["habit", "measure", "unit"].contains(key) else {
        throw bad(
          value,
          "unknown field \(quoted(key))\(Nearest.hint(key.string, among: ["habit", "measure", "unit"])); there are habit, measure, unit"
        )
      }
      guard case .string(let text) = value.kind else {
        throw bad(value, "\(quoted(key)) must be text, not \(value.kindName)")
      }
      texts[key] = text
      if key == "habit", !Forms.isHabit(text) {
        throw bad(value, "\"habit\" is \(quoted(text)); it must be \(Forms.habit)")
      }
      if key == "measure", Measure(rawValue: text) == nil {
        let known = Measure.allCases.map(\.rawValue)
        throw bad(
          value,
          "\"measure\" is \(quoted(text))\(Nearest.hint(text, among: known)); it must be one of \(known.joined(separator: ", "))"
        )
      }
    }
    guard let habit = texts["habit"] else { throw bad(whole, "\(quoted(type)) names no habit") }
    let isWorkout = type == "Workout" || type.string.begins(with: workout.string)
    let measure = texts["measure"].flatMap { Measure(rawValue: $0) } ?? (isWorkout ? .workout : .entry)
    guard (measure == .workout) == isWorkout || measure == .minutes || measure == .km || measure == .entry
    else {
      throw bad(whole, "\(quoted(type)) cannot be measured by \(measure.rawValue)")
    }
    return Target(habits: [habit], measure: measure, unit: texts["unit"].map { Text($0) })
  }

  /// The line and column of a byte, from 1, and that line.
  private static func place(_ bytes: [UInt8], _ column: Int, _ file: String) -> (Place, String) {
    let place = Place(of: column - 1, in: bytes, file: file)
    let rest = bytes[(column - place.column)...]
    return (place, String(decoding: rest.prefix { $0 != 0x0A }, as: UTF8.self))
  }
}

/// What a workout was, in the names that habits have for it.
package struct HealthActivity {
  /// The names to look for among a habit's activities, the exact one first.
  package let names: [Text]
  /// The habits that may take it.
  package let habits: [String]

  package init(_ type: Text) {
    let name = String(type.string.droppingBytes(HealthMapping.workout.string.utf8.count))
    switch name {
    case "TraditionalStrengthTraining":
      names = ["traditional_strength", "strength"]
      // Not `cardio`, which never counts it.
      habits = ["strength", "workout"]
    case "FunctionalStrengthTraining":
      names = ["functional_strength", "strength"]
      habits = ["cardio", "strength", "workout"]
    case "CoreTraining":
      names = ["core", "strength"]
      habits = ["cardio", "strength", "workout"]
    case "HighIntensityIntervalTraining":
      names = ["hiit"]
      habits = ["cardio", "workout"]
    default:
      names = [Text(HealthActivity.snake(name))]
      habits = ["cardio", "workout"]
    }
  }

  /// The name that an entry of a habit gets: the first that its rule knows, else the exact one.
  package func name(by rule: Rule?) -> Text {
    let known = rule?.thresholds.map(\.activity) ?? []
    return names.first { known.contains($0) } ?? names[0]
  }

  /// `MindAndBody` as `mind_and_body`.
  private static func snake(_ name: String) -> String {
    var snake = ""
    for scalar in name.unicodeScalars {
      if scalar.properties.isUppercase, !snake.isEmpty { snake += "_" }
      snake += scalar.properties.lowercaseMapping
    }
    return snake.isEmpty ? "other" : snake
  }
}
