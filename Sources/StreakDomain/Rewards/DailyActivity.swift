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

/// The activity state: the numbers of days with qualifying strength and cardio entries.
///
///     strength  ss.
///     cardio    .r.     two strength days, one cardio day, one mixed day; `lastActivity` is `both`
public struct Activity: Codable, Hashable, Sendable {
  /// The number of days with strength, with or without cardio.
  public private(set) var strengthDays = 0
  /// The number of days with cardio, with or without strength.
  public private(set) var cardioDays = 0
  /// The number of days with both.
  public private(set) var mixedDays = 0
  /// The kind of the latest day with either.
  public private(set) var lastActivity: Kind?

  /// The kind of a day with activity.
  public enum Kind: String, CaseIterable, Codable, Sendable {
    case strength, cardio, both
  }

  package init() {}

  init(_ sums: DailySums, last: Kind?) {
    (strengthDays, cardioDays, mixedDays) = (sums.strengthDays, sums.cardioDays, sums.mixedDays)
    lastActivity = last
  }
}

extension Ledger {
  package var activity: Activity { Activity(rewards.daily.sums, last: rewards.daily.grounds.lastActivity) }
}

/// The sums over the days of all habits; the order of days doesn't matter.
struct DailySums: Sendable, Equatable {
  /// Entries of habits that aren't limits, excluding deleted ones.
  private(set) var entries = 0
  private(set) var days = 0
  private(set) var habits = 0
  private(set) var strengthDays = 0
  private(set) var cardioDays = 0
  private(set) var mixedDays = 0
  private(set) var ultra = 0

  init() {}

  @inline(__always)
  init(_ day: DailyActivity) {
    (entries, habits, ultra) = (Int(day.entries), Int(day.firsts), Int(day.ultra))
    days = day.entries > 0 ? 1 : 0
    strengthDays = day.strength > 0 ? 1 : 0
    cardioDays = day.cardio > 0 ? 1 : 0
    mixedDays = strengthDays * cardioDays
  }

  @inline(__always)
  mutating func replace(_ before: DailyActivity, with after: DailyActivity) {
    let (before, after) = (DailySums(before), DailySums(after))
    entries += after.entries - before.entries
    days += after.days - before.days
    habits += after.habits - before.habits
    strengthDays += after.strengthDays - before.strengthDays
    cardioDays += after.cardioDays - before.cardioDays
    mixedDays += after.mixedDays - before.mixedDays
    ultra += after.ultra - before.ultra
  }
}
