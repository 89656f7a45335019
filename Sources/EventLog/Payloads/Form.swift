package import StreakDomain

/// The form of a field's value: how to read, check and write it.
struct Form<Value> {
  let read: (LineFields, Field) throws(Failure) -> Value
  let write: (Value, inout [UInt8]) -> Void
}

extension LineFields {
  func required<Value>(
    _ field: Field, of type: EventType, _ form: Form<Value>
  ) throws(Failure) -> Value {
    guard let value = try optional(field, form) else {
      throw .missing(field.key, in: type.rawValue)
    }
    return value
  }

  func optional<Value>(_ field: Field, _ form: Form<Value>) throws(Failure) -> Value? {
    has(field) ? try form.read(self, field) : nil
  }
}

extension Form<String> {
  static var id: Form { text(Forms.id, Forms.isID) }
  static var habit: Form { text(Forms.habit, Forms.isHabit) }
  static var zone: Form { text(Forms.zone, Forms.isZone) }
  static var digest: Form { text(Forms.digest, Forms.isDigest) }
  static var any: Form { text("text") { _ in true } }

  fileprivate static func text(_ form: String, _ isValid: @escaping (String) -> Bool) -> Form {
    Form(
      read: { (line, field) throws(Failure) in
        let text = try line.text(field)
        guard isValid(text) else { throw line.fail(field, as: form, not: text) }
        return text
      }, write: { Escaping.writeJSON($0, into: &$1) })
  }
}

extension Form<Text> {
  static var writer: Form { text(Forms.writer, Forms.isWriter) }
  static var printable: Form { printed("printable text of at most 1024 bytes") { $0.utf8.count <= 1024 } }
  static var word: Form {
    printed("printable text of 1 to 1024 bytes") { !$0.isEmpty && $0.utf8.count <= 1024 }
  }
  static var by: Form {
    printed("1 to 64 printable characters") { (1...64).contains($0.unicodeScalars.count) }
  }

  private static func text(_ form: String, _ isValid: @escaping (String) -> Bool) -> Form {
    let form = Form<String>.text(form, isValid)
    return Form(
      read: { (line, field) throws(Failure) in Text(try form.read(line, field)) },
      write: { form.write($0.string, &$1) })
  }

  private static func printed(_ form: String, _ isValid: @escaping (String) -> Bool) -> Form {
    let text = text(form, isValid)
    return Form(
      read: { (line, field) throws(Failure) in
        let text = try text.read(line, field)
        // `.plain` means that the scan for the end of the string has already checked it.
        guard line[field].form == .plain || Forms.isPrintable(text.string) else {
          throw line.fail(field, as: form, not: text.string)
        }
        return text
      }, write: text.write)
  }
}

extension Form {
  /// A string that is parsed into a value; its text must need no escaping.
  private static func parsed(
    _ form: String, _ parse: @escaping (String) -> Value?, _ write: @escaping (Value, inout [UInt8]) -> Void
  ) -> Form {
    Form(
      read: { (line, field) throws(Failure) in
        let text = try line.text(field)
        guard let value = parse(text) else { throw line.fail(field, as: form, not: text) }
        return value
      },
      write: { value, bytes in
        bytes.append(UInt8(ascii: "\""))
        write(value, &bytes)
        bytes.append(UInt8(ascii: "\""))
      })
  }
}

extension Form<Day> {
  static var day: Form { parsed(Forms.day, { Day($0) }, { $0.write(into: &$1) }) }

  static func end(of first: Day) -> Form {
    Form(
      read: { (line, field) throws(Failure) in
        let day = try day.read(line, field)
        guard first <= day else { throw line.fail(field, as: "not before \"from\", \(first)", not: "\(day)") }
        return day
      }, write: day.write)
  }
}

extension Form<Timestamp> {
  static var at: Form { parsed(Forms.at, { Timestamp($0) }, { $0.write(into: &$1) }) }
}

extension Form<Instant> {
  static var recorded: Form { parsed(Forms.recorded, Forms.readRecorded, { $0.write(into: &$1) }) }
}

extension Form<ClockTime> {
  static var clock: Form {
    parsed("a local time HH:MM, 00:00 to 23:59", { ClockTime($0) }, { $1 += "\($0)".utf8 })
  }
  static var dayStart: Form { parsed(Forms.dayStart, Forms.readDayStart, { $1 += "\($0)".utf8 }) }
}

extension Form<Bool> {
  static var boolean: Form {
    Form(
      read: { (line, field) throws(Failure) in
        let form = line[field].form
        guard form == .yes || form == .no else { throw line.fail(field, expected: "true or false") }
        return form == .yes
      }, write: { $1 += ($0 ? "true" : "false").utf8 })
  }
}

extension Form<Thousandths> {
  static func measure(limit: Int) -> Form {
    Form(
      read: { (line, field) throws(Failure) in
        guard let value = try line.number(field), value >= .zero, value <= Thousandths(limit) else {
          throw line.fail(field, outOf: "a number from 0 to \(limit) with at most 3 decimals")
        }
        return value
      }, write: { $0.write(into: &$1) })
  }
}

extension Form<Int> {
  static func whole(_ range: ClosedRange<Int>) -> Form {
    Form(
      read: { (line, field) throws(Failure) in
        guard let value = try line.number(field), value.isWhole, range.contains(Int(value.count / 1000))
        else {
          throw line.fail(field, outOf: "a whole number, \(range.lowerBound) to \(range.upperBound)")
        }
        return Int(value.count / 1000)
      }, write: { $1.append(decimal: $0.magnitude, width: 1) })
  }
}

extension LineFields {
  package func text(_ field: Field) throws(Failure) -> String {
    guard self[field].form.isText else { throw fail(field, expected: "text") }
    return string(self[field])
  }

  /// Returns `nil` if the number has more than three decimals or is out of any range.
  fileprivate func number(_ field: Field) throws(Failure) -> Thousandths? {
    guard self[field].form == .number else { throw fail(field, expected: "a number") }
    return exact(self[field])
  }

  fileprivate func fail(_ field: Field, expected: String) -> Failure {
    fail(field, .badForm, "\(quoted(field.key)) must be \(expected), not \(self[field].form.name)")
  }

  func fail(_ field: Field, as form: String, not text: String) -> Failure {
    fail(field, .badForm, "\(quoted(field.key)) is \(quoted(text)); it must be \(form)")
  }

  fileprivate func fail(_ field: Field, outOf range: String) -> Failure {
    fail(field, .outOfRange, "\(quoted(field.key)) is \(string(self[field])); it must be \(range)")
  }
}
