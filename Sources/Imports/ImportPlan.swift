package import EventLog
package import StreakDomain
import TimeZones

/// The result of reading a file to import: the events to append, and the records that are known or skipped.
package struct ImportPlan {
  private var kept: [Draft] = []
  /// A function that makes the first `count` drafts again, because storing all drafts of a table needs much memory.
  var remade: (count: Int, make: (Int) throws(Failure) -> Draft)?
  package private(set) var count = 0
  /// The number of new events of each habit, in the order of their first events.
  package private(set) var habits: [(habit: String, count: Int)] = []
  /// The first new events, for a dry run.
  package private(set) var preview: [Draft] = []
  /// The number of records whose events the ledger already contains.
  package private(set) var alreadyThere = 0
  /// The ids of imported events that a person has deleted; such events aren't imported again.
  package private(set) var deletedBefore: [EventKey] = []
  /// The number of events of earlier imports to delete, because the file now has another value for them or none.
  package private(set) var takenBack = 0
  /// The number of skipped records for each reason, in the order of their first records.
  package private(set) var reasons: [(reason: LeftOut.Reason, count: Int)] = []
  package private(set) var leftOut: [LeftOut] = []
  /// The kinds of records that the import doesn't use, such as heart rates, with the number of records of each kind.
  package var passedOver: [(kind: String, count: Int)] = []
  package var unusedColumns: [String] = []
  package var notes: [String] = []
  /// Whether the import fails if the ledger refuses an event; otherwise the event's record is skipped.
  var isStrict = false

  /// The definitions of new habits, appended in a batch of their own, so that `undo` reverts only the entries.
  package private(set) var definitions: [Draft] = []

  /// The ledger with `definitions` applied, against which the entries are checked.
  package private(set) var ledger: Ledger
  package let options: Options
  private var planned: Set<String> = []

  package struct Options {
    package var now: Instant
    package var zone: String
    package var since: Day?
    package var until: Day?
    package var keepsLines = false
    /// A function that calls its argument with every event of the ledger.
    let past: Past

    package typealias Past = ((Event) -> Void) throws(Failure) -> Void

    package init(now: Instant, zone: String, past: @escaping Past) {
      self.now = now
      self.zone = zone
      self.past = past
    }
  }

  package init(ledger: Ledger, options: Options) {
    self.ledger = ledger
    self.options = options
  }

  package mutating func leave(_ what: @autoclosure () -> String, _ place: Place, _ reason: LeftOut.Reason) {
    if let index = reasons.firstIndex(where: { $0.reason == reason }) {
      reasons[index].count += 1
    } else {
      reasons.append((reason, 1))
    }
    if options.keepsLines { leftOut.append(LeftOut(place: place, what: what(), reason: reason)) }
  }

  /// Adds a note that the habit or source `name` of an option isn't in the file, and lists the names in `found`.
  mutating func noteMissing(_ noun: String, _ name: String, among found: Set<Text>) {
    let known = found.sorted().strings
    notes.append(
      "the file has no \(noun) \(quoted(name))\(Nearest.hint(name, among: known))"
        + (known.isEmpty ? "" : "; it has " + known.prefix(12).map(quoted).joined(separator: ", ")))
  }

  /// The current date in the time zone of the import.
  var today: Day {
    let clock = DayClock(zone: options.zone, start: ledger.dayStart)
    return clock?.day(of: options.now) ?? ledger.today ?? Day.first
  }

  mutating func define(_ definition: Habit, on day: Day, id: String, by: Text) {
    var event = ImportedEvent(habit: definition.id, day: day, payload: .habitDefined(definition), by: by)
    event.id = id
    let draft = ImportPlan.draft(of: event, zone: options.zone)
    definitions.append(draft)
    ledger.apply(draft.event)
  }

  /// Whether the ledger contains the event with `id`, even if deleted; counts it in `alreadyThere` or `deletedBefore`.
  package mutating func isKnown(_ id: String) -> Bool {
    EventKey.find(id, names: ledger.names).map { isKnown($0) } ?? false
  }

  mutating func isKnown(_ id: EventKey) -> Bool {
    switch ledger.fate(of: id) {
    case .absent: return false
    case .standing: alreadyThere += 1
    case .deleted: deletedBefore.append(id)
    }
    return true
  }

  /// Returns the reason to skip records of `habit` on `day`, or `nil` if they can be imported.
  package func exclusion(of habit: String, on day: Day) -> LeftOut.Reason? {
    if let reason = exclusion(of: day) { return reason }
    guard options.since == nil, let start = ledger.countsFrom(of: habit), day < start else { return nil }
    return .beforeCountsFrom(habit: habit, start)
  }

  package func exclusion(of day: Day) -> LeftOut.Reason? {
    if let until = options.until, day > until { return .afterUntil(until) }
    return options.since.flatMap { day < $0 ? .beforeSince($0) : nil }
  }

  /// Adds an event, and deletes the event `replaced`, unless the new event is known or must be skipped.
  mutating func add(_ candidate: ImportedEvent, replacing replaced: Replaced? = nil) {
    guard !planned.contains(candidate.id) else {
      return leave(candidate.what, candidate.place, .duplicate)
    }
    guard var draft = admit(candidate) else { return }
    planned.insert(candidate.id)
    if let replaced {
      draft.event.cause = replaced.id
      takeBack(
        replaced, of: candidate.habit, by: candidate.by, candidate.place,
        because: "another answer was imported")
    }
    kept.append(draft)
  }

  /// Adds the event of a record, replacing the event of an earlier import if the value of the record has changed.
  ///
  /// The values in `key` identify the record; `first` is the id of its first event, or `nil` to compute one. `stored`
  /// has the events of earlier imports, by id; `isSame` compares the payload of such an event with the new payload.
  mutating func revise(
    _ candidate: ImportedEvent, key: [String], first: String? = nil, stored: [String: Event],
    isSame: (_ before: Payload, _ now: Payload) -> Bool
  ) {
    let known = revision(of: key, first: first)
    var candidate = candidate
    candidate.id = known.next
    guard let standing = known.standing else { return add(candidate) }
    guard let before = stored[standing], !isSame(before.payload, candidate.payload) else {
      _ = isKnown(standing)
      return
    }
    add(candidate, replacing: Replaced(before))
  }

  /// Returns the draft of an event and counts it, or `nil` if the event is already known or must be skipped.
  mutating func admit(_ candidate: ImportedEvent) -> Draft? {
    let draft = ImportPlan.draft(of: candidate, zone: options.zone)
    let reason: LeftOut.Reason?
    if let excluded = exclusion(of: candidate.day) {
      reason = excluded
    } else if isKnown(candidate.id) {
      return nil
    } else {
      reason = exclusion(of: candidate.habit, on: candidate.day) ?? refusal(of: draft)
    }
    if let reason {
      leave(candidate.what, candidate.place, reason)
      return nil
    }
    note(draft)
    return draft
  }

  /// Returns the id of the record's event that counts now, or `nil`, and the id for the record's next event.
  ///
  /// `parts` identify the record. Each changed value gets the next number in the id, so that an earlier value can be
  /// imported again. If a person deleted the last event, `next` is its id, so that it isn't imported again.
  func revision(of parts: [String], first: String? = nil) -> (standing: String?, next: String) {
    var number = 0
    while true {
      let id = number == 0 ? first ?? ImportID.make(parts + ["0"]) : ImportID.make(parts + ["\(number)"])
      switch ledger.fate(of: id) {
      case .absent: return (nil, id)
      case .standing: return (id, ImportID.make(parts + ["\(number + 1)"]))
      case .deleted where ledger.fate(of: ImportPlan.deletion(of: id)) == .absent: return (nil, id)
      case .deleted: number += 1
      }
    }
  }

  /// Returns the ledger's events for which `isWanted` is true, by id.
  func stored(where isWanted: (Event) -> Bool) throws(Failure) -> [String: Event] {
    var found: [String: Event] = [:]
    try options.past { event in
      if isWanted(event) { found[event.id] = event }
    }
    return found
  }

  private mutating func note(_ draft: Draft) {
    count += 1
    guard let habit = draft.habit else { return }
    if preview.count < 5 { preview.append(draft) }
    if let index = habits.firstIndex(where: { $0.habit == habit }) {
      habits[index].count += 1
    } else {
      habits.append((habit, 1))
    }
  }

  static func draft(of candidate: ImportedEvent, zone: String) -> Draft {
    var draft = Draft(candidate.payload, command: "import")
    (draft.id, draft.event.id) = (candidate.id, candidate.id)
    (draft.at, draft.isOfDay) = (candidate.at ?? noon(of: candidate.day, in: zone), candidate.at == nil)
    (draft.day, draft.event.day) = (candidate.day, candidate.day)
    draft.zone = candidate.zone
    draft.place = candidate.place
    draft.text = candidate.text
    draft.event.by = candidate.by
    return draft
  }

  struct Replaced {
    let id: String
    let day: Day
    let isExcuse: Bool

    init(id: String, day: Day) { (self.id, self.day, isExcuse) = (id, day, false) }

    init(_ event: Event) {
      (id, day) = (event.id, event.day)
      isExcuse = event.payload.entry == nil
    }
  }

  /// Plans the deletion of an event of an earlier import, or its withdrawal if it is an excuse; records `reason`.
  mutating func takeBack(_ event: Replaced, of habit: String, by: Text, _ place: Place, because reason: Text)
  {
    guard exclusion(of: habit, on: event.day) == nil,
      planned.insert(ImportPlan.deletion(of: event.id)).inserted
    else { return }
    let payload: Payload =
      event.isExcuse
      ? .excuseWithdrawn(excuse: event.id, reason: reason) : .entryDeleted(entry: event.id, reason: reason)
    var deletion = ImportedEvent(habit: "", day: event.day, payload: payload, by: by, place: place)
    deletion.id = ImportPlan.deletion(of: event.id)
    let draft = ImportPlan.draft(of: deletion, zone: options.zone)
    kept.append(draft)
    note(draft)
    takenBack += 1
  }

  /// Returns the id with which an import deletes `entry`; a deletion by a person has another id.
  static func deletion(of entry: String) -> String { ImportID.make(["deletion", entry]) }

  /// Returns the reason to skip a draft in the future or, unless the plan is strict, one that the ledger refuses.
  private func refusal(of draft: Draft) -> LeftOut.Reason? {
    let isPast = draft.at.map { $0.instant <= options.now + AppendOptions.mostAhead } ?? false
    guard draft.isOfDay ? draft.event.day <= today : isPast else { return .inTheFuture }
    guard !isStrict, let refusal = ledger.refusal(of: draft.event) else { return nil }
    guard let habit = draft.habit, refusal.kind != .unknownHabit else {
      return .undefinedHabit(draft.habit ?? "")
    }
    // The message doesn't contain the day, so that all such events are counted together.
    if refusal.kind == .untimely, let after = ledger.retirement(of: habit, on: draft.event.day) {
      return LeftOut.Reason("\(quoted(habit)) is retired after \(after)")
    }
    return LeftOut.Reason(refusal.sentence)
  }

  /// Returns noon of `day` for a record without a time, so that every device that imports it writes the same event.
  private static func noon(of day: Day, in zone: String) -> Timestamp? {
    Zones.instant(of: day, minute: 12 * 60, in: zone)
  }

  /// The drafts except the definitions, in batches that the log accepts; one empty batch if there are no drafts.
  ///
  /// The batches are smaller than the log's limit, because a batch is in memory while it is appended.
  package var batches: [Drafts] {
    let (limit, first) = (50_000, remade?.count ?? 0)
    return stride(from: 0, to: max(1, count), by: limit).map { start in
      Drafts { (body) throws(Failure) in
        for index in start..<min(start + limit, count) {
          let draft = if index < first, let remade { try remade.make(index) } else { kept[index - first] }
          try body(draft)
        }
      }
    }
  }
}

extension Payload {
  var entry: Entry? { if case .entryLogged(let entry) = self { entry } else { nil } }
}

extension Draft {
  package var habit: String? {
    switch event.payload {
    case .entryLogged(let entry): entry.habit
    case .daysExcused(_, _, let habits, _): habits?.first
    default: nil
    }
  }
}
