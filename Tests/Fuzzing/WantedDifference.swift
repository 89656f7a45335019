import EventLog
import StreakDomain

/// Where this decoder and Foundation's JSON parser are meant to differ; docs/contributing.md says why.
package enum WantedDifference: String, CaseIterable, Sendable {
  /// Refused here: a key that stands twice in an object.
  case duplicateKey = "a key twice"
  /// Two keys here: keys that Unicode calls equal, of which Foundation keeps one.
  case equivalentKeys = "keys that Unicode calls equal"
  /// Refused here: nesting beyond what a line may have.
  case depth = "deep nesting"
  /// Refused here: a comma before `]` or `}`.
  case trailingComma = "a trailing comma"
  /// Refused here: a byte order mark before the value.
  case byteOrderMark = "a byte order mark"
  /// Kept here: U+FEFF, which Foundation drops where a text, or what follows an escape in it, begins.
  case markInText = "U+FEFF in a text"
  /// Refused here: UTF-16 and UTF-32.
  case encoding = "UTF-16 and UTF-32"
  /// Accepted here, as a number is kept as written and judged by its field: beyond what a Double holds.
  case hugeNumber = "a huge number"

  /// Why this decoder refuses what Foundation accepts, if it is meant to.
  static func refusing(_ input: [UInt8], _ error: Failure) -> WantedDifference? {
    if input.starts(with: [0xEF, 0xBB, 0xBF]) { return .byteOrderMark }
    // No UTF-8 JSON has a zero byte, so one among the first four, or a mark, tells the wider encodings.
    if input.prefix(4).contains(0) || input.starts(with: [0xFE, 0xFF]) || input.starts(with: [0xFF, 0xFE]) {
      return .encoding
    }
    switch error.kind {
    case .notJSON where error.says.text.hasPrefix("duplicate key"): return .duplicateKey
    case .notJSON where error.says.text.contains("levels"): return .depth
    case .notJSON: return isAfterComma(input, error.column - 1) ? .trailingComma : nil
    default: return nil
    }
  }

  /// Why this decoder accepts what Foundation refuses, if it is meant to.
  static func accepting(_ value: JSONValue) -> WantedDifference? {
    switch value.kind {
    case .null, .bool, .string: return nil
    case .number(let text): return Double(text)?.isFinite == false ? .hugeNumber : nil
    case .array(let items): return items.lazy.compactMap { accepting($0) }.first
    case .object(let members): return members.lazy.compactMap { accepting($0.value) }.first
    }
  }

  /// Why both accept and read another value, if they are meant to.
  static func reading(_ input: [UInt8]) -> WantedDifference? {
    if input.indices.contains(where: { input[$0...].starts(with: [0xEF, 0xBB, 0xBF]) }) {
      return .markInText
    }
    guard let value = try? JSONValue(parsing: input) else { return nil }
    return hasEquivalentKeys(value) ? .equivalentKeys : nil
  }

  /// Whether an object in it has two keys that Swift calls equal, and so has fewer members in a dictionary.
  private static func hasEquivalentKeys(_ value: JSONValue) -> Bool {
    switch value.kind {
    case .null, .bool, .number, .string: false
    case .array(let items): items.contains { hasEquivalentKeys($0) }
    case .object(let members):
      Set(members.map(\.key.string)).count < members.count || members.contains { hasEquivalentKeys($0.value) }
    }
  }

  /// Whether a closing bracket stands at a place, and a comma before it.
  private static func isAfterComma(_ input: [UInt8], _ place: Int) -> Bool {
    guard input.indices.contains(place), [UInt8(ascii: "]"), UInt8(ascii: "}")].contains(input[place]) else {
      return false
    }
    return input[..<place].last { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == UInt8(ascii: ",")
  }
}
