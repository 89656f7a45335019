public import Foundation
public import StreakDomain

/// A point in a ledger's history.
public enum Point: Hashable, Sendable {
  /// The point after this number of events; 0 is the empty ledger.
  case position(Int)
  /// The point after the event with this id.
  case event(String)
  /// All events recorded up to a date, as seen on its day.
  ///
  /// Events recorded by a clock that was ahead come later.
  case time(Date)
  /// All events recorded up to the end of a day, as seen on that day; compare ``time(_:)``.
  case day(Day)
  /// The point after the last event.
  case end
}
