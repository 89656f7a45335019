import StreakDomain

/// Something reached, derived from the ledger, so that it can be neither farmed nor lost twice.
public struct Achievement: Codable, Hashable, Sendable {
  /// Such as `tri-threat`, `collector:gold` or `milestone:noalc:30`.
  public let key: String
  /// The first day on which it was reached.
  public let on: Day
  /// Ids of the entries behind it.
  public let because: [String]
  /// Experience points.
  public let xp: Int

  init(_ achievement: StreakDomain.Achievement) {
    key = achievement.key
    on = Day(achievement.on)
    because = achievement.because
    xp = achievement.xp
  }
}

/// Something of the last days to show, until ``NewEvent/seen(_:)`` says that it was.
///
/// ```swift
/// for celebration in ledger.celebrations {
///   if case .milestone(let habit, let run) = celebration.ground { show("\(run) days of \(habit)") }
///   try await folder.append(.seen(celebration), now: .now)
/// }
/// ```
public struct Celebration: Hashable, Sendable {
  /// Such as `completed:noalc:2025-11-03`; it names the celebration in the log.
  public let key: String
  /// The day on which it was reached.
  public let day: Day
  /// What was reached.
  public let ground: Ground

  /// What there is to celebrate.
  public enum Ground: Hashable, Sendable {
    /// The habit's day is good.
    case completed(habit: String)
    /// Every habit of a composite was done.
    case perfectDay
    /// A run reached a length that matters.
    case milestone(habit: String, run: Int)
    /// An achievement was unlocked; its key is that of an ``Achievement``.
    case achievement(key: String)
  }

  init(_ celebration: StreakDomain.Celebration) {
    key = celebration.key
    day = Day(celebration.day)
    switch celebration.ground {
    case .completed(let habit): ground = .completed(habit: habit)
    case .perfectDay: ground = .perfectDay
    case .milestone(let habit, let run): ground = .milestone(habit: habit, run: run)
    case .achievement(let key): ground = .achievement(key: key)
    }
  }
}

/// A reminder that is due: its time has come, and its day lacks what the habit asks for.
public struct Reminder: Codable, Hashable, Sendable {
  /// The habit's id.
  public let habit: String
  /// The day it asks about.
  public let day: Day
  /// When it was to come.
  public let time: ClockTime
  /// Hours left to save the run; nil where it is not today that decides over it.
  public let hoursLeft: Double?
}

/// Days with strength and cardio over all habits.
public struct Activity: Codable, Hashable, Sendable {
  /// Days with strength, alone or with cardio.
  public let strengthDays: Int
  /// Days with cardio, alone or with strength.
  public let cardioDays: Int
  /// Days with both.
  public let mixedDays: Int
  /// What the latest such day had.
  public let lastActivity: Kind?

  /// What a day can have of the two.
  public enum Kind: String, Codable, CaseIterable, Sendable {
    case strength, cardio, both
  }

  init(_ activity: StreakDomain.Activity) {
    strengthDays = activity.strengthDays
    cardioDays = activity.cardioDays
    mixedDays = activity.mixedDays
    lastActivity = activity.lastActivity.flatMap { Kind(rawValue: $0) }
  }
}
