public import StreakDomain

/// The complete state of a ledger at a point in the stream, as `streaks replay --json` prints it.
///
/// ```swift
/// let then = try ledger.state(at: .day("2025-11-03"))
/// then.habits.first { $0.habit == "noalc" }?.current  // 41
/// ```
public struct LedgerState: Codable, Hashable, Sendable {
  /// The number of events up to the point.
  public let position: Int
  /// The id of the last event up to the point, or `nil` if there is none.
  public let event: String?
  /// The time at which the last event was recorded, or `nil` if there is none.
  public let recorded: Instant?
  /// The day that is today in this state, or `nil` in an empty ledger.
  public let today: Day?
  /// The identifier of the time zone that determines the days, or `nil` in an empty ledger.
  public let zone: String?
  /// The habits in the order of their first definitions.
  public let habits: [Streak]
  /// The achievements, sorted by day, then by key.
  public let achievements: [Achievement]
  /// The numbers of days with strength activity, with cardio activity, and with both.
  public let activity: Activity
  /// The experience points.
  public let xp: Int
  /// The keys of the recent celebrations that aren't marked as seen, sorted by day, then by key.
  public let celebrations: [String]

  package init(_ ledger: Ledger, event: String?, recorded: Instant?, habit: String? = nil) {
    position = ledger.position
    self.event = event
    self.recorded = recorded
    today = ledger.position == 0 ? nil : ledger.today
    zone = ledger.facts.zone

    habits = habit.map { id in ledger[id].map { [$0.state] } ?? [] } ?? ledger.habits.map(\.state)

    // The activity of all days is counted once for the three answers.
    var ledger = ledger
    ledger.updateActivity()
    let achieved = Achievements(of: ledger)
    achievements = achieved.all
    activity = achieved.snapshot.activity
    xp = achieved.snapshot.xp
    celebrations = Celebrations(of: ledger).unseen(among: achievements).map(\.key)
  }
}
