package import EventLog
import Inspection
package import StreakDomain

/// A habit and a day, as a key for the records of the habit on that day.
struct HabitDay: Hashable {
  let habit: String
  let day: Day
}

/// A record of the imported file with an answer about a habit, as the event that it becomes.
struct KeyedRecord {
  /// The key that identifies the record in every export; only records of one habit share keys.
  let key: String
  /// The entry or excuse, still without key and id.
  let draft: Draft
  /// A description of the record.
  let phrase: String
  /// Whether the source has a field for notes.
  ///
  /// Without this field, a missing note isn't treated as a change.
  var saysNote = false

  var habit: String { draft.event.payload.habit ?? "" }

  var isExcuse: Bool { draft.event.payload.entry == nil }

  var hasNote: Bool { ![nil, "", Event.skipped].contains(draft.event.payload.comment) }
}

/// The result of reading a file to import.
///
/// It has the events to append, and counts the records that are known or skipped.
///
/// Each record has a key. A record is written if its content differs from that of the last import
/// for the key. What a person corrected or deleted since then stays until the source changes. The
/// entries are as of the age of the file. So a file never outweighs a newer one, in whatever order
/// and on whichever device they are imported.
package struct ImportPlan {
  package internal(set) var drafts = PlannedDrafts()
  package var summary = ImportSummary()
  package private(set) var leftOut: [LeftOut] = []
  /// The ledger with the definitions of new habits applied, against which the entries are checked.
  package private(set) var ledger: Ledger
  let now: Instant
  let zone: String
  /// The clock of `zone`, or `nil` if this machine doesn't know the zone.
  let clock: DayClock?
  package var since: Day?
  package var until: Day?
  /// Whether the notes are for the user of an app, who knows no commands.
  package var isForApp = false
  /// Whether `leftOut` lists the skipped records.
  package var keepsLines = false
  /// The import, such as `csv`, with which the field `by` of its events begins.
  var writer: Text = ""
  /// Whether the records are rows of a table.
  ///
  /// If the ledger refuses a row, the append then fails. Only a row of a retired habit is skipped.
  var isTable = false
  /// A function that calls its argument with every event of the ledger.
  let eachEvent: ((Event) -> Void) throws(Failure) -> Void
  /// Called with how much of a part of the work is done, in bytes or rows; the total is 0 if it is
  /// unknown.
  package var report: (_ part: WorkPart, _ done: Int, _ total: Int) -> Void = { _, _, _ in }
  let history: ImportHistory
  /// The age of the file: the instant as of which its records are known, never after `now`.
  private(set) var asOf: Instant
  /// The known keys of the records in the file.
  private var present: Set<KeyID> = []
  /// The records whose keys are cleared, because the file lacks them, by the ids of their entries.
  ///
  /// `place` is the place in the file that says so, or `nil` if there is none.
  private var clearings: [String: (record: ImportHistory.Record, place: Place?)] = [:]
  private var notes = ImportNotes()
  /// The number of rows or comments whose note isn't imported, except those that options exclude.
  var lostNotes = 0

  package init(
    ledger: Ledger, now: Instant, zone: String,
    eachEvent: @escaping ((Event) -> Void) throws(Failure) -> Void
  ) throws(Failure) {
    self.ledger = ledger
    self.now = now
    self.zone = zone
    clock = DayClock(zone: zone, start: ledger.facts.dayStart)
    self.eachEvent = eachEvent
    asOf = now
    history = try ImportHistory(of: ledger, eachEvent: eachEvent)
  }

  // MARK: The age of the file

  /// Sets the age of the file: the instant that it names, or else the end of its newest day.
  mutating func setAge(_ named: Instant?, newestDay: Day?) {
    let end = newestDay.flatMap { day -> Instant? in
      guard day < Day.last else { return nil }
      let start = ledger.facts.dayStart.minutes
      return Zones.instant(of: day.next, minute: start, in: zone)?.instant
    }
    asOf = min(now, named ?? end ?? now)
  }

  /// The day that contains `asOf`, in the time zone of the import.
  var dayOfAge: Day { day(of: asOf) }

  /// The current date in the time zone of the import.
  var today: Day { day(of: now) }

  private func day(of instant: Instant) -> Day {
    clock?.day(of: instant) ?? ledger.today ?? Day.first
  }

  // MARK: Records

  /// Adds the entry or excuse of a record, unless the ledger has it or it must be skipped.
  ///
  /// If `row` is given, the draft isn't kept, and `rowDraft` makes it again from that row.
  ///
  /// - Returns: Whether the record was imported before, and a person then deleted its entry.
  @discardableResult
  mutating func add(_ record: KeyedRecord, row: Int? = nil) -> Bool {
    let draft = record.draft
    let habit = record.habit
    let known = known(record)
    if let known { present.insert(known.id) }

    do throws(LeftOut.Reason) {
      if let reason = exclusion(of: draft.event.day) { throw reason }
      switch state(of: record, known) {
      case .new: break
      case .known:
        summary.alreadyThere += 1
        return false
      case .deleted:
        summary.deleted += 1
        return true
      case .kept:
        summary.kept += 1
        noteKept(record)
        list(record.phrase, draft.place, "changed here since, and kept")
        return false
      case .older:
        summary.older += 1
        list(record.phrase, draft.place, "older than what a newer file said")
        return false
      }
      if let reason = exclusion(of: habit, on: draft.event.day) ?? refusal(of: draft) {
        throw reason
      }
    } catch {
      skip(record.phrase, draft.place, error)
      return false
    }

    if let known {
      noteOverruled(record, known)
      takeBackOthers(than: record, known)
    }
    summary.count(habit, isExcuse: record.isExcuse)
    notes.note(draft.event, of: habit, by: writer, asOf: asOf, ledger.facts, history)
    let rank: PlannedDrafts.Rank = record.isExcuse ? .excuse : .entry
    if let row {
      drafts.add(row: row, of: draft.event.day, rank)
    } else {
      drafts.add(completed(record), rank)
    }
    return false
  }

  /// Returns whether the entry that holds `key` is deleted, or `nil` if no entry holds it.
  ///
  /// A person, an undo or an import can have deleted it.
  func isDeleted(_ key: String, of habit: String) -> Bool? {
    ledger.facts.holder(of: key, in: habit)?.isDeleted
  }

  /// Whether the standing import of the record's key has the content of the record.
  func isImported(_ record: KeyedRecord) -> Bool {
    guard let imported = known(record)?.imported, !imported.isNone else { return false }
    return says(record, imported)
  }

  /// Marks `key` as present in the file, so that it isn't treated as missing.
  mutating func keep(_ key: String, of habit: String) {
    if let known = history.record(of: key, in: habit) { present.insert(known.id) }
  }

  /// The state of a record in the ledger.
  private enum RecordState {
    case new, known
    /// A person deleted or withdrew the event that an import wrote.
    case deleted
    /// A person changed the entry after the file was made.
    case kept
    /// A newer file said something else.
    case older
  }

  private func state(of record: KeyedRecord, _ known: ImportHistory.Record?) -> RecordState {
    guard let known else { return .new }

    if let imported = known.imported {
      let isUnchanged = !imported.isTakenBack && says(record, imported)
      let saysNothingNew = isUnchanged || imported.isTakenBack
      let isThere = record.isExcuse ? !standingExcuses(of: known).isEmpty : hasEntry(known)
      if saysNothingNew, known.isDeletedByHand, !isThere { return .deleted }

      if isUnchanged {
        // What an undo took back is none, and one elsewhere can have restored another answer.
        let isCurrent = !known.isUndone && counts(record, known, imported)
        return isByHand(known) || isCurrent ? .known : .new
      }
      if !imported.isTakenBack, imported.asOf > asOf { return .older }
    }

    guard isHeld(known) else { return .new }
    // It isn't written, so that a file made after the change can still bring it.
    return matchesEntryByHand(record, known) ? .known : .kept
  }

  /// Whether the key's entry is of a person, and has the content of `record`.
  private func matchesEntryByHand(_ record: KeyedRecord, _ known: ImportHistory.Record) -> Bool {
    guard hasEntry(known), let content = known.contentByHand else { return false }
    let said = ImportHistory.Content(of: record.draft.event, without: known.redacted)
    return content.isEqual(to: said, by: record)
  }

  private func known(_ record: KeyedRecord) -> ImportHistory.Record? {
    history.record(of: record.key, in: record.habit)
  }

  /// Whether an import wrote what `record` says.
  private func says(_ record: KeyedRecord, _ imported: ImportHistory.Imported) -> Bool {
    let content = ImportHistory.Content(of: record.draft.event, without: imported.redacted)
    return imported.content?.isEqual(to: content, by: record) ?? false
  }

  /// Whether the key has the content of `record` now.
  ///
  /// `imported` has this content. The result is true if `imported` is in force, or if an undo
  /// brought its content back. It is false if `record` is an excuse and the key has an entry, or
  /// the other way round. `history` can be newer than `ledger`, so an event that the ledger lacks
  /// counts as in force.
  private func counts(
    _ record: KeyedRecord, _ known: ImportHistory.Record, _ imported: ImportHistory.Imported
  ) -> Bool {
    let hasOther = record.isExcuse ? hasEntry(known) : !standingExcuses(of: known).isEmpty
    guard !hasOther else { return false }

    let fate = ledger.facts.fate(of: imported.event)
    let restored = known.restored.last { ledger.facts.fate(of: $0.event) == .standing }
    return fate == .standing || fate == .absent || restored?.content == imported.content
  }

  /// Whether a person logged or corrected the key's entry since the last import, and no undo of an
  /// import elsewhere removed it.
  private func isByHand(_ known: ImportHistory.Record) -> Bool {
    known.isByHand && (known.isDeletedByHand || holder(of: known)?.isDeleted != true)
  }

  /// Whether the key's entry outranks every event that this file can write for the key.
  private func isHeld(_ known: ImportHistory.Record) -> Bool {
    holder(of: known).map { $0.asOf > asOfToReplace(known) } ?? false
  }

  /// Returns the `asOf` for a new event of the key, by default the age of the file.
  ///
  /// If only imports and undos wrote the key's entry, and its `asOf` is later than that, returns
  /// the later time.
  private func asOfToReplace(_ known: ImportHistory.Record) -> Instant {
    guard !known.imports.isEmpty, !isByHand(known) else { return asOf }
    return max(asOf, holder(of: known)?.asOf ?? asOf)
  }

  /// Returns the draft of `record`, completed with the record's key, an `asOf` and an id.
  ///
  /// The `asOf` is the age of the file, or later if the draft must outrank an earlier import. Texts
  /// that were redacted in the ledger are empty in the draft.
  func completed(_ record: KeyedRecord) -> Draft {
    var draft = record.draft
    let known = known(record)
    let redacted = known?.redacted ?? []
    draft.event.payload.replaceTexts { redacted.contains($0) ? "" : $1 }

    let content = ImportHistory.Content.text(of: draft.event)
    let last = known?.last ?? lone(record.key, in: record.habit)
    // The entry with the newest `asOf` holds the key. So that an older file can bring back what an
    // undo reverted, and then change it, the draft must not be older than the reverted entry.
    let asOf = record.isExcuse ? self.asOf : known.map { asOfToReplace($0) } ?? self.asOf
    draft.event.id = ImportID.make(
      [
        record.habit, record.key, content, draft.at.map { "\($0)" } ?? "", draft.zone ?? zone,
        draft.event.by?.string ?? "", asOf.description, last?.text(ledger.names) ?? "",
      ] + draft.event.unknown.map { "\($0)" } + age(besides: asOf))
    draft.id = draft.event.id

    if record.isExcuse {
      draft.event.unknown += Event.UnknownField.ofImport(key: record.key, asOf: asOf)
    } else {
      draft.event.payload.entry?.key = record.key
      draft.event.payload.entry?.asOf = asOf
      draft.event.unknown += age(besides: asOf).map { Event.UnknownField(Event.ageName, $0) }
    }
    return draft
  }

  /// Returns the age of the file for the field `x_asOf` of an event, or nothing if it isn't needed.
  ///
  /// It is needed if the event's own `asOf` is later than the age of the file. Without it, the
  /// event would look like one from a newer file.
  private func age(besides asOf: Instant) -> [String] {
    asOf > self.asOf ? [self.asOf.description] : []
  }

  /// Returns the id `key` if an entry of `habit` has it; such an entry belongs to the key.
  private func lone(_ key: String, in habit: String) -> EventKey? {
    guard ledger.facts.entry(of: key)?.entry.habit == habit else { return nil }
    return EventKey.find(key, names: ledger.names)
  }

  private func holder(of known: ImportHistory.Record) -> Facts.KeyHolder? {
    ledger.facts.holder(of: key(of: known), in: habit(of: known))
  }

  private func key(of known: ImportHistory.Record) -> String { known.id.key.text(history.names) }

  private func habit(of known: ImportHistory.Record) -> String {
    history.names.text(known.id.habit)
  }

  private func hasEntry(_ known: ImportHistory.Record) -> Bool {
    holder(of: known)?.isDeleted == false
  }

  private func standingExcuses(of known: ImportHistory.Record) -> [EventKey] {
    known.excuses.filter { ledger.facts.fate(of: $0) == .standing }
  }

  // MARK: Records that a person changed

  /// Notes that `record` counts instead of what a person corrected or deleted here.
  private mutating func noteOverruled(_ record: KeyedRecord, _ known: ImportHistory.Record) {
    guard !known.imports.isEmpty else { return }
    let what = "\(record.habit): \(record.draft.event.day)"
    if known.isDeletedByHand, isDeleted(record.key, of: record.habit) == true {
      notes.note(
        .deleted, "\(what) was deleted here and counts again, because the file changed")
    } else if known.isByHand {
      notes.note(
        .corrected, "\(what) was corrected here, and the file's \(words(of: record)) counts now")
    }
  }

  /// Adds a note that a person's entry stays instead of `record`.
  ///
  /// The note has the command that records the file's entry after all.
  private mutating func noteKept(_ record: KeyedRecord) {
    guard let holder = ledger.facts.holder(of: record.key, in: record.habit) else { return }
    let what = "\(record.habit): \(record.draft.event.day) stays as you changed it"
    let command = command(toLog: record, insteadOf: holder.position)
    let remedy = command.map { "; `\($0)` takes the file's" }
    notes.note(.kept, "\(what)\(program: remedy ?? "")")
  }

  /// Returns the command that replaces the entry at `position` by `record`.
  ///
  /// Returns `nil` if `log` can't record everything that `record` has.
  private func command(toLog record: KeyedRecord, insteadOf position: Int) -> String? {
    let draft = record.draft
    guard let rule = ledger.facts.definition(of: record.habit, on: draft.event.day)?.rule,
      var words = draft.event.payload.entry?.arguments(under: rule)
    else { return nil }

    // Otherwise the new entry takes the day and the time of the replaced one.
    let old = ledger.facts.fact(ofEntryAt: position)
    if draft.event.day != old?.day { words.append("--on \(draft.event.day)") }
    if let at = draft.at, !draft.isOfDay, at.instant.microseconds != old?.at {
      words.append("--at \(at)")
    }
    words.append("--replaces \(ledger.facts.id(at: position))")
    return "streaks log \(record.habit) " + words.joined(separator: " ")
  }

  private func words(of record: KeyedRecord) -> String {
    let event = record.draft.event
    guard let entry = event.payload.entry else { return "excuse" }
    let definition = ledger.facts.definition(of: record.habit, forRecordsOf: event.day)
    let words = entry.measureWords(unit: definition?.rule.sum?.unit)
    return words.isEmpty ? "entry" : words
  }

  // MARK: Records that are gone

  /// The reason for deleting an entry, or withdrawing an excuse, that the file lacks.
  private static let gone: Text = "no longer in the file"
  /// The reason for withdrawing an excuse if the file has another answer for its day.
  private static let otherAnswer: Text = "another answer was imported"

  /// Takes back what an import wrote for `key`, because the file says that there is nothing.
  mutating func takeBack(_ key: String, of habit: String, _ place: Place) {
    guard let known = history.record(of: key, in: habit) else { return }
    present.insert(known.id)
    takeBack(known, place)
  }

  /// Takes back what earlier imports of the same kind wrote for `habit` on `days` and the file
  /// lacks.
  ///
  /// Only keys that begin with `prefix` are considered.
  mutating func takeBackMissing(of habit: String, prefix: String = "", on days: (Day) -> Bool) {
    for known in missing(of: habit, prefix, on: days) { takeBack(known, nil) }
  }

  /// Returns the days on which the file lacks an entry or excuse that an earlier import recorded.
  ///
  /// Only imports of the same kind are considered, and only what they recorded for `habit` on
  /// `days` and still counts.
  ///
  /// If `ofNewerFiles` is true, the result has only the days of records from newer files, which
  /// this file can't revert. Otherwise it has only the days of the other records.
  func missingDays(of habit: String, ofNewerFiles: Bool, on days: (Day) -> Bool) -> [Day] {
    let standing = missing(of: habit, "", on: days).compactMap { known -> Day? in
      guard let imported = known.imported, (imported.asOf > asOf) == ofNewerFiles,
        !isOnlyByHand(known, imported)
      else { return nil }
      return hasEntry(known) || !standingExcuses(of: known).isEmpty ? imported.day : nil
    }
    return Set(standing).sorted()
  }

  private func missing(
    of habit: String, _ prefix: String, on days: (Day) -> Bool
  ) -> [ImportHistory.Record] {
    let symbol = history.names.find(habit)
    let missing = history.records.values.filter { known in
      guard known.id.habit == symbol, !present.contains(known.id), let imported = known.imported,
        imported.writer == writer, days(imported.day)
      else { return false }
      return prefix.isEmpty || key(of: known).begins(with: prefix)
    }
    return missing.sorted { $0.id.key < $1.id.key }
  }

  /// Whether an import wrote an entry with `key` for a habit other than `habit`, and didn't take it
  /// back.
  func isImported(_ key: String, ofOtherThan habit: String) -> Bool {
    ledger.facts.definedHabits.contains { other in
      let imported = other == habit ? nil : history.record(of: key, in: other)?.imported
      return !(imported?.isNone ?? true)
    }
  }

  private mutating func takeBack(_ known: ImportHistory.Record, _ place: Place?) {
    let habit = habit(of: known)
    guard let imported = known.imported, imported.asOf <= asOf, !isOnlyByHand(known, imported),
      exclusion(of: habit, on: imported.day) == nil
    else { return }

    let excuses = standingExcuses(of: known)
    let reason = place == nil ? ImportPlan.gone : ImportPlan.otherAnswer
    withdraw(excuses, of: known, on: imported.day, by: writer, reason: reason)
    let wasEntry = !imported.isExcuse && !imported.isNone
    let isCleared = clearHolder(of: known, place, evenIfDeleted: wasEntry)
    if isCleared, known.isByHand, !known.isDeletedByHand {
      notes.note(
        .cleared, "\(habit): \(imported.day) was corrected here, and is taken back with the import")
    }
    if isCleared || !excuses.isEmpty {
      summary.takenBack += 1
      summary.gone += 1
    }
  }

  /// Whether nothing but a person's entry is left of the key.
  ///
  /// The last import cleared the key, or was undone. A file without the record then says nothing
  /// new.
  private func isOnlyByHand(
    _ known: ImportHistory.Record, _ imported: ImportHistory.Imported
  ) -> Bool { imported.isNone && isByHand(known) }

  /// Plans to clear the key, unless a person wrote its entry after the age of the file.
  ///
  /// A deleted entry is cleared only if `evenIfDeleted` is true.
  ///
  /// - Returns: Whether the key is cleared.
  private mutating func clearHolder(
    of known: ImportHistory.Record, _ place: Place?, evenIfDeleted: Bool = false
  ) -> Bool {
    guard let holder = holder(of: known), !holder.isDeleted || evenIfDeleted else { return false }
    guard !isHeld(known) else {
      if !holder.isDeleted { summary.kept += 1 }
      return false
    }
    let entry = ledger.facts.id(at: holder.position)
    if clearings[entry] == nil { clearings[entry] = (known, place) }
    return true
  }

  /// Takes back what counts under the key of `record` and isn't replaced by `record`.
  ///
  /// These are excuses and, if `record` is an excuse itself, the entry.
  private mutating func takeBackOthers(than record: KeyedRecord, _ known: ImportHistory.Record) {
    let excuses = standingExcuses(of: known)
    withdraw(
      excuses, of: known, on: record.draft.event.day, by: record.draft.event.by ?? writer,
      reason: ImportPlan.otherAnswer)
    let isCleared = record.isExcuse && clearHolder(of: known, record.draft.place)

    let isReplaced = !(known.imported?.isNone ?? true) && !isImported(record)
    if isCleared || !excuses.isEmpty || isReplaced { summary.takenBack += 1 }
  }

  private mutating func withdraw(
    _ excuses: [EventKey], of known: ImportHistory.Record, on day: Day, by: Text, reason: Text
  ) {
    for excuse in excuses {
      let text = excuse.text(ledger.names)
      // Two devices can withdraw it for different reasons, and equal ids have equal content.
      let id = ImportID.make(["withdrawal", text, asOf.description, reason.string])
      var draft = Draft(
        .excuseWithdrawn(excuse: text, reason: reason), id: id, of: day, in: zone, by: by)
      draft.event.unknown = Event.UnknownField.ofImport(key: key(of: known), asOf: asOf)
      drafts.add(draft, .takingBack)
    }
  }

  /// Plans the events that clear keys.
  ///
  /// The content that was imported last is written again, as of the age of the file, and then
  /// deleted. So the key stays cleared, whatever older files are imported elsewhere.
  private mutating func planClearings() throws(Failure) {
    guard !clearings.isEmpty else { return }
    var events: [Event] = []
    try eachEvent { if clearings[$0.id] != nil { events.append($0) } }
    for event in events {
      if let (known, place) = clearings[event.id] { clear(known, event, place) }
    }
  }

  private mutating func clear(_ known: ImportHistory.Record, _ event: Event, _ place: Place?) {
    let asOf = asOfToReplace(known)
    let id = ImportID.make(
      ["cleared", event.id, asOf.description, known.last.text(ledger.names)] + age(besides: asOf))
    var payload = event.payload
    payload.entry?.key = key(of: known)
    payload.entry?.asOf = asOf
    let by = Text(writer.string + Event.clearing)

    var draft = Draft(
      payload, id: id, of: event.day, at: event.at, in: zone, by: by, place: place)
    draft.zone = event.zone
    draft.isOfDay = event.at.instant > now
    draft.event.unknown = event.unknown.filter { $0.key != Event.ageName }
    draft.event.unknown += age(besides: asOf).map { Event.UnknownField(Event.ageName, $0) }
    var cleared = id
    if Admission(to: ledger).refusal(of: draft.event) == nil {
      drafts.add(draft, .takingBack)
    } else if let holder = holder(of: known), !holder.isDeleted {
      // The habit takes such an entry no longer, so only the entry that counts is deleted.
      cleared = ledger.facts.id(at: holder.position)
    } else {
      return
    }
    let deletion = Draft(
      .entryDeleted(entry: cleared, reason: ImportPlan.gone),
      id: ImportID.make(["deletion", id]), of: event.day, in: zone, by: by)
    drafts.add(deletion, .takingBack)
  }

  /// Completes the plan, after all records were added.
  mutating func finish() throws(Failure) {
    try planClearings()
    notes.sentences(ledger.facts).forEach { note($0) }
    if lostNotes > 0 {
      note("not imported: \(counted(lostNotes, "note")) without an entry")
    }
  }

  /// Adds a note, in the words of the program or of the library.
  mutating func note(_ sentence: Sentence) {
    summary.notes.append(isForApp ? sentence.libraryText : sentence.text)
  }

  // MARK: Skipped records

  /// Counts a record as skipped; `what` describes the record.
  mutating func skip(_ what: @autoclosure () -> String, _ place: Place, _ reason: LeftOut.Reason) {
    if let index = summary.leftOut.firstIndex(where: { $0.cause == reason }) {
      summary.leftOut[index].count += 1
    } else {
      summary.leftOut.append(.init(cause: reason, sentence: reason.sentence(), count: 1))
    }
    list(what(), place, reason.sentence())
  }

  /// Lists a record that isn't written, if that was asked for.
  private mutating func list(_ what: @autoclosure () -> String, _ place: Place, _ why: String) {
    if keepsLines { leftOut.append(LeftOut(place: "\(place)", what: what(), reason: why)) }
  }

  /// Adds a note for each name in `names` (from an option) that isn't in `fileNames` (the names in
  /// the file).
  mutating func noteMissing(_ noun: String, _ names: [Text], among fileNames: Set<Text>) {
    let candidates = fileNames.sorted().strings
    for name in names where !fileNames.contains(name) {
      let others = candidates.prefix(12).map(quoted).joined(separator: ", ")
      note(
        "the file has no \(noun) \(quoted(name))\(Nearest.hint(name.string, among: candidates))"
          + (candidates.isEmpty ? "" : "; it has \(others)"))
    }
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

  /// Returns the reason to skip `draft`, or `nil` if it can be imported.
  ///
  /// It is skipped if it is in the future, or if its habit is retired. It is also skipped if the
  /// ledger refuses it, unless `isTable` is true.
  private func refusal(of draft: Draft) -> LeftOut.Reason? {
    let isPast = draft.at.map { $0.instant <= now + AppendOptions.mostAhead } ?? false
    guard draft.isOfDay ? draft.event.day <= today : isPast else {
      // An afternoon nap, for example, has happened, but belongs to the next day.
      return draft.event.day > today ? .ofLaterDay : .inTheFuture
    }

    let habit = draft.event.payload.habit ?? ""
    // The message doesn't contain the day, so that all such events are counted together.
    if let after = ledger.facts.retirement(of: habit, on: draft.event.day) {
      return LeftOut.Reason(
        "\(quoted(habit)) is retired after \(after)",
        hint: "; `streaks define \(habit) --on \(after.next)` resumes it")
    }

    guard !isTable, let refusal = Admission(to: ledger).refusal(of: draft.event) else { return nil }
    let isUnknown = refusal.kind == .unknownHabit
    return isUnknown ? .undefinedHabit(habit) : LeftOut.Reason(refusal.sentence)
  }

  // MARK: Definitions

  /// Plans the definition of a new habit, with an id that other devices give the same definition.
  mutating func define(_ definition: Habit, on day: Day) {
    var draft = Draft(.habitDefined(definition), of: day, in: zone, by: writer)
    let content = ImportHistory.Content.text(of: draft.event)
    draft.event.id = freeID(["definition", content, zone])
    draft.id = draft.event.id
    drafts.add(definition: draft)
    summary.defined.append(definition.id)
    ledger.apply(draft.event)
    ledger.settle()
  }

  /// Returns the first id that no event has, made from `parts` and 0, 1 and so on.
  private func freeID(_ parts: [String]) -> String {
    var number = 0
    while true {
      let id = ImportID.make(parts + ["\(number)"])
      if ledger.facts.position(of: id) == nil { return id }
      number += 1
    }
  }
}
