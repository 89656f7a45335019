package import StreakDomain

/// The decoder of events of all types, which accepts any order of fields and any JSON white space.
package enum EventDecoder {
  /// The unknown fields that are accepted.
  ///
  /// A line of the log (`stored`) and a `lenient` draft may have any. Other drafts (`strict`) may
  /// have only those that begin with `x_`.
  private enum Kept {
    case stored
    case strict
    case lenient
  }

  package static func event(_ line: [UInt8]) throws(Failure) -> Event {
    try event(try LineFields(line))
  }

  /// Decodes a line of a stream of several people, for `streaks fold`; `subject` is the person's
  /// id.
  package static func personalEvent(_ line: [UInt8]) throws(Failure) -> (
    subject: String?, event: Event
  ) {
    var fields = try LineFields(line)
    let subject = try fields.optional(.subject, .id)
    fields.drop(.subject)
    return (subject, try event(fields))
  }

  /// Returns the id of the person in a faulty line of a stream of several people.
  ///
  /// The result is `.some(nil)` if the line has no subject, and `nil` if it isn't a JSON object.
  package static func subject(ofFaulty line: [UInt8]) -> String?? {
    guard let fields = try? LineFields(line) else { return nil }
    return try? fields.optional(.subject, .id)
  }

  /// Decodes a stored line; if known fields are missing or invalid, one failure lists all of them.
  package static func event(_ fields: LineFields) throws(Failure) -> Event {
    let type = try type(fields)
    do throws(Failure) { return try event(fields, of: type) } catch {
      throw fields.allFaults(of: type, after: error)
    }
  }

  /// Decodes the payload of an event of the given type from an object with the payload's fields,
  /// whose other members are ignored.
  package static func payload(
    of type: EventType, fields: JSONValue
  ) throws(Failure) -> Payload {
    var reader = PayloadReader(line: try LineFields(fields.line), type: type)
    return try reader.payload()
  }

  private static func event(_ fields: LineFields, of type: EventType) throws(Failure) -> Event {
    var event = try event(fields, type, keeping: .stored)
    // Only a new event may lack `moved`, because the store determines the ids then.
    if type == .dayCorrected { _ = try fields.required(.moved, of: type, .ids) }
    event.id = try fields.required(.id, of: type, .id)
    event.at = try fields.required(.at, of: type, .at)
    event.recorded = try fields.required(.recorded, of: type, .recorded)
    event.day = try fields.required(.day, of: type, .day)
    event.zone = try fields.required(.zone, of: type, .zone)
    return event
  }

  /// Returns the id in a line whose other fields may be invalid, or `nil` if there is no valid id.
  package static func id(of line: [UInt8]) -> String? { try? LineFields(line).optional(.id, .id) }

  static func recorded(of line: [UInt8]) -> Instant? {
    try? LineFields(line).optional(.recorded, .recorded)
  }

  /// Returns the field `more` of a line whose other fields may be invalid, or `nil` if the line
  /// isn't a JSON object.
  static func more(of line: [UInt8]) -> Bool? {
    (try? LineFields(line)).map { $0[.more].kind == .yes }
  }

  /// Decodes a line passed to `append`, ignoring the fields that only the store sets, such as
  /// `recorded`.
  static func draftEvent(_ fields: LineFields, isLenient: Bool) throws(Failure) -> Event {
    var fields = fields
    let type = try type(fields, isStored: false)
    for stamped in [Field.recorded, .more] { fields.drop(stamped) }
    if type == .dayChanged { for stamped in [Field.seal, .seen] { fields.drop(stamped) } }
    return try event(fields, type, keeping: isLenient ? .lenient : .strict)
  }

  private static func type(_ fields: LineFields, isStored: Bool = true) throws(Failure) -> EventType
  {
    guard let name = try fields.optional(.type, .any) else {
      throw .missing("type", in: "an event")
    }
    let version = try fields.optional(.v, .whole(Limits.version)) ?? 1
    guard let type = EventType(rawValue: name) else {
      let near = Nearest.hint(name, among: EventType.allCases.map(\.rawValue))
      throw fields.fail(
        .type, .unknownType, "unknown event type \(quoted(name))\(near)",
        remedy: isStored ? .skipUnknownType : nil)
    }

    guard version == 1 else {
      throw fields.fail(
        .v, .unknownType, "\(name) has version \(version), and this program knows version 1",
        remedy: .update(isStored: isStored))
    }
    return type
  }

  /// Decodes the payload, `by`, `cause`, `more` and the unknown fields that `kept` specifies.
  ///
  /// A `habit.defined` may have no unknown fields except `x_` fields, because any other field may
  /// change the fold.
  private static func event(
    _ fields: LineFields, _ type: EventType, keeping kept: Kept
  ) throws(Failure) -> Event {
    try fields.refuseOtherPeople(type)
    var reader = PayloadReader(line: fields, type: type)
    let payload: Payload
    do throws(Failure) { payload = try reader.payload() } catch {
      if kept == .strict { try fields.refuseMisspelt(error, of: type) }
      throw error
    }

    let knownFields = reader.fields.union(Field.envelope)
    let strangers = fields.strangers(except: knownFields)
    if kept == .strict || type == .habitDefined {
      try fields.refuse(strangers, of: type, knownFields, isStored: kept == .stored)
    }

    var event = Event(
      id: "", at: Timestamp(instant: Instant(microseconds: 0), offset: 0),
      recorded: Instant(microseconds: 0), day: Day.first, zone: "", payload: payload)
    event.by = try fields.optional(.by, .by)
    event.cause = try fields.optional(.cause, .id)
    event.unknown = strangers.map(\.field)

    if case .habitDefined(let definition) = payload {
      for (key, encoded) in EventEncoder.members(of: definition) {
        guard case .object = encoded.kind, let field = Field(stringValue: key.string) else {
          continue
        }
        try FieldValue(field.key, try fields.tree(fields[field]))
          .refuseUnknownKeys(unlike: encoded, isStored: kept == .stored)
      }
    }
    event.more = try fields.more()
    return event
  }
}

extension LineFields {
  fileprivate func refuseOtherPeople(_ type: EventType) throws(Failure) {
    for field in [Field.subject, .owner] where has(field) {
      guard field == .subject || type == .ledgerOpened else { continue }
      throw fail(
        field, .badForm, "\(quoted(field.key)) is not allowed: a ledger belongs to one person",
        remedy: "give each person a folder")
    }
  }

  /// Returns one failure that lists `first`, the fault found first, and the faults of all known
  /// fields of the event.
  fileprivate func allFaults(of type: EventType, after first: Failure) -> Failure {
    let faults = FaultFinder(of: self, type, after: first)
    let missing = faults.missing
    let others = faults.others
    // Every line that `append` has written has this field.
    let isRaw = missing.contains(Field.recorded.key)
    guard missing.count + others.count > 1 || isRaw else { return first }
    let names = missing.map { quoted($0) }.joined(separator: ", ")
    let needs: Sentence =
      "\(type.rawValue) needs the field\(missing.count == 1 ? "" : "s") \(names)"
    let problems = (missing.isEmpty ? [] : [needs]) + others.map(\.says)
    return Failure(
      missing.isEmpty ? first.kind : .missingField, column: missing.isEmpty ? first.column : 1,
      problems.dropFirst().reduce(problems[0]) { $0 + "; " + $1 },
      remedy: isRaw ? .fillInFields : first.remedy,
      detail: first.detail)
  }

  fileprivate func refuse(
    _ strangers: [Stranger], of type: EventType, _ knownFields: FieldSet, isStored: Bool
  ) throws(Failure) {
    guard let stranger = strangers.first(where: { !$0.field.isOwn }) else { return }
    let keys = Field.all.filter { knownFields.contains($0) }.map(\.key)
    throw .unknownField(
      stranger.field.key.string, of: type, at: stranger.offset + 1, among: keys, isStored: isStored)
  }

  /// Throws for an unknown field that is probably a misspelling of the missing field that `error`
  /// reports.
  fileprivate func refuseMisspelt(_ error: Failure, of type: EventType) throws(Failure) {
    guard error.kind == .missingField, case .field(let missing)? = error.detail else { return }
    let misspelt = strangers(except: FieldSet(Field.all)).first {
      !$0.field.isOwn && Nearest.names(to: $0.field.key.string, among: [missing]) == [missing]
    }
    guard let misspelt else { return }
    throw .unknownField(
      misspelt.field.key.string, of: type, at: misspelt.offset + 1, among: [missing])
  }

  fileprivate func more() throws(Failure) -> Bool {
    guard has(.more) else { return false }
    guard try FieldFormat.boolean.read(self, .more) else {
      throw fail(.more, as: "true or absent", not: "false")
    }
    return true
  }
}
