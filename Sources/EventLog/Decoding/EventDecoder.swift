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

  /// Reads a line of a segment, where the whole envelope is required.
  static func event(_ line: [UInt8]) throws(LineError) -> Event {
    let fields = try LineFields(line)
    let type = try type(fields)
    var event = try event(fields, type)
    let name = type.rawValue
    event.id = try fields.required(.id, of: name, fields.id)
    event.at = try fields.required(.at, of: name, fields.at)
    event.recorded = try fields.required(.recorded, of: name, fields.recorded)
    event.day = try fields.required(.day, of: name, fields.day)
    event.zone = try fields.required(.zone, of: name, fields.zone)
    return event
  }

  /// When a line says that it was recorded, whatever else it says; nil where it does not.
  static func recorded(of line: [UInt8]) -> Instant? {
    guard let fields = try? LineFields(line) else { return nil }
    return (try? fields.recorded(.recorded)) ?? nil
  }

  /// Reads a line given to `append`; `recorded`, `more` and `seal` are dropped, the first unless it is to be kept.
  static func draft(_ line: [UInt8], keepsRecorded: Bool) throws(LineError) -> Draft {
    var fields = try LineFields(line)
    let type = try type(fields)
    let recorded = keepsRecorded ? try fields.recorded(.recorded) : nil
    for dropped in [Field.recorded, .more] { fields.drop(dropped) }
    if type == .dayChanged { fields.drop(.seal) }
    let event = try event(fields, type)
    if case .habitDefined(let definition) = event.payload { try fields.refuseStrangeKeys(definition) }
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
  private static func event(_ fields: LineFields, _ type: EventType) throws(LineError) -> Event {
    let (payload, used) = try payload(fields, type)
    var event = Event(
      id: "", at: Timestamp(instant: Instant(microseconds: 0), offset: 0),
      recorded: Instant(microseconds: 0), day: Day.first, zone: "", payload: payload)
    event.subject = try fields.id(.subject)
    event.by = try fields.by(.by)
    event.cause = try fields.id(.cause)
    event.unknown = fields.given(except: used.union(Field.envelope))
    if fields.has(.more) {
      guard try fields.boolean(.more) == true else {
        throw fields.fail(.more, .badForm(field: "more", value: "false", form: "true or absent"))
      }
      event.more = true
    }
    return event
  }

  private static func payload(
    _ fields: LineFields, _ type: EventType
  ) throws(LineError) -> (Payload, FieldSet) {
    let name = type.rawValue
    switch type {
    case .ledgerOpened: return (.ledgerOpened(owner: try fields.id(.owner)), FieldSet([.owner]))
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
        .dayChanged(to: to, seal: try fields.form(.seal, Forms.isDigest, Forms.digest)),
        FieldSet([.to, .seal])
      )
    case .daysExcused: return (try fields.excuse(), FieldSet([.from, .to, .habits, .reason]))
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

extension Field {
  static let envelope = FieldSet([
    .id, .type, .v, .at, .recorded, .day, .zone, .subject, .by, .cause, .more,
  ])
  static let entryFields = FieldSet([
    .habit, .minutes, .km, .sets, .drinks, .level, .completed, .activity, .value, .note,
  ])
  static let definition = FieldSet([
    .habit, .name, .icon, .color, .group, .rule, .forgiveness, .streak, .countsFrom, .milestones, .xp,
  ])
}

extension Forms {
  static let digest = "64 lowercase hexadecimal digits"

  static func isDigest(_ text: String) -> Bool {
    text.utf8.count == 64 && text.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
  }
}

extension LineFields {
  fileprivate func entry() throws(LineError) -> Entry {
    var entry = Entry(habit: try required(.habit, of: EventType.entryLogged.rawValue, habit))
    entry.minutes = try measure(.minutes, limit: 1440)
    entry.km = try measure(.km, limit: 1000)
    entry.sets = try whole(.sets, 0...1000)
    entry.drinks = try whole(.drinks, 0...100)
    entry.level = try word(.level)
    entry.completed = try boolean(.completed)
    entry.activity = try word(.activity)
    entry.value = try printable(.value)
    entry.note = try printable(.note)
    return entry
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
    guard let value = try value(.habits) else { return nil }
    guard case .array(let items) = value.kind, !items.isEmpty else {
      throw fail(
        .habits,
        .wrongType(
          field: "habits", expected: "a list of at least one habit",
          found: value.json == "[]" ? "an empty one" : value.kindName))
    }
    var habits: [String] = []
    for item in items {
      guard case .string(let habit) = item.kind, Forms.isHabit(habit) else {
        throw LineError(
          column: item.column, problem: .badForm(field: "habits", value: item.json, form: Forms.habit))
      }
      habits.append(habit)
    }
    return habits
  }
}
