import StreakDomain

/// What a field's value looks like: how it is read, with its check and its error, and how it is written.
struct Form<Value> {
  /// Nil where the line does not have the field.
  let read: (LineFields) -> (Field) throws(LineError) -> Value?
  let write: (Value, inout [UInt8]) -> Void
}

extension Form<String> {
  static var id: Form { text(LineFields.id) }
  static var habit: Form { text(LineFields.habit) }
  static var writer: Form { text(LineFields.writer) }
  static var digest: Form { text(LineFields.digest) }
  static var word: Form { text(LineFields.word) }
  static var printable: Form { text(LineFields.printable) }

  private static func text(_ read: @escaping (LineFields) -> (Field) throws(LineError) -> String?) -> Form {
    Form(read: read, write: { Escaping.writeJSON($0, into: &$1) })
  }
}

extension Form<Bool> {
  static var boolean: Form { Form(read: LineFields.boolean, write: { $1 += ($0 ? "true" : "false").utf8 }) }
}

extension Form<Int> {
  static func whole(_ range: ClosedRange<Int>) -> Form {
    Form(
      read: { line in { (field) throws(LineError) in try line.whole(field, range) } },
      write: { $1.append(decimal: $0.magnitude, width: 1) })
  }
}

extension Form<Thousandths> {
  static func measure(limit: Int) -> Form {
    Form(
      read: { line in { (field) throws(LineError) in try line.measure(field, limit: limit) } },
      write: { $0.write(into: &$1) })
  }
}

extension Form<Day> {
  static var day: Form { Form(read: LineFields.day, write: write) }

  /// The last day of a span.
  static func end(of first: Day) -> Form {
    Form(read: { line in { (field) throws(LineError) in try line.end(field, of: first) } }, write: write)
  }

  private static func write(_ day: Day, into bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    day.write(into: &bytes)
    bytes.append(UInt8(ascii: "\""))
  }
}

extension Form<ClockTime> {
  static var clock: Form { Form(read: LineFields.clock, write: write) }
  static var dayStart: Form { Form(read: LineFields.dayStart, write: write) }

  private static func write(_ time: ClockTime, into bytes: inout [UInt8]) { bytes += "\"\(time)\"".utf8 }
}

extension Form<[String]> {
  static var ids: Form { Form(read: LineFields.ids, write: write) }
  static var habits: Form { Form(read: LineFields.habits, write: write) }

  private static func write(_ names: [String], into bytes: inout [UInt8]) {
    bytes += EventEncoder.list(names.map(EventEncoder.text)).utf8
  }
}

extension Form<[SeenSegment]> {
  static var seen: Form { Form(read: LineFields.seen, write: { $1 += EventEncoder.seen($0).utf8 }) }
}

extension Form<[RedactedText]> {
  static var texts: Form { Form(read: LineFields.texts, write: { $1 += EventEncoder.texts($0).utf8 }) }
}

/// The parts of a definition: each a tree of JSON.
extension Form {
  private static func tree(
    _ read: @escaping (JSONValue) throws(LineError) -> Value, _ write: @escaping (Value) -> String
  ) -> Form {
    Form(
      read: { line in
        { (field) throws(LineError) in
          guard let value = try line.value(field) else { return nil }
          return try read(value)
        }
      },
      write: { $1 += write($0).utf8 })
  }
}

extension Form<Rule> {
  static var rule: Form { tree(DefinitionDecoder.rule, EventEncoder.rule) }
}

extension Form<Schedule> {
  static func schedule(of rule: Rule) -> Form {
    tree(
      { (value) throws(LineError) in try DefinitionDecoder.schedule(value, of: rule) }, EventEncoder.schedule)
  }
}

extension Form<Forgiveness> {
  static var forgiveness: Form { tree(DefinitionDecoder.forgiveness, EventEncoder.forgiveness) }
}

extension Form<[Int]> {
  static var milestones: Form {
    tree(DefinitionDecoder.milestones) { EventEncoder.list($0.map(String.init)) }
  }
}

extension Form<Experience> {
  static var experience: Form { tree(DefinitionDecoder.experience, EventEncoder.experience) }
}
