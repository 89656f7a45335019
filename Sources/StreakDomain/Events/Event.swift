/// One fact of the ledger: the envelope of events.md and its payload.
package struct Event: Sendable, Equatable {
  package var id: String
  package var version = 1
  package var at: Timestamp
  package var recorded: Instant
  package var day: Day
  package var zone: String
  package var subject: String?
  package var by: String?
  package var cause: String?
  package var payload: Payload
  /// Fields that this version does not know, with their JSON as it stood; kept, never read.
  package var unknown: [UnknownField] = []
  /// The next line of the same segment belongs to the same batch.
  package var more = false

  package init(
    id: String, at: Timestamp, recorded: Instant, day: Day, zone: String, payload: Payload
  ) {
    self.id = id
    self.at = at
    self.recorded = recorded
    self.day = day
    self.zone = zone
    self.payload = payload
  }

  package struct UnknownField: Sendable, Equatable {
    package let key: String
    package let json: String

    package init(key: String, json: String) {
      self.key = key
      self.json = json
    }
  }
}

/// The catalogue of events.md, version 1.
package enum EventType: String, CaseIterable, Sendable {
  case ledgerOpened = "ledger.opened"
  case habitDefined = "habit.defined"
  case habitRetired = "habit.retired"
  case entryLogged = "entry.logged"
  case entryDeleted = "entry.deleted"
  case dayChanged = "day.changed"
  case daysExcused = "days.excused"
  case reminderSet = "reminder.set"
  case celebrationSeen = "celebration.seen"
  case expectationStated = "expectation.stated"
}

package enum Payload: Sendable, Equatable {
  case ledgerOpened(owner: String?)
  case habitDefined(Definition)
  case habitRetired(habit: String)
  case entryLogged(Entry)
  case entryDeleted(entry: String, reason: String?)
  case dayChanged(to: Day, seal: String?)
  case daysExcused(from: Day, to: Day, habits: [String]?, reason: String?)
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
    case .daysExcused: .daysExcused
    case .reminderSet: .reminderSet
    case .celebrationSeen: .celebrationSeen
    case .expectationStated: .expectationStated
    }
  }
}

/// One thing a person did, as the event says it.
package struct Entry: Sendable, Equatable {
  package var habit: String
  /// From 0 to 1440.
  package var minutes: Thousandths?
  /// From 0 to 1000.
  package var km: Thousandths?
  /// From 0 to 1000, whole.
  package var sets: Int?
  /// From 0 to 100, whole.
  package var drinks: Int?
  package var level: String?
  package var completed: Bool?
  package var activity: String?
  package var value: String?
  package var note: String?

  package init(habit: String) {
    self.habit = habit
  }
}
