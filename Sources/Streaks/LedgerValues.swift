import EventLog
public import Foundation
public import Inspection
public import StreakDomain

/// An entry as it is stored in the log.
public struct LoggedEntry: Equatable, Sendable, Identifiable {
  let event: Event
  /// The entry's habit, measures and note.
  public let entry: Entry
  /// Whether the entry was deleted later.
  public let isDeleted: Bool
  /// The id of the entry that replaces this one, or `nil` if none does.
  public let replacement: String?

  /// The id of the event that logged the entry, for ``NewEvent/delete(_:reason:)``.
  public var id: String { event.id }
  /// The day that the entry counts for.
  public var day: Day { event.day }
  /// The time at which the logged activity happened.
  public var at: Date { event.at.instant.date }
  /// The time at which the entry was recorded.
  public var recorded: Date { event.recorded.date }
  /// The identifier of the time zone in which the entry was logged.
  public var zone: String { event.zone }

  /// Returns the events, to be appended together, that replace this entry by `entry` with the same
  /// day and time.
  ///
  /// For the same habit it is one event with this entry's key, or with its id as the key. For
  /// another habit, it is a deletion and a new entry.
  public func replaced(by entry: Entry) -> [NewEvent] {
    let isSameHabit = entry.habit == self.entry.habit
    var event = NewEvent.entry(entry, key: isSameHabit ? self.entry.key ?? id : nil)
    event.day = day
    event.at = at
    event.zone = TimeZone(identifier: zone)
    event.cause = id
    return isSameHabit ? [event] : [.delete(id), event]
  }
}

extension Habit {
  /// Creates the predefined habit that is named `preset`, with the id `id`, or with the preset's
  /// name if `id` is `nil`.
  ///
  /// - Throws: `StreakError` of kind `notFound` if there is no preset with this name.
  public init(preset: String, as id: String? = nil) throws(StreakError) {
    guard let predefined = Preset(rawValue: preset) else {
      let hint = Nearest.hint(preset, among: Preset.allCases.map(\.rawValue))
      throw StreakError(
        .notFound, "there is no preset \(quoted(preset))\(hint)", nearest: hint.nearest)
    }
    self = predefined.definition(for: id ?? preset)
  }

  /// All predefined habits, with the names of their presets as ids.
  public static var presets: [Habit] { Preset.allCases.map { $0.definition(for: $0.rawValue) } }
}

extension Point {
  /// Creates the point after all events that were recorded until `date`; in its state, today is the
  /// day of `date`.
  ///
  /// Only an event's recorded time decides. If a clock was ahead, an event that was really written
  /// before `date` can have a recorded time after `date`; then it is excluded.
  public static func time(_ date: Date) -> Point {
    .time(Timestamp(instant: Instant(date), offset: 0))
  }
}

extension Day {
  /// Creates the day of `date` in the time zone `zone`, if days begin at midnight.
  public init(_ date: Date, in zone: TimeZone) {
    let instant = Instant(date) + Int64(zone.secondsFromGMT(for: date)) * 1_000_000
    self = Timestamp(instant: instant, offset: 0).localDay
  }
}

extension Instant {
  package init(_ date: Date) {
    // The bounds lie far outside the calendar, and keep the product within `Int64`.
    let seconds = min(max(date.timeIntervalSince1970, -1e11), 1e11)
    self.init(microseconds: Int64((seconds * 1_000_000).rounded()))
  }

  /// The instant as a Foundation date, exact to the microsecond.
  public var date: Date { Date(timeIntervalSince1970: Double(microseconds) / 1_000_000) }
}
