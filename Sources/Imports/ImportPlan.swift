package import EventLog
package import StreakDomain
import TimeZones

/// A habit and a day, as a key for the records of the habit on that day.
struct HabitDay: Hashable {
  let habit: String
  let day: Day
}

/// The result of reading a file to import: the events to append, and the records that are known or
/// skipped.
package struct ImportPlan {
  /// The new entries and excuses in the order of the file, each after the event that withdraws the
  /// one it replaces.
  private var drafts: [Draft] = []
  package internal(set) var summary = ImportSummary()
  /// The ids of imported events that a person has deleted; such events aren't imported again.
  package private(set) var deletedBefore: [String] = []
  package private(set) var leftOut: [LeftOut] = []
  /// The definitions of new habits, which come before all entries and excuses.
  package private(set) var definitions: [Draft] = []

  /// The ledger with `definitions` applied, against which the entries are checked.
  package private(set) var ledger: Ledger
  let now: Instant
  let zone: String
  package var since: Day?
  package var until: Day?
  /// Whether `leftOut` lists the skipped records.
  package var keepsLines = false
  /// Whether the records are rows of a table; one row that the ledger refuses then fails the
  /// append, and isn't skipped.
  var isTable = false
  /// A function that calls its argument with every event of the ledger.
  let eachEvent: ((Event) -> Void) throws(Failure) -> Void
  private var planned: Set<String> = []
  /// The ids of the last copies of entries and excuses that undos logged, by the ids of the
  /// originals.
  private var copies: [String: String] = [:]
  /// The ids of the entries and excuses whose logging was undone, without those that have redacted
  /// texts.
  private var undone: Set<String> = []

  package init(
    ledger: Ledger, now: Instant, zone: String,
    eachEvent: @escaping ((Event) -> Void) throws(Failure) -> Void
  ) throws(Failure) {
    self.ledger = ledger
    self.now = now
    self.zone = zone
    self.eachEvent = eachEvent

    guard ledger.facts.hasUndone else { return }
    // The original entry or excuse of each removal and each copy.
    var originals: [String: String] = [:]
    var redacted: Set<String> = []

    try eachEvent { event in
      if let id = event.payload.redacted { redacted.insert(originals[id] ?? id) }
      let removed = event.payload.removed
      guard let target = removed ?? (event.isUndo ? event.cause : nil) else { return }

      let original = originals[target] ?? target
      originals[event.id] = original
      guard removed != nil else { return copies[original] = event.id }

      // The removal of a copy restores the removal before, by an undo or by a person.
      if !event.isUndo {
        undone.remove(original)
      } else if target == original {
        undone.insert(original)
      }
    }

    undone.subtract(redacted)
  }

  /// Returns the id of the last copy of the entry or excuse `id` that an undo logged, or `id` if
  /// there is no copy.
  func latest(_ id: String) -> String { copies[id] ?? id }

  /// Counts a record as skipped; `what` describes the record.
  mutating func skip(_ what: @autoclosure () -> String, _ place: Place, _ reason: LeftOut.Reason) {
    if let index = summary.leftOut.firstIndex(where: { $0.sentence == reason.sentence }) {
      summary.leftOut[index].count += 1
    } else {
      summary.leftOut.append(.init(reason: reason.text, sentence: reason.sentence, count: 1))
    }
    if keepsLines {
      leftOut.append(LeftOut(place: "\(place)", what: what(), reason: reason.sentence))
    }
  }

  /// Adds a note for each name in `names` (from an option) that isn't in `fileNames` (the names in
  /// the file).
  mutating func noteMissing(_ noun: String, _ names: [Text], among fileNames: Set<Text>) {
    let candidates = fileNames.sorted().strings
    for name in names where !fileNames.contains(name) {
      summary.notes.append(
        "the file has no \(noun) \(quoted(name))\(Nearest.hint(name.string, among: candidates))"
          + (candidates.isEmpty
            ? "" : "; it has " + candidates.prefix(12).map(quoted).joined(separator: ", ")))
    }
  }

  /// The current date in the time zone of the import.
  var today: Day {
    DayClock(zone: zone, start: ledger.facts.dayStart)?.day(of: now) ?? ledger.today ?? Day.first
  }

  mutating func define(_ definition: Habit, on day: Day, id: String, by: Text) {
    let draft = Draft(.habitDefined(definition), id: id, of: day, in: zone, by: by)
    definitions.append(draft)
    summary.defined.append(definition.id)
    ledger.apply(draft.event)
    ledger.settle()
  }

  /// Returns whether the ledger lacks the event `id`, or throws the reason to skip it; counts known
  /// events.
  mutating func isNew(_ id: String, of habit: String, on day: Day) throws(LeftOut.Reason) -> Bool {
    if let reason = exclusion(of: day) { throw reason }
    switch ledger.facts.fate(of: latest(id)) {
    case .absent:
      if let reason = exclusion(of: habit, on: day) { throw reason }
      return true
    case .standing, .replaced: summary.alreadyThere += 1
    case .deleted:
      deletedBefore.append(id)
      summary.deleted += 1
    }
    return false
  }

  /// Returns the reason to skip records of `habit` on `day`, or `nil` if these records can be
  /// imported.
  private func exclusion(of habit: String, on day: Day) -> LeftOut.Reason? {
    if let reason = exclusion(of: day) { return reason }
    guard since == nil, let start = ledger.facts.countsFrom(of: habit), day < start else {
      return nil
    }
    return .beforeCountsFrom(habit: habit, start)
  }

  func exclusion(of day: Day) -> LeftOut.Reason? {
    if let until = until, day > until { return .afterUntil(until) }
    return since.flatMap { day < $0 ? .beforeSince($0) : nil }
  }

  /// Adds an event, deletes the event `replaced` and returns true, unless the new event is known or
  /// must be skipped.
  @discardableResult
  mutating func add(
    _ draft: Draft, _ what: @autoclosure () -> String, replacing replaced: Event? = nil
  ) -> Bool {
    var draft = draft
    let habit = draft.event.payload.habit ?? ""

    do throws(LeftOut.Reason) {
      if planned.contains(draft.event.id) { throw .duplicate }
      guard try isNew(draft.event.id, of: habit, on: draft.event.day) else { return false }
      if let reason = refusal(of: draft) { throw reason }
    } catch {
      skip(what(), draft.place, error)
      return false
    }

    planned.insert(draft.event.id)
    summary.imported += 1
    if let index = summary.habits.firstIndex(where: { $0.habit == habit }) {
      summary.habits[index].imported += 1
    } else {
      summary.habits.append(.init(habit: habit, imported: 1))
    }

    if let replaced {
      draft.event.cause = replaced.id
      withdraw(replaced, by: draft.event.by, draft.place, because: "another answer was imported")
    }
    drafts.append(draft)
    return true
  }

  /// Adds the event of a record, replacing the event of an earlier import if the value of the
  /// record has changed.
  ///
  /// The values in `key` identify the record. `first` is the id for its first event, or `nil` to
  /// make one from `key`. `stored` contains the events of earlier imports, by id. `isSame` compares
  /// a stored payload with the new payload.
  mutating func revise(
    _ draft: Draft, _ what: @autoclosure () -> String, key: [String], first: String? = nil,
    stored: [String: Event], isSame: (_ before: Payload, _ now: Payload) -> Bool
  ) {
    let revision = revision(of: key, first: first)
    var draft = draft

    // A text that is empty in the ledger was redacted, and must not come back.
    let last = revision.last.flatMap { stored[$0]?.payload }
    if last?.entry?.value == "" { draft.event.payload.entry?.value = "" }
    if last?.comment == "" {
      draft.event.payload.replaceTexts { $0 == .value ? $1 : "" }
      draft.event.payload.entry?.note = ""
    }

    let before = revision.standing.flatMap { stored[$0] }
    if revision.standing != nil, before.map({ isSame($0.payload, draft.event.payload) }) ?? true {
      summary.alreadyThere += 1
    } else {
      add(draft.with(id: revision.next), what(), replacing: before)
    }
  }

  /// Returns the ids of a record's events: `last`, `standing` (`last` if it is in force, or else
  /// `nil`) and `next`.
  ///
  /// `key` identifies the record; `first` is its first id, or `nil` to compute it. `next` is a new
  /// id, so that a record that changes back is imported again. But if a person deleted the last
  /// event, and not by undoing its import, `next` is `last`. What an undo logged again is an event
  /// of the record, too.
  func revision(of key: [String], first: String? = nil) -> (
    last: String?, standing: String?, next: String
  ) {
    var next = first ?? ImportID.make(key + ["0"])
    var number = 0
    var last: (id: String?, original: String, position: Int) = (nil, "", 0)

    // The events of a record have consecutive numbers in their ids.
    while ledger.facts.position(of: next) != nil {
      let id = latest(next)
      if let position = ledger.facts.position(of: id), position > last.position {
        last = (id, next, position)
      }
      number += 1
      next = ImportID.make(key + ["\(number)"])
    }

    guard let id = last.id else { return (nil, nil, next) }
    if ledger.facts.fate(of: id) == .standing { return (id, id, next) }
    let isByImport = ledger.facts.position(of: ImportPlan.deletion(of: id)) != nil
    return (id, nil, isByImport || undone.contains(last.original) ? next : id)
  }

  /// Returns the ledger's events for which `isWanted` is true, and all events that undos logged, by
  /// id.
  func stored(where isWanted: (Event) -> Bool) throws(Failure) -> [String: Event] {
    var events: [String: Event] = [:]
    try eachEvent { event in
      if event.isUndo || isWanted(event) { events[event.id] = event }
    }
    return events
  }

  /// Plans an event, with `by` and `reason`, that deletes an entry of an earlier import or
  /// withdraws an excuse of one.
  mutating func withdraw(_ event: Event, by: Text?, _ place: Place? = nil, because reason: Text) {
    let id = ImportPlan.deletion(of: event.id)
    guard exclusion(of: event.payload.habit ?? "", on: event.day) == nil,
      planned.insert(id).inserted
    else {
      return
    }

    let payload: Payload =
      event.payload.entry == nil
      ? .excuseWithdrawn(excuse: event.id, reason: reason)
      : .entryDeleted(entry: event.id, reason: reason)
    let draft = Draft(payload, id: id, of: event.day, in: zone, by: by, place: place)
    drafts.append(draft)
    summary.takenBack += 1
  }

  /// Returns the id of the event by which an import deletes `entry`; a deletion by a person has
  /// another id.
  static func deletion(of entry: String) -> String { ImportID.make(["deletion", entry]) }

  /// Returns the reason to skip `draft`: it is in the future or, unless `isTable` is true, the
  /// ledger refuses it.
  private func refusal(of draft: Draft) -> LeftOut.Reason? {
    let isPast = draft.at.map { $0.instant <= now + AppendOptions.mostAhead } ?? false
    guard draft.isOfDay ? draft.event.day <= today : isPast else { return .inTheFuture }

    guard !isTable, let refusal = Admission(to: ledger).refusal(of: draft.event) else { return nil }
    let habit = draft.event.payload.habit ?? ""
    guard refusal.kind != .unknownHabit else { return .undefinedHabit(habit) }

    // The message doesn't contain the day, so that all such events are counted together.
    if refusal.kind == .untimely,
      let after = ledger.facts.retirement(of: habit, on: draft.event.day)
    {
      return LeftOut.Reason("\(quoted(habit)) is retired after \(after)")
    }
    return LeftOut.Reason(refusal.sentence)
  }

  /// The new entries and excuses, in the order of the file.
  package var events: some Sequence<Event> {
    drafts.lazy.filter { $0.event.payload.habit != nil }.map(\.event)
  }

  /// Calls `append` with each batch, oldest first, and with the number of batches.
  ///
  /// In a dry run, `append` is called once with all drafts, because no batch is in the ledger when
  /// the next one is checked.
  package func eachBatch(
    isDry: Bool, _ append: (_ batch: Drafts, _ batchCount: Int) throws(Failure) -> Void
  ) throws(Failure) {
    let batches = batches()
    let all = Drafts { (body) throws(Failure) in for batch in batches { try batch.each(body) } }

    for batch in isDry ? [all] : batches { try append(batch, batches.count) }
  }

  /// Returns the drafts in one batch, or in several if there are more than `limit`.
  ///
  /// The first batch begins with the definitions. One batch contains the excuses before the entries
  /// and deletions. Several batches are sorted by day, oldest first, so that no ledger in between
  /// lacks the start of a history. A day is divided only if it doesn't fit into a batch. Without
  /// drafts, there is one empty batch.
  package func batches(limit: Int = BatchLines.limit) -> [Drafts] {
    let order = order(isByDay: definitions.count + drafts.count > limit)
    let ranges = ranges(of: order, limit: limit)

    return ranges.enumerated().map { [definitions, drafts] number, range in
      Drafts { (body) throws(Failure) in
        if number == 0 { for draft in definitions { try body(draft) } }
        for index in order[range] { try body(drafts[index]) }
      }
    }
  }

  /// Returns the indices of `drafts` with the excuses first, or first of each day if `isByDay` is
  /// true.
  ///
  /// Indices are sorted, because drafts are large.
  private func order(isByDay: Bool) -> [Int] {
    func key(_ index: Int) -> (Day, Int, Int) {
      let event = drafts[index].event
      let day = isByDay ? event.day : Day.first
      let rank = event.payload.type == .daysExcused ? 0 : 1
      return (day, rank, index)
    }
    return drafts.indices.sorted { key($0) < key($1) }
  }

  /// Returns the ranges of `order` that the batches contain; the first one leaves room for the
  /// definitions.
  private func ranges(of order: [Int], limit: Int) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var start = 0
    var room = limit - definitions.count
    repeat {
      var end = min(start + room, order.count)

      if end < order.count {
        let nextDay = drafts[order[end]].event.day
        let last = order[start..<end].lastIndex { drafts[$0].event.day != nextDay }
        if let last { end = last + 1 }
      }

      ranges.append(start..<end)
      start = end
      room = limit
    } while start < order.count
    return ranges
  }
}
