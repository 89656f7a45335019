/// One fact of the ledger: the envelope of event-format.md and its payload.
package struct Event: Sendable, Equatable {
  @Spelled package var id: String
  package var version = 1
  package var at: Timestamp
  package var recorded: Instant
  package var day: Day
  @Spelled package var zone: String
  @Spelled package var subject: String?
  @Spelled package var by: String?
  @Spelled package var cause: String?
  package var payload: Payload
  /// Fields that this version does not know, with their JSON as it stood; kept, never read.
  package var unknown: [UnknownField] = []
  /// Whether the next line of the same segment belongs to the same batch, and to which command; nil where none does.
  package var more: More?

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

  /// What the next line of a batch belongs to (event-format.md, "Batches").
  package enum More: Hashable, Sendable {
    /// The same command.
    case command
    /// Another one that was written with it.
    case group
  }

  package struct UnknownField: Sendable, Equatable {
    @Spelled package private(set) var key: String
    @Spelled package private(set) var json: String

    package init(key: String, json: String) {
      self.key = key
      self.json = json
    }

    /// Whether it is the caller's, by its name, and never a misspelt field.
    package var isOwn: Bool { key.begins(with: "x_") }
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

  /// What `streaks undo` writes its events by; states that rest on what they undo set no record (domain.md, `longest`).
  package static let undoLabel = "streaks-undo"

  /// Whether an event may be called so: 1–64 of `A-Z a-z 0-9 . _ : -`.
  package static func isID(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case 48...58, 65...90, 97...122, UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"): true
        default: false
        }
      }
  }

  /// How many characters of an id screens show; nearly always enough to name it.
  package static let shownIDLength = 6

  /// The end of an id, as screens show it: `…3f4a5b`; a short id whole, and as `id:17` where it could be a position.
  package static func shortID(_ id: String) -> String {
    guard id.utf8.count <= 2 * shownIDLength else {
      return "…" + id.droppingBytes(id.utf8.count - shownIDLength)
    }
    return id.utf8.allSatisfy { (48...57).contains($0) } ? "id:" + id : id
  }
}

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

/// What another writer saw of a segment: so many lines, the id of the last of them, and what those were.
package struct SeenSegment: Sendable, Equatable {
  @Spelled package private(set) var segment: String
  package let lines: Int
  @Spelled package private(set) var last: String
  /// SHA-256 of the digests of the lines from the last sealed one on, up to that one; nil where it does not say.
  @Spelled package private(set) var tail: String?

  package init(segment: String, lines: Int, last: String, tail: String? = nil) {
    self.segment = segment
    self.lines = lines
    self.last = last
    self.tail = tail
  }

  /// This segment without its last lines, as a `segment.dropped` names it.
  package var withoutTail: SeenSegment { SeenSegment(segment: segment, lines: lines, last: last) }
}

/// One thing a person did, as the event says it.
package struct Entry: Sendable, Equatable {
  @Spelled package var habit: String
  /// From 0 to 1440.
  package var minutes: Thousandths?
  /// From 0 to 1000.
  package var km: Thousandths?
  /// From 0 to 1000, whole.
  package var sets: Int?
  /// From 0 to 100, whole.
  package var drinks: Int?
  /// From 0 to 1,000,000, of what the habit's sum counts.
  package var amount: Thousandths?
  @Spelled package var level: String?
  package var completed: Bool?
  @Spelled package var activity: String?
  @Spelled package var value: String?
  @Spelled package var note: String?

  package init(habit: String) {
    self.habit = habit
  }
}

extension Entry {
  /// Whether the entry has what a sum is of.
  package func has(_ measure: Measure) -> Bool {
    switch measure {
    case .entries: true
    case .minutes: minutes != nil
    case .km: km != nil
    case .sets: sets != nil
    case .drinks: drinks != nil
    case .amount: amount != nil
    }
  }
}

/// A daily reminder: when, and whether it is wanted.
package struct Reminder: Sendable, Equatable {
  package let time: ClockTime
  package let isEnabled: Bool
}
