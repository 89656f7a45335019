package import StreakDomain

/// The encoder of events as canonical lines without spaces (event-format.md, "A line").
package enum EventEncoder {
  package static func line(_ event: Event) -> [UInt8] { line(event, more: event.more) }

  static func line(_ event: Event, more: Bool) -> [UInt8] {
    var line = LineWriter()
    write(event, to: &line)
    if more { line.add(.more, true, .boolean) }
    return line.end()
  }

  /// The last bytes before the newline in every line of a batch except the last line.
  static let followed = Array(#""more":true}"#.utf8)

  /// Returns `line` without the field `more`, as the last line of a batch.
  static func lastLine(of line: [UInt8]) -> [UInt8] {
    Array(line.dropLast(followed.count + 2)) + Array("}\n".utf8)
  }

  /// Returns the fields of an event except `more`, each with its JSON, in canonical order.
  static func fields(_ event: Event) -> [(key: Text, json: Text)] {
    var line = LineWriter()
    write(event, to: &line)
    return line.fields
  }

  static func fields(_ definition: Habit) -> [(key: Text, json: Text)] {
    var line = LineWriter()
    var definition = definition
    definition.code(with: &line)
    return line.fields
  }

  /// Returns a definition as JSON for `append`, with `type` and the fields of the definition only.
  package static func draft(_ definition: Habit) -> String {
    let members = fields(definition).map { ($0.key.string, $0.json.string) }
    return object([("type", text(EventType.habitDefined.rawValue))] + members)
  }

  private static func write(_ event: Event, to line: inout LineWriter) {
    line.add(.id, event.id, .id)
    line.add(.type, event.payload.type.rawValue, .any)
    line.add(.v, event.version == 1 ? nil : event.version, .whole(1...Int(Int32.max)))
    line.add(.at, event.at, .at)
    line.add(.recorded, event.recorded, .recorded)
    line.add(.day, event.day, .day)
    line.add(.zone, event.zone, .zone)
    line.add(.by, event.by, .by)
    line.add(.cause, event.cause, .id)
    var payload = event.payload
    payload.code(with: &line)
    for field in event.unknown {
      line.add(json: field.json.string, under: Escaping.key(field.key.string))
    }
  }

  package static func schedule(_ schedule: Schedule) -> String {
    switch schedule {
    case .weekdays(let weekdays):
      return object([
        (Schedule.Kind.weekdays.rawValue, list(weekdays.days.map { text($0.rawValue) }))
      ])
    case .times(let times, let period):
      return object([(Schedule.Kind.times.rawValue, String(times)), ("per", text(period.rawValue))])
    case .every(let days): return object([(Schedule.Kind.every.rawValue, String(days))])
    }
  }

  package static func forgiveness(_ forgiveness: Forgiveness) -> String {
    switch forgiveness {
    case .nothing: return object([("kind", text("none"))])
    case .grace(let days): return object([("kind", text("grace")), ("days", String(days))])
    case .joker(let rule):
      var members = [
        ("kind", text("joker")), ("every", String(rule.every)), ("cap", String(rule.cap)),
      ]
      if let heals = rule.heals { members.append(("heals", list(heals.strings.map(text)))) }
      if !rule.penalty.isEmpty {
        members.append(
          ("penalty", object(rule.penalty.map { ($0.outcome.string, String($0.jokers)) })))
      }
      return object(members)
    }
  }

  package static func experience(_ xp: Experience) -> String {
    let bonus = xp.bonus.map { measures($0.threshold, [("xp", String($0.xp))]) }
    return object([("base", String(xp.base)), ("bonus", list(bonus))])
  }

  static func measures(_ measures: Measures, _ more: [(String, String)]) -> String {
    let given = [("minutes", measures.minutes), ("km", measures.km), ("sets", measures.sets)]
    return object(given.compactMap { key, value in value.map { (key, "\($0)") } } + more)
  }

  static func text(_ text: String) -> String { Escaping.json(text) }

  static func list(_ items: [String]) -> String { "[" + items.joined(separator: ",") + "]" }

  static func object(_ members: [(String, String)]) -> String {
    "{" + members.map { text($0.0) + ":" + $0.1 }.joined(separator: ",") + "}"
  }
}

extension Event {
  /// Whether two lines contain equal events, ignoring `recorded`, `more`, and texts that are
  /// redacted in either line.
  static func isSameFact(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    guard var mine = try? EventDecoder.event(one), var theirs = try? EventDecoder.event(other)
    else {
      return false
    }
    (mine.recorded, mine.more) = (theirs.recorded, theirs.more)
    if mine == theirs { return true }
    let redacted = LineTexts(one).redacted.union(LineTexts(other).redacted)
    mine.payload.replaceTexts { redacted.contains($0) ? "" : $1 }
    theirs.payload.replaceTexts { redacted.contains($0) ? "" : $1 }
    return mine == theirs
  }
}

extension Escaping {
  static func key(_ text: String) -> String {
    String(Substring(json(text).utf8.dropFirst().dropLast()))
  }
}

/// A JSON line under construction; fields whose value is `nil` are skipped.
struct LineWriter {
  private var bytes: [UInt8] = []
  /// The byte range of each field's key, and the offset of the field's value.
  private var marks: [(key: Range<Int>, json: Int)] = []

  init() {
    bytes.reserveCapacity(320)
    marks.reserveCapacity(16)
  }

  mutating func add<Value>(_ field: Field, _ value: Value?, _ form: Form<Value>) {
    guard let value else { return }
    begin(field.key)
    form.write(value, &bytes)
  }

  /// Adds a field with the value `json`; `key` must already be escaped.
  mutating func add(json: String, under key: String) {
    begin(key)
    bytes += json.utf8
  }

  consuming func end() -> [UInt8] {
    bytes += "}\n".utf8
    return bytes
  }

  var fields: [(key: Text, json: Text)] {
    marks.indices.map { index in
      let end = index + 1 < marks.count ? marks[index + 1].key.lowerBound - 2 : bytes.count
      return (
        Text(String(decoding: bytes[marks[index].key], as: UTF8.self)),
        Text(String(decoding: bytes[marks[index].json..<end], as: UTF8.self))
      )
    }
  }

  private mutating func begin(_ key: String) {
    bytes += (bytes.isEmpty ? "{\"" : ",\"").utf8
    let start = bytes.count
    bytes += key.utf8
    bytes += "\":".utf8
    marks.append((start..<bytes.count - 2, bytes.count))
  }
}

extension LineWriter: PayloadCoder {
  typealias Failure = Never

  mutating func required<Value>(_ field: Field, _ value: inout Value, _ form: Form<Value>) {
    add(field, value, form)
  }

  mutating func optional<Value>(_ field: Field, _ value: inout Value?, _ form: Form<Value>) {
    add(field, value, form)
  }
}
