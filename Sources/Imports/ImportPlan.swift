package import EventLog
package import StreakDomain

/// What an import would bring into a ledger: the drafts, what is there already, and what is left out.
package struct ImportPlan {
  package var drafts: Drafts { made ?? Drafts(kept) }
  /// Drafts that are held, or made from something smaller as they are asked for.
  private var kept: [Draft] = []
  var made: Drafts?
  /// How many drafts there are.
  package private(set) var count = 0
  /// How many events each habit gets, in the order of the first.
  package private(set) var habits: [(habit: String, count: Int)] = []
  /// The first few that say something new.
  package private(set) var preview: [Draft] = []
  /// How many those are at most.
  private static let previewed = 5
  /// Things of the file whose events the ledger has.
  package private(set) var alreadyThere = 0
  /// Of those that were imported before, the ones that somebody deleted; they stay deleted.
  package private(set) var deletedBefore: [EventKey] = []
  /// Entries of earlier imports that are deleted because the file has another answer now.
  package private(set) var takenBack = 0
  /// How often each reason came up, in the order of the first.
  package private(set) var reasons: [(reason: LeftOut.Reason, count: Int)] = []
  /// Every single one, where they are asked for.
  package private(set) var leftOut: [LeftOut] = []
  /// Kinds of things in the file that no import asks for, with how many there are.
  package var passedOver: [(kind: String, count: Int)] = []
  /// Columns of a table that nothing is read from.
  package var unusedColumns: [String] = []
  /// What else is to be said.
  package var notes: [String] = []

  /// Definitions that come before all else, in a batch of their own: `undo` takes back what the days say and leaves
  /// them.
  package private(set) var definitions: [Draft] = []
  /// Everything, the definitions first.
  package var everything: Drafts { definitions.isEmpty ? drafts : Drafts(definitions + kept) }

  /// With the definitions, because what follows is checked against them.
  package private(set) var ledger: Ledger
  package let options: Options
  private var places: [LeftOut.Reason: Int] = [:]
  private var planned: Set<String> = []
  /// Of the ids that the file itself names, what it said first.
  private var named: [String: Content] = [:]

  package struct Options {
    package var now: Instant
    package var zone: String
    package var since: Day?
    package var until: Day?
    package var keepsLines = false
    /// What the same kind of import wrote before, by id.
    package var written: [String: Content] = [:]
    /// What has an id, from any source, where the file may name ids of its own.
    package var stored: [String: Content] = [:]

    package init(now: Instant, zone: String) {
      self.now = now
      self.zone = zone
    }
  }

  /// What a person would call the same entry.
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

  /// Today by the clock of the one who imports.
  var today: Day {
    let clock = DayClock(zone: options.zone, start: ledger.dayStart)
    return clock?.day(of: options.now) ?? ledger.today ?? Day.first
  }

  /// Plans a definition, in force for what is planned after it.
  mutating func define(_ definition: Habit, on day: Day, id: String, by: Text) {
    var draft = Draft(.habitDefined(definition), command: "import")
    draft.id = id
    draft.day = day
    draft.event.by = by
    definitions.append(draft)
    draft.event.id = id
    draft.event.day = day
    ledger.add(draft.event)
  }

  /// Takes note of one that the ledger has, or had; false where it has never been there.
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

  /// Why a habit's day is not asked for; nil where it is.
  package func exclusion(of habit: String, on day: Day) -> LeftOut.Reason? {
    if let reason = exclusion(of: day) { return reason }
    guard options.since == nil, let start = ledger.countsFrom(of: habit), day < start else { return nil }
    return .beforeCountsFrom(habit: habit, start)
  }

  /// Why a day is not asked for, of whatever habit; nil where it is.
  package func exclusion(of day: Day) -> LeftOut.Reason? {
    if let until = options.until, day > until { return .afterUntil(until) }
    return options.since.flatMap { day < $0 ? .beforeSince($0) : nil }
  }

  /// Plans an event, unless it is there already or has to be left out.
  ///
  /// `refuses` hands to the appender what the ledger would refuse, so that the whole import stops there.
  /// `replaced` is an entry of an earlier import, which is deleted in the same batch.
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
      delete(replaced, candidate.by, candidate.place, because: "another answer was imported")
    }
    keep(draft)
  }

  /// The draft of an event; nil where it is left out.
  private mutating func judged(_ candidate: ImportedEvent, refuses: Bool) -> Draft? {
    if let reason = exclusion(of: candidate.habit, on: candidate.day) {
      leave(candidate.what, candidate.place, reason)
      return nil
    }
    let draft = draft(of: candidate)
    guard let at = draft.at, at.instant <= options.now + AppendOptions.mostAhead else {
      leave(candidate.what, candidate.place, .inTheFuture)
      return nil
    }
    if !refuses, let reason = refusal(of: draft, candidate) {
      leave(candidate.what, candidate.place, reason)
      return nil
    }
    return draft
  }

  /// Plans an event that nothing prevents, whose draft is made when it is appended; false where it is
  /// left out.
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

  /// The draft of an event as it is appended.
  func draft(of candidate: ImportedEvent) -> Draft {
    let at = candidate.at ?? noon(of: candidate.day)
    var draft = Draft(candidate.payload, command: "import")
    draft.id = candidate.id
    draft.at = at
    draft.day = candidate.day
    draft.place = candidate.place
    draft.text = candidate.text
    draft.event.by = candidate.by
    return draft
  }

  /// Deletes an entry of an earlier import that the file says no more, and leaves out what it says instead.
  mutating func takeBack(
    _ entry: String, of habit: String, on day: Day, by: Text, _ what: String, _ place: Place,
    _ reason: LeftOut.Reason
  ) {
    if let reason = exclusion(of: habit, on: day) { return leave(what, place, reason) }
    leave(what, place, reason)
    guard planned.insert(ImportPlan.deletion(of: entry)).inserted else { return }
    delete(entry, by, place, because: "the answer was taken back")
  }

  private mutating func delete(_ entry: String, _ by: Text, _ place: Place, because reason: Text) {
    var draft = Draft(.entryDeleted(entry: entry, reason: reason), command: "import")
    if case .daysExcused? = options.written[entry]?.payload {
      draft = Draft(.excuseWithdrawn(excuse: entry, reason: reason), command: "import")
    }
    draft.id = ImportPlan.deletion(of: entry)
    draft.place = place
    draft.event.by = by
    keep(draft)
    takenBack += 1
  }

  /// The id of an import's own deletion of an entry, which distinguishes it from a person's.
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
      // Without the day in it, so that they are counted together.
      return .refused("\(quoted(candidate.habit)) is retired after \(after)")
    default: break
    }
    return .refused(refusal.sentence)
  }

  /// The time of what has only a day: noon of the ledger's zone, or now where noon has not come.
  private func noon(of day: Day) -> Timestamp {
    let zone = options.zone
    let noon = Zones.instant(of: day, minute: 12 * 60, in: zone)
    guard let noon, let clock = DayClock(zone: zone, start: ledger.dayStart) else {
      return Timestamp(instant: options.now, offset: 0)
    }
    let hasCome = noon.instant <= options.now || day > clock.day(of: options.now)
    return hasCome ? noon : clock.local(options.now)
  }
}

extension Draft {
  /// The habit that gets something new; nil of what only makes room for it.
  package var habit: String? {
    switch event.payload {
    case .entryLogged(let entry): entry.habit
    case .daysExcused(_, _, let habits, _): habits?.first
    default: nil
    }
  }
}
