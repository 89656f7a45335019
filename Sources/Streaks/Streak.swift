import StreakDomain

/// Where a habit stands.
public struct Streak: Hashable, Sendable {
  /// The run after today, in days.
  public let current: Int
  /// The longest run there ever was, in days; it never falls.
  public let longest: Int
  /// What is to be done: `off, retired, new, grace, due, done, broken`.
  public let status: String
  /// What today brings if nothing more is logged: `none, safe, heals, graced, breaks`.
  public let ifMissed: String
  /// Jokers held.
  public let jokers: Int

  init(_ state: HabitState) {
    current = state.current
    longest = state.longest
    status = state.status.rawValue
    ifMissed = state.ifMissed.rawValue
    jokers = state.jokers.held
  }
}
