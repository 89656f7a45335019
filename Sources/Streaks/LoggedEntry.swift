import EventLog
public import Foundation
public import StreakDomain

/// An entry as it is in the log.
public struct LoggedEntry: Equatable, Sendable, Identifiable {
  let event: Event
  /// What was logged.
  public let entry: Entry
  /// Whether it was deleted since.
  public let isDeleted: Bool

  /// The event's id, by which the entry can be deleted.
  public var id: String { event.id }
  /// The day it counts for.
  public var day: Day { event.day }
  /// When it happened.
  public var at: Date { Date(event.at.instant) }
  /// When it was written down.
  public var recorded: Date { Date(event.recorded) }
  /// The identifier of the time zone it was logged in.
  public var zone: String { event.zone }

  /// Its deletion and another entry for its day and time, to be appended together.
  public func replaced(by entry: Entry) -> [NewEvent] {
    var event = NewEvent.entry(entry)
    (event.day, event.at, event.zone, event.cause) = (day, at, TimeZone(identifier: zone), id)
    return [.delete(id), event]
  }
}
