/// Ready-made definitions; `define --preset` writes one out in full, so a log explains itself.
package enum Preset: String, CaseIterable, Sendable {
  case meditation, workout, noalc
  case noalcStrict = "noalc-strict"
  case awareness
  case activityTracker = "activity-tracker"
  case saboteurAwareness = "saboteur-awareness"
  case saboteurAvoidance = "saboteur-avoidance"
  case morningRitual = "morning_ritual"
  case eveningReflection = "evening_reflection"
  case dailyComplete = "daily_complete"
  case game, strength, cardio, activity
  case daily, workdays, gym, reading, water, steps, coffee
  case screenTime = "screen-time"
  case sportWeek = "sport-week"
  case alcoholWeek = "alcohol-week"

  /// The complete definition of `habit` by this preset.
  package func definition(for habit: String) -> Definition {
    var definition = Definition(habit: habit, rule: rule)
    definition.name = name
    definition.icon = icon
    definition.group = group
    definition.schedule = schedule
    definition.forgiveness = forgiveness
    definition.streak = self != .activityTracker
    definition.xp = self == .cardio ? Preset.cardioExperience : nil
    return definition
  }

  private var rule: Rule {
    switch self {
    case .meditation, .workout: Rule(.minutes(atLeast: Thousandths(2)))
    case .noalc, .noalcStrict: Rule(.level(Levels(Preset.drinkLevels, good: ["steady"])))
    case .awareness, .activityTracker, .saboteurAwareness: Rule(.any)
    case .saboteurAvoidance: Rule(.none)
    case .morningRitual, .eveningReflection: Rule(.completed, lateBy: 1)
    case .dailyComplete: Rule(.all(of: [Preset.morningRitual.rawValue, Preset.eveningReflection.rawValue]))
    case .game: Rule(.completed)
    case .strength: Rule(.activity(Preset.strengthThresholds))
    case .cardio: Rule(.activity(Preset.cardioThresholds))
    case .activity: Rule(.either(of: [Preset.strength.rawValue, Preset.cardio.rawValue]))
    case .daily, .workdays, .gym: Rule(.any)
    case .reading: Preset.sum(unit: "pages", atLeast: 20)
    case .water: Preset.sum(unit: "l", atLeast: 2)
    case .steps: Preset.sum(unit: "steps", atLeast: 10_000)
    case .coffee: Rule(.sum(Sum(of: .amount, unit: "cups", atMost: Thousandths(2))))
    case .screenTime: Rule(.sum(Sum(of: .minutes, atMost: Thousandths(60))))
    case .sportWeek: Rule(.sum(Sum(of: .minutes, atLeast: Thousandths(150), per: .week)))
    case .alcoholWeek: Rule(.sum(Sum(of: .drinks, atMost: Thousandths(14), per: .week)))
    }
  }

  private static func sum(unit: Text, atLeast: Int) -> Rule {
    Rule(.sum(Sum(of: .amount, unit: unit, atLeast: Thousandths(atLeast))))
  }

  private var schedule: Schedule? {
    switch self {
    case .workdays: .weekdays(Weekdays([.mon, .tue, .wed, .thu, .fri]))
    case .gym: .times(3, per: .week)
    default: nil
    }
  }

  private var forgiveness: Forgiveness {
    switch self {
    case .meditation, .workout, .awareness, .saboteurAwareness, .gym, .reading, .steps:
      .joker(JokerRule(every: 7, cap: 3))
    case .noalc: .joker(JokerRule(every: 7, cap: 3, heals: ["missed", "easy", "wild"]))
    case .noalcStrict:
      .joker(
        JokerRule(
          every: 7, cap: 3, heals: ["missed", "easy"],
          penalty: [JokerRule.Penalty(outcome: "wild", jokers: 1)]))
    case .screenTime: .joker(JokerRule(every: 7, cap: 3, heals: ["over"]))
    case .sportWeek: .joker(JokerRule(every: 4, cap: 2))
    case .morningRitual, .eveningReflection, .dailyComplete, .daily, .workdays, .water: .grace(days: 1)
    case .activityTracker, .saboteurAvoidance, .game, .strength, .cardio, .activity, .coffee, .alcoholWeek:
      .none
    }
  }

  private var group: Text? {
    switch self {
    case .morningRitual, .eveningReflection, .dailyComplete: "ritual"
    case .game: "game"
    case .strength: "strength"
    case .cardio: "cardio"
    default: nil
    }
  }

  private var icon: Text {
    switch self {
    case .meditation: "🧘"
    case .workout: "💪"
    case .noalc, .noalcStrict: "🍀"
    case .awareness: "💭"
    case .activityTracker, .water: "💧"
    case .saboteurAwareness: "👀"
    case .saboteurAvoidance: "🚫"
    case .morningRitual: "🌅"
    case .eveningReflection: "🌙"
    case .dailyComplete, .activity: "🔥"
    case .game: "🎮"
    case .strength, .gym: "🏋️"
    case .cardio: "🏃"
    case .daily: "✅"
    case .workdays: "💼"
    case .reading: "📖"
    case .steps: "👣"
    case .coffee: "☕"
    case .screenTime: "📱"
    case .sportWeek: "🏅"
    case .alcoholWeek: "🍷"
    }
  }

  /// A name to show where it differs from the habit's id.
  private var name: Text? { self == .noalc || self == .noalcStrict ? "NoAlc" : nil }

  private static let drinkLevels = DrinkLevel.allCases.map {
    Level(name: Text($0.rawValue), low: $0.band.low, high: $0.band.high)
  }

  private static let strengthThresholds = [
    ActivityThreshold(
      activity: "strength", measures: Measures(minutes: Thousandths(10), sets: Thousandths(3))),
    ActivityThreshold(activity: "*", measures: Measures()),
  ]

  private static let cardioThresholds: [ActivityThreshold] =
    ["running", "cycling", "swimming", "hiking"].map {
      ActivityThreshold(activity: $0, measures: Measures(minutes: Thousandths(10), km: Thousandths(1)))
    } + [
      ActivityThreshold(activity: "walking", measures: Measures(minutes: Thousandths(30), km: Thousandths(3)))
    ]
    + ["yoga", "functional_strength", "core", "flexibility", "hiit"].map {
      ActivityThreshold(activity: $0, measures: Measures(minutes: Thousandths(15)))
    } + [
      ActivityThreshold(activity: "traditional_strength", measures: Measures()),
      ActivityThreshold(activity: "*", measures: Measures(minutes: Thousandths(20))),
    ]

  private static let cardioExperience = Experience(
    base: 15,
    bonus: [
      Experience.Bonus(threshold: Measures(minutes: Thousandths(30)), xp: 10),
      Experience.Bonus(threshold: Measures(minutes: Thousandths(60)), xp: 15),
      Experience.Bonus(threshold: Measures(km: Thousandths(5)), xp: 10),
      Experience.Bonus(threshold: Measures(km: Thousandths(10)), xp: 20),
    ])
}

/// The three levels of the NoAlc presets: their bands, their colours, and the number a health store keeps for each.
package enum DrinkLevel: String, CaseIterable, Sendable {
  case steady, easy, wild

  /// Whole drinks, from the lowest to the highest; nil has no end.
  package var band: (low: Int, high: Int?) {
    switch self {
    case .steady: (0, 1)
    case .easy: (2, 5)
    case .wild: (6, nil)
    }
  }

  /// The representative count that represents the level in a health store (domain.md, "Presets").
  package var healthValue: Int {
    switch self {
    case .steady: 0
    case .easy: 4
    case .wild: 6
    }
  }

  /// Red, green and blue from 0 to 255.
  package var colour: (red: Int, green: Int, blue: Int) {
    switch self {
    case .steady: (0x0E, 0xBF, 0x6E)
    case .easy: (0x89, 0xD6, 0xB2)
    case .wild: (0xB6, 0xB6, 0xB6)
    }
  }

  /// The level that a count of drinks falls into, be it counted or a health value; nil below zero.
  package init?(drinks: Int) {
    guard let level = DrinkLevel.allCases.last(where: { drinks >= $0.band.low }) else { return nil }
    self = level
  }
}
