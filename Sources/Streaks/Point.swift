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
