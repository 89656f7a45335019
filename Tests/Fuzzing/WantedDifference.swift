import EventLog
import StreakDomain

/// The intended differences between this decoder and Foundation's JSON parser.
///
/// What Foundation does with each input is in the comment of the case.
package enum WantedDifference: CaseIterable, Sendable {
  /// A key twice in an object: refused here; Foundation uses the last value.
  case duplicateKey
  /// Two keys here; Foundation keeps one of two canonically equivalent keys.
  case equivalentKeys
  /// Refused beyond 16 levels here; Foundation reads up to 512.
  case depth
  /// A comma after the last element: refused here; Foundation accepts it.
  case trailingComma
  /// Refused here; Foundation skips the mark.
  case byteOrderMark
  /// Preserved here; Foundation drops U+FEFF at the start of a text and after an escape.
  case markInText
  /// UTF-16 and UTF-32: refused here; Foundation reads them.
  case encoding
  /// Accepted here, because numbers are stored as text, and each field checks its range;
  /// Foundation refuses what exceeds a `Double`.
  case hugeNumber
  /// A number of over 32 characters: refused here; Foundation accepts it.
  case longNumber

  static func refusing(_ input: [UInt8], _ error: Failure) -> WantedDifference? {
    if input.starts(with: [0xEF, 0xBB, 0xBF]) { return .byteOrderMark }
    // UTF-8 JSON has no zero byte, so one of the first four bytes, or a byte order mark, shows
    // UTF-16 or UTF-32.
    if input.prefix(4).contains(0) || input.starts(with: [0xFE, 0xFF])
      || input.starts(with: [0xFF, 0xFE])
    {
      return .encoding
    }
    switch error.kind {
    case .notJSON where error.says.text.hasPrefix("duplicate key"): return .duplicateKey
    case .notJSON where error.says.text.contains("levels"): return .depth
    case .notJSON: return isAfterComma(input, error.column - 1) ? .trailingComma : nil
    case .badForm where error.says.text.hasPrefix("a number of"): return .longNumber
    default: return nil
    }
  }

  static func accepting(_ value: JSONValue) -> WantedDifference? {
    switch value.kind {
    case .null, .bool, .text, .raw: return nil
    case .number(let text): return Double(text)?.isFinite == false ? .hugeNumber : nil
    case .list(let items): return items.lazy.compactMap { accepting($0) }.first
    case .object(let members): return members.lazy.compactMap { accepting($0.value) }.first
    }
  }

  static func reading(_ input: [UInt8]) -> WantedDifference? {
    if input.indices.contains(where: { input[$0...].starts(with: [0xEF, 0xBB, 0xBF]) }) {
      return .markInText
    }
    guard let value = try? JSONValue(parsing: input) else { return nil }
    return hasEquivalentKeys(value) ? .equivalentKeys : nil
  }

  /// Whether an object has two keys that Swift considers equal; a dictionary of it has fewer
  /// members.
  private static func hasEquivalentKeys(_ value: JSONValue) -> Bool {
    switch value.kind {
    case .null, .bool, .number, .text, .raw: false
    case .list(let items): items.contains { hasEquivalentKeys($0) }
    case .object(let members):
      Set(members.map(\.key.string)).count < members.count
        || members.contains { hasEquivalentKeys($0.value) }
    }
  }

  private static func isAfterComma(_ input: [UInt8], _ place: Int) -> Bool {
    guard input.indices.contains(place),
      [UInt8(ascii: "]"), UInt8(ascii: "}")].contains(input[place])
    else {
      return false
    }
    return input[..<place].last { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == UInt8(ascii: ",")
  }
}
