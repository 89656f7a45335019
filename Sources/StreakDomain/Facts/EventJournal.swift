/// The past events to which an undo or a deletion can refer; entries are stored in `Facts.entries`.
struct EventJournal: Sendable {
  /// The habit, entry or excuse that an event is about.
  enum Target: Sendable {
    /// The index of the habit that the event defines or retires.
    case habit(Int)
    case entry(EventKey)
    case excuse(EventKey)
  }

  /// An event that an undo appended.
  struct Undo: Sendable {
    /// The event that it reverts.
    let cause: EventKey
    let position: Int
    /// The last position of the undo's step.
    fileprivate(set) var stepEnd: Int
  }

  /// The habit, entry or excuse that each event is about, by the event's position.
  ///
  /// Events that log an entry aren't included.
  private var targets: [Int: Target] = [:]
  /// The undos in stream order.
  private(set) var undos: [Undo] = []
  /// The keys of entries whose deletion was read, but that haven't arrived themselves.
  private var expectedDeletions: Set<EventKey> = []
  /// The keys of excuses whose withdrawal was read, but that haven't arrived themselves.
  private var expectedWithdrawals: Set<EventKey> = []

  mutating func setTarget(_ target: Target, ofEventAt position: Int) { targets[position] = target }

  func target(ofEventAt position: Int) -> Target? { targets[position] }

  /// Returns the positions of the deletions of `entries` in ascending order, each with the position
  /// of the deleted entry.
  ///
  /// `entries` contains the position of each entry, by the key of the entry's id.
  func deletions(of entries: [EventKey: Int]) -> [(deletion: Int, entry: Int)] {
    targets.compactMap { position, target in
      guard case .entry(let key) = target else { return nil }
      return entries[key].map { (position, $0) }
    }.sorted { $0.deletion < $1.deletion }
  }

  mutating func addUndo(of cause: EventKey, at position: Int) {
    undos.append(Undo(cause: cause, position: position, stepEnd: position))
  }

  /// Stores `end` as the end of the step that has just ended.
  ///
  /// It is stored in the undos of that step, which come after `stepEnd`, the end of the step
  /// before.
  mutating func raiseUndos(after stepEnd: Int, to end: Int) {
    for index in undos.indices.reversed() {
      guard undos[index].position > stepEnd else { return }
      undos[index].stepEnd = end
    }
  }

  mutating func expectDeletion(of entry: EventKey) { expectedDeletions.insert(entry) }

  mutating func expectWithdrawal(of excuse: EventKey) { expectedWithdrawals.insert(excuse) }

  /// Whether an earlier event of the stream deleted the entry that arrives now.
  @inline(__always)
  mutating func isDeletedBeforeArrival(_ entry: EventKey) -> Bool {
    !expectedDeletions.isEmpty && expectedDeletions.remove(entry) != nil
  }

  mutating func isWithdrawnBeforeArrival(_ excuse: EventKey) -> Bool {
    expectedWithdrawals.remove(excuse) != nil
  }
}
