import StreakDomain

/// The undo of entries and deletions: each key gets again what counted for it just before the step.
///
///     stream   1 log 5          2 log 12, replaces 1          3 undo of 2
///     key      held by 1        held by 2                     held by 3, with the content of 1
///
/// The entry that counted is logged again with the key, as of the same instant as the event that is
/// taken back. Therefore, if two devices undo the same step, it counts once. If nothing counted
/// before, the present entry is deleted.
extension Undo {
  /// The drafts that undo a step's entries and deletions.
  struct EntryReversal {
    fileprivate(set) var deletions: [Draft] = []
    fileprivate(set) var loggedAgain: [Draft] = []
    /// The events that can't be reverted, each with the reason.
    fileprivate(set) var refusals: [(event: Event, error: Failure)] = []
  }

  /// Returns the drafts that undo the entries and deletions of `batch`.
  ///
  /// `cancelled` are the ids of the events of undos and of the commands that they reverted, which
  /// don't count as changes since the step. `date` is the current date.
  func reversal(
    ofEntriesIn batch: Batch, cancelled: Set<String>, date: Day?
  ) throws(Failure) -> EntryReversal {
    let own = Set(batch.positions)
    let ignored = Set(cancelled.compactMap { position(of: $0) }).subtracting(own)
    let histories = try keyHistories(in: batch)
    var reversal = EntryReversal()
    // The positions of the entries to log again.
    var restored: [Int: KeyHistory] = [:]

    for history in histories {
      let before = history.state(after: batch.positions[0] - 1)
      let after = history.state(after: batch.last)
      let now = history.state(after: ledger.position)
      guard let after, let now, before != after else { continue }
      if let error = change(of: history, since: batch, ignoring: ignored) {
        reversal.refusals.append((history.event, error))
      } else if let before, !before.isDeleted {
        restored[before.position] = history
      } else if !now.isDeleted {
        reversal.deletions.append(deletion(of: now, by: history.event))
      }
    }

    try log.stream.eachEvent(at: restored.keys.sorted()) { position, event in
      guard let history = restored[position], var entry = event.payload.entry else { return }
      entry.key = history.key
      entry.asOf = history.asOf
      var draft = copy(of: event, on: event.day)
      draft.event.payload = .entryLogged(entry)
      draft.at = event.at
      // An imported record of today without a time is at noon, even before noon.
      draft.isOfDay = date.map { event.day <= $0 } ?? false
      draft.zone = event.zone
      reversal.loggedAgain.append(undone(draft, cause: history.event.id))
    }
    return reversal
  }

  /// Returns an error if an event other than those at `ignored` changed the key's state since
  /// `batch`.
  private func change(
    of history: KeyHistory, since batch: Batch, ignoring ignored: Set<Int>
  ) -> Failure? {
    let history = history.without(ignored)
    let after = history.state(after: batch.last)
    guard let now = history.state(after: ledger.position), now != after else { return nil }
    guard now.position == after?.position else {
      return changed(by: ledger.facts.id(at: now.position), "replaced it since")
    }
    let removal = history.deletions.last { $0.entry == now.position }
    return changed(
      by: removal.map { ledger.facts.id(at: $0.position) } ?? "another event", "took it back since")
  }

  private func deletion(of state: KeyHistory.State, by event: Event) -> Draft {
    // If the entry restores a deleted one, it is deleted again for the same reason as before.
    let reason = event.isUndo ? event.cause.flatMap { eventsByID[$0]?.payload.reason } : "undone"
    let id = ledger.facts.id(at: state.position)
    return undone(draft(.entryDeleted(entry: id, reason: reason)), cause: event.id)
  }
}

/// The history of one key: the entries that belong to it, and their deletions.
private struct KeyHistory {
  let key: String
  /// The last event of the step to undo that changed the key.
  fileprivate(set) var event: Event
  fileprivate(set) var entries: [Member] = []
  fileprivate(set) var deletions: [(position: Int, entry: Int)] = []

  /// An entry that has the key, or whose id is the key; `asOf` is `nil` for the latter.
  struct Member {
    let position: Int
    let asOf: Instant?
    /// Whether the entry was there before the step, although a wrong clock stamped it later.
    let wasBefore: Bool
  }

  /// The entry that holds the key, or the one whose id is the key if no entry has it.
  struct State: Equatable {
    let position: Int
    let isDeleted: Bool
  }

  /// Returns the state of the key after the event at `position`, or `nil` if there was no entry.
  func state(after position: Int) -> State? {
    let entries = entries.filter { $0.position <= position || $0.wasBefore }
    // An entry without a key is as of no instant, so any that has the key holds it instead.
    let holder = entries.max { one, other in
      let never = Instant(microseconds: Int64.min)
      return (one.asOf ?? never, one.position) < (other.asOf ?? never, other.position)
    }
    guard let current = holder else { return nil }
    let isDeleted = deletions.contains {
      $0.entry == current.position && $0.position <= position
    }
    return State(position: current.position, isDeleted: isDeleted)
  }

  /// Returns the history without the events at `positions`.
  ///
  /// If one of them was an entry that held the key and was deleted, the deletion then applies to
  /// the entry that holds the key without it.
  func without(_ positions: Set<Int>) -> KeyHistory {
    var history = self
    history.entries.removeAll { positions.contains($0.position) }
    history.deletions = deletions.compactMap { deletion in
      guard !positions.contains(deletion.position) else { return nil }
      guard positions.contains(deletion.entry) else { return deletion }
      guard state(after: deletion.position)?.position == deletion.entry else { return nil }
      let restored = history.state(after: deletion.position)
      return restored.map { (deletion.position, $0.position) }
    }
    return history
  }

  /// The `asOf` of the entry that the undo logs again.
  ///
  /// It is that of the event to undo: its `asOf`, or else its `recorded`. If an entry of the key
  /// has a later `asOf`, it is the latest of these.
  var asOf: Instant {
    let own = event.payload.entry?.asOf ?? event.recorded
    return max(own, entries.compactMap(\.asOf).max() ?? own)
  }
}

extension Undo {
  /// Returns the histories of the keys that the entries and deletions in `batch` concern.
  ///
  /// They are in the order of the batch, the last first.
  private func keyHistories(in batch: Batch) throws(Failure) -> [KeyHistory] {
    var histories: [KeyHistory] = []
    // The index in `histories` for each key, which is identified by the position of its first
    // entry.
    var numbers: [Int: Int] = [:]

    let logged = Set(batch.events.filter { $0.payload.entry != nil }.map(\.id))
    for event in batch.events.reversed() {
      // If the step deletes an entry that it logged itself, only the logging is considered.
      if let removed = event.payload.removed, logged.contains(removed) { continue }
      let named = event.payload.entry == nil ? event.payload.removed : event.id
      guard let named, let position = position(of: named),
        let key = ledger.facts.key(ofEntryAt: position), numbers[key.first] == nil
      else { continue }
      numbers[key.first] = histories.count
      histories.append(KeyHistory(key: key.text, event: event))
    }

    var numbersByPosition: [Int: Int] = [:]
    for (position, first) in ledger.facts.firstEntriesOfKeys(in: Set(numbers.keys)) {
      numbersByPosition[position] = numbers[first]
    }
    try log.stream.eachEvent(at: numbersByPosition.keys.sorted()) { position, event in
      guard let number = numbersByPosition[position], let entry = event.payload.entry else {
        return
      }
      let step = histories[number].event
      let asOf = entry.key == nil ? nil : entry.asOf ?? event.recorded
      let wasBefore = position > batch.last && step.deletesOrReplaces(event, asOf: asOf)
      histories[number].entries.append(
        KeyHistory.Member(position: position, asOf: asOf, wasBefore: wasBefore))
    }
    for (deletion, entry) in ledger.facts.deletions(ofEntriesAt: Set(numbersByPosition.keys)) {
      guard let number = numbersByPosition[entry] else { continue }
      histories[number].deletions.append((deletion, entry))
    }
    return histories
  }
}

extension Event {
  /// Whether the event deleted or replaced `entry`, although a wrong clock placed `entry` later in
  /// the stream.
  ///
  /// `asOf` is the instant of `entry`, or `nil` if `entry` has no key. A new entry gets the `asOf`
  /// of the entry that it replaces if that is in the future. So an `asOf` in the future shows that
  /// the event replaced an entry.
  fileprivate func deletesOrReplaces(_ entry: Event, asOf: Instant?) -> Bool {
    guard let asOf else { return entry.at.instant <= recorded }
    guard let own = payload.entry?.asOf else { return payload.removed == entry.id }
    return own > recorded + AppendOptions.mostAhead && own >= asOf
  }
}
