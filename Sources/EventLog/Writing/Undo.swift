package import StreakDomain

/// The undo of a command: finds the command in the log, and creates the events that revert it.
///
/// For each event of the command, an event with the opposite effect is appended. An undo is a
/// command, too, so undoing an undo restores the original command. See time-travel.md, "What if,
/// and take it back".
package struct Undo {
  /// The drafts for the events that an undo of a command appends.
  package struct Reversal {
    package let command: [Event]
    package let drafts: [Draft]
    /// The drafts that move the ledger's today back.
    ///
    /// There are some if the command moved today past the current date. They are appended with
    /// `AppendOptions.correctsDay`.
    package let corrections: [Draft]
  }

  /// The batch of one command.
  struct Batch {
    let positions: [Int]
    /// The events of the command, without events that the store added, such as a change of day.
    var events: [Event] = []

    var last: Int { positions[positions.count - 1] }
    var isUndo: Bool { events.first?.isUndo ?? false }
  }

  package let log: FoldedLog
  package let ledger: Ledger
  /// All events that aren't entries, and the entries that an undo logged again, in stream order.
  private let events: [Event]
  private(set) var eventsByID: [String: Event] = [:]
  /// The ids of the events that deleted an entry or withdrew an excuse, by the id of the entry or
  /// excuse.
  private var removals: [String: [String]] = [:]
  /// The ids of the events that an undo appended, by the id of the event that they revert.
  private var recreatedEventIDs: [String: [String]] = [:]
  /// The ids of the `day.changed` events that moved the ledger to another time zone.
  private var moves: Set<String> = []
  /// The undos in stream order, by the last position of the batch that they revert.
  private var undos: [Int: [Batch]] = [:]
  /// The batch that each undo reverts, by the last position of the undo.
  private var revertedBatches: [Int: Batch] = [:]

  /// Creates an undo for the segment `writer`; reads the complete log, and doesn't take the lock
  /// itself.
  package init(_ stream: EventStream, writer: String) throws(Failure) {
    var events: [Event] = []
    log = try FoldedLog(stream, writer: writer) { event in
      if event.isUndo || event.payload.type != .entryLogged { events.append(event) }
    }
    ledger = log.ledger
    self.events = events

    var zone: String?
    for event in events {
      eventsByID[event.id] = event
      if let removed = event.payload.removed { removals[removed, default: []].append(event.id) }
      if event.isUndo, let cause = event.cause {
        recreatedEventIDs[cause, default: []].append(event.id)
      }

      guard [.ledgerOpened, .dayChanged].contains(event.payload.type) else { continue }
      if event.payload.type == .dayChanged, let zone, zone != event.zone { moves.insert(event.id) }
      zone = event.zone
    }
    try findUndos()
  }

  /// Fills `undos` and `revertedBatches`.
  private mutating func findUndos() throws(Failure) {
    var seen: Set<Int> = []
    for event in events where event.isUndo {
      guard let position = position(of: event.id), !seen.contains(position) else { continue }
      let batch = try batch(around: position)
      seen.formUnion(batch.positions)

      guard batch.isUndo, let cause = batch.events[0].cause,
        let causePosition = self.position(of: cause),
        case let target = try self.batch(around: causePosition), target.last < batch.positions[0],
        target.events.contains(where: { $0.id == cause })
      else { continue }
      revertedBatches[batch.last] = target
      undos[target.last, default: []].append(batch)
    }

    for last in undos.keys { undos[last]?.sort { $0.last < $1.last } }
  }

  package func position(of id: String) -> Int? { ledger.facts.position(of: id) }

  private func batch(around position: Int) throws(Failure) -> Batch {
    var batch = Batch(positions: Array(log.stream.batch(around: position)))
    var moved: [Event] = []
    try log.stream.eachEvent(at: batch.positions) { _, event in
      if !event.payload.staysTrue || event.payload.type == .dayCorrected && !event.isUndo {
        batch.events.append(event)
      }
      // These count as the command only if it has no other events.
      if moves.contains(event.id) || event.payload.type == .segmentDropped { moved.append(event) }
    }
    if batch.events.isEmpty { batch.events = moved }
    return batch
  }

  /// Returns the undo that reverts `batch` and isn't itself reverted, or `nil` if `batch` is in
  /// force.
  private func undo(of batch: Batch) -> Batch? { undos[batch.last]?.last { undo(of: $0) == nil } }

  /// Returns the last undo that restored `batch` by reverting an undo of it, or `batch` if it was
  /// never restored.
  private func latestRedo(of batch: Batch) -> Batch {
    var batch = batch
    while let reverted = undos[batch.last]?.last, let restoring = undo(of: reverted) {
      batch = restoring
    }
    return batch
  }

  /// Returns the original command that `batch` reverts or restores, or `batch` itself if it isn't
  /// an undo.
  private func root(of batch: Batch) -> Batch {
    var batch = batch
    while let target = revertedBatches[batch.last] { batch = target }
    return batch
  }

  /// Returns the last command in the writer's segment that is in force and isn't an undo.
  ///
  /// Only commands up to the position `end` are considered. The result is `nil` if there is none.
  /// Two kinds of steps are skipped. One only marks celebrations as seen, which the page records by
  /// itself. The other opens the ledger, and can't be undone.
  private func lastCommand(upTo end: Int) throws(Failure) -> Batch? {
    guard let ownSegment = log.stream.segments.firstIndex(of: Text(log.writer)) else { return nil }
    var end = end
    while let position = log.stream.position(in: ownSegment, upTo: end) {
      let batch = try batch(around: position)
      if batch.positions[0] == 1, case .ledgerOpened? = batch.events.first?.payload { return nil }
      let isCommand = batch.events.contains { $0.payload.type != .celebrationSeen }
      if isCommand, !batch.isUndo, undo(of: batch) == nil { return batch }
      end = batch.positions[0] - 1
    }
    return nil
  }

  private func lastCommand() throws(Failure) -> Batch {
    if let command = try lastCommand(upTo: ledger.position) { return command }

    let segments = log.stream.segments
    let what: Sentence =
      segments.contains(Text(log.writer))
      ? "no command left to undo"
      : "written nothing here\(Nearest.hint(log.writer, among: segments.strings))"
    throw Failure(
      .notFound, "there is nothing to undo: \(quoted(log.writer)) has \(what)",
      remedy: .program(
        "--writer names another writer, and `streaks undo EVENT` undoes the command of an event"))
  }

  /// Returns the command of the event `id`, or the writer's last command if `id` is `nil`.
  private func command(of id: String?) throws(Failure) -> Batch {
    guard let id else { return try lastCommand() }
    guard let position = position(of: id) else {
      throw Failure(.notFound, "there is no event \(quoted(id))")
    }

    // An id of any event of a step means the step, such as that of the new day before an entry.
    let batch = try batch(around: position)
    guard !batch.events.isEmpty else {
      throw Failure(
        .notFound, "\(Event.shortID(id)) only records a new day or another fact, which stays true",
        remedy: .program("`streaks why @\(position)` shows what it changed"))
    }

    guard let undo = undo(of: batch) else { return batch }
    throw Failure(
      .notFound, "the command of \(quoted(id)) is undone already",
      remedy: .program("`streaks undo \(Event.shortID(undo.events[0].id))` restores it"))
  }

  /// Returns the id of an event that the undo with the event `id` reverted.
  ///
  /// Returns `nil` if `id` isn't an event of an undo, or if that undo didn't revert the command of
  /// the event `requested`.
  package func cause(of id: String, _ requested: String?) throws(Failure) -> String? {
    guard let position = position(of: id), case let batch = try batch(around: position),
      let target = revertedBatches[batch.last],
      requested == nil
        || requested.flatMap(self.position(of:)).map(target.positions.contains) ?? false
    else { return nil }
    return batch.events[0].cause
  }

  /// Returns the events that revert the command of the event `id`, or the writer's last command if
  /// `id` is `nil`.
  ///
  /// If the command moved the ledger's today past `date`, the reversal corrects that. If the
  /// command can't be reverted, throws a failure with the reasons, in which `named` describes the
  /// events.
  package func reversal(
    of id: String?, date: Day?, named: (Event) -> String
  ) throws(Failure) -> Reversal {
    let batch = latestRedo(of: try command(of: id))
    let root = root(of: batch)
    let cancelled = cancelled(with: root)
    let others = events.filter { !cancelled.contains($0.id) }
    let batchIDs = Set(batch.events.map(\.id))
    let reverted = eventsOtherThanEntries(in: batch)

    // Entries and excuses are removed first, because a definition can be undone only if the habit
    // has no other entries.
    let entries = try reversal(ofEntriesIn: batch, cancelled: cancelled, date: date)
    var refusals = entries.refusals.map { (event: named($0.event), error: $0.error) }
    var drafts = entries.deletions
    for event in reverted where event.payload.excusedDays != nil {
      do throws(Failure) {
        drafts.append(undone(try withdrawal(of: event), cause: event.id))
      } catch {
        refusals.append((named(event), error))
      }
    }

    let withdrawn = Set(drafts.compactMap(\.event.payload.removed))
    for event in reverted where event.payload.excusedDays == nil {
      do throws(Failure) {
        try checkWithdrawal(by: event, batchIDs)
        drafts += try opposite(of: event, in: batch, others, without: withdrawn).map {
          undone($0, cause: event.id)
        }
      } catch {
        refusals.append((named(event), error))
      }
    }

    drafts += entries.loggedAgain
    guard refusals.isEmpty, !drafts.isEmpty else {
      let commandBefore = id == nil ? try remedy(before: batch, named) : nil
      throw refusals.isEmpty
        ? nothingToUndo(in: batch, commandBefore, named) : refused(refusals, commandBefore)
    }
    let positions = Set(root.positions + batch.positions)
    return Reversal(
      command: batch.events, drafts: drafts,
      corrections: date.map { corrections(of: positions, to: $0) } ?? [])
  }

  /// Returns the error for a command without effect, such as the deletion of an entry that another
  /// device had replaced by then.
  private func nothingToUndo(
    in batch: Batch, _ remedy: Remedy?, _ named: (Event) -> String
  ) -> Failure {
    let command = batch.events.map(named).prefix(3).joined(separator: ", ")
    return Failure(
      .notFound, "that command (\(command)) changed nothing that can be undone", remedy: remedy)
  }

  /// Returns the advice to undo the writer's last command before `batch`, or `nil` if there is
  /// none.
  private func remedy(before batch: Batch, _ named: (Event) -> String) throws(Failure) -> Remedy? {
    try lastCommand(upTo: batch.positions[0] - 1)?.events.last.map {
      .program("`streaks undo \(Event.shortID($0.id))` undoes the one before, \(named($0))")
    }
  }

  /// Returns the events of `batch` to revert that are neither entries nor deletions, the last one
  /// first.
  ///
  /// If one command excused days and withdrew that, there is nothing to undo.
  private func eventsOtherThanEntries(in batch: Batch) -> [Event] {
    let ids = Set(batch.events.map(\.id))
    let removed = Set(batch.events.compactMap(\.payload.removed))
    return batch.events.reversed().filter { event in
      let isOfEntry = event.payload.entry != nil || event.payload.type == .entryDeleted
      let isWithdrawn = removed.contains(event.id)
      return !isOfEntry && !isWithdrawn && !(event.payload.removed.map(ids.contains) ?? false)
    }
  }

  /// Returns the error for events that can't be reverted, with the advice `commandBefore` if they
  /// are of a kind that can never be.
  private func refused(
    _ refusals: [(event: String, error: Failure)], _ commandBefore: Remedy?
  ) -> Failure {
    let lines = refusals.map { "\($0.event): \($0.error.says)" }
    let isChanged = refusals.contains { $0.error.kind == .notRestored }
    guard isChanged else {
      let usual = commandBefore ?? .program("`streaks undo EVENT` undoes an earlier command")
      let remedies = refusals.compactMap(\.error.remedy) + [usual]
      let words = remedies.compactMap { $0.words(for: .program) }
      return Undo.refused(
        "is not possible", lines, .notFound, remedy: .program(words.joined(separator: "; ")))
    }

    let positions = refusals.compactMap { refusal -> Int? in
      if case .position(let position)? = refusal.error.detail { position } else { nil }
    }
    let last = positions.max().map { Event.shortID(ledger.facts.id(at: $0)) }
    let later = last.map { id in
      "undo the later steps first, the last one with `streaks undo \(id)`, or "
    }
    return Undo.refused(
      "would change what was done since", lines,
      remedy: .program(
        (later ?? "") + "take back single entries with `streaks delete`, and log what is missing"))
  }

  /// Returns the error for a refused undo, with the reasons in `lines`.
  package static func refused(
    _ says: String, _ lines: [String], _ kind: FailureKind = .notRestored, remedy: Remedy? = nil
  ) -> Failure {
    let shown = lines.prefix(3) + (lines.count > 3 ? ["and \(lines.count - 3) more"] : [])
    return Failure(
      kind, "undoing that \(says), so nothing was written:\n  \(shown.joined(separator: "\n  "))",
      remedy: remedy)
  }

  /// Returns the ids of the events of every undo, and of every command that is reverted after
  /// `root` is undone or restored.
  private func cancelled(with root: Batch) -> Set<String> {
    var batches = revertedBatches.values.filter {
      !$0.isUndo && $0.last != root.last && undo(of: $0) != nil
    }
    if undo(of: root) == nil { batches.append(root) }
    return Set((batches + undos.values.flatMap(\.self)).flatMap { $0.events.map(\.id) })
  }

  func undone(_ draft: Draft, cause: String) -> Draft {
    var draft = draft
    draft.event.by = Event.undoLabel
    draft.event.cause = cause
    return draft
  }

  func draft(_ payload: Payload, on day: Day? = nil) -> Draft {
    var draft = Draft(payload, command: "undo")
    draft.day = day
    return draft
  }

  /// Returns a draft for `day` with the payload of `event`, and with the fields that an app added
  /// to the event.
  func copy(of event: Event, on day: Day? = nil) -> Draft {
    var draft = draft(event.payload, on: day)
    draft.event.unknown = event.unknown
    return draft
  }

  /// Returns a draft that withdraws the excuse that `event` recorded.
  private func withdrawal(of event: Event) throws(Failure) -> Draft {
    let (standing, withdrawal) = standing(event.id)
    guard let standing else {
      throw changed(by: withdrawal ?? "another event", "took it back since")
    }
    // If the excuse restores a withdrawn one, it is withdrawn again for the same reason as before.
    let reason = event.isUndo ? event.cause.flatMap { eventsByID[$0]?.payload.reason } : "undone"
    return draft(.excuseWithdrawn(excuse: standing, reason: reason))
  }

  /// Returns drafts that revert `event`, which isn't an entry or an excuse.
  ///
  /// `others` are the events in force once the command of `batch` is undone, and `withdrawn` has
  /// the ids of the entries and excuses that the undo removes.
  private func opposite(
    of event: Event, in batch: Batch, _ others: [Event], without withdrawn: Set<String>
  ) throws(Failure) -> [Draft] {
    switch event.payload {
    case .excuseWithdrawn(let id, _):
      guard let excuse = eventsByID[id] else { throw Failure(.notFound, "there is no such excuse") }
      return [copy(of: excuse)]

    case .habitDefined(let definition):
      return try opposite(ofDefining: definition, event, in: batch, others, without: withdrawn)
    case .habitRetired(let habit):
      return try opposite(ofRetiring: habit, event, in: batch, others)

    case .reminderSet(let habit, let time, _):
      let former = others.last {
        if case .reminderSet(habit, _, _) = $0.payload { true } else { false }
      }
      guard let former else {
        return [draft(.reminderSet(habit: habit, time: time, enabled: false))]
      }
      try check(former.id, isBefore: batch)
      return [copy(of: former)]

    case .ledgerOpened(let dayStart, let weekStart) where position(of: event.id) != 1:
      return [try opposite(ofOpening: event, dayStart, weekStart, in: batch, others)]
    case .dayChanged:
      throw Failure(.notFound, "set the former zone again")
    case .dayCorrected:
      throw Failure(
        .notFound, "events of this type cannot be undone",
        remedy: .program(
          """
          if the day was right before, set the clock, then run `streaks day`; entries stay on \
          their days
          """))
    case .ledgerOpened, .segmentDropped, .eventRedacted, .celebrationSeen,
      .entryLogged, .entryDeleted, .daysExcused:
      throw Failure(.notFound, "events of this type cannot be undone")
    }
  }

  /// Returns a draft that restores the time and weekday at which days and weeks began.
  ///
  /// Only what `event` set is restored.
  private func opposite(
    ofOpening event: Event, _ dayStart: ClockTime?, _ weekStart: Weekday?, in batch: Batch,
    _ others: [Event]
  ) throws(Failure) -> Draft {
    let position = position(of: event.id) ?? 0
    let formerZone = events.last {
      [.ledgerOpened, .dayChanged].contains($0.payload.type)
        && self.position(of: $0.id) ?? 0 < position
    }?.zone
    guard event.zone == formerZone, dayStart != nil || weekStart != nil else {
      throw Failure(.notFound, "set the former zone again")
    }

    var former = StreamSettings()
    for other in others {
      guard case .ledgerOpened(let otherDayStart, let otherWeekStart) = other.payload else {
        continue
      }
      let setsSameDay = dayStart != nil && otherDayStart != nil
      let setsSameWeek = weekStart != nil && otherWeekStart != nil
      if setsSameDay || setsSameWeek { try check(other.id, isBefore: batch) }
      former.update(with: other, at: 0)
    }
    return draft(
      .ledgerOpened(
        dayStart: dayStart.map { _ in former.dayStart },
        weekStart: weekStart.map { _ in former.weekStart }))
  }

  func changed(by id: String, _ how: String) -> Failure {
    Failure(
      .notRestored, "\(Event.shortID(id)) \(how)", detail: position(of: id).map { .position($0) })
  }

  /// Throws if another command also withdrew the excuse that `event` withdrew.
  ///
  /// `batchIDs` contains the ids of the events in the command to undo.
  private func checkWithdrawal(by event: Event, _ batchIDs: Set<String>) throws(Failure) {
    guard let removed = event.payload.removed else { return }
    let other = removals[removed]?.first { !batchIDs.contains($0) }
    if let other { throw changed(by: other, "took it back, too") }
  }

  func check(_ id: String, isBefore batch: Batch) throws(Failure) {
    if let position = position(of: id), position > batch.positions[0] {
      throw changed(by: id, "changed it since")
    }
  }

  /// Returns the id of the excuse in force: `id` itself, or the copy of it that an undo recorded.
  ///
  /// If neither is in force, `removal` is the id of the event that last withdrew the excuse.
  private func standing(_ id: String) -> (id: String?, removal: String?) {
    var pending = [id]
    var seen: Set<String> = []
    var removal: String?
    while let next = pending.popLast() {
      guard seen.insert(next).inserted else { continue }
      guard let removals = removals[next] else { return (next, nil) }
      removal = removals.last
      let recreated = ([next] + removals).flatMap { recreatedEventIDs[$0] ?? [] }
      pending += recreated.filter { eventsByID[$0]?.payload.removed == nil }
    }
    return (nil, removal)
  }

  /// Returns drafts that move today back to `date`, if the events at `positions` moved it past
  /// `date`.
  private func corrections(of positions: Set<Int>, to date: Day) -> [Draft] {
    guard let today = ledger.today, today > date else { return [] }
    let movers = Set(ledger.facts.movers(beyond: date))
    return positions.sorted().map { ledger.facts.id(at: $0) }.filter(movers.contains).lines.map {
      moved in
      undone(draft(.dayCorrected(to: date, moved: moved, reason: nil)), cause: moved[0])
    }
  }
}
