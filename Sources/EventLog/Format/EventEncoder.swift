package import StreakDomain

/// The encoder of events as canonical lines without spaces (event-format.md, "A line").
package enum EventEncoder {
  package static func line(_ event: Event) -> [UInt8] { line(event, more: event.more) }

  static func line(_ event: Event, more: Bool) -> [UInt8] {
    JSONValue.object(inOrder: members(of: event, more: more)).line
  }

  /// The last bytes before the newline in every line of a batch except the last line.
  static let followed = Array(#""more":true}"#.utf8)

  /// Returns `line` without the field `more`, as the last line of a batch.
  static func lastLine(of line: [UInt8]) -> [UInt8] {
    Array(line.dropLast(followed.count + 2)) + Array("}\n".utf8)
  }

  /// Returns the members of an event's line in canonical order.
  ///
  /// If `more` is true, the last member says that the batch goes on with the next line.
  package static func members(of event: Event, more: Bool = false) -> [JSONValue.Member] {
    var line = MemberWriter()
    line.add(.id, event.id, .id)
    line.add(.type, event.payload.type.rawValue, .any)
    line.add(.v, event.version == 1 ? nil : event.version, .whole(Limits.version))
    line.add(.at, event.at, .at)
    line.add(.recorded, event.recorded, .recorded)
    line.add(.day, event.day, .day)
    line.add(.zone, event.zone, .zone)
    line.add(.by, event.by, .by)
    line.add(.cause, event.cause, .id)

    var payload = event.payload
    payload.code(with: &line)
    line.members += event.unknown.map { ($0.key, .raw(Array($0.json.string.utf8))) }
    if more { line.add(.more, true, .boolean) }
    return line.members
  }

  /// Returns the members of an event's payload in canonical order.
  package static func payloadMembers(of payload: Payload) -> [JSONValue.Member] {
    var line = MemberWriter()
    var payload = payload
    payload.code(with: &line)
    return line.members
  }

  package static func members(of definition: Habit) -> [JSONValue.Member] {
    var line = MemberWriter()
    var definition = definition
    definition.code(with: &line)
    return line.members
  }

  /// Returns a definition as JSON for `append`, with `type` and the fields of the definition only.
  package static func draft(_ definition: Habit) -> JSONValue {
    let type = JSONValue.text(EventType.habitDefined.rawValue)
    return .object(inOrder: [("type", type)] + members(of: definition))
  }

  package static func schedule(_ schedule: Schedule) -> JSONValue {
    switch schedule {
    case .weekdays(let weekdays):
      .object(inOrder: [("weekdays", .texts(weekdays.days.map(\.rawValue)))])
    case .times(let times, let period):
      .object(inOrder: [("times", .whole(times)), ("per", .text(period.rawValue))])
    case .every(let days): .object(inOrder: [("every", .whole(days))])
    }
  }

  package static func forgiveness(_ forgiveness: Forgiveness) -> JSONValue {
    switch forgiveness {
    case .nothing: return .object(inOrder: [("kind", .text("none"))])
    case .grace(let days):
      return .object(inOrder: [("kind", .text("grace")), ("days", .whole(days))])
    case .joker(let rule):
      var members: [JSONValue.Member] = [
        ("kind", .text("joker")), ("every", .whole(rule.every)), ("cap", .whole(rule.cap)),
      ]
      if let heals = rule.heals { members.append(("heals", .texts(heals.strings))) }
      let penalty = rule.penalty.map { ($0.outcome, JSONValue.whole($0.jokers)) }
      if !penalty.isEmpty { members.append(("penalty", .object(inOrder: penalty))) }
      return .object(inOrder: members)
    }
  }

  package static func experience(_ xp: Experience) -> JSONValue {
    let bonus = xp.bonus.map { bonus in
      JSONValue.object(inOrder: measures(bonus.threshold) + [("xp", .whole(bonus.xp))])
    }
    return .object(inOrder: [("base", .whole(xp.base)), ("bonus", .list(bonus))])
  }

  static func measures(_ measures: Measures) -> [JSONValue.Member] {
    let all: [(Text, Thousandths?)] = [
      ("minutes", measures.minutes), ("km", measures.km), ("sets", measures.sets),
    ]
    return all.compactMap { key, value in value.map { (key, .number($0)) } }
  }
}

extension Event {
  /// Whether two lines contain equal events.
  ///
  /// These differences are ignored: `recorded`, `more`, the offset of `at`, and texts that are
  /// redacted in either line.
  static func isSameFact(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    guard var mine = try? EventDecoder.event(one), var theirs = try? EventDecoder.event(other)
    else {
      return false
    }
    mine.recorded = theirs.recorded
    mine.more = theirs.more
    if mine.at.instant == theirs.at.instant { mine.at = theirs.at }
    if mine == theirs { return true }
    let redacted = RedactableTexts(one).redacted.union(RedactableTexts(other).redacted)
    mine.payload.replaceTexts { redacted.contains($0) ? "" : $1 }
    theirs.payload.replaceTexts { redacted.contains($0) ? "" : $1 }
    return mine == theirs
  }
}

/// The members of a line under construction; fields whose value is `nil` are skipped.
private struct MemberWriter: PayloadCoder {
  var members: [JSONValue.Member] = []

  init() { members.reserveCapacity(16) }

  mutating func add<Value>(_ field: Field, _ value: Value?, _ format: FieldFormat<Value>) {
    if let value { members.append((Text(field.key), format.json(value))) }
  }

  mutating func required<Value>(_ field: Field, _ value: inout Value, _ format: FieldFormat<Value>)
  {
    add(field, value, format)
  }

  mutating func optional<Value>(_ field: Field, _ value: inout Value?, _ format: FieldFormat<Value>)
  {
    add(field, value, format)
  }
}
