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

package enum Payload: Sendable, Equatable {
  case ledgerOpened(owner: String?, dayStart: ClockTime? = nil)
  case habitDefined(Definition)
  case habitRetired(habit: String)
  case entryLogged(Entry)
  case entryDeleted(entry: String, reason: Text?)
  case dayChanged(to: Day, seal: String?, seen: [SeenSegment] = [])
  case dayCorrected(to: Day, moved: [String], reason: Text?)
  case daysExcused(from: Day, to: Day, habits: [String]?, reason: Text?)
  case excuseWithdrawn(excuse: String, reason: Text?)
  case segmentDropped(SeenSegment, reason: Text?)
  case eventRedacted(Redaction)
  case reminderSet(habit: String, time: ClockTime, enabled: Bool)
  case celebrationSeen(celebration: Text)
  case expectationStated(expects: Text)

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
