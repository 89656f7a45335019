/// The catalogue of event-format.md, version 1.
package enum EventType: String, CaseIterable, Sendable {
  case ledgerOpened = "ledger.opened"
  case habitDefined = "habit.defined"
  case habitRetired = "habit.retired"
  case entryLogged = "entry.logged"
  case entryDeleted = "entry.deleted"
  case dayChanged = "day.changed"
  case dayCorrected = "day.corrected"
  case daysExcused = "days.excused"
  case excuseWithdrawn = "excuse.withdrawn"
  case segmentDropped = "segment.dropped"
  case eventRedacted = "event.redacted"
  case reminderSet = "reminder.set"
  case celebrationSeen = "celebration.seen"
  case expectationStated = "expectation.stated"
}

package enum Payload: Sendable {
  case ledgerOpened(owner: String?, dayStart: ClockTime? = nil)
  case habitDefined(Definition)
  case habitRetired(habit: String)
  case entryLogged(Entry)
  case entryDeleted(entry: String, reason: String?)
  case dayChanged(to: Day, seal: String?, seen: [SeenSegment] = [])
  case dayCorrected(to: Day, moved: [String], reason: String?)
  case daysExcused(from: Day, to: Day, habits: [String]?, reason: String?)
  case excuseWithdrawn(excuse: String, reason: String?)
  case segmentDropped(SeenSegment, reason: String?)
  case eventRedacted(Redaction)
  case reminderSet(habit: String, time: ClockTime, enabled: Bool)
  case celebrationSeen(celebration: String)
  case expectationStated(expects: String)

  package var type: EventType {
    switch self {
    case .ledgerOpened: .ledgerOpened
    case .habitDefined: .habitDefined
    case .habitRetired: .habitRetired
    case .entryLogged: .entryLogged
    case .entryDeleted: .entryDeleted
    case .dayChanged: .dayChanged
    case .dayCorrected: .dayCorrected
    case .daysExcused: .daysExcused
    case .excuseWithdrawn: .excuseWithdrawn
    case .segmentDropped: .segmentDropped
    case .eventRedacted: .eventRedacted
    case .reminderSet: .reminderSet
    case .celebrationSeen: .celebrationSeen
    case .expectationStated: .expectationStated
    }
  }
}

extension Payload {
  /// The events that a correction takes out of what moves today.
  package var moved: [String] { if case .dayCorrected(_, let moved, _) = self { moved } else { [] } }

  /// What `streaks undo` makes up for an event with.
  package enum Counterpart {
    /// The deletion of the entry.
    case deletion
    /// The withdrawal of the excuse.
    case withdrawal
    /// The entry that it deleted, once more.
    case entry(String)
    /// The excuse that it withdrew, once more.
    case excuse(String)
    /// What held for the habit before; `instead` of it, this definition.
    case formerDefinition(habit: String, instead: Definition?)
    /// The reminder that was set before, or none.
    case formerReminder(habit: String, time: ClockTime)
  }

  /// Nil where nothing can make up for it.
  package var counterpart: Counterpart? {
    switch self {
    case .entryLogged: .deletion
    case .daysExcused: .withdrawal
    case .entryDeleted(let entry, _): .entry(entry)
    case .excuseWithdrawn(let excuse, _): .excuse(excuse)
    case .habitDefined(let definition): .formerDefinition(habit: definition.habit, instead: definition)
    case .habitRetired(let habit): .formerDefinition(habit: habit, instead: nil)
    case .reminderSet(let habit, let time, _): .formerReminder(habit: habit, time: time)
    case .ledgerOpened, .dayChanged, .dayCorrected, .segmentDropped, .eventRedacted, .celebrationSeen,
      .expectationStated:
      nil
    }
  }
}

extension Event {
  /// The day that is today from this event on, unless a later one was before.
  package var newToday: Day? {
    switch payload {
    case .ledgerOpened: day
    case .dayChanged(let to, _, _), .dayCorrected(let to, _, _): to
    default: nil
    }
  }

  /// Whether the event may change days before one.
  package func mayChangeDays(before today: Day) -> Bool {
    switch payload {
    case .entryLogged: day < today
    case .daysExcused(let from, _, _, _): from < today
    case .entryDeleted, .excuseWithdrawn, .habitDefined, .habitRetired, .dayCorrected: true
    // It may give the owner a name, under which there are events already.
    case .ledgerOpened(let owner, _): owner != nil
    case .dayChanged, .segmentDropped, .eventRedacted, .reminderSet, .celebrationSeen, .expectationStated:
      false
    }
  }
}

extension Payload: Equatable {
  /// Written out because a case cannot say of its texts that they are `Spelled`.
  package static func == (one: Payload, other: Payload) -> Bool {
    switch one {
    case .ledgerOpened(let a, let start):
      if case .ledgerOpened(let b, let other) = other { return a.spelling == b.spelling && start == other }
    case .habitDefined(let a): if case .habitDefined(let b) = other { return a == b }
    case .habitRetired(let a): if case .habitRetired(let b) = other { return a.spelling == b.spelling }
    case .entryLogged(let a): if case .entryLogged(let b) = other { return a == b }
    case .entryDeleted(let a, let why):
      if case .entryDeleted(let b, let reason) = other {
        return a.spelling == b.spelling && why.spelling == reason.spelling
      }
    case .dayChanged(let a, let seal, let seen):
      if case .dayChanged(let b, let other, let found) = other {
        return a == b && seal.spelling == other.spelling && seen == found
      }
    case .dayCorrected(let a, let moved, let why):
      if case .dayCorrected(let b, let others, let reason) = other {
        return a == b && moved.map(\.spelling) == others.map(\.spelling) && why.spelling == reason.spelling
      }
    case .daysExcused(let a, let end, let all, let why):
      if case .daysExcused(let b, let last, let habits, let reason) = other {
        return a == b && end == last && all.spelling == habits.spelling && why.spelling == reason.spelling
      }
    case .excuseWithdrawn(let a, let why):
      if case .excuseWithdrawn(let b, let reason) = other {
        return a.spelling == b.spelling && why.spelling == reason.spelling
      }
    case .segmentDropped(let a, let why):
      if case .segmentDropped(let b, let reason) = other { return a == b && why.spelling == reason.spelling }
    case .eventRedacted(let a): if case .eventRedacted(let b) = other { return a == b }
    case .reminderSet(let a, let time, let isOn):
      if case .reminderSet(let b, let other, let enabled) = other {
        return a.spelling == b.spelling && time == other && isOn == enabled
      }
    case .celebrationSeen(let a): if case .celebrationSeen(let b) = other { return a.spelling == b.spelling }
    case .expectationStated(let a):
      if case .expectationStated(let b) = other { return a.spelling == b.spelling }
    }
    return false
  }
}
