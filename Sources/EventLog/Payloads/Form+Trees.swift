import StreakDomain

extension Form {
  fileprivate static func tree(
    _ read: @escaping (JSONValue, Field) throws(Failure) -> Value, _ write: @escaping (Value) -> String
  ) -> Form {
    Form(
      read: { (line, field) throws(Failure) in try read(try line.tree(line[field]), field) },
      write: { $1 += write($0).utf8 })
  }

  fileprivate static func part(
    _ read: @escaping (JSONValue) throws(Failure) -> Value, _ write: @escaping (Value) -> String
  ) -> Form {
    tree({ (value, _) throws(Failure) in try read(value) }, write)
  }
}

extension Form<Rule> {
  static var rule: Form { part(DefinitionDecoder.rule, EventEncoder.rule) }
}

extension Form<Schedule> {
  static func schedule(of rule: Rule) -> Form {
    part(
      { (value) throws(Failure) in try DefinitionDecoder.schedule(value, of: rule) }, EventEncoder.schedule)
  }
}

extension Form<Forgiveness> {
  static var forgiveness: Form { part(DefinitionDecoder.forgiveness, EventEncoder.forgiveness) }
}

extension Form<[Int]> {
  static var milestones: Form {
    part(DefinitionDecoder.milestones) { EventEncoder.list($0.map(String.init)) }
  }
}

extension Form<Experience> {
  static var experience: Form { part(DefinitionDecoder.experience, EventEncoder.experience) }
}

extension Form<[String]> {
  static var ids: Form { names(of: "id", Event.isID, Forms.id) }
  static var habits: Form { names(of: "habit", Forms.isHabit, Forms.habit) }

  private static func names(
    of what: String, _ isForm: @escaping (String) -> Bool, _ form: String
  ) -> Form {
    tree { (value, field) throws(Failure) in
      guard case .array(let items) = value.kind, !items.isEmpty else {
        throw value.isNot("a list of at least one \(what)", field, empty: "[]")
      }
      var names: [String] = []
      for item in items {
        guard case .string(let name) = item.kind, isForm(name) else {
          throw item.isBad(item.json, field, form)
        }
        names.append(name)
      }
      return names
    } _: {
      EventEncoder.list($0.map(EventEncoder.text))
    }
  }
}

extension Form<[TextField]> {
  static var textFields: Form {
    tree { (value, field) throws(Failure) in
      guard case .array(let items) = value.kind, !items.isEmpty else {
        throw value.isNot("a list of at least one field", field, empty: "[]")
      }
      var fields: [TextField] = []
      for item in items {
        guard case .string(let name) = item.kind, let text = TextField(rawValue: name) else {
          let known = TextField.allCases.map(\.rawValue).joined(separator: ", ")
          throw item.isBad(item.json, field, "one of " + known)
        }
        if !fields.contains(text) { fields.append(text) }
      }
      return fields
    } _: {
      EventEncoder.list($0.map { EventEncoder.text($0.rawValue) })
    }
  }
}

extension Form<[SeenSegment]> {
  /// The records of other segments: the number of lines and the id of the last one.
  static var seen: Form {
    tree { (value, field) throws(Failure) in
      guard case .object(let members) = value.kind else { throw value.isNot("an object", field) }
      var seen: [SeenSegment] = []
      for (segment, value) in members {
        guard Forms.isWriter(segment.string) else { throw value.isBad(segment.string, field, Forms.writer) }
        guard let one = SeenSegment(segment, value) else {
          throw value.isBad(
            value.json, field, "the number of its lines and the id of the last, such as [312,\"e1\"]")
        }
        seen.append(one)
      }
      return seen
    } _: { seen in
      EventEncoder.object(seen.map { ($0.segment.string, $0.json) })
    }
  }
}

extension SeenSegment {
  static let lineCounts = 1...1_000_000_000_000

  fileprivate init?(_ segment: Text, _ value: JSONValue) {
    guard case .array(let said) = value.kind, said.count == 2,
      case .number(let text) = said[0].kind, let lines = Thousandths(json: text), lines.isWhole,
      SeenSegment.lineCounts.contains(Int(lines.count / 1000)), case .string(let last) = said[1].kind,
      Forms.isID(last)
    else { return nil }
    self.init(segment: segment, lines: Int(lines.count / 1000), last: last)
  }

  fileprivate var json: String { EventEncoder.list([String(lines), EventEncoder.text(last)]) }
}

extension JSONValue {
  fileprivate func isNot(_ expected: String, _ field: Field, empty: String? = nil) -> Failure {
    let found = json == empty ? "an empty one" : kindName
    return Failure(
      .badForm, column: column, "\(quoted(field.key)) must be \(expected), not \(found)")
  }

  fileprivate func isBad(_ text: String, _ field: Field, _ form: String) -> Failure {
    Failure(.badForm, column: column, "\(quoted(field.key)) is \(quoted(text)); it must be \(form)")
  }
}
