import EventLog
public import Foundation
public import StreakDomain

/// An entry as it is stored in the log.
public struct LoggedEntry: Equatable, Sendable, Identifiable {
  let event: Event
  /// The entry's habit, measures and note.
  public let entry: Entry
  /// Whether the entry was deleted later.
  public let isDeleted: Bool

  /// The event's id, which `NewEvent.delete` takes.
  public var id: String { event.id }
  /// The day that the entry counts for.
  public var day: Day { event.day }
  /// The time at which the logged activity happened.
  public var at: Date { Date(event.at.instant) }
  /// The time at which the entry was recorded.
  public var recorded: Date { Date(event.recorded) }
  /// The identifier of the time zone in which the entry was logged.
  public var zone: String { event.zone }

  /// Returns events that delete this entry and log `entry` with the same day and time; append them together.
  public func replaced(by entry: Entry) -> [NewEvent] {
    var event = NewEvent.entry(entry)
    (event.day, event.at, event.zone, event.cause) = (day, at, TimeZone(identifier: zone), id)
    return [.delete(id), event]
  }
}
