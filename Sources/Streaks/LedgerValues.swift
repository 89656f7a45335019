import EventLog
public import Foundation
public import Inspection
public import StreakDomain

/// An entry as it is stored in the log.
public struct LoggedEntry: Hashable, Sendable, Identifiable {
  /// The id of the event that logged the entry, for ``NewEvent/delete(_:reason:)``.
  public let id: String
  /// The entry's habit, measures and note.
  public let entry: Entry
  /// The day that the entry counts for.
  public let day: Day
  /// The time at which the logged activity happened.
  public let at: Date
  /// The time at which the entry was recorded.
  public let recorded: Date
  /// The identifier of the time zone in which the entry was logged.
  public let zone: String
  /// Whether the entry was deleted later, and isn't replaced.
  public let isDeleted: Bool
  /// The id of the entry that replaces this one, or `nil` if none does.
  public let replacement: String?
  /// The fields of apps, whose names begin with `x_`, such as `x_mood`; numbers are `Double`.
  public let fields: [String: StreakEvent.Value]

  init(_ entry: Entry, of event: Event, isDeleted: Bool, replacement: String?) {
    id = event.id
    self.entry = entry
    day = event.day
    at = event.at.instant.date
    recorded = event.recorded.date
    zone = event.zone
    fields = StreakEvent.Value.members(event.ownFields.map(\.member))
    self.isDeleted = isDeleted
    self.replacement = replacement
  }

  /// Returns the events that replace this entry by `entry`, to be appended together.
  ///
  /// `entry` gets the same day and time. For the same habit it is one event with this entry's key,
  /// or with its id as the key. For another habit, it is a deletion and a new entry.
  public func replaced(by entry: Entry) -> [NewEvent] {
    let isSameHabit = entry.habit == self.entry.habit
    var event = NewEvent.entry(entry, key: isSameHabit ? self.entry.key ?? id : nil)
    event.day = day
    event.at = at
    event.zone = TimeZone(identifier: zone)
    event.cause = id
    event.fields = fields
    return isSameHabit ? [event] : [.delete(id), event]
  }
}

extension LoggedEntry: Decodable {
  private enum CodingKeys: CodingKey { case id, day, at, recorded, zone, deleted, replaced }

  /// Decodes an entry as `streaks entries --json` prints it.
  public init(from decoder: any Decoder) throws {
    entry = try Entry(from: decoder)
    let members = StreakEvent.Value(try JSONValue(from: decoder)).members
    fields = members.filter { Text($0.key).isOwnField }

    let known = try decoder.container(keyedBy: CodingKeys.self)
    id = try known.decode(String.self, forKey: .id)
    day = try known.decode(Day.self, forKey: .day)
    let time = try known.decode(String.self, forKey: .at)
    guard let timestamp = Timestamp(time) else {
      throw DecodingError.dataCorruptedError(
        forKey: .at, in: known, debugDescription: "\(quoted(time)) is no time with an offset")
    }
    at = timestamp.instant.date
    recorded = try known.decode(Instant.self, forKey: .recorded).date
    zone = try known.decode(String.self, forKey: .zone)
    isDeleted = try known.decodeIfPresent(Bool.self, forKey: .deleted) ?? false
    replacement = try known.decodeIfPresent(String.self, forKey: .replaced)
  }
}

/// Entries, as `streaks entries --json` prints them.
public struct EntryList: Decodable, Hashable, Sendable {
  public let entries: [LoggedEntry]
}

extension EventExplanation {
  /// The members of the event's line, by their names in the log.
  public var fields: [String: StreakEvent.Value] { StreakEvent.Value(event).members }
}

extension StreakChange {
  /// The members of the event's line, by their names in the log, such as the measures of an entry.
  ///
  /// They are empty if the change was decoded, and its event is of a newer version of the program.
  ///
  /// ```swift
  /// for change in try ledger.timeline() where change.type == .entryLogged {
  ///   print(change.day, change.fields["minutes"]?.number ?? 0)
  /// }
  /// ```
  public var fields: [String: StreakEvent.Value] {
    line.map { StreakEvent.Value(JSONValue(.raw($0.bytes))).members } ?? [:]
  }
}

extension Habit {
  /// Creates the predefined habit that is named `preset`.
  ///
  /// Its id is `id`, or the preset's name if `id` is `nil`.
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
  /// Creates the point after all events that were recorded until `date`.
  ///
  /// In the state at this point, today is the day of `date`.
  ///
  /// If a wrong clock stamped events too late, and a correction or the present time shows it, the
  /// point also includes those that were written until `date`.
  public static func time(_ date: Date) -> Point {
    .time(Timestamp(instant: Instant(date), offset: 0))
  }
}

extension Day {
  /// Creates the calendar date of `date` in the time zone `zone`, which begins at midnight.
  ///
  /// A ledger's day can begin later and in another zone: ``StreakLedger/day(of:)`` returns it.
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
