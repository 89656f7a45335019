import StreakDomain

/// Where a line is parsed into an event, any field order and any JSON white space allowed.
enum EventDecoder {
  /// What a caller hands to `append`: an event that the store has yet to complete.
  struct Draft {
    var id: String?
    var at: Timestamp?
    var day: Day?
    var zone: String?
    var recorded: Instant?
    /// The event, with the missing envelope fields filled by placeholders.
    var event: Event
    /// In bytes, from 1; where there is no `expects`, that of the line.
    var expectsColumn: Int
  }

  /// Which fields are kept that an event of the type does not have.
  private enum Kept {
    /// What a segment holds.
    case stored
    /// Those of a new event whose names say that they are the caller's own.
    case own
    /// All those of a new event.
    case lenient
  }

  /// Reads a line of a segment, where the whole envelope is required.
  static func event(_ line: [UInt8]) throws(LineError) -> Event { try event(try LineFields(line)) }

  /// Reads a line of a segment whose fields are known already.
  static func event(_ fields: LineFields) throws(LineError) -> Event {
    let type = try type(fields)
    var event = try event(fields, type, keeping: .stored)
    let name = type.rawValue
    // Which events moved the day, the store finds for a new one.
    if type == .dayCorrected { _ = try fields.required(.moved, of: name, fields.ids) }
    event.id = try fields.required(.id, of: name, fields.id)
    event.at = try fields.required(.at, of: name, fields.at)
    event.recorded = try fields.required(.recorded, of: name, fields.recorded)
    event.day = try fields.required(.day, of: name, fields.day)
    event.zone = try fields.required(.zone, of: name, fields.zone)
    return event
  }

  /// The id that a line says, whatever else it says; nil where it does not.
  static func id(of line: [UInt8]) -> String? {
    guard let fields = try? LineFields(line) else { return nil }
    return (try? fields.id(.id)) ?? nil
  }

  /// When a line says that it was recorded, whatever else it says; nil where it does not.
  static func recorded(of line: [UInt8]) -> Instant? {
    guard let fields = try? LineFields(line) else { return nil }
    return (try? fields.recorded(.recorded)) ?? nil
  }

  /// Reads a line given to `append`; what the store stamps is dropped, `recorded` unless it is to be kept.
  static func draft(_ line: [UInt8], keepsRecorded: Bool, isLenient: Bool) throws(LineError) -> Draft {
    var fields = try LineFields(line)
    let type = try type(fields)
    let recorded = keepsRecorded ? try fields.recorded(.recorded) : nil
    for dropped in [Field.recorded, .more] { fields.drop(dropped) }
    if type == .dayChanged { for dropped in [Field.seal, .seen] { fields.drop(dropped) } }
    let event = try event(fields, type, keeping: isLenient ? .lenient : .own)
    return Draft(
      id: try fields.id(.id), at: try fields.at(.at), day: try fields.day(.day),
      zone: try fields.zone(.zone), recorded: recorded, event: event,
      expectsColumn: fields.has(.expects) ? fields.column(.expects) : 1)
  }

  private static func type(_ fields: LineFields) throws(LineError) -> EventType {
    guard let name = try fields.text(.type) else {
      throw LineError(column: 1, problem: .missingField("type", type: "an event"))
    }
    let version = try fields.whole(.v, 1...Int(Int32.max)) ?? 1
    guard let type = EventType(rawValue: name) else { throw fields.fail(.type, .unknownType(name)) }
    guard version == 1 else { throw fields.fail(.v, .newerVersion(type: name, version: version)) }
    return type
  }

  /// The event but for the envelope fields that only stored lines must have.
  ///
  /// Of a definition no field that it does not have is kept but the caller's own: it would be folded wrongly.
  private static func event(
    _ fields: LineFields, _ type: EventType, keeping kept: Kept
  ) throws(LineError) -> Event {
    let payload: Payload
    let used: FieldSet
    do throws(LineError) { (payload, used) = try self.payload(fields, type) } catch {
      if kept == .own { try fields.refuseMisspelt(error, of: type) }
      throw error
    }
    let known = used.union(Field.envelope)
    let strangers = fields.given(except: known)
    if kept == .own || type == .habitDefined {
      try fields.refuse(strangers, of: type, known, isStored: kept == .stored)
    }
    var event = Event(
      id: "", at: Timestamp(instant: Instant(microseconds: 0), offset: 0),
      recorded: Instant(microseconds: 0), day: Day.first, zone: "", payload: payload)
    event.subject = try fields.id(.subject)
    event.by = try fields.by(.by)
    event.cause = try fields.id(.cause)
    event.unknown = strangers.map(\.field)
    if case .habitDefined(let definition) = payload {
      try fields.refuseStrangeKeys(definition, isStored: kept == .stored)
    }
    event.more = try fields.more()
    return event
  }

  private static func payload(
    _ fields: LineFields, _ type: EventType
  ) throws(LineError) -> (Payload, FieldSet) {
    let name = type.rawValue
    switch type {
    case .ledgerOpened:
      return (
        .ledgerOpened(owner: try fields.id(.owner), dayStart: try fields.dayStart(.dayStart)),
        FieldSet([.owner, .dayStart])
      )
    case .habitDefined: return (.habitDefined(try fields.definition()), Field.definition)
    case .habitRetired:
      return (.habitRetired(habit: try fields.required(.habit, of: name, fields.habit)), FieldSet([.habit]))
    case .entryLogged: return (.entryLogged(try fields.entry()), Field.entryFields)
    case .entryDeleted:
      let entry = try fields.required(.entry, of: name, fields.id)
      return (
        .entryDeleted(entry: entry, reason: try fields.printable(.reason)), FieldSet([.entry, .reason])
      )
    case .dayChanged:
      let to = try fields.required(.to, of: name, fields.day)
      return (
        .dayChanged(
          to: to, seal: try fields.form(.seal, Forms.isDigest, Forms.digest), seen: try fields.seen()),
        FieldSet([.to, .seal, .seen])
      )
    case .dayCorrected:
      let to = try fields.required(.to, of: name, fields.day)
      let moved = try fields.ids(.moved) ?? []
      return (
        .dayCorrected(to: to, moved: moved, reason: try fields.printable(.reason)),
        FieldSet([.to, .moved, .reason])
      )
    case .daysExcused: return (try fields.excuse(), FieldSet([.from, .to, .habits, .reason]))
    case .excuseWithdrawn:
      let excuse = try fields.required(.excuse, of: name, fields.id)
      return (
        .excuseWithdrawn(excuse: excuse, reason: try fields.printable(.reason)), FieldSet([.excuse, .reason])
      )
    case .segmentDropped: return (try fields.drop(), FieldSet([.segment, .lines, .last, .reason]))
    case .eventRedacted:
      return (.eventRedacted(try fields.redaction()), FieldSet([.event, .texts, .reason]))
    case .reminderSet:
      return (
        .reminderSet(
          habit: try fields.required(.habit, of: name, fields.habit),
          time: try fields.required(.time, of: name, fields.clock),
          enabled: try fields.required(.enabled, of: name, fields.boolean)),
        FieldSet([.habit, .time, .enabled])
      )
    case .celebrationSeen:
      let celebration = try fields.required(.celebration, of: name, fields.word)
      return (.celebrationSeen(celebration: celebration), FieldSet([.celebration]))
    case .expectationStated:
      let expects = try fields.required(.expects, of: name, fields.word)
      return (.expectationStated(expects: expects), FieldSet([.expects]))
    }
  }
}

extension Forms {
  static let digest = "64 lowercase hexadecimal digits"

  static func isDigest(_ text: String) -> Bool {
    text.utf8.count == 64 && text.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
  }
}

extension LineFields {
  /// Refuses what is neither a field of its type nor the caller's own.
  fileprivate func refuse(
    _ strangers: [Stranger], of type: EventType, _ known: FieldSet, isStored: Bool
  ) throws(LineError) {
    guard let stranger = strangers.first(where: { !$0.field.isOwn }) else { return }
    let keys = Field.all.filter { known.contains($0) }.map(\.key)
    throw LineError(
      column: stranger.place + 1,
      problem: .unknownField(stranger.field.key, type: type, known: keys, isStored: isStored))
  }

  /// Where a field is missing, refuses the unknown one that was most likely meant for it.
  fileprivate func refuseMisspelt(_ error: LineError, of type: EventType) throws(LineError) {
    guard case .missingField(let missing, _) = error.problem else { return }
    let misspelt = given(except: FieldSet(Field.all)).first {
      !$0.field.isOwn && Nearest.names(to: $0.field.key, among: [missing]) == [missing]
    }
    guard let misspelt else { return }
    throw LineError(
      column: misspelt.place + 1,
      problem: .unknownField(misspelt.field.key, type: type, known: [missing], isStored: false))
  }

  fileprivate func entry() throws(LineError) -> Entry {
    var entry = Entry(habit: try required(.habit, of: EventType.entryLogged.rawValue, habit))
    entry.minutes = try measure(.minutes, limit: 1440)
    entry.km = try measure(.km, limit: 1000)
    entry.sets = try whole(.sets, 0...1000)
    entry.drinks = try whole(.drinks, 0...100)
    entry.amount = try measure(.amount, limit: Sum.most)
    entry.level = try word(.level)
    entry.completed = try boolean(.completed)
    entry.activity = try word(.activity)
    entry.value = try printable(.value)
    entry.note = try printable(.note)
    return entry
  }

  fileprivate func more() throws(LineError) -> Event.More? {
    guard has(.more) else { return nil }
    let text = self[.more].form.isText ? try text(.more) : try boolean(.more).map { "\($0)" }
    switch text {
    case "true" where !self[.more].form.isText: return .command
    case "group": return .group
    default: throw fail(.more, .badForm(field: "more", value: text ?? "", form: "true, \"group\" or absent"))
    }
  }

  fileprivate func excuse() throws(LineError) -> Payload {
    let type = EventType.daysExcused.rawValue
    let from = try required(.from, of: type, day)
    let to = try required(.to, of: type, day)
    guard from <= to else {
      throw fail(.to, .badForm(field: "to", value: "\(to)", form: "not before \"from\", \(from)"))
    }
    let habits = try habitList()
    return .daysExcused(from: from, to: to, habits: habits, reason: try printable(.reason))
  }

  private func habitList() throws(LineError) -> [String]? {
    try list(.habits, of: "habit", Forms.isHabit, Forms.habit)
  }

  fileprivate func ids(_ field: Field) throws(LineError) -> [String]? {
    try list(field, of: "id", Event.isID, Forms.id)
  }

  /// A list of names of one form, at least one; nil where it is absent.
  private func list(
    _ field: Field, of what: String, _ isForm: (String) -> Bool, _ form: String
  ) throws(LineError) -> [String]? {
    guard let value = try value(field) else { return nil }
    guard case .array(let items) = value.kind, !items.isEmpty else {
      throw fail(
        field,
        .wrongType(
          field: field.key, expected: "a list of at least one \(what)",
          found: value.json == "[]" ? "an empty one" : value.kindName))
    }
    var names: [String] = []
    for item in items {
      guard case .string(let name) = item.kind, isForm(name) else {
        throw LineError(
          column: item.column, problem: .badForm(field: field.key, value: item.json, form: form))
      }
      names.append(name)
    }
    return names
  }
}
