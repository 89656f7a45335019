import EventLog
import StreakDomain

/// A key of a habit, in the compact form of the ledger.
struct KeyID: Hashable {
  let habit: Symbol
  let key: EventKey
}

/// What the ledger knows of the keys of imported records.
///
/// For each key, it has the content that an import wrote last, and the last event of the key.
///
/// Entries have the field `key`. The format has no such field for excuses and their withdrawals, so
/// those of an import have this program's own fields `x_key` and `x_asOf`.
struct ImportHistory {
  /// The history of one key, by imports and by others.
  struct Record {
    let id: KeyID
    /// The last event of the key in the stream, which may be a deletion.
    fileprivate(set) var last: EventKey
    /// The number of the event with which a person deleted the key's entry, or withdrew its excuse.
    ///
    /// It is `nil` if there is none, or if something restored the entry or the excuse since.
    fileprivate var deletion: Int?
    /// The entries with the key that a person logged or corrected.
    fileprivate var entriesByHand: [(event: EventKey, claim: Claim, content: Content)] = []
    /// The imports that wrote the key, the import of the oldest file first.
    fileprivate(set) var imports: [Imported] = []
    /// The excuses that imports wrote for the key, including withdrawn ones.
    fileprivate(set) var excuses: [EventKey] = []
    /// The contents that undos recorded again for the key.
    fileprivate(set) var restored: [(event: EventKey, content: Content)] = []

    /// The newest import of the key that no undo reverted.
    private var standing: Imported? { imports.last { !$0.isTakenBack } }

    /// The newest import of the key that no undo reverted, or the newest one if all were reverted.
    var imported: Imported? { standing ?? imports.last }

    /// Whether an undo reverted the import of the newest file.
    ///
    /// False if an import that was recorded later is in force.
    var isUndone: Bool {
      guard let last = imports.last, last.isTakenBack else { return false }
      return last.claim.place > standing?.claim.place ?? 0
    }

    /// Whether a person logged or corrected the key's entry after the newest import that no undo
    /// reverted.
    var isByHand: Bool {
      entriesByHand.contains { entry in standing.map { entry.claim > $0.claim } ?? true }
    }

    /// The content of the entry that a person logged or corrected last.
    var contentByHand: Content? { entriesByHand.max { $0.claim < $1.claim }?.content }

    /// Whether a person deleted the key's entry, or withdrew its excuse, after the newest import
    /// that no undo reverted.
    var isDeletedByHand: Bool {
      deletion.map { $0 > standing?.claim.place ?? 0 } ?? false
    }

    /// The texts that were redacted, and must not come back.
    var redacted: Set<TextField> { imports.last?.redacted ?? [] }

    /// Marks the imports among `events`, which undos took back.
    ///
    /// The entries by hand among them are forgotten.
    fileprivate mutating func takeBack(_ events: Set<EventKey>) {
      for index in imports.indices {
        imports[index].isTakenBack = events.contains(imports[index].event)
      }
      entriesByHand.removeAll { events.contains($0.event) }
    }
  }

  /// The rank of an entry among the entries with the same key.
  ///
  /// The entry with the highest rank counts.
  typealias Claim = (asOf: Instant, place: Int)

  /// The content that an import wrote for a key.
  struct Imported {
    let event: EventKey
    /// The age of the imported file: the time as of which its records were known.
    let asOf: Instant
    /// The rank of the event among the events of its key.
    ///
    /// Usually its time is `asOf`. It is later if the entry had to outrank one that an undo had
    /// reverted.
    let claim: Claim
    let day: Day
    /// The import, such as `csv` or `apple-health`.
    let writer: Text
    /// The content, or `nil` if the import cleared the key, because the file lacked the record.
    let content: Content?
    let isExcuse: Bool
    /// The texts that were redacted, and must not come back.
    let redacted: Set<TextField>
    /// Whether an undo took the event back.
    fileprivate(set) var isTakenBack = false

    /// Whether the import left no content: it cleared the key, or an undo took it back.
    var isNone: Bool { content == nil || isTakenBack }
  }

  /// The content of a record, in parts that are compared separately.
  struct Content: Equatable {
    private let at: Instant
    /// The hash of the note of an entry, or of the reason of an excuse.
    private let comment: Int?
    /// The text after the number in `value`, or `nil` if there is no number.
    private let unit: Text?
    /// The hash of the content without `at`, `comment` and `unit`; it includes the day.
    private let rest: Int

    /// Whether this content equals `new`, the content of `record` in the file.
    ///
    /// A record with a time must be equal in all parts. If it has only a day, the times aren't
    /// compared, because the time in `new` is made up. If it also has no note, and its source has
    /// no field for notes, the notes aren't compared, and a missing unit in the file isn't a
    /// difference.
    func isEqual(to new: Content, by record: KeyedRecord) -> Bool {
      guard record.draft.isOfDay else { return self == new }
      guard rest == new.rest else { return false }
      if record.saysNote || record.hasNote { return comment == new.comment && unit == new.unit }
      return unit == new.unit || new.unit.map { $0.string.trimmed.isEmpty } ?? false
    }
  }

  private(set) var records: [KeyID: Record] = [:]
  /// The names of the ledger, and the keys of excuses.
  ///
  /// The ledger itself doesn't know these keys.
  private(set) var names: SymbolTable
  /// The habits of this ledger to which a habit of Loop was imported.
  ///
  /// The keys are the hashes of the habits' names in Loop.
  private(set) var loopHabits: [String: Set<String>] = [:]
  /// The habits of `loopHabits` with an imported entry that counts.
  ///
  /// Like there, the keys are the hashes of the habits' names in Loop.
  private(set) var loopHabitsInForce: [String: Set<String>] = [:]
  /// The habits that imports defined.
  private(set) var importedHabits: Set<String> = []
  /// The events that undos took back.
  private var takenBack: Set<EventKey> = []
  /// What each event of an undo does to the event that was undone first.
  ///
  /// An undo can be undone in turn. `root` is the event with which such a chain begins.
  /// `isTakenBack` is true if the undo takes that event back, and false if it restores it.
  private var undone: [EventKey: (root: EventKey, isTakenBack: Bool)] = [:]
  /// The deletions, and withdrawals of excuses, that no import and no undo wrote.
  private var deletionsByHand: Set<EventKey> = []
  /// The keys of imported excuses, by the ids of the excuses and of their withdrawals.
  private var keysOfExcuses: [EventKey: KeyID] = [:]
  /// The number of events that were read.
  private var place = 0

  init(
    of ledger: Ledger, eachEvent: ((Event) -> Void) throws(Failure) -> Void
  ) throws(Failure) {
    names = ledger.names
    try eachEvent { read($0, ledger.facts) }
    guard !takenBack.isEmpty else { return }
    for index in records.indices { records.values[index].takeBack(takenBack) }
  }

  /// Returns what the ledger knows of a key, or `nil` if no event has the key.
  func record(of key: String, in habit: String) -> Record? {
    guard let habit = names.find(habit), let key = find(key) else { return nil }
    return records[KeyID(habit: habit, key: key)]
  }

  /// Returns the days of the standing imports that `isIncluded` accepts, by habit.
  func days(where isIncluded: (Imported) -> Bool) -> [String: Set<Day>] {
    var days: [String: Set<Day>] = [:]
    for record in records.values {
      guard let imported = record.imported, !imported.isNone, isIncluded(imported) else { continue }
      days[names.text(record.id.habit), default: []].insert(imported.day)
    }
    return days
  }
}

extension ImportHistory.Content {
  /// Creates the content of an event, without its key and the texts in `redacted`.
  init(of event: Event, without redacted: Set<TextField> = []) {
    var payload = Self.payload(of: event, without: redacted)
    at = event.at.instant
    comment = payload.comment.map { Self.hash($0.string) }
    payload.comment = nil

    let value = payload.entry?.value?.string ?? ""
    let digits = NumberWord(value)?.digits
    unit = digits.map { Text(value.droppingBytes($0.utf8.count)) }
    if let digits { payload.entry?.value = Text(digits) }
    rest = Self.hash(Self.json(payload, event.day))
  }

  /// Returns the content of an event as JSON: its day and its payload.
  static func text(of event: Event) -> String { json(payload(of: event), event.day) }

  /// The hash of a String would be that of its canonical form.
  private static func hash(_ text: String) -> Int { Array(text.utf8).hashValue }

  private static func payload(
    of event: Event, without redacted: Set<TextField> = []
  ) -> Payload {
    var payload = event.payload
    payload.entry?.key = nil
    payload.entry?.asOf = nil
    payload.replaceTexts { redacted.contains($0) ? "" : $1 }
    // A text that was redacted in the ledger is empty there, and absent in a record without one.
    if payload.entry?.note == "" { payload.entry?.note = nil }
    if payload.entry?.value == "" { payload.entry?.value = nil }
    return payload
  }

  private static func json(_ payload: Payload, _ day: Day) -> String {
    let day = JSONValue.text(day.description)
    return JSONValue.object(inOrder: EventEncoder.payloadMembers(of: payload) + [("day", day)]).json
  }
}

extension ImportHistory {
  private mutating func read(_ event: Event, _ facts: Facts) {
    guard let id = find(event.id) else { return }
    place += 1
    noteUndo(event, id)
    // A correction keeps the field, perhaps for another habit.
    if event.isByImport, let name = event.ownText(Event.loopName), let habit = event.payload.habit {
      loopHabits[name, default: []].insert(habit)
      if facts.fate(of: event.id) == .standing {
        loopHabitsInForce[name, default: []].insert(habit)
      }
    }

    switch event.payload {
    case .entryLogged(let entry):
      guard let key = entry.key else { return }
      note(event, id, of: keyID(of: key, in: entry.habit))
    case .daysExcused(_, _, let habits, _):
      var keyID = event.cause.flatMap { find($0) }.flatMap { keysOfExcuses[$0] }
      if let key = event.importKey, let habit = habits?.first {
        keyID = self.keyID(of: key, in: habit)
      }
      guard let keyID else { return }
      keysOfExcuses[id] = keyID
      note(event, id, of: keyID)
      records[keyID]?.excuses.append(id)
    case .excuseWithdrawn(let excuse, _):
      guard let keyID = find(excuse).flatMap({ keysOfExcuses[$0] }) else { return }
      keysOfExcuses[id] = keyID
      if event.importKey != nil {
        note(event, id, of: keyID)
      } else {
        records[keyID]?.last = id
        noteDeletion(event, id, of: keyID)
      }
    case .entryDeleted(let entry, _):
      guard let position = facts.position(of: entry), let fact = facts.fact(ofEntryAt: position),
        let key = facts.key(ofEntryAt: position).flatMap({ find($0.text) })
      else { return }
      let keyID = KeyID(habit: fact.habit, key: key)
      records[keyID, default: Record(id: keyID, last: id)].last = id
      noteDeletion(event, id, of: keyID)
    case .habitDefined(let definition):
      if event.isByImport { importedHabits.insert(definition.id) }
    case .ledgerOpened, .habitRetired, .dayChanged, .dayCorrected, .segmentDropped, .eventRedacted,
      .reminderSet, .celebrationSeen:
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

  /// Notes a deletion of the key's entry, or a withdrawal of its excuse.
  private mutating func noteDeletion(_ event: Event, _ id: EventKey, of key: KeyID) {
    guard !event.isUndo, !event.isClearing else { return noteHand(id, of: key) }
    deletionsByHand.insert(id)
    records[key]?.deletion = place
  }

  /// Notes that an undo reverted a deletion by hand, or brought it back.
  ///
  /// `id` is the event of the undo; nothing is noted if it did something else.
  private mutating func noteHand(_ id: EventKey, of key: KeyID) {
    guard let (root, isTakenBack) = undone[id], deletionsByHand.contains(root) else { return }
    records[key]?.deletion = isTakenBack ? nil : place
  }

  /// Adds an event to the history of its key.
  private mutating func note(_ event: Event, _ id: EventKey, of key: KeyID) {
    let named = event.payload.entry == nil ? event.importAsOf : event.payload.entry?.asOf
    let claim = Claim(named ?? event.recorded, place)
    var record = records[key] ?? Record(id: key, last: id)
    record.last = id
    defer {
      records[key] = record
      noteHand(id, of: key)
    }
    guard event.isByImport else {
      if event.isUndo { return record.restored.append((id, Content(of: event))) }
      record.deletion = nil
      return record.entriesByHand.append((id, claim, Content(of: event)))
    }

    let redacted = event.redactedTexts.union(record.redacted)
    let isCleared = event.isClearing || event.payload.removed != nil
    let imported = Imported(
      event: id, asOf: event.importAsOf ?? claim.asOf, claim: claim, day: event.day,
      writer: Text((event.by?.string ?? "").parts(at: ":")[0]),
      content: isCleared ? nil : Content(of: event, without: redacted),
      isExcuse: event.payload.excusedDays != nil, redacted: redacted)
    let index = record.imports.lastIndex { $0.asOf <= imported.asOf }.map { $0 + 1 } ?? 0
    record.imports.insert(imported, at: index)
  }
}

extension Event {
  /// The reason of an imported excuse without a note.
  static let skipped: Text = "skipped"

  /// The end of the field `by` in the events with which an import clears a key.
  package static let clearing = ":streaks-cleared"

  /// Whether an import wrote the event, to log a record or to clear a key.
  fileprivate var isByImport: Bool { ImportKind(by: by) != nil || isClearing }

  /// Whether an import writes the event only to clear a key.
  package var isClearing: Bool { by?.string.ends(with: Event.clearing) ?? false }

  /// The key in the field `x_key` of an imported excuse or its withdrawal.
  fileprivate var importKey: String? { ownText("x_key") }

  fileprivate var importAsOf: Instant? {
    ownText(Event.ageName).flatMap { Instant($0) }
  }

  /// The field of this program with the age of the file, in an excuse, its withdrawal, or an entry
  /// whose `asOf` is later.
  static let ageName: Text = "x_asOf"

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

extension Event.UnknownField {
  /// Returns the fields that tell the key and the age of an imported excuse or its withdrawal.
  static func ofImport(key: String, asOf: Instant) -> [Event.UnknownField] {
    [Event.UnknownField("x_key", key), Event.UnknownField(Event.ageName, asOf.description)]
  }

  /// Creates a field of this program, whose value is a text.
  init(_ key: Text, _ text: String) {
    self.init(key: key, json: Text(JSONValue.text(text).json))
  }
}
