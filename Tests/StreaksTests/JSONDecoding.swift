import EventLog
import Foundation
import Inspection
import StreakDomain
import Testing

/// The check that a document can be decoded as a type, and encoded to the same JSON.
struct JSONDecoding: Sendable {
  let check: @Sendable (_ text: String) throws -> Void

  /// Returns the check of one document by the program's own writer.
  static func document<Value: Codable & SendableMetatype>(
    _ type: Value.Type, omitsNil: Bool = false
  ) -> JSONDecoding {
    JSONDecoding { text in
      let value = try JSONDecoder().decode(type, from: Data(text.utf8))
      let printed = try sorted(JSONValue(parsing: text)).json
      let encoded = try sorted(JSONValue(of: value, omitsNil: omitsNil)).json
      #expect(encoded == printed, "\(type)")
    }
  }

  /// Returns the check of JSON Lines, each of which has the same type; `every` selects lines of a
  /// long text.
  static func lines<Value: Codable & SendableMetatype>(
    _ type: Value.Type, every step: Int = 1
  ) -> JSONDecoding {
    JSONDecoding { text in
      let lines = text.split(separator: "\n")
      #expect(!lines.isEmpty)
      for index in stride(from: 0, to: lines.count, by: step) {
        try document(type).check(String(lines[index]))
      }
    }
  }

  /// Returns the check of a document that is only decoded.
  static func decodable<Value: Decodable & SendableMetatype>(_ type: Value.Type) -> JSONDecoding {
    JSONDecoding { text in _ = try JSONDecoder().decode(type, from: Data(text.utf8)) }
  }

  /// Returns the value with the members of all its objects in the order of their keys, and without
  /// the member `format`.
  private static func sorted(_ json: JSONValue) throws -> JSONValue {
    switch json.kind {
    case .object(let members):
      .object(
        JSONValue.Members(
          try members.filter { $0.key != "format" }.map { ($0.key, try sorted($0.value)) }))
    case .list(let items): .list(try items.map { try sorted($0) })
    case .raw(let bytes): try sorted(JSONValue(parsing: bytes))
    case .null, .bool, .number, .text: json
    }
  }
}
