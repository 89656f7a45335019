/// One fact of the ledger: the envelope of event-format.md and its payload.
package struct Event: Sendable, Equatable {
  package var id: String
  package var version = 1
  package var at: Timestamp
  package var recorded: Instant
  package var day: Day
  package var zone: String
  package var subject: String?
  package var by: Text?
  package var cause: String?
  package var payload: Payload
  /// Fields that this version does not know, with their JSON as it stood; kept, never read.
  package var unknown: [UnknownField] = []
  /// Whether the batch goes on in the next line of the segment, and with which command; nil on its last line.
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
    /// The next line belongs to this command, too.
    case command
    /// It belongs to another one that was written with this.
    case group
  }

  package struct UnknownField: Sendable, Equatable {
    package let key: Text
    package let json: Text

    package init(key: Text, json: Text) {
      self.key = key
      self.json = json
    }

    /// Whether it is the caller's, by its name, and never a misspelt field.
    package var isOwn: Bool { key.string.begins(with: "x_") }
  }
}

extension Event {
  /// The `by` of the events that `streaks undo` writes.
  ///
  /// States that rest on an undone event set no record (domain.md, `longest`).
  package static let undoLabel: Text = "streaks-undo"

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

/// What another writer saw of a segment: so many lines, the id of the last of them, and what those were.
package struct SeenSegment: Sendable, Equatable {
  package let segment: Text
  package let lines: Int
  package let last: String
  /// SHA-256 of the digests of the lines from the last sealed one on, up to that one; nil where it does not say.
  package let tail: String?

  package init(segment: Text, lines: Int, last: String, tail: String? = nil) {
    self.segment = segment
    self.lines = lines
    self.last = last
    self.tail = tail
  }

  /// This segment without its last lines, as a `segment.dropped` names it.
  package var withoutTail: SeenSegment { SeenSegment(segment: segment, lines: lines, last: last) }
}

/// One thing a person did, or did not, as the event says it.
///
/// What an entry needs depends on the habit's rule: `minutes`, a `level`, an `amount`, or nothing at all.
///
/// ```swift
/// var entry = Entry(habit: "running")
/// entry.minutes = 31
/// entry.km = 5.2
/// try await folder.append(.entry(entry), now: .now)
/// ```
public struct Entry: Sendable, Equatable {
  /// The habit's id.
  public var habit: Habit.ID
  /// From 0 to 1440.
  public var minutes: Thousandths?
  /// From 0 to 1000.
  public var km: Thousandths?
  /// From 0 to 1000, whole.
  public var sets: Int?
  /// From 0 to 100, whole.
  public var drinks: Int?
  /// From 0 to 1,000,000, of what the habit's sum counts.
  public var amount: Thousandths?
  /// The name of one of the rule's levels.
  public var level: LedgerText?
  /// Whether it was completed, for a habit that is either completed or failed.
  public var completed: Bool?
  /// What was done, such as `running`.
  public var activity: LedgerText?
  /// A text of the app's own.
  public var value: LedgerText?
  /// A text for people, in one line of at most 1,024 bytes.
  public var note: LedgerText?

  /// An entry of a habit, by the habit's id.
  public init(habit: String) {
    self.habit = habit
  }
}

extension Entry {
  /// Whether the entry has what a sum is of.
  package func has(_ measure: Measure) -> Bool { self[measure] != nil }

  /// What the entry has of a measure; each is one entry.
  package subscript(measure: Measure) -> Thousandths? {
    switch measure {
    case .entries: Thousandths(1)
    case .minutes: minutes
    case .km: km
    case .sets: sets.map { Thousandths($0) }
    case .drinks: drinks.map { Thousandths($0) }
    case .amount: amount
    }
  }
}

/// A daily reminder: when, and whether it is wanted.
package struct Reminder: BitwiseCopyable, Sendable, Equatable {
  package let time: ClockTime
  package let isEnabled: Bool
}
