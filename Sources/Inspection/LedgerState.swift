public import StreakDomain

/// Everything that is known of a ledger at a point: what `streaks replay --json` prints.
///
/// ```swift
/// let then = try ledger.state(at: .day("2025-11-03"))
/// then.habits.first { $0.habit == "noalc" }?.current  // 41
/// ```
public struct LedgerState: Encodable, Hashable, Sendable {
  /// How many events there are up to the point.
  public let position: Int
  /// The id of the last of them.
  public let event: String?
  /// When it was recorded.
  public let recorded: Instant?
  /// The day that the ledger is seen from.
  public let today: Day?
  /// The identifier of the time zone that days are read in.
  public let zone: String?
  /// In the order of their first definitions.
  public let habits: [Streak]
  /// By day, then key.
  public let achievements: [Achievement]
  /// Days with strength and cardio.
  public let activity: Activity
  /// Experience points.
  public let xp: Int
  /// Keys of what there is to celebrate.
  public let celebrations: [String]

  /// Reads a ledger; with `habit` of that one alone.
  package init(_ ledger: Ledger, event: String?, recorded: Instant?, habit: String? = nil) {
    (position, self.event, self.recorded) = (ledger.position, event, recorded)
    (today, zone) = (ledger.position == 0 ? nil : ledger.today, ledger.zone)
    habits = habit.map { ledger.state(of: $0).map { [$0] } ?? [] } ?? ledger.states()
    achievements = ledger.achievements()
    (activity, xp) = (ledger.activity, ledger.xp)
    celebrations = ledger.celebrations().map(\.key)
  }
}
