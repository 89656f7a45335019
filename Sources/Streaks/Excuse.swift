import StreakDomain

/// Days that were excused, by an event that ``NewEvent/withdraw(excuse:reason:)`` takes back.
///
/// ```swift
/// for excuse in ledger.excuses where excuse.reason == "travel" {
///   try await folder.append(.withdraw(excuse: excuse.id), now: .now)
/// }
/// ```
public struct Excuse: Hashable, Sendable, Identifiable {
  /// The event's id.
  public let id: String
  /// The days that are excused.
  public let days: ClosedRange<Day>
  /// The ids of the habits that are; nil for all.
  public let habits: [String]?
  /// Why, in words of the person.
  public let reason: String?

  init(_ excuse: StandingExcuse) {
    id = excuse.event
    days = Day(excuse.span.lowerBound)...Day(excuse.span.upperBound)
    (habits, reason) = (excuse.habits, excuse.reason?.string)
  }
}
