package import EventLog
package import StreakDomain

/// Finds a command in a log and makes the events that revert it (time-travel.md, "What if, and take it back").
///
/// Nothing is removed from the log: for each event of the command its opposite is appended. An undo is a command like
/// any other, so reverting it restores what it reverted.
package struct Undo {
  /// The events that revert a command.
  package struct Reversal {
    /// The events of the command, in the order of the log.
    package let command: [Event]
    package let drafts: [Draft]
    /// Takes today back to the date of now if the command moved it ahead, by a wrong clock.
    package let corrections: [Draft]
  }

  /// The events that were appended together.
  private struct Batch {
    let positions: [Int]
    /// The events of the command, without those that the store added.
    var events: [Event] = []

    var last: Int { positions[positions.count - 1] }
    var isUndo: Bool { events.first?.isUndo ?? false }
  }

  private enum Opposite {
    case events([Draft])
    /// No opposite, for a reason.
    case none(String)
    /// No opposite any more, because of a later event.
    case changed(String)
  }

  package let log: FoldedLog
  package let ledger: Ledger
  /// Whether messages name commands that help.
  private let namesCommands: Bool
  /// All events but plain entries, in the order of the stream.
  private let events: [Event]
  private var indices: [String: Int] = [:]
  /// The events that took an entry or excuse back, by its id.
  private var removals: [String: [String]] = [:]
  /// The entries and excuses that an undo gave again, by the event that it reverted.
  private var again: [String: [String]] = [:]
  /// The positions of days that somebody began in another time zone.
  private var moves: Set<Int> = []
  /// The batches that revert a batch, by the last position of the reverted one.
  private var undos: [Int: [Batch]] = [:]
  /// The batch that each undo reverted.
  ///
  /// The key is the last position of the undo's own batch.
  private var targets: [Int: Batch] = [:]

  /// Reads the log without the lock; O(bytes).
  ///
  /// `writer` names the segment that the reversal is meant for.
  package init(_ stream: EventStream, writer: String, namesCommands: Bool = true) throws(Failure) {
    var events: [Event] = []
    let log = try FoldedLog(stream, writer: writer) { event, _ in
      if event.isUndo || event.payload.type != .entryLogged { events.append(event) }
    }
    ledger = log.ledger
    (self.log, self.events, self.namesCommands) = (log, events, namesCommands)
    var (zone, zones): (String?, [Int: String]) = (nil, [:])
    for (index, event) in events.enumerated() {
      indices[event.id] = index
      if let removed = event.payload.removed { removals[removed, default: []].append(event.id) }
      if event.isUndo, let cause = event.cause { again[cause, default: []].append(event.id) }
      guard [.ledgerOpened, .dayChanged].contains(event.payload.type), let position = position(of: event.id)
      else { continue }
      let before = zones.updateValue(event.zone, forKey: log.stream.segment(at: position))
      if event.payload.type == .dayChanged, let before, before != event.zone, zone != event.zone {
        moves.insert(position)
      }
      zone = event.zone
    }
    try findUndos()
  }

  private mutating func findUndos() throws(Failure) {
    var seen: Set<Int> = []
    for event in events where event.isUndo {
      guard let position = position(of: event.id), !seen.contains(position) else { continue }
      let batch = try batch(around: position)
      seen.formUnion(batch.positions)
      guard batch.isUndo, let cause = batch.events[0].cause, let place = self.position(of: cause) else {
        continue
      }
      let target = try self.batch(around: place)
      guard target.last != batch.last, target.events.contains(where: { $0.id == cause }) else { continue }
      targets[batch.last] = target
      undos[target.last, default: []].append(batch)
    }
    for last in undos.keys { undos[last]?.sort { $0.last < $1.last } }
  }

  package func position(of id: String) -> Int? { log.ledger.position(of: id) }

  private func event(_ id: String) -> Event? { indices[id].map { events[$0] } }

  private func batch(around position: Int) throws(Failure) -> Batch {
    var batch = Batch(positions: try log.stream.batch(around: position))
    func read(_ positions: [Int], where isOfCommand: (Event) -> Bool) throws(Failure) {
      try log.stream.eachEvent(at: positions) { if isOfCommand($1) { batch.events.append($1) } }
    }
    try read(batch.positions) { event in
      !event.payload.staysTrue || event.payload.type == .dayCorrected && !event.isUndo
    }
    if batch.events.isEmpty { try read(batch.positions.filter(moves.contains)) { _ in true } }
    return batch
  }

  /// The undo of a batch that is not itself reverted; `nil` if the batch is in force.
  private func undo(of batch: Batch, _ seen: Set<Int> = []) -> Batch? {
    // Causes in a circle end.
    let seen = seen.union([batch.last])
    return undos[batch.last]?.last { !seen.contains($0.last) && undo(of: $0, seen) == nil }
  }

  /// The batch whose reversal reverts a command that is in force: the last that restored it, or itself.
  private func restored(_ batch: Batch) -> Batch {
    var batch = batch
    for _ in targets {
      guard let reverted = undos[batch.last]?.last, let restoring = undo(of: reverted) else { break }
      batch = restoring
    }
    return batch
  }

  /// The command that a batch reverts or restores in the end.
  private func root(of batch: Batch) -> Batch {
    var batch = batch
    for _ in targets { if let target = targets[batch.last] { batch = target } }
    return batch
  }

  /// The last command of the writer up to a position that is in force; `nil` if there is none.
  private func lastCommand(upTo position: Int) throws(Failure) -> Batch? {
    guard let own = log.stream.segments.firstIndex(of: Text(log.writer)) else { return nil }
    var end = position
    while let position = log.stream.position(in: own, upTo: end) {
      let batch = try batch(around: position)
      if !batch.events.isEmpty, !batch.isUndo, undo(of: batch) == nil { return batch }
      end = batch.positions[0] - 1
    }
    return nil
  }

  /// The failure if this writer has no command left to undo.
  private var nothingToUndo: Failure {
    let segments = log.stream.segments
    let says: Sentence =
      segments.contains(Text(log.writer))
      ? "there is nothing to undo: \(quoted(log.writer)) has no command left to undo"
      : "there is nothing to undo: \(quoted(log.writer)) has no segment here\(Nearest.hint(log.writer, among: segments.strings))"
    return Failure(
      .notFound, says,
      remedy: "--writer names another writer, and `streaks undo EVENT` undoes the command of an event")
  }

  private func command(of id: String) throws(Failure) -> Batch {
    guard let position = position(of: id), case let batch = try batch(around: position),
      batch.events.contains(where: { $0.id == id })
    else { throw Failure(.notFound, "there is no command with an event \(quoted(id)) to undo") }
    if let undo = undo(of: batch) {
      throw Failure(
        .notFound, "the command of \(quoted(id)) is undone already",
        remedy: "`streaks undo \(Event.shortID(undo.events[0].id))` restores it")
    }
    return restored(batch)
  }

  /// The event that an earlier undo with the id `id` reverted, if `asked` is of the same command.
  package func cause(of id: String, _ asked: String?) throws(Failure) -> String? {
    guard let position = position(of: id), case let batch = try batch(around: position),
      let target = targets[batch.last]
    else { return nil }
    return asked.map { asked in target.events.contains { $0.id == asked } } ?? true
      ? batch.events[0].cause : nil
  }

  /// An event of the command in force that took all these entries back; `nil` if no single command did.
  package func removal(of entries: Set<String>) throws(Failure) -> String? {
    guard let removal = entries.first.flatMap({ removals[$0]?.last }), let position = position(of: removal),
      case let batch = try batch(around: position), undo(of: batch) == nil
    else { return nil }
    return entries.isSubset(of: batch.events.compactMap(\.payload.removed)) ? removal : nil
  }

  /// The reversal of the command of an event, or of the writer's last command.
  ///
  /// `date` is the date of now. `named` has the words for an event in a message.
  package func reversal(
    of id: String?, date: Day?, named: (Event) -> String
  ) throws(Failure) -> Reversal {
    let last = id == nil ? try lastCommand(upTo: log.ledger.position) : nil
    guard let batch = try id.map({ (id) throws(Failure) in try command(of: id) }) ?? last.map(restored) else {
      throw nothingToUndo
    }
    let root = root(of: batch)
    let cancelled = cancelled(with: root)
    var fold = Ledger()
    var reminders: [String: Event] = [:]
    for event in events where !cancelled.contains(event.id) {
      switch event.payload {
      case .ledgerOpened, .habitDefined, .habitRetired: fold.apply(event)
      case .reminderSet(let habit, _, _): reminders[habit] = event
      default: break
      }
    }
    let wanted = fold
    let own = Set(batch.events.map(\.id))
    let removed = Set(batch.events.compactMap(\.payload.removed))
    var drafts: [Draft] = []
    var deleted: [String: String] = [:]
    var (lost, changed): ([String], [String]) = ([], [])
    for event in batch.events.reversed() {
      // An entry that was logged and deleted in one command leaves nothing to undo.
      if removed.contains(event.id) || event.payload.removed.map(own.contains) ?? false { continue }
      switch opposite(of: event, in: batch, wanted, reminders) {
      case .none(let reason): lost.append("\(named(event)): \(reason)")
      case .changed(let reason): changed.append("\(named(event)): \(reason)")
      case .events(let made): drafts += made.map { undone($0, cause: event.id) }
      }
      if case .entryDeleted(let entry, _) = event.payload { deleted[entry] = event.id }
    }
    if !changed.isEmpty || !lost.isEmpty {
      var way = ""
      if let last, let earlier = try lastCommand(upTo: last.positions[0] - 1) {
        let id = earlier.events[0].id
        let call = namesCommands ? "`streaks undo \(Event.shortID(id))`" : "undo(\(quoted(id)))"
        way = "\n\(call) undoes an earlier command, \(named(earlier.events[0]))"
      }
      guard changed.isEmpty else { throw Undo.refused("would change what was done since", changed, way) }
      throw Failure(
        .notFound,
        Sentence("cannot be undone, so nothing was written:\n  " + lost.joined(separator: "\n  ") + way))
    }
    drafts += try loggedAgain(deleted, without: Set(drafts.compactMap(\.event.payload.removed)))
    guard !drafts.isEmpty else {
      let way = namesCommands ? "; `streaks undo EVENT` undoes another one" : ""
      throw Failure(.notFound, Sentence("that command changed nothing that can be undone\(way)"))
    }
    let positions = Set(root.positions + batch.positions)
    return Reversal(
      command: batch.events, drafts: drafts,
      corrections: date.map { corrections(of: positions, to: $0) } ?? [])
  }

  /// Returns the failure of an undo that is refused, with the reasons in `lines` and what to do instead in `way`.
  package static func refused(_ says: String, _ lines: [String], _ way: String = "") -> Failure {
    let shown = lines.prefix(20) + (lines.count > 20 ? ["and \(lines.count - 20) more"] : [])
    return Failure(
      .notRestored,
      "undoing that \(says), so nothing was written:\n  \(shown.joined(separator: "\n  "))\(way)")
  }

  /// The ids of all undos and of the commands that are not in force once `root` is reverted or restored.
  private func cancelled(with root: Batch) -> Set<String> {
    var batches = targets.values.filter { !$0.isUndo && $0.last != root.last && undo(of: $0) != nil }
    if undo(of: root) == nil { batches.append(root) }
    return Set((batches + undos.values.flatMap(\.self)).flatMap { $0.events.map(\.id) })
  }

  private func undone(_ draft: Draft, cause: String) -> Draft {
    var draft = draft
    (draft.event.by, draft.event.cause) = (Event.undoLabel, cause)
    return draft
  }

  /// A draft with the payload of an event and the fields that its caller added.
  private func given(_ event: Event, on day: Day? = nil) -> Draft {
    var draft = Draft(event.payload, command: "undo")
    (draft.event.unknown, draft.day) = (event.unknown, day)
    return draft
  }

  private func opposite(
    of event: Event, in batch: Batch, _ wanted: Ledger, _ reminders: [String: Event]
  ) -> Opposite {
    if let id = event.payload.removed {
      let others = removals[id]?.filter { other in !batch.events.contains { $0.id == other } }
      if let other = others?.first { return .changed("\(Event.shortID(other)) takes it back, too") }
    }
    switch event.payload {
    case .entryLogged, .daysExcused:
      let (standing, removal) = standing(event.id)
      guard let standing else {
        let other = removal.map(Event.shortID) ?? "another event"
        return .changed(
          "\(other) took it back since" + (namesCommands ? "; `streaks undo \(other)` brings it back" : ""))
      }
      // An entry that restored a deleted one is deleted again for the same reason.
      let reason = event.isUndo ? event.cause.flatMap { self.event($0)?.payload.reason } : "undone"
      return .events([
        Draft(
          event.payload.type == .entryLogged
            ? .entryDeleted(entry: standing, reason: reason)
            : .excuseWithdrawn(excuse: standing, reason: reason), command: "undo")
      ])
    case .entryDeleted(let id, _):
      // Entries are logged again together, in their order.
      return ledger.entry(of: id) == nil ? .none("there is no such entry") : .events([])
    case .excuseWithdrawn(let id, _):
      return self.event(id).map { .events([given($0)]) } ?? .none("there is no such excuse")
    case .habitDefined(let definition):
      if let base = wanted.base(of: definition.id, on: event.day), base.day == event.day,
        isAfter(base.event, batch)
      {
        return .changed("\(Event.shortID(base.event)) says otherwise since")
      }
      return formerDefinition(of: definition.id, instead: definition, event, in: batch, wanted)
    case .habitRetired(let habit):
      return formerDefinition(of: habit, instead: nil, event, in: batch, wanted)
    case .reminderSet(let habit, let time, _):
      let former = reminders[habit]
      if let former, isAfter(former.id, batch) {
        return .changed("\(Event.shortID(former.id)) says otherwise since")
      }
      let off = Payload.reminderSet(habit: habit, time: time, enabled: false)
      return .events([former.map { given($0) } ?? Draft(off, command: "undo")])
    case .celebrationSeen: return .none("a celebration that was shown stays shown")
    case .dayCorrected: return .none("a day that was corrected stays so")
    case .eventRedacted: return .none("what was removed is gone")
    case .ledgerOpened(_?) where namesCommands:
      return .none("`streaks day --starts HH:MM` sets another hour")
    case .ledgerOpened where position(of: event.id) == 1: return .none("a ledger begins once")
    case .ledgerOpened, .dayChanged:
      return .none(namesCommands ? "`streaks day --zone ZONE` moves the ledger back" : "it has no opposite")
    default: return .none("it has no opposite")
    }
  }

  private func isAfter(_ id: String, _ batch: Batch) -> Bool {
    position(of: id).map { $0 > batch.positions[0] } ?? false
  }

  /// The entry or excuse in force for `id`: itself, or what an undo gave again for it.
  ///
  /// If there is none, the event that took it back last.
  private func standing(_ id: String) -> (id: String?, removal: String?) {
    var (pending, seen, removal): ([String], Set<String>, String?) = ([id], [], nil)
    while let next = pending.popLast() {
      guard seen.insert(next).inserted else { continue }
      guard let removals = removals[next] else { return (next, nil) }
      removal = removals.last
      let given = (again[next] ?? []) + removals.flatMap { again[$0] ?? [] }
      pending += given.filter { event($0)?.payload.removed == nil }
    }
    return (nil, removal)
  }

  /// The definition of a habit before an event that defined or retired it; `instead` is the definition that goes.
  private func formerDefinition(
    of habit: String, instead: Habit?, _ event: Event, in batch: Batch, _ wanted: Ledger
  ) -> Opposite {
    // An undo of a later day's definition repeats the one before it, which goes, too.
    let own = batch.events.filter { $0.defined?.id == habit }.map(\.day)
    let repeats = ledger.repeats(of: instead, habit, after: event.day).map(\.day)
      .filter { !own.contains($0) && wanted.base(of: habit, on: $0)?.definition != instead }
    if let day = repeats.first(where: { wanted.retirement(of: habit, on: $0.next) != nil }) {
      return .changed("\(habit) is defined again from \(day) on; retire it then")
    }
    let drafts = ([event.day] + repeats).flatMap { restored(habit, on: $0, instead: instead, wanted) }
    if !drafts.isEmpty { return .events(drafts) }
    if instead != nil, ledger.state(of: habit)?.totals.entries == 0,
      wanted.base(of: habit, on: event.day) == nil
    {
      var retired = Draft(.habitRetired(habit: habit), command: "undo")
      retired.day = event.day
      return .events([retired])
    }
    return .none(
      "there is no definition before it; "
        + (namesCommands ? "`streaks define \(habit) --retire` ends the habit" : "retire the habit"))
  }

  /// The definition of a habit on a day, and its retirement if it was retired, as in the ledger `wanted`.
  private func restored(_ habit: String, on day: Day, instead: Habit?, _ wanted: Ledger) -> [Draft] {
    guard let base = wanted.base(of: habit, on: day), let definition = event(base.event) else { return [] }
    let rule = base.definition.rule
    // A first definition says when days without an entry begin to count, so an earlier one cannot be undone.
    if base.day > day, rule.isLimit || rule.isComposite { return [] }
    let retirement = wanted.retirement(of: habit, on: day) ?? wanted.retirement(of: habit, on: day.next)
    var drafts: [Draft] = []
    if base.definition != instead || retirement == nil { drafts.append(given(definition, on: day)) }
    guard let retirement else { return drafts }
    // The old retirement still holds on the days before, and ends with a definition of its day.
    if retirement < day, let base = wanted.base(of: habit, on: retirement), let definition = event(base.event)
    {
      drafts.append(given(definition, on: retirement))
    }
    var retired = Draft(.habitRetired(habit: habit), command: "undo")
    retired.day = retirement
    drafts.append(retired)
    // A definition of a later day ends a retirement only if it comes after it in the log.
    var next = wanted.definition(of: habit, after: day)
    while let later = next {
      if wanted.retirement(of: habit, on: later.day) == nil, let definition = event(later.event) {
        drafts.append(given(definition, on: later.day))
      }
      next = wanted.definition(of: habit, after: later.day)
    }
    return drafts
  }

  /// Logs deleted entries again, in the order of the log.
  ///
  /// `deletions` has the event that deleted each. Entries in `removed` are deleted by the same reversal. Of entries of
  /// the same moment the last decides a level, so those that followed a deleted one are logged again, too.
  private func loggedAgain(
    _ deletions: [String: String], without removed: Set<String>
  ) throws(Failure) -> [Draft] {
    var causes: [Int: String] = [:]
    var drafts: [Draft] = []
    var ordered: [(EntryFact, cause: String)] = []
    for (entry, cause) in deletions {
      guard let position = position(of: entry), let fact = ledger.fact(ofEntryAt: position) else { continue }
      causes[position] = cause
      let rule = ledger.definition(of: ledger.names.text(fact.habit), on: fact.day)?.rule.name
      if rule == .level || rule == .completed { ordered.append((fact, cause)) }
    }
    let days = Set(ordered.map(\.0.day))
    for id in days.isEmpty ? [] : ledger.ids(ofEntriesOn: days) where !removed.contains(id) {
      guard let position = position(of: id), let other = ledger.fact(ofEntryAt: position),
        let before = ordered.first(where: { fact, _ in
          fact.habit == other.habit && fact.day == other.day && fact.at == other.at && fact.precedes(other)
        })
      else { continue }
      let deletion = Payload.entryDeleted(entry: id, reason: "logged again in its order")
      drafts.append(undone(Draft(deletion, command: "undo"), cause: before.cause))
      causes[position] = id
    }
    try log.stream.eachEvent(at: causes.keys.sorted()) { position, entry in
      var draft = given(entry, on: entry.day)
      (draft.at, draft.zone) = (entry.at, entry.zone)
      drafts.append(undone(draft, cause: causes[position] ?? entry.id))
    }
    return drafts
  }

  /// Takes today back to a date where events at some positions moved it beyond.
  private func corrections(of positions: Set<Int>, to date: Day) -> [Draft] {
    guard let today = ledger.today, today > date else { return [] }
    let movers = Set(ledger.movers(beyond: date))
    return positions.sorted().map { log.ledger.id(at: $0) }.filter(movers.contains).lines.map { moved in
      undone(Draft(.dayCorrected(to: date, moved: moved, reason: nil), command: "undo"), cause: moved[0])
    }
  }
}
