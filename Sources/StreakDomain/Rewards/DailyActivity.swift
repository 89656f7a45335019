/// The sum of the entries of all habits on one day, from which achievements and the activity state are
/// computed.
struct DailyActivity: DayValue, Equatable {
  /// Entries of habits that aren't limits, excluding deleted ones.
  var entries: Int32 = 0
  /// Habits whose first such entry is on this day.
  var firsts: Int32 = 0
  /// Qualifying entries of `strength` habits.
  var strength: Int32 = 0
  /// Qualifying entries of `cardio` habits, including yoga.
  var cardio: Int32 = 0
  /// Qualifying cardio entries with the activity `yoga`.
  var yoga: Int32 = 0
  /// Qualifying cardio entries of 120 minutes or more.
  var ultra: Int32 = 0

  var isQualifying: Bool { strength != 0 || cardio != 0 }

  static func + (day: DailyActivity, brought: DailyActivity) -> DailyActivity {
    DailyActivity(
      entries: day.entries + brought.entries, firsts: day.firsts + brought.firsts,
      strength: day.strength + brought.strength, cardio: day.cardio + brought.cardio,
      yoga: day.yoga + brought.yoga, ultra: day.ultra + brought.ultra)
  }

  static prefix func - (brought: DailyActivity) -> DailyActivity {
    DailyActivity(
      entries: -brought.entries, firsts: -brought.firsts, strength: -brought.strength,
      cardio: -brought.cardio, yoga: -brought.yoga, ultra: -brought.ultra)
  }
}

extension CompiledDefinition {
  /// Returns the contribution of a counted entry to its day, and its XP.
  func contribution(of entry: EntryFact, yoga: Symbol) -> (activity: DailyActivity, xp: Int) {
    var brought = DailyActivity()
    if !isLimit { brought.entries = 1 }
    guard group != .other || source.xp != nil, test.qualifies(entry) else { return (brought, 0) }
    switch group {
    case .strength: brought.strength = 1
    case .cardio:
      brought.cardio = 1
      if entry.activity == yoga.value + 1 { brought.yoga = 1 }
      if entry.minutes >= 120_000 { brought.ultra = 1 }
    case .other: break
    }
    return (brought, source.xp?.points(for: entry.measures) ?? 0)
  }
}
