@testable package import StreakDomain

/// The activity of all habits together on one day, from which achievements and the activity state are computed.
///
/// Deleted entries and entries before `countsFrom` don't count.
struct DailyActivity: Equatable, Sendable {
  /// The number of entries of habits that aren't limits.
  var entries: Int32 = 0
  /// The number of qualifying entries of strength habits.
  var strength: Int32 = 0
  /// The number of qualifying entries of cardio habits, including yoga.
  var cardio: Int32 = 0
  /// The number of qualifying cardio entries with the activity `yoga`.
  var yoga: Int32 = 0
  /// The number of qualifying cardio entries of 120 minutes or more.
  var ultra: Int32 = 0
  /// The XP of qualifying entries.
  var xp: Int32 = 0

  var isQualifying: Bool { strength != 0 || cardio != 0 }

  /// Adds `other`, or subtracts it if `sign` is -1.
  @inline(__always)
  mutating func add(_ other: DailyActivity, sign: Int32 = 1) {
    entries += sign * other.entries
    strength += sign * other.strength
    cardio += sign * other.cardio
    yoga += sign * other.yoga
    ultra += sign * other.ultra
    xp += sign * other.xp
  }
}

extension CompiledDefinition {
  /// Returns the activity that `entry` adds to its day.
  func activity(of entry: EntryFact) -> DailyActivity {
    var activity = DailyActivity()
    if !isLimit { activity.entries = 1 }
    guard group != .other || source.xp != nil, test.qualifies(entry) else { return activity }
    switch group {
    case .strength: activity.strength = 1
    case .cardio:
      activity.cardio = 1
      if entry.activity == yoga.value + 1 { activity.yoga = 1 }
      if entry.minutes >= 120_000 { activity.ultra = 1 }
    case .other: break
    }
    activity.xp = Int32(clamping: source.xp?.points(for: entry.measures) ?? 0)
    return activity
  }
}
