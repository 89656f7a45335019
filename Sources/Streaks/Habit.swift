public import StreakDomain

extension Habit {
  /// Creates a ready-made habit, under its own id or another one.
  ///
  /// - Throws: `StreakError` of kind `notFound` if there is no such preset.
  public init(preset: String, as id: String? = nil) throws(StreakError) {
    guard let known = Preset(rawValue: preset) else {
      let hint = Nearest.hint(preset, among: Preset.allCases.map(\.rawValue))
      throw StreakError(.notFound, "there is no preset \(quoted(preset))\(hint)", nearest: hint.nearest)
    }
    self = known.definition(for: id ?? preset)
  }

  /// All ready-made habits.
  public static var presets: [Habit] { Preset.allCases.map { $0.definition(for: $0.rawValue) } }
}

/// A definition of a habit together with the day from which it applies, or the retirement of a habit.
public struct HabitDefinition: Equatable, Sendable {
  /// The first day to which the definition applies; for a retirement, the last required day.
  public let day: Day
  /// The id of the event that defined or retired the habit.
  public let event: String
  /// The definition, or `nil` for a retirement.
  public let habit: Habit?
}
