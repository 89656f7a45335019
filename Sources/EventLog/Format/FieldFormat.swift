package import StreakDomain

/// The format of a field's value.
///
/// It consists of the value's JSON Schema, and of functions that read, check and write the value.
struct FieldFormat<Value> {
  var schema = FieldSchema.any
  let read: (LineFields, Field) throws(Failure) -> Value
  let json: (Value) -> JSONValue

  /// Returns this format, which the schema describes by a reference to its definition `name`.
  func named(_ name: String) -> FieldFormat {
    FieldFormat(schema: .named(name), read: read, json: json)
  }
}

extension LineFields {
  func required<Value>(
    _ field: Field, of type: EventType, _ format: FieldFormat<Value>
  ) throws(Failure) -> Value {
    guard let value = try optional(field, format) else {
      throw .missing(field.key, in: type.rawValue)
    }
    return value
  }

  func optional<Value>(_ field: Field, _ format: FieldFormat<Value>) throws(Failure) -> Value? {
    has(field) ? try format.read(self, field) : nil
  }
}

extension FieldFormat<String> {
  static var id: FieldFormat { text(Syntax.id, Syntax.isID).named("id") }
  static var habit: FieldFormat { text(Syntax.habit, Syntax.isHabit).named("habit") }
  static var zone: FieldFormat { text(Syntax.zone, Zones.hasNameForm).named("zone") }
  static var digest: FieldFormat { text(Syntax.digest, Syntax.isDigest).named("digest") }
  static var any: FieldFormat { text("text") { _ in true } }

  private static func text(_ form: String, _ isValid: @escaping (String) -> Bool) -> FieldFormat {
    parsed(form) { isValid($0) ? $0 : nil }
  }
}

extension FieldFormat<Text> {
  static var writer: FieldFormat {
    parsed(Syntax.writer) { Syntax.isWriter($0) ? Text($0) : nil }.named("segment")
  }
  static var printable: FieldFormat {
    printed(Syntax.text) { $0.utf8.count <= Limits.text }.named("text")
  }
  static var word: FieldFormat {
    printed(Syntax.word) { (1...Limits.text).contains($0.utf8.count) }.named("word")
  }
  static var by: FieldFormat {
    printed(Syntax.by) { Limits.writer.contains($0.unicodeScalars.count) }.named("by")
  }

  private static func printed(_ form: String, _ isValid: @escaping (String) -> Bool) -> FieldFormat
  {
    parsed(form) { isValid($0) && Syntax.isPrintable($0) ? Text($0) : nil }
  }
}

extension FieldFormat {
  /// Returns the format of a string that `parse` converts into a value.
  private static func parsed(_ form: String, _ parse: @escaping (String) -> Value?) -> FieldFormat
  where Value: CustomStringConvertible { parsed(form, parse) { $0.description } }

  private static func parsed(
    _ form: String, _ parse: @escaping (String) -> Value?, _ text: @escaping (Value) -> String
  ) -> FieldFormat {
    FieldFormat(
      read: { (line, field) throws(Failure) in
        let text = try line.text(field)
        guard let value = parse(text) else { throw line.fail(field, as: form, not: text) }
        return value
      }, json: { .text(text($0)) })
  }
}

extension FieldFormat<Day> {
  static var day: FieldFormat { parsed(Syntax.day) { Day($0) }.named("day") }

  static func end(of first: Day) -> FieldFormat {
    FieldFormat(
      read: { (line, field) throws(Failure) in
        let day = try day.read(line, field)
        guard first <= day else {
          throw line.fail(field, as: "not before \"from\", \(first)", not: "\(day)")
        }
        return day
      }, json: day.json
    ).named("day")
  }
}

extension FieldFormat<Timestamp> {
  static var at: FieldFormat { parsed(Syntax.at) { Timestamp($0) }.named("at") }
}

extension FieldFormat<Instant> {
  static var recorded: FieldFormat { parsed(Syntax.recorded, Syntax.readRecorded) }
  static var instant: FieldFormat { parsed(Syntax.at) { Instant($0) }.named("at") }
}

extension FieldFormat<ClockTime> {
  static var clock: FieldFormat {
    parsed("a local time HH:MM, 00:00 to 23:59") { ClockTime($0) }.named("clock")
  }
  static var dayStart: FieldFormat {
    parsed(Syntax.dayStart, Syntax.readDayStart).named("dayStart")
  }
}

extension FieldFormat<Weekday> {
  static var weekday: FieldFormat {
    parsed(Syntax.weekday, { Weekday(rawValue: $0) }, \.rawValue).named("weekday")
  }
}

extension FieldFormat<Bool> {
  static var boolean: FieldFormat {
    FieldFormat(
      schema: .boolean,
      read: { (line, field) throws(Failure) in
        let kind = line[field].kind
        guard kind == .yes || kind == .no else { throw line.fail(field, expected: "true or false") }
        return kind == .yes
      }, json: { .bool($0) })
  }
}

extension FieldFormat<Millionths> {
  static func measure(limit: Int) -> FieldFormat {
    FieldFormat(
      schema: .measure(limit: limit),
      read: { (line, field) throws(Failure) in
        guard let value = Millionths(json: try line.digits(field)), value >= .zero,
          value <= Millionths(limit)
        else {
          throw line.fail(field, outOf: "a number from 0 to \(limit) with at most 6 decimals")
        }
        return value
      }, json: { .number($0) })
  }
}

extension FieldFormat<Int> {
  static func whole(_ range: ClosedRange<Int>) -> FieldFormat {
    FieldFormat(
      schema: .whole(range),
      read: { (line, field) throws(Failure) in
        guard let value = Thousandths(json: try line.digits(field))?.whole(in: range) else {
          throw line.fail(field, outOf: "a whole number, \(range.words)")
        }
        return value
      }, json: { .whole($0) })
  }
}

extension LineFields {
  package func text(_ field: Field) throws(Failure) -> String {
    guard self[field].kind.isText else { throw fail(field, expected: "text") }
    return string(self[field])
  }

  /// Returns the digits of the number in `field`.
  fileprivate func digits(_ field: Field) throws(Failure) -> String {
    guard self[field].kind == .number else { throw fail(field, expected: "a number") }
    return string(self[field])
  }

  fileprivate func fail(_ field: Field, expected: String) -> Failure {
    fail(field, .badForm, "\(quoted(field.key)) must be \(expected), not \(self[field].kind.name)")
  }

  func fail(_ field: Field, as form: String, not text: String) -> Failure {
    fail(field, .badForm, "\(quoted(field.key)) is \(quoted(text)); it must be \(form)")
  }

  fileprivate func fail(_ field: Field, outOf range: String) -> Failure {
    fail(field, .outOfRange, "\(quoted(field.key)) is \(string(self[field])); it must be \(range)")
  }
}

extension FieldFormat {
  /// Returns the format of a value that `read` decodes from any JSON.
  fileprivate static func tree(
    _ read: @escaping (FieldValue) throws(Failure) -> Value, _ json: @escaping (Value) -> JSONValue
  ) -> FieldFormat {
    FieldFormat(
      read: { (line, field) throws(Failure) in
        try read(FieldValue(field.key, try line.tree(line[field])))
      }, json: json)
  }
}

extension FieldFormat<Rule> {
  static var rule: FieldFormat { tree(DefinitionDecoder.rule, EventEncoder.rule).named("rule") }
}

extension FieldFormat<Schedule> {
  static func schedule(of rule: Rule) -> FieldFormat {
    tree(
      { (value) throws(Failure) in try DefinitionDecoder.schedule(value, of: rule) },
      EventEncoder.schedule
    ).named("schedule")
  }
}

extension FieldFormat<Forgiveness> {
  static var forgiveness: FieldFormat {
    tree(DefinitionDecoder.forgiveness, EventEncoder.forgiveness).named("forgiveness")
  }
}

extension FieldFormat<[Int]> {
  static var milestones: FieldFormat {
    tree(DefinitionDecoder.milestones) { .list($0.map { .whole($0) }) }.named("milestones")
  }
}

extension FieldFormat<Experience> {
  static var experience: FieldFormat {
    tree(DefinitionDecoder.experience, EventEncoder.experience).named("xp")
  }
}

extension FieldFormat<[String]> {
  static var ids: FieldFormat {
    list(of: "id", Syntax.id, { Syntax.isID($0) ? $0 : nil }, \.self).named("ids")
  }
  static var habits: FieldFormat {
    list(of: "habit", Syntax.habit, { Syntax.isHabit($0) ? $0 : nil }, \.self).named("habits")
  }
}

extension FieldFormat<[TextField]> {
  static var textFields: FieldFormat {
    let names = TextField.allCases.map(\.rawValue).joined(separator: ", ")
    let format = list(of: "field", "one of " + names, TextField.init, \.rawValue)
    return FieldFormat(
      schema: .named("fields"),
      read: { (line, field) throws(Failure) in
        try format.read(line, field).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
      }, json: format.json)
  }
}

extension FieldFormat {
  /// Returns the format of a list of at least one string, each of which `parse` converts into an
  /// item.
  fileprivate static func list<Item>(
    of what: String, _ form: String, _ parse: @escaping (String) -> Item?,
    _ text: @escaping (Item) -> String
  ) -> FieldFormat where Value == [Item] {
    tree { (field) throws(Failure) in
      guard case .list(let items) = field.value.kind, !items.isEmpty else {
        let kind = field.value.json == "[]" ? "an empty one" : field.value.kindName
        throw field.bad("must be a list of at least one \(what), not \(kind)")
      }

      var parsed: [Item] = []
      for item in items {
        guard case .text(let name) = item.kind, let one = parse(name) else {
          throw FieldValue(field.path, item).bad("is \(quoted(item.json)); it must be \(form)")
        }
        parsed.append(one)
      }
      return parsed
    } _: {
      .texts($0.map(text))
    }
  }
}

extension FieldFormat<[SeenSegment]> {
  /// The format of `seen`, such as `{"phone":[312,"e312"]}`.
  ///
  /// For each segment, it has the number of lines, and the id of the event in the last of them.
  static var seen: FieldFormat {
    tree { (field) throws(Failure) in
      var segments: [SeenSegment] = []
      for (segment, member) in try field.members().all {
        let value = FieldValue(field.path, member.value)
        guard Syntax.isWriter(segment.string) else {
          throw value.bad("is \(quoted(segment.string)); it must be \(Syntax.writer)")
        }
        guard let seen = SeenSegment(segment, value.value) else {
          throw value.bad(
            """
            is \(quoted(value.value.json)); it must be the number of its lines and the id of the \
            last, such as [312,"e1"]
            """)
        }
        segments.append(seen)
      }
      return segments
    } _: { segments in
      .object(inOrder: segments.map { ($0.segment, .list([.whole($0.lines), .text($0.last)])) })
    }.named("seen")
  }
}

extension SeenSegment {
  fileprivate init?(_ segment: Text, _ value: JSONValue) {
    guard case .list(let pair) = value.kind, pair.count == 2,
      case .number(let digits) = pair[0].kind,
      let lines = Thousandths(json: digits)?.whole(in: Limits.lines),
      case .text(let last) = pair[1].kind, Syntax.isID(last)
    else { return nil }
    self.init(segment: segment, lines: lines, last: last)
  }
}
