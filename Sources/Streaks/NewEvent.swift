import EventLog
public import Foundation
public import StreakDomain

/// Something to append to a ledger, once the rules have been asked whether it may be.
///
/// Give each an ``id`` of your own, and appending it again, after a crash or without a network, changes nothing.
///
/// ```swift
/// try await folder.append(
///   .entry("reading", amount: 20, note: "on the train"),
///   .entry("noalc", level: "steady", id: "noalc-2025-11-03", on: "2025-11-03"),
///   now: .now)
/// ```
public struct NewEvent: Equatable, Sendable {
  let payload: Payload
  /// Its id; one is made where there is none.
  public var id: String?
  /// The day it counts for; that of ``at`` where there is none.
  public var day: Day?
  /// When it happened; now where there is none.
  public var at: Date?
  /// The time zone it happened in; the ledger's where there is none.
  public var zone: TimeZone?
  /// Who or what wrote it.
  public var by: String?
  /// The id of the event that it was written because of.
  public var cause: String?

  private init(_ payload: Payload) {
    self.payload = payload
  }

  /// An entry of a habit; which measures it needs, the habit's rule says.
  public static func entry(
    _ habit: Habit.ID, minutes: Double? = nil, km: Double? = nil, sets: Int? = nil, drinks: Int? = nil,
    amount: Double? = nil, level: String? = nil, completed: Bool? = nil, activity: String? = nil,
    value: String? = nil, note: String? = nil, id: String? = nil, on day: Day? = nil
  ) -> NewEvent {
    var entry = Entry(habit: habit)
    (entry.minutes, entry.km) = (minutes.map { Thousandths($0) }, km.map { Thousandths($0) })
    (entry.sets, entry.drinks, entry.amount) = (sets, drinks, amount.map { Thousandths($0) })
    (entry.level, entry.completed) = (level.map { Text($0) }, completed)
    (entry.activity, entry.value) = (activity.map { Text($0) }, value.map { Text($0) })
    entry.note = note.map { Text($0) }
    var event = NewEvent.entry(entry)
    (event.id, event.day) = (id, day)
    return event
  }

  /// An entry.
  public static func entry(_ entry: Entry) -> NewEvent { NewEvent(.entryLogged(entry)) }

  /// Takes an entry back, by its id.
  public static func delete(_ entry: String, reason: String? = nil) -> NewEvent {
    NewEvent(.entryDeleted(entry: entry, reason: reason.map { Text($0) }))
  }

  /// Defines a habit, or defines it otherwise from its day on.
  public static func habit(_ habit: Habit) -> NewEvent { NewEvent(.habitDefined(habit)) }

  /// Asks for a habit no more after its day.
  public static func retire(_ habit: Habit.ID) -> NewEvent { NewEvent(.habitRetired(habit: habit)) }

  /// Excuses days, of some habits or of all.
  public static func excuse(
    _ days: ClosedRange<Day>, habits: [String]? = nil, reason: String? = nil
  ) -> NewEvent {
    NewEvent(
      .daysExcused(
        from: days.lowerBound, to: days.upperBound, habits: habits, reason: reason.map { Text($0) }))
  }

  /// Takes an excuse back, by its id.
  public static func withdraw(excuse: String, reason: String? = nil) -> NewEvent {
    NewEvent(.excuseWithdrawn(excuse: excuse, reason: reason.map { Text($0) }))
  }

  /// Takes today back to the date of now, or the day before, where a wrong clock moved it beyond.
  ///
  /// The events that moved it are found when it is appended; they stay, and are no reason for today any more.
  public static func dayCorrected(to day: Day, reason: String? = nil) -> NewEvent {
    NewEvent(.dayCorrected(to: day, moved: [], reason: reason.map { Text($0) }))
  }

  /// Reminds of a habit daily, or no longer.
  public static func remind(_ habit: Habit.ID, at time: ClockTime, isEnabled: Bool = true) -> NewEvent {
    NewEvent(.reminderSet(habit: habit, time: time, enabled: isEnabled))
  }

  /// Says that a celebration was shown, so that it does not come again.
  public static func seen(_ celebration: Celebration) -> NewEvent {
    NewEvent(.celebrationSeen(celebration: Text(celebration.key)))
  }

  /// The opening of a ledger.
  static func opened(daysFrom start: ClockTime?, zone: TimeZone) throws(StreakError) -> NewEvent {
    if let start, !start.isDayStart {
      throw StreakError(.refused, "dayStart is \(start); it must be \(Forms.dayStart)")
    }
    var event = NewEvent(.ledgerOpened(dayStart: start))
    event.zone = zone
    return event
  }

  /// What the log is given.
  var draft: Draft {
    var draft = Draft(payload, zone: zone?.identifier)
    draft.id = id
    draft.day = day
    draft.at = at.map {
      Timestamp(instant: Instant($0), offset: (zone ?? TimeZone.current).secondsFromGMT(for: $0) / 60)
    }
    draft.event.by = by.map { Text($0) }
    draft.event.cause = cause
    return draft
  }
}

/// What became of an event that was appended.
public struct Appended: Hashable, Sendable {
  /// The event's id.
  public let event: String
  /// Its place in the stream, from 1.
  public let position: Int
  /// False where the same event was there already.
  public let isNew: Bool
  /// The ledger's today, where the append moved it on by more than a day; nil otherwise.
  ///
  /// Ask whether the device's date is right before the person goes on: ``NewEvent/dayCorrected(to:reason:)`` takes a
  /// wrong one back.
  public let movedDay: Day?

  /// The results of drafts in their order, by which the ledger's today went from one day to another.
  static func all(
    of results: some Sequence<AppendResult>, from old: Day?, to new: Day?
  ) -> [Appended] {
    let moved = if let old, let new, new > old.next { new } else { Day?.none }
    return results.map { result in
      Appended(
        event: result.id, position: result.position, isNew: result.status == .recorded, movedDay: moved)
    }
  }
}
