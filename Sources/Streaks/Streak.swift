import StreakDomain

/// Where a habit stands.
public struct Streak: Hashable, Sendable {
  /// The run after today, in days.
  public let current: Int
  /// The longest run there ever was, in days; it never falls.
  public let longest: Int
  /// What is to be done: `off, retired, new, rest, grace, due, done, broken`.
  public let status: String
  /// What today brings if nothing more is logged: `none, safe, rests, heals, graced, breaks`.
  public let ifMissed: String
  /// Jokers held.
  public let jokers: Int
  /// Of a habit that is asked for so many times a week or month, how far it has come in this one.
  public let quota: Quota?

  /// A week or month of so many times.
  public struct Quota: Hashable, Sendable {
    /// Days asked for.
    public let times: Int
    /// Days that came out good, healed or restarted.
    public let good: Int
    /// Rest days left.
    public let rests: Int
  }

  init(_ state: HabitState) {
    current = state.current
    longest = state.longest
    status = state.status.rawValue
    ifMissed = state.ifMissed.rawValue
    jokers = state.jokers.held
    quota = state.quota.map { Quota(times: $0.times, good: $0.good, rests: $0.rests) }
  }
}
