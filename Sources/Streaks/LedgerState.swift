import EventLog
public import Foundation
public import StreakDomain

/// A place in a ledger's stream of events.
public enum Point: Hashable, Sendable {
  /// After the first so many events; 0 is the empty ledger.
  case position(Int)
  /// After the event with this id.
  case event(String)
  /// Everything recorded up to a moment, seen from its day; what was recorded while a clock was ahead comes after it.
  case time(Date)
  /// Everything recorded up to the end of a day, seen from that day, as of ``time(_:)``.
  case day(Day)
  /// After the last event.
  case end
}

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

  init(_ ledger: Ledger, last: (id: String, recorded: Instant)?) {
    (position, event, recorded) = (ledger.position, last?.id, last?.recorded)
    (today, zone) = (ledger.position == 0 ? nil : ledger.today, ledger.zone)
    (habits, achievements) = (ledger.states(), ledger.achievements())
    (activity, xp) = (ledger.activity, ledger.xp)
    celebrations = ledger.celebrations().map(\.key)
  }
}
