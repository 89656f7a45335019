/// The past events to which an undo or a `day.corrected` can refer, except entries, which are in `Ledger.entries`.
struct EventJournal: Sendable {
  /// The object of an event other than an entry.
  enum Target: Sendable {
    /// The index of the habit that the event defines or retires.
    case habit(Int)
    /// The entry that the event deletes.
    case entry(EventKey)
    /// The excuse that the event adds or withdraws.
    case excuse(EventKey)
  }

  /// The target of each event that isn't an entry, by the event's position.
  private var targets: [Int: Target] = [:]
  /// The days that events other than stored entries propose as today.
  var todayCandidates: [(position: Int, day: Day, key: EventKey)] = []
  /// The changes of today: the position from which each applies, and the event that set the day.
  ///
  /// The event is `nil` if a `day.corrected` left none that sets today.
  var todayChanges: [(position: Int, key: EventKey?)] = []
  /// The events named by a `day.corrected`, which don't move today, even if they follow it in the stream.
  var ignoredEvents: Set<EventKey> = []
  /// Whether `ignoredEvents` has grown since the best run histories were last updated.
  var hasNewIgnoredEvents = false
  /// The events that were undone, each with the position of its undo.
  private(set) var undos: [(cause: EventKey, position: Int)] = []
  /// The indexes of the undos whose states aren't excluded from the best run histories yet.
  var newUndos = 0..<0
  /// The `day.changed` of the current batch if only excuses of skipped days followed it, or `nil`.
  var openDayChange: EventKey?

  mutating func setTarget(_ target: Target, ofEventAt position: Int) { targets[position] = target }

  func target(ofEventAt position: Int) -> Target? { targets[position] }

  /// Returns the positions of the events that deleted the entries with the given keys, in ascending order.
  func deletions(of entries: Set<EventKey>) -> [Int] {
    targets.compactMap { position, target in
      if case .entry(let key) = target, entries.contains(key) { position } else { nil }
    }.sorted()
  }

  mutating func addUndo(of cause: EventKey, at position: Int) {
    undos.append((cause, position))
    newUndos = (newUndos.isEmpty ? undos.count - 1 : newUndos.lowerBound)..<undos.count
  }

  /// Excludes the states of all undos again after the current event.
  ///
  /// This is necessary when the entry of an undone deletion, or the excuse of an undone withdrawal, arrives after the
  /// undo. Only then are the affected habits known.
  mutating func processUndosAgain() { newUndos = 0..<undos.count }
}

/// Events that refer to something not read yet.
struct PendingEvents: Sendable {
  /// The deleted entries that haven't been read yet.
  var deletions: Set<EventKey> = []
  /// The withdrawn excuses that haven't been read yet.
  var withdrawals: Set<EventKey> = []
}

/// The content of one `days.excused`.
package struct Excuse: Sendable {
  let key: EventKey
  let position: Int
  package let span: ClosedRange<Day>
  /// The indexes of the excused habits, or `nil` for all habits.
  let habits: [Int]?
  let reason: Text?
  /// The `day.changed` of the same command if a change of time zone skipped the days, or `nil` for other excuses.
  ///
  /// The excuse isn't in force once a `day.corrected` names that event.
  let dayChange: EventKey?
  /// Whether an `excuse.withdrawn` names the excuse; never true if `isOfZone`.
  package internal(set) var isWithdrawn = false

  /// Whether a change of time zone skipped the days, so that the excuse can't be withdrawn.
  package var isOfZone: Bool { reason == "zone" }
}
