import StreakDomain

/// The JSON Schema (2020-12) of one line of the log, as far as the schema language can express the
/// rules.
package enum EventSchema {
  package static var json: [UInt8] {
    let types = list(EventType.allCases.map(\.rawValue))
    let indent = "\n    "
    let schemas = EventType.allCases.map { type in
      indent + schema(of: type).replacingBytes(of: "\n", with: indent)
    }
    let text = String(decoding: PackageResources.event_schema_json, as: UTF8.self)
      .replacingBytes(of: #""enum": []"#, with: #""enum": \#(types)"#)
      .replacingBytes(
        of: #""oneOf": []"#,
        with: #""oneOf": [\#(schemas.joined(separator: ","))\#(indent.dropLast(2))]"#)
    return Array(text.utf8)
  }

  private static func schema(of type: EventType) -> String {
    let fields = type.fields(isDraft: false)
    let properties = fields.map { ",\n    \"\($0.name)\": \($0.schema.json)" }
    let keys = list(Field.all.filter(Field.envelope.contains).map(\.key) + fields.map(\.name))
    let names = #"\#n  "propertyNames": {"anyOf": [{"enum": \#(keys)}, {"pattern": "^x_"}]},"#
    return """
      {
        "title": "\(type.rawValue)",
        "required": \(list(["type"] + fields.filter(\.isRequired).map(\.name))),\
      \(type == .habitDefined ? names : "")
        "properties": {
          "type": {"const": "\(type.rawValue)"}\(properties.joined())
        }
      }
      """
  }

  private static func list(_ names: [String]) -> String {
    JSONValue.texts(names).json
  }
}

/// The part of the JSON Schema that describes one field.
enum FieldSchema {
  case any, boolean
  /// A reference to a schema in `$defs` of event.schema.json.
  case named(String)
  case measure(limit: Int)
  case whole(ClosedRange<Int>)

  var json: String {
    switch self {
    case .any: "{}"
    case .boolean: #"{"type": "boolean"}"#
    case .named(let name): ##"{"$ref": "#/$defs/\##(name)"}"##
    case .measure(let limit):
      #"""
      {"description": "At most 6 decimals.", "type": "number", "minimum": 0, "maximum": \#(limit)}
      """#
    case .whole(let range):
      #"{"type": "integer", "minimum": \#(range.lowerBound), "maximum": \#(range.upperBound)}"#
    }
  }
}
