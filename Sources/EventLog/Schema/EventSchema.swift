import StreakDomain

/// The JSON Schema 2020-12 of a single line of the log, as far as the schema language can express it.
package enum EventSchema {
  package static var json: [UInt8] {
    completing(PackageResources.event_schema_json, isDraft: false) { "#/$defs/" + $0 }
  }

  /// Returns `document` with a schema for each type of event: of stored events, or of drafts for `append`.
  ///
  /// `reference` returns the location of a named form in the document.
  package static func completing(
    _ document: [UInt8], isDraft: Bool, reference: (String) -> String
  ) -> [UInt8] {
    let types = list(EventType.allCases.map(\.rawValue))
    let indent = isDraft ? "\n          " : "\n    "
    let schemas = EventType.allCases.map { type in
      indent + schema(of: type, isDraft: isDraft, reference).replacingBytes(of: "\n", with: indent)
    }
    let text = String(decoding: document, as: UTF8.self)
      .replacingBytes(of: #""enum": []"#, with: #""enum": \#(types)"#)
      .replacingBytes(
        of: #""oneOf": []"#, with: #""oneOf": [\#(schemas.joined(separator: ","))\#(indent.dropLast(2))]"#)
    return Array(text.utf8)
  }

  private static func schema(of type: EventType, isDraft: Bool, _ reference: (String) -> String) -> String {
    let fields = type.fields(isDraft: isDraft)
    let properties = fields.map { ",\n    \"\($0.name)\": \($0.schema.json(reference))" }
    let known = list(Field.all.filter(Field.envelope.contains).map(\.key) + fields.map(\.name))
    let names = #"\#n  "propertyNames": {"anyOf": [{"enum": \#(known)}, {"pattern": "^x_"}]},"#
    return """
      {
        "title": "\(type.rawValue)",
        "required": \(list(["type"] + fields.filter(\.isRequired).map(\.name))),\
      \(type == .habitDefined && !isDraft ? names : "")
        "properties": {
          "type": {"const": "\(type.rawValue)"}\(properties.joined())
        }
      }
      """
  }

  private static func list(_ names: [String]) -> String { EventEncoder.list(names.map(EventEncoder.text)) }
}

/// The JSON Schema of a form.
enum FormSchema {
  case any, boolean
  /// A schema in `$defs` of event.schema.json, which openapi.json has with a capital letter.
  case named(String)
  case measure(limit: Int)
  case whole(ClosedRange<Int>)

  func json(_ reference: (String) -> String) -> String {
    switch self {
    case .any: "{}"
    case .boolean: #"{"type": "boolean"}"#
    case .named(let name): #"{"$ref": "\#(reference(name))"}"#
    case .measure(let limit):
      #"{"description": "At most 3 decimals.", "type": "number", "minimum": 0, "maximum": \#(limit)}"#
    case .whole(let range):
      #"{"type": "integer", "minimum": \#(range.lowerBound), "maximum": \#(range.upperBound)}"#
    }
  }
}
