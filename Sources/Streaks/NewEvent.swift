import EventLog
public import Foundation
public import StreakDomain

/// An event to append to a ledger.
///
/// The ledger checks the event before it is appended. If you set an ``id`` of your own, you can
/// safely append the event again, for example after a crash.
///
/// ```swift
/// try await folder.append(
///   .entry("reading", amount: 20, note: "on the train"),
///   .entry("noalc", level: "steady", id: "noalc-2025-11-03", on: "2025-11-03"),
///   now: .now)
/// ```
public struct NewEvent: Equatable, Sendable {
  let payload: Payload
  /// The event's id, or `nil` for a new id.
  public var id: String?
  /// The day that the event counts for, or `nil` for the day of ``at``.
  public var day: Day?
  /// The time at which the event happened, or `nil` for the current time.
  public var at: Date?
  /// The time zone in which the event happened, or `nil` for the ledger's time zone.
  ///
  /// Only ``settings(timeZone:dayStart:weekStart:)`` moves the ledger to this zone.
  public var zone: TimeZone?
  /// The person or program that wrote the event, or `nil` if unspecified.
  public var by: String?
  /// The id of the event that caused this event, or `nil` if there is none.
  public var cause: String?
  /// The app's own fields, whose names begin with `x_`, such as `x_mood`.
  public var fields: [String: StreakEvent.Value] = [:]

  private init(_ payload: Payload) {
    self.payload = payload
  }

  /// Creates an event that logs an entry; the habit's rule determines which measures the entry
  /// needs.
  ///
  /// With a `key`, the entry replaces all entries of the habit that have the same key, and the
  /// entry with that id.
  public static func entry(
    _ habit: Habit.ID, minutes: Double? = nil, km: Double? = nil, sets: Int? = nil,
    drinks: Int? = nil,
    amount: Double? = nil, level: String? = nil, completed: Bool? = nil, activity: String? = nil,
    value: String? = nil, note: String? = nil, key: String? = nil, id: String? = nil,
    on day: Day? = nil
  ) -> NewEvent {
    var entry = Entry(habit: habit)
    entry.key = key
    entry.minutes = minutes.map { Millionths($0) }
    entry.km = km.map { Millionths($0) }
    entry.sets = sets
    entry.drinks = drinks
    entry.amount = amount.map { Millionths($0) }
    entry.level = level.map { Text($0) }
    entry.completed = completed
    entry.activity = activity.map { Text($0) }
    entry.value = value.map { Text($0) }
    entry.note = note.map { Text($0) }

    var event = NewEvent.entry(entry)
    event.id = id
    event.day = day
    return event
  }

  /// Creates an event that logs `entry`; with a `key`, it replaces the entries with the same key.
  public static func entry(_ entry: Entry, key: String? = nil) -> NewEvent {
    var entry = entry
    if let key { entry.key = key }
    return NewEvent(.entryLogged(entry))
  }

  /// Creates an event that deletes the entry with the event id `entry`.
  public static func delete(_ entry: String, reason: String? = nil) -> NewEvent {
    NewEvent(.entryDeleted(entry: entry, reason: reason.map { Text($0) }))
  }

  /// Creates an event that defines a habit, or changes its definition from the event's day on.
  public static func habit(_ habit: Habit) -> NewEvent { NewEvent(.habitDefined(habit)) }

  /// Creates an event that retires a habit, which is then no longer required after the event's day.
  public static func retire(_ habit: Habit.ID) -> NewEvent { NewEvent(.habitRetired(habit: habit)) }

  /// Creates an event that excuses `days` for the habits with the ids `habits`, or for all habits
  /// if `habits` is `nil`.
  public static func excuse(
    _ days: ClosedRange<Day>, habits: [String]? = nil, reason: String? = nil
  ) -> NewEvent {
    NewEvent(
      .daysExcused(
        from: days.lowerBound, to: days.upperBound, habits: habits, reason: reason.map { Text($0) })
    )
  }

  /// Creates an event that excuses the days from `first` on, until it is withdrawn.
  public static func excuse(
    from first: Day, habits: [String]? = nil, reason: String? = nil
  ) -> NewEvent {
    NewEvent(
      .daysExcused(from: first, to: nil, habits: habits, reason: reason.map { Text($0) }))
  }

  /// Creates an event that withdraws the excuse with the event id `excuse`.
  public static func withdraw(excuse: String, reason: String? = nil) -> NewEvent {
    NewEvent(.excuseWithdrawn(excuse: excuse, reason: reason.map { Text($0) }))
  }

  /// Creates an event that moves today back to `day`, after a wrong clock moved today too far.
  ///
  /// The `day` must be the current date or the day before. The append finds the events that moved
  /// today too far. These events stay in the ledger, but no longer determine today.
  public static func dayCorrected(to day: Day, reason: String? = nil) -> NewEvent {
    NewEvent(.dayCorrected(to: day, moved: [], reason: reason.map { Text($0) }))
  }

  /// Creates an event that sets the daily reminder of a habit, or disables it if `isEnabled` is
  /// false.
  public static func remind(_ habit: Habit.ID, at time: ClockTime, isEnabled: Bool = true)
    -> NewEvent
  {
    NewEvent(.reminderSet(habit: habit, time: time, enabled: isEnabled))
  }

  /// Creates an event that records that `celebration` was shown, so that it isn't shown again.
  public static func seen(_ celebration: Celebration) -> NewEvent {
    NewEvent(.celebrationSeen(celebration: Text(celebration.key)))
  }

  /// Creates an event that sets the ledger's time zone, its start of days, or its start of weeks.
  ///
  /// Each of the three stays as it is if its parameter is `nil`. After a journey, a ledger counts
  /// by its old zone until an event moves it:
  ///
  /// ```swift
  /// if ledger.state.zone != TimeZone.current.identifier {
  ///   try await folder.append(.settings(timeZone: .current))
  /// }
  /// ```
  /// If it is a later day in the new zone, that day begins, as with `streaks day --zone`. The
  /// append excuses a date that the journey skipped. A day that it cut short still counts, unless
  /// you append an ``excuse(_:habits:reason:)``.
  ///
  /// - Parameters:
  ///   - timeZone: The time zone by which days begin from now on.
  ///   - dayStart: The time at which days begin from now on, up to 11:59; logged days stay as they
  ///     are.
  ///   - weekStart: The weekday on which all weeks begin, past ones too.
  /// - Returns: The event.
  public static func settings(
    timeZone: TimeZone? = nil, dayStart: ClockTime? = nil, weekStart: Weekday? = nil
  ) -> NewEvent {
    var event = NewEvent(.ledgerOpened(dayStart: dayStart, weekStart: weekStart))
    event.zone = timeZone
    return event
  }

  var draft: Draft {
    var draft = Draft(payload, zone: zone?.identifier)
    draft.id = id
    draft.day = day
    draft.at = at.map {
      Timestamp(
        instant: Instant($0), offset: (zone ?? TimeZone.current).secondsFromGMT(for: $0) / 60)
    }
    draft.event.by = by.map { Text($0) }
    draft.event.cause = cause
    draft.event.unknown = fields.sorted { $0.key < $1.key }.map { name, value in
      Event.UnknownField(key: Text(name), json: Text(value.json.json))
    }
    return draft
  }
}

/// The result of appending one event.
public struct Appended: Hashable, Sendable {
  /// The event's id.
  public let event: String
  /// The event's position in the stream, from 1.
  public let position: Int
  /// Whether the event was added, and not already contained in the ledger.
  public let isNew: Bool
  /// Whether the event doesn't count, because it was deleted or withdrawn since an earlier append.
  ///
  /// To log it after all, append it with another id.
  public let isDeleted: Bool
  /// The id of the entry that replaced this event, or `nil` if none did.
  ///
  /// Only an event that was already in the ledger can have been replaced.
  public let replacement: String?
  /// The ledger's new today if the append moved today by more than one day, or `nil` if it didn't.
  ///
  /// A single day without an event is enough, so a few days are normal after a break. If they are
  /// many, ask the user whether the device's date is right; `streaks` warns if they are more than
  /// 92.
  /// When the clock is right again, ``NewEvent/dayCorrected(to:reason:)`` moves a wrong today back.
  public let movedDay: Day?

  static func all(
    of results: some Sequence<AppendResult>, from old: Day?, to new: Day?
  ) -> [Appended] {
    let moved = if let old, let new, new > old.next { new } else { Day?.none }
    return results.map { result in
      Appended(
        event: result.id, position: result.position, isNew: result.status == .recorded,
        isDeleted: result.isDeleted, replacement: result.replacement, movedDay: moved)
    }
  }
}
