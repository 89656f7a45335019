/// The past events to which an undo or a `day.corrected` can refer; entries are stored in
/// `Ledger.entries` instead.
struct EventJournal: Sendable {
  /// The habit, entry or excuse that an event is about.
  enum Target: Sendable {
    /// The index of the habit that the event defines or retires.
    case habit(Int)
    case entry(EventKey)
    case excuse(EventKey)
  }

  /// The habit, entry or excuse that each event is about, by the event's position.
  ///
  /// Events that log an entry aren't included.
  private var targets: [Int: Target] = [:]
  /// The events that can move the ledger's today, each with the day to which it moves today.
  ///
  /// The entries in `Ledger.entries` can move today, too, but aren't included.
  var todayCandidates: [(position: Int, day: Day, key: EventKey)] = []
  /// The positions at which today changed, each with the key of the event that determines today
  /// from there on.
  ///
  /// The key is `nil` if a `day.corrected` excluded all events that set today.
  var todayChanges: [(position: Int, key: EventKey?)] = []
  /// The events named by a `day.corrected`, which don't move today, even if they come later in the
  /// stream.
  var ignoredEvents: Set<EventKey> = []
  /// Whether `ignoredEvents` has grown since the best run histories were last updated.
  var hasNewIgnoredEvents = false
  /// The events that were undone, each with the position of its undo.
  private(set) var undos: [(cause: EventKey, position: Int)] = []
  /// The indexes in `undos` of the undos that the best run histories don't take into account yet.
  var newUndos = 0..<0
  /// The `day.changed` to which an excuse in the next event belongs, or `nil` if there is none.
  ///
  /// If a new time zone skips days, a `day.changed` is directly followed by excuses for these days,
  /// in the same batch.
  var openDayChange: EventKey?

  mutating func setTarget(_ target: Target, ofEventAt position: Int) { targets[position] = target }

  func target(ofEventAt position: Int) -> Target? { targets[position] }

  /// Returns the positions of the events that deleted the entries with the given keys, in ascending
  /// order.
  func deletions(of entries: Set<EventKey>) -> [Int] {
    targets.compactMap { position, target in
      if case .entry(let key) = target, entries.contains(key) { position } else { nil }
    }.sorted()
  }

  mutating func addUndo(of cause: EventKey, at position: Int) {
    undos.append((cause, position))
    newUndos = (newUndos.isEmpty ? undos.count - 1 : newUndos.lowerBound)..<undos.count
  }

  /// Marks all undos as new, because the entry or excuse that an undone event removed may arrive
  /// after the undo.
  mutating func processUndosAgain() { newUndos = 0..<undos.count }
}

/// The keys of the deleted entries and withdrawn excuses that haven't been read yet.
struct PendingEvents: Sendable {
  var deletions: Set<EventKey> = []
  var withdrawals: Set<EventKey> = []
}

/// The data of one `days.excused` event.
package struct Excuse: Sendable {
  let key: EventKey
  let position: Int
  package let span: ClosedRange<Day>
  /// The indexes of the excused habits, or `nil` for all habits.
  let habits: [Int]?
  let reason: Text?
  /// The `day.changed` of the same batch whose new time zone skipped the days, or `nil` if there is
  /// none.
  ///
  /// The excuse isn't in force if a `day.corrected` names this `day.changed`.
  let dayChange: EventKey?
  /// Whether an `excuse.withdrawn` names the excuse; never true if `isOfZone` is true.
  package internal(set) var isWithdrawn = false

  /// Whether the excuse is for days that a change of time zone skipped, so that it can't be
  /// withdrawn.
  package var isOfZone: Bool { reason == "zone" }
}
