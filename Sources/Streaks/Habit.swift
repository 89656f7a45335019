public import StreakDomain

extension Habit {
  /// A ready-made habit, under its own id or another one.
  ///
  /// - Throws: `StreakError` of kind `notFound` where there is no such preset.
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

/// A definition of a habit, and the day from which it holds.
public struct HabitDefinition: Equatable, Sendable {
  /// The day from which it holds; where the habit was retired, the last day that was asked for.
  public let day: Day
  /// The event that says so.
  public let event: String
  /// What holds from then on; nil where the habit was retired.
  public let habit: Habit?
}
