import EventLog
import StreakDomain

/// A key of a habit, in the compact form of the ledger.
struct KeyID: Hashable {
  let habit: Symbol
  let key: EventKey
}

/// The keys of imported records, as the ledger knows them: the content an import wrote last
/// for each key, and the last event of the key.
///
/// Entries have the field `key`. An excuse that an import wrote, and the withdrawal of one, have
/// the fields `x_key` and `x_asOf` of this program, because the format has none for them.
struct ImportHistory {
  /// The history of one key, by imports and by others.
  struct Record {
    /// The last event of the key in the stream, which may be a deletion.
    fileprivate(set) var last: EventKey
    /// Whether a person deleted the key's entry, and nobody gave it back.
    fileprivate(set) var isDeletedByHand = false
    /// The entries with the key that a person logged or corrected.
    fileprivate(set) var entriesByHand: [(event: EventKey, claim: Claim)] = []
    /// The record that the import of the newest file wrote, or `nil` if no import wrote anything.
    fileprivate(set) var newest: Imported?
    /// The other imports of the key, that of the oldest file first.
    fileprivate(set) var older: [Imported] = []
    /// The excuses that imports wrote for the key, including withdrawn ones.
    fileprivate(set) var excuses: [EventKey] = []
  }

  /// The rank of an entry among those of its key, of which the last one counts: by `asOf`, then by
  /// the place in the stream.
  struct Claim: Comparable {
    let asOf: Instant
    let place: Int

    static func < (one: Claim, other: Claim) -> Bool {
      (one.asOf, one.place) < (other.asOf, other.place)
    }
  }

  /// The content that an import wrote for a key.
  struct Imported {
    let event: EventKey
    /// The age of the file.
    let asOf: Instant
    /// The claim of the event, later than the file's age if the entry had to outrank one that an
    /// undo had reverted.
    let claim: Claim
    let day: Day
    /// The import, such as `csv` or `apple-health`.
    let writer: Text
    /// The content, or `nil` if the import cleared the key, because the file lacked the record.
    let content: Content?
    let isExcuse: Bool
    /// The texts that were redacted, and must not come back.
    let redacted: Set<TextField>
  }

  /// Hashes of what a record says.
  struct Content: Equatable {
    private let timed: Int
    private let untimed: Int
    /// The hash without the time and the note.
    private let unnoted: Int
    /// The hash without the time, the note, and the unit of a number in `value`.
    private let bare: Int
    private let hasNote: Bool
    private let hasBareNumber: Bool

    /// Whether `new`, the content of `record` in the file, says the same.
    ///
    /// The time of a record of a day alone is made up. If the source has no notes, or doesn't say a
    /// unit, the record doesn't say that there is none.
    func isEqual(to new: Content, by record: KeyedRecord) -> Bool {
      guard record.draft.isOfDay else { return timed == new.timed }
      if new.hasNote || record.saysNote { return untimed == new.untimed }
      return new.hasBareNumber ? bare == new.bare : unnoted == new.unnoted
    }
  }

  private(set) var records: [KeyID: Record] = [:]
  /// The names of the ledger, and the keys of excuses, which the ledger doesn't know.
  private(set) var names: SymbolTable
  /// The events that undos took back.
  private var takenBack: Set<EventKey> = []
  /// The habits here for which Loop's habits were imported, by the hashes of their names in Loop.
  private(set) var loopHabits: [String: [String]] = [:]

  init(
    of ledger: Ledger, eachEvent: ((Event) -> Void) throws(Failure) -> Void
  ) throws(Failure) {
    var reader = HistoryReader(ledger)
    try eachEvent { reader.read($0) }
    records = reader.records
    names = reader.names
    takenBack = reader.takenBack
    loopHabits = reader.loopHabits
  }

  /// Whether an undo took back what an import wrote.
  func isTakenBack(_ imported: Imported) -> Bool { takenBack.contains(imported.event) }

  /// Returns the newest import of a key that no undo reverted, or the newest one if all were
  /// reverted.
  func imported(of record: Record) -> Imported? {
    guard let newest = record.newest, isTakenBack(newest) else { return record.newest }
    return record.older.last { !isTakenBack($0) } ?? newest
  }

  /// Whether a person logged or corrected the key's entry since the import of it that stands.
  func isByHand(_ record: Record) -> Bool {
    let imported = imported(of: record).flatMap { isTakenBack($0) ? nil : $0 }
    return record.entriesByHand.contains { entry in
      !takenBack.contains(entry.event) && imported.map { entry.claim > $0.claim } ?? true
    }
  }

  /// Whether the last import of the key left no content: it cleared the key, or an undo took it
  /// back.
  func isNone(_ imported: Imported) -> Bool {
    imported.content == nil || isTakenBack(imported)
  }
}

extension ImportHistory {
  /// Returns the days of the entries that imports other than those of `writer` wrote, by habit.
  func days(importedBesides writer: Text) -> [String: Set<Day>] {
    var days: [String: Set<Day>] = [:]
    for (id, record) in records {
      guard let imported = imported(of: record), imported.writer != writer, !isNone(imported),
        !imported.isExcuse
      else { continue }
      days[names.text(id.habit), default: []].insert(imported.day)
    }
    return days
  }

  /// Returns the habit and day of everything that imports of `writer` wrote and didn't take back.
  func imports(by writer: Text) -> [(habit: String, day: Day)] {
    records.compactMap { id, record in
      guard let imported = imported(of: record), imported.writer == writer, !isNone(imported)
      else { return nil }
      return (names.text(id.habit), imported.day)
    }
  }
}

extension ImportHistory.Content {
  /// Creates the hash of an event's content, without its key and the texts in `redacted`.
  init(of event: Event, without redacted: Set<TextField> = []) {
    // The hash of a String would be that of its canonical form.
    let text = Array(ImportHistory.Content.text(of: event, without: redacted).utf8)
    untimed = text.hashValue
    var hasher = Hasher()
    hasher.combine(text)
    hasher.combine(event.at.instant)
    timed = hasher.finalize()

    let comment = event.payload.comment
    hasNote = !(comment?.isEmpty ?? true) && comment != Event.skipped
    var reduced = event
    reduced.payload.removeComment()
    unnoted = Self.hash(of: reduced, without: redacted)

    let number = event.payload.entry?.value.flatMap { NumberWord($0.string) }
    hasBareNumber = number?.unit == ""
    if let number { reduced.payload.entry?.value = Text(number.digits) }
    bare = number == nil ? unnoted : Self.hash(of: reduced, without: redacted)
  }

  private static func hash(of event: Event, without redacted: Set<TextField>) -> Int {
    Array(text(of: event, without: redacted).utf8).hashValue
  }

  /// Returns the content of an event as JSON: its day and its payload.
  static func text(of event: Event, without redacted: Set<TextField> = []) -> String {
    var payload = event.payload
    payload.entry?.key = nil
    payload.entry?.asOf = nil
    payload.replaceTexts { redacted.contains($0) ? "" : $1 }
    // A text that was redacted in the ledger is empty there, and absent in a record without one.
    if payload.entry?.note == "" { payload.entry?.note = nil }
    if payload.entry?.value == "" { payload.entry?.value = nil }

    let day = JSONValue.text(event.day.description)
    return JSONValue.object(inOrder: EventEncoder.payloadMembers(of: payload) + [("day", day)]).json
  }
}

/// The collection of a history from the events of a stream.
private struct HistoryReader {
  let ledger: Ledger
  var names: SymbolTable
  var records: [KeyID: ImportHistory.Record] = [:]
  var takenBack: Set<EventKey> = []
  var loopHabits: [String: [String]] = [:]
  /// For each event of an undo, the event that is taken back in the end, and whether it is, or
  /// given again.
  private var undone: [EventKey: (root: EventKey, isTakenBack: Bool)] = [:]
  /// The deletions that no import and no undo wrote.
  private var deletionsByHand: Set<EventKey> = []
  /// The keys of the excuses that imports wrote, and of their withdrawals.
  private var keysOfExcuses: [EventKey: KeyID] = [:]
  /// The number of events that were read.
  private var place = 0

  init(_ ledger: Ledger) {
    self.ledger = ledger
    names = ledger.names
  }

  mutating func read(_ event: Event) {
    guard let id = find(event.id) else { return }
    place += 1
    noteUndo(event, id)
    // A correction keeps the field, perhaps for another habit.
    if event.isByImport, let name = event.ownText(Event.loopName), let habit = event.payload.habit {
      if !(loopHabits[name] ?? []).contains(habit) { loopHabits[name, default: []].append(habit) }
    }

    switch event.payload {
    case .entryLogged(let entry):
      guard let key = entry.key else { return }
      let claim = entry.asOf ?? event.recorded
      note(event, id, of: keyID(of: key, in: entry.habit), claim: claim)
    case .daysExcused(_, _, let habits, _):
      var keyID = event.cause.flatMap { find($0) }.flatMap { keysOfExcuses[$0] }
      if let key = event.importKey, let habit = habits?.first {
        keyID = self.keyID(of: key, in: habit)
      }
      guard let keyID else { return }
      keysOfExcuses[id] = keyID
      note(event, id, of: keyID, claim: event.importAsOf ?? event.recorded)
      records[keyID]?.excuses.append(id)
    case .excuseWithdrawn(let excuse, _):
      guard let keyID = find(excuse).flatMap({ keysOfExcuses[$0] }) else { return }
      keysOfExcuses[id] = keyID
      if event.importKey != nil {
        note(event, id, of: keyID, claim: event.importAsOf ?? event.recorded)
      } else {
        records[keyID]?.last = id
      }
    case .entryDeleted(let entry, _):
      guard let position = ledger.facts.position(of: entry),
        let fact = ledger.facts.fact(ofEntryAt: position),
        let key = ledger.facts.key(ofEntryAt: position).flatMap({ find($0.text) })
      else { return }
      let keyID = KeyID(habit: fact.habit, key: key)
      records[keyID, default: ImportHistory.Record(last: id)].last = id
      if !event.isUndo, !event.isClearing {
        deletionsByHand.insert(id)
        records[keyID]?.isDeletedByHand = true
      } else {
        noteHand(id, of: keyID)
      }
    case .ledgerOpened, .habitDefined, .habitRetired, .dayChanged, .dayCorrected, .segmentDropped,
      .eventRedacted, .reminderSet, .celebrationSeen:
      return
    }
  }

  private func find(_ id: String) -> EventKey? { EventKey.find(id, names: names) }

  private mutating func keyID(of key: String, in habit: String) -> KeyID {
    KeyID(habit: names.intern(habit), key: EventKey(key, names: &names))
  }

  private mutating func noteUndo(_ event: Event, _ id: EventKey) {
    guard event.isUndo, let cause = event.cause.flatMap({ find($0) }) else { return }
    let (root, wasTakenBack) = undone[cause] ?? (cause, false)
    undone[id] = (root, !wasTakenBack)
    if wasTakenBack { takenBack.remove(root) } else { takenBack.insert(root) }
  }

  /// Notes whether the event `id` of an undo reverts a deletion by hand, or restores one.
  private mutating func noteHand(_ id: EventKey, of key: KeyID) {
    guard let (root, isTakenBack) = undone[id], deletionsByHand.contains(root) else { return }
    records[key]?.isDeletedByHand = !isTakenBack
  }

  /// Notes an event of a key, and what an import says.
  private mutating func note(_ event: Event, _ id: EventKey, of key: KeyID, claim asOf: Instant) {
    let claim = ImportHistory.Claim(asOf: asOf, place: place)
    var record = records[key] ?? ImportHistory.Record(last: id)
    record.last = id
    defer {
      records[key] = record
      noteHand(id, of: key)
    }
    if !event.isByImport, !event.isUndo {
      record.isDeletedByHand = false
      record.entriesByHand.append((id, claim))
    }
    guard event.isByImport else { return }

    let redacted = event.redactedTexts.union(record.newest?.redacted ?? [])
    let isCleared = event.isClearing || event.payload.removed != nil
    record.add(
      ImportHistory.Imported(
        event: id, asOf: event.importAsOf ?? asOf, claim: claim, day: event.day,
        writer: Text((event.by?.string ?? "").parts(at: ":")[0]),
        content: isCleared ? nil : ImportHistory.Content(of: event, without: redacted),
        isExcuse: event.payload.excusedDays != nil, redacted: redacted))
  }
}

extension ImportHistory.Record {
  /// Adds an import, in the order of the claims.
  fileprivate mutating func add(_ imported: ImportHistory.Imported) {
    guard let newest else { return self.newest = imported }
    if imported.claim > newest.claim {
      older.append(newest)
      self.newest = imported
    } else {
      let index = older.firstIndex { $0.claim > imported.claim } ?? older.endIndex
      older.insert(imported, at: index)
    }
  }
}

extension Payload {
  /// Removes the note of an entry, or the reason of an excuse.
  fileprivate mutating func removeComment() {
    entry?.note = nil
    if case .daysExcused(let from, let to, let habits, _) = self {
      self = .daysExcused(from: from, to: to, habits: habits, reason: nil)
    }
  }
}

extension Event {
  /// The reason of an imported excuse without a note.
  static let skipped: Text = "skipped"

  /// The end of the field `by` in the events with which an import clears a key.
  static let clearing = ":streaks-cleared"

  /// Whether an import wrote the event, to log a record or to clear a key.
  fileprivate var isByImport: Bool {
    guard let by = by?.string else { return false }
    return by == "csv" || by == "loop" || by.begins(with: "apple-health") || isClearing
  }

  fileprivate var isClearing: Bool { by?.string.ends(with: Event.clearing) ?? false }

  /// The key in the field `x_key` of an imported excuse or its withdrawal.
  fileprivate var importKey: String? { ownText("x_key") }

  fileprivate var importAsOf: Instant? {
    ownText(Event.UnknownField.ageName).flatMap { Instant($0) }
  }

  /// The field of this program with the hash of a habit's name in Loop.
  static let loopName: Text = "x_loop"

  fileprivate func ownText(_ name: Text) -> String? {
    guard let field = unknown.first(where: { $0.key == name }),
      case .text(let text)? = (try? JSONValue(parsing: Array(field.json.string.utf8)))?.kind
    else { return nil }
    return text
  }

  /// The texts that are empty, because `redact` removed them.
  fileprivate var redactedTexts: Set<TextField> {
    var fields: Set<TextField> = []
    var payload = payload
    payload.replaceTexts { field, text in
      if text.isEmpty { fields.insert(field) }
      return text
    }
    return fields
  }
}

extension [Event.UnknownField] {
  /// The fields that tell the key and the age of an imported excuse or its withdrawal.
  static func ofImport(key: String, asOf: Instant) -> [Event.UnknownField] {
    [Event.UnknownField(key: "x_key", json: Text(JSONValue.text(key).json)), .age(asOf)]
  }
}

extension Event.UnknownField {
  static let ageName: Text = "x_asOf"

  /// Creates the field with the age of the imported file, for an event whose `asOf` is later.
  static func age(_ asOf: Instant) -> Event.UnknownField {
    Event.UnknownField(key: ageName, json: Text(JSONValue.text(asOf.description).json))
  }
}
