import EventLog
import StreakDomain

/// What a habit asks for, when, and what it forgives.
///
/// ```swift
/// var reading = Habit("reading", rule: .sum(of: .amount, unit: "pages", atLeast: 20))
/// reading.schedule = .times(5, per: .week)
/// reading.forgiveness = .joker(every: 7, cap: 3)
/// try await folder.append(.habit(reading), now: .now)
/// ```
///
/// ## Topics
/// ### Making one
/// - ``init(_:rule:)``
/// - ``init(preset:as:)``
/// - ``presets``
/// ### What it asks for
/// - ``rule``
/// - ``lateBy``
/// - ``schedule``
/// - ``countsFrom``
/// ### What it gives
/// - ``forgiveness``
/// - ``milestones``
/// - ``hasStreak``
public struct Habit: Sendable, Identifiable {
  var definition: Definition

  init(_ definition: Definition) {
    self.definition = definition
  }

  /// A habit that asks for something every day and forgives nothing.
  ///
  /// - Parameters:
  ///   - id: 1 to 64 of `a-z 0-9 _ - .`, the first a letter.
  ///   - rule: when a day is good.
  public init(_ id: String, rule: Rule) {
    definition = Definition(habit: id, rule: StreakDomain.Rule(rule.kind))
  }

  /// A ready-made habit, under its own id or another one.
  ///
  /// - Throws: `StreakError` of kind `notFound` where there is no such preset.
  public init(preset: String, as id: String? = nil) throws(StreakError) {
    guard let known = Preset(rawValue: preset) else {
      let hint = Nearest.hint(preset, among: Preset.allCases.map(\.rawValue))
      throw StreakError(.notFound, "there is no preset \(quoted(preset))\(hint)", nearest: hint.nearest)
    }
    definition = known.definition(for: id ?? preset)
  }

  /// All ready-made habits.
  public static var presets: [Habit] { Preset.allCases.map { Habit($0.definition(for: $0.rawValue)) } }

  /// What events call it: 1 to 64 of `a-z 0-9 _ - .`, the first a letter.
  public var id: String { definition.habit }

  /// The name to show; nil where that is the id.
  public var name: String? {
    get { definition.name?.string }
    set { definition.name = newValue.map { Text($0) } }
  }

  /// A sign to show before the name.
  public var icon: String? {
    get { definition.icon?.string }
    set { definition.icon = newValue.map { Text($0) } }
  }

  /// A colour to show, in the app's own form, such as `#0ebf6e`.
  public var color: String? {
    get { definition.color?.string }
    set { definition.color = newValue.map { Text($0) } }
  }

  /// What it is shown with, such as `ritual`; `strength` and `cardio` count for activity.
  public var group: String? {
    get { definition.group?.string }
    set { definition.group = newValue.map { Text($0) } }
  }

  /// When a day is good.
  public var rule: Rule {
    get { Rule(definition.rule.kind) }
    set { definition.rule.kind = newValue.kind }
  }

  /// Entries made more than this many days after their day do not count; nil counts all.
  public var lateBy: Int? {
    get { definition.rule.lateBy }
    set { definition.rule.lateBy = newValue }
  }

  /// Which days it asks for.
  public var schedule: Schedule {
    get { definition.schedule.map { Schedule($0) } ?? .daily }
    set { definition.schedule = newValue.schedule }
  }

  /// What saves a run on a day that was not good.
  public var forgiveness: Forgiveness {
    get { definition.forgiveness.map { Forgiveness($0) } ?? .none }
    set { definition.forgiveness = newValue.forgiveness }
  }

  /// Whether it counts a streak; without one, entries are only summed up.
  public var hasStreak: Bool {
    get { definition.streak ?? true }
    set { definition.streak = newValue ? nil : false }
  }

  /// The day from which it counts; nil counts from the first entry.
  public var countsFrom: Day? {
    get { definition.countsFrom.map { Day($0) } }
    set { definition.countsFrom = newValue?.day }
  }

  /// Lengths of a run that are worth a celebration.
  public var milestones: [Int] {
    get { definition.milestones ?? Definition.usualMilestones }
    set { definition.milestones = newValue }
  }
}

extension Habit: Equatable {
  /// Whether they ask for the same and forgive the same, in whatever order levels and thresholds are given.
  public static func == (a: Habit, b: Habit) -> Bool {
    a.definition == b.definition || Text(a.fields.sorted.json) == Text(b.fields.sorted.json)
  }

  private var fields: JSONTree { Payload.habitDefined(definition).fields }
}

extension Habit: Codable {
  /// Reads the fields of a `habit.defined` event that are the definition's own.
  public init(from decoder: any Decoder) throws {
    // Of a history of definitions, too, where each has its day and event.
    let tree = try JSONTree(from: decoder).without(["event"])
    let payload = try Payload(tree, of: .habitDefined, from: decoder)
    guard case .habitDefined(let definition) = payload else { throw decoder.corrupted("this is no habit") }
    self.init(definition)
    // Objects lose their order on the way; people expect levels to rise.
    if case .level(let levels, let good) = rule {
      rule = .level(levels.sorted { $0.low < $1.low }, good: good)
    }
  }

  /// With the fields of a `habit.defined` event that are the definition's own.
  public func encode(to encoder: any Encoder) throws {
    try fields.encode(to: encoder)
  }
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
