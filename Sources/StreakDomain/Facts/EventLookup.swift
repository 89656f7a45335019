/// Lookups of events: positions, ids, and what became of them.
extension Facts {
  /// The number of events in the stream so far.
  @inline(__always)
  package var position: Int { index.count }

  /// The current time zone, or `nil` before the first `ledger.opened` or `day.changed`.
  package var zone: String? { settings.zone }

  /// Returns the time zone after the event at `position`, or the first one if there was none yet.
  package func zone(at position: Int) -> String? { settings.zone(at: position) }

  /// The time of day at which days begin.
  package var dayStart: ClockTime { settings.dayStart }

  /// The positions of the `ledger.opened` events, in ascending order.
  package var openings: [Int] { settings.openings }

  /// The weekday on which weeks begin.
  package var weekStart: Weekday { settings.weekStart }

  /// Today according to the events (domain.md, "Time"), but never after the cutoff.
  ///
  /// The value is `nil` before the first event that sets today.
  @inline(__always)
  package var today: Day? { clock.day }

  /// The last day that the ledger includes, or `nil` if it includes all days.
  var cutoff: Day? { clock.cutoff }

  package func id(at position: Int) -> String { index.key(at: position).text(names) }

  package func ids(of entries: [EntryFact]) -> [String] {
    entries.map { id(at: Int($0.position)) }
  }

  package func position(of id: String) -> Int? {
    EventKey.find(id, names: names).flatMap { position(of: $0) }
  }

  @inline(__always)
  package func position(of key: EventKey) -> Int? { index.position(of: key) }

  /// The ids of all events with their positions.
  package var eventIndex: EventIndex { index }

  /// The present state of an event: absent, in force, or removed by another event.
  package enum Fate: Equatable, Sendable {
    /// An id that no event has.
    case absent
    case standing
    /// A deleted entry or a withdrawn excuse.
    case deleted
    /// An entry whose key another entry holds; either of the two may be deleted.
    case replaced(by: String)
  }

  package func fate(of id: String) -> Fate {
    EventKey.find(id, names: names).map { fate(of: $0) } ?? .absent
  }

  package func fate(of key: EventKey) -> Fate {
    guard let position = position(of: key) else { return .absent }
    if let successor = replacement(ofEntryAt: position) { return .replaced(by: id(at: successor)) }
    if let entry = entryOffset(at: position) {
      return entries[entry].isDeleted ? .deleted : .standing
    }
    let isWithdrawn = excuses.contains { $0.key == key && $0.isWithdrawn }
    return isWithdrawn ? .deleted : .standing
  }

  package var hasUndone: Bool { !journal.undos.isEmpty }

  /// Returns the habits whose runs the event at `position` can change.
  func habits(targetedByEventAt position: Int) -> [Int] {
    if let ofEntry = habit(ofEntryAt: position) { return [ofEntry] }

    switch journal.target(ofEventAt: position) {
    case nil: return []
    case .habit(let habit): return [habit]
    case .entry(let key):
      let target = index.position(of: key).flatMap { habit(ofEntryAt: $0) }
      return target.map { [$0] } ?? []
    case .excuse(let key):
      guard let excuse = excuses.first(where: { $0.key == key }) else { return [] }
      return excuse.habits ?? Array(habits.indices)
    }
  }

  /// Returns the habit of the entry at `position`, or `nil` if the event there isn't an entry.
  ///
  /// The day of the entry may be after the cutoff.
  private func habit(ofEntryAt position: Int) -> Int? {
    if let entry = entryOffset(at: position) { return habitIndex(of: entries[entry]) }
    return entriesAfterCutoff[index.key(at: position)]?.habit
  }

  /// The positions of all events that are reverted, and of the events that revert them.
  ///
  /// Undos revert events, and corrections of today revert events that moved today by a wrong clock.
  /// An undo that was undone itself reverts nothing.
  private var revertedPositions: Set<Int> {
    positionsOfClocks.union(undosInForce.flatMap { [$0.undone, $0.undo] })
  }

  /// Whether a `day.corrected` names an event.
  package var hasCorrectedMoves: Bool { !clock.ignoredEvents.isEmpty }

  /// The positions of the events that moved today by a wrong clock, and of the corrections.
  private var positionsOfClocks: Set<Int> {
    Set(clock.revokedPositions(upTo: position).map(\.lowerBound) + clock.corrections)
  }

  /// Returns the positions of all corrections of today if one of them names an event at
  /// `positions`.
  ///
  /// Otherwise, the result is empty.
  package func corrections(ofEventsAt positions: [Int]) -> [Int] {
    let isNamed = positions.contains { clock.ignoredEvents.contains(index.key(at: $0)) }
    return isNamed ? clock.corrections : []
  }

  /// The positions of the undos in force, each with that of an event that it undid.
  package var undosInForce: [(undone: Int, undo: Int)] {
    var reverted = positionsOfClocks
    var inForce: [(undone: Int, undo: Int)] = []
    // An undo that was undone itself reverts nothing, and later undos come later in the stream.
    for undo in journal.undos.reversed() where !reverted.contains(undo.position) {
      guard let start = position(of: undo.cause), start < undo.position else { continue }
      reverted.formUnion([start, undo.position])
      inForce.append((undone: start, undo: undo.position))
    }
    return inForce
  }

  /// Whether the entry or excuse of the event `id` is deleted or withdrawn.
  ///
  /// A deletion that was undone doesn't count.
  package func isGone(_ id: String) -> Bool {
    guard fate(of: id) == .deleted, let position = position(of: id) else { return false }
    let deletions = deletions(ofEntriesAt: [position]).map(\.deletion)
    return deletions.isEmpty || !revertedPositions.isSuperset(of: deletions)
  }

  // MARK: Today

  /// The position of the event that set the ledger's today, or `nil` if there is none.
  package var todaysPosition: Int? { clock.changes.last?.key.flatMap { position(of: $0) } }

  /// The id of the event that set the ledger's today, or `nil` if there is none.
  package var todaysEvent: String? { todaysPosition.map { id(at: $0) } }

  /// Returns the ids of the events that move today past `day`, in stream order.
  ///
  /// Events that a `day.corrected` names aren't included.
  package func movers(beyond day: Day) -> [String] {
    let entries = entries.filter { $0.day > day }.map { Int($0.position) }
    let others = clock.candidates.filter { $0.day > day }.map(\.position)
    let keys = (entries + others).sorted().map { index.key(at: $0) }
    return keys.filter { !clock.ignoredEvents.contains($0) }.map { $0.text(names) }
  }

  /// Returns the day to which the event `eventID` moves the ledger's today, or `nil` if the event
  /// doesn't move today.
  package func dayReached(by eventID: String) -> Day? {
    guard let position = position(of: eventID) else { return nil }
    if let entry = fact(ofEntryAt: position) { return entry.day }
    let next = clock.candidates.partitioningIndex { $0.position >= position }
    guard next < clock.candidates.count, clock.candidates[next].position == position else {
      return nil
    }
    return clock.candidates[next].day
  }
}

extension TodayFacts {
  /// Returns the ranges of positions at which a wrong clock had set today.
  ///
  /// There, today came from an event that a `day.corrected` names. The correction may come later.
  /// The last range ends before `end` at the latest.
  func revokedPositions(upTo end: Int) -> [Range<Int>] {
    changes.enumerated().compactMap { index, change in
      let next = index + 1 < changes.count ? changes[index + 1].position : end
      guard let key = change.key, ignoredEvents.contains(key), change.position < next else {
        return nil
      }
      return change.position..<next
    }
  }
}
