package import EventLog
package import StreakDomain
import TimeZones

/// The result of reading a file to import: the drafts, known events and skipped records.
package struct ImportPlan {
  package var drafts: Drafts { made ?? Drafts(kept) }
  private var kept: [Draft] = []
  var made: Drafts?
  package private(set) var count = 0
  /// The number of new events of each habit, in order of the first event.
  package private(set) var habits: [(habit: String, count: Int)] = []
  package private(set) var preview: [Draft] = []
  private static let previewed = 5
  /// The number of records whose events the ledger already contains.
  package private(set) var alreadyThere = 0
  /// The imported events that were deleted by a person; they stay deleted.
  package private(set) var deletedBefore: [EventKey] = []
  /// The number of entries of earlier imports to delete because the file has a different answer now.
  package private(set) var takenBack = 0
  /// The number of skipped records by reason, in order of the first record.
  package private(set) var reasons: [(reason: LeftOut.Reason, count: Int)] = []
  package private(set) var leftOut: [LeftOut] = []
  /// The kinds of records that no import uses, with their numbers.
  package var passedOver: [(kind: String, count: Int)] = []
  package var unusedColumns: [String] = []
  package var notes: [String] = []

  /// The definitions, written first in a separate batch, so that `undo` reverts only the entries.
  package private(set) var definitions: [Draft] = []
  package var everything: Drafts { definitions.isEmpty ? drafts : Drafts(definitions + kept) }

  /// The ledger including `definitions`, because the entries are checked against them.
  package private(set) var ledger: Ledger
  package let options: Options
  private var places: [LeftOut.Reason: Int] = [:]
  private var planned: Set<String> = []
  /// The first content for each id specified in the file itself.
  private var named: [String: Content] = [:]

  package struct Options {
    package var now: Instant
    package var zone: String
    package var since: Day?
    package var until: Day?
    package var keepsLines = false
    /// The events written by earlier imports of the same kind, by id.
    package var written: [String: Content] = [:]
    /// All events by id, if the file may specify ids.
    package var stored: [String: Content] = [:]

    package init(now: Instant, zone: String) {
      self.now = now
      self.zone = zone
    }
  }

  /// The parts of an event that decide whether an imported event is the same.
  package struct Content: Equatable {
    let day: Day
    let payload: Payload

    package init(day: Day, payload: Payload) {
      self.day = day
      self.payload = payload
    }
  }

  package init(ledger: Ledger, options: Options) {
    self.ledger = ledger
    self.options = options
  }

  package mutating func leave(_ what: @autoclosure () -> String, _ place: Place, _ reason: LeftOut.Reason) {
    if let index = places[reason] {
      reasons[index].count += 1
    } else {
      places[reason] = reasons.count
      reasons.append((reason, 1))
    }
    if options.keepsLines { leftOut.append(LeftOut(place: place, what: what(), reason: reason)) }
  }

  /// The date of now in the importing person's zone.
  var today: Day {
    let clock = DayClock(zone: options.zone, start: ledger.dayStart)
    return clock?.day(of: options.now) ?? ledger.today ?? Day.first
  }

  mutating func define(_ definition: Habit, on day: Day, id: String, by: Text) {
    var draft = Draft(.habitDefined(definition), command: "import")
    draft.id = id
    (draft.at, draft.isOfDay) = (noon(of: day), true)
    draft.day = day
    draft.event.by = by
    definitions.append(draft)
    draft.event.id = id
    draft.event.day = day
    ledger.apply(draft.event)
  }

  /// Whether the ledger contains or contained the event; if so, counts it.
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

  /// Returns the reason to skip a day of a habit, or `nil`.
  package func exclusion(of habit: String, on day: Day) -> LeftOut.Reason? {
    if let reason = exclusion(of: day) { return reason }
    guard options.since == nil, let start = ledger.countsFrom(of: habit), day < start else { return nil }
    return .beforeCountsFrom(habit: habit, start)
  }

  package func exclusion(of day: Day) -> LeftOut.Reason? {
    if let until = options.until, day > until { return .afterUntil(until) }
    return options.since.flatMap { day < $0 ? .beforeSince($0) : nil }
  }

  /// Plans an event, unless it is already known or must be skipped.
  ///
  /// If `refuses` is true, a refusal by the ledger fails the whole import. The entry `replaced` is deleted.
  package mutating func add(
    _ candidate: ImportedEvent, replacing replaced: String? = nil, refuses: Bool = false
  ) {
    if let reason = exclusion(of: candidate.day) {
      return leave(candidate.what, candidate.place, reason)
    }
    if candidate.hasOwnID {
      let content = Content(day: candidate.day, payload: candidate.payload)
      guard options.stored[candidate.id] ?? named[candidate.id] ?? content == content else {
        return leave(candidate.what, candidate.place, .otherContent(candidate.id))
      }
      named[candidate.id] = content
    }
    if isKnown(candidate.id) { return }
    if planned.contains(candidate.id) { return leave(candidate.what, candidate.place, .duplicate) }
    guard var draft = judged(candidate, refuses: refuses) else { return }
    planned.insert(candidate.id)
    if let replaced {
      draft.event.cause = replaced
      delete(
        replaced, on: candidate.day, candidate.by, candidate.place, because: "another answer was imported")
    }
    keep(draft)
  }

  private mutating func judged(_ candidate: ImportedEvent, refuses: Bool) -> Draft? {
    if let reason = exclusion(of: candidate.habit, on: candidate.day) {
      leave(candidate.what, candidate.place, reason)
      return nil
    }
    let draft = draft(of: candidate)
    let isPast = draft.at.map { $0.instant <= options.now + AppendOptions.mostAhead } ?? false
    guard draft.isOfDay ? candidate.day <= today : isPast else {
      leave(candidate.what, candidate.place, .inTheFuture)
      return nil
    }
    if !refuses, let reason = refusal(of: draft, candidate) {
      leave(candidate.what, candidate.place, reason)
      return nil
    }
    return draft
  }

  /// Checks and counts an event whose draft is created later; returns false if it is skipped.
  mutating func plansLater(_ candidate: ImportedEvent) -> Bool {
    guard let draft = judged(candidate, refuses: false) else { return false }
    note(draft)
    return true
  }

  private mutating func keep(_ draft: Draft) {
    kept.append(draft)
    note(draft)
  }

  private mutating func note(_ draft: Draft) {
    count += 1
    guard let habit = draft.habit else { return }
    if preview.count < ImportPlan.previewed { preview.append(draft) }
    if let index = habits.firstIndex(where: { $0.habit == habit }) {
      habits[index].count += 1
    } else {
      habits.append((habit, 1))
    }
  }

  func draft(of candidate: ImportedEvent) -> Draft {
    var draft = Draft(candidate.payload, command: "import")
    draft.id = candidate.id
    (draft.at, draft.isOfDay) = (candidate.at ?? noon(of: candidate.day), candidate.at == nil)
    draft.day = candidate.day
    draft.place = candidate.place
    draft.text = candidate.text
    draft.event.by = candidate.by
    return draft
  }

  /// Deletes an entry of an earlier import because the file has no such answer anymore, and records why.
  mutating func takeBack(
    _ entry: String, of habit: String, on day: Day, by: Text, _ what: String, _ place: Place,
    _ reason: LeftOut.Reason
  ) {
    if let reason = exclusion(of: habit, on: day) { return leave(what, place, reason) }
    leave(what, place, reason)
    guard planned.insert(ImportPlan.deletion(of: entry)).inserted else { return }
    delete(entry, on: day, by, place, because: "the answer was taken back")
  }

  private mutating func delete(
    _ entry: String, on day: Day, _ by: Text, _ place: Place, because reason: Text
  ) {
    var draft = Draft(.entryDeleted(entry: entry, reason: reason), command: "import")
    if case .daysExcused? = options.written[entry]?.payload {
      draft = Draft(.excuseWithdrawn(excuse: entry, reason: reason), command: "import")
    }
    draft.id = ImportPlan.deletion(of: entry)
    (draft.at, draft.isOfDay, draft.day) = (noon(of: day), true, day)
    draft.place = place
    draft.event.by = by
    keep(draft)
    takenBack += 1
  }

  /// Returns the id of an import's deletion of an entry, which no deletion by a person has.
  static func deletion(of entry: String) -> String { ImportID.make(["deletion", entry]) }

  private func refusal(of draft: Draft, _ candidate: ImportedEvent) -> LeftOut.Reason? {
    var event = draft.event
    event.day = candidate.day
    guard let refusal = ledger.refusal(of: event) else { return nil }
    switch refusal.kind {
    case .unknownHabit:
      return .undefinedHabit(candidate.habit, preset: Preset(rawValue: candidate.habit)?.rawValue)
    case .untimely:
      guard let after = ledger.retirement(of: candidate.habit, on: event.day) else { break }
      // The message contains no day, so that all such events are counted together.
      return .refused("\(quoted(candidate.habit)) is retired after \(after)")
    default: break
    }
    return .refused(refusal.sentence)
  }

  /// Returns the time for an event of a record without one: noon in the ledger's zone.
  ///
  /// It doesn't depend on the clock, so every device that imports the record writes the same event.
  private func noon(of day: Day) -> Timestamp? { Zones.instant(of: day, minute: 12 * 60, in: options.zone) }
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
