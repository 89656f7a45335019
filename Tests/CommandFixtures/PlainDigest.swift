import EventLog
import Foundation
import StreakDomain

/// The digest of a line according to event-format.md, computed independently of the readers.
package enum PlainDigest {
  /// Returns the digest of a JSON object without its newline.
  package static func of(_ line: [UInt8]) -> String {
    var kept: [UInt8] = []
    var place = 0
    for text in texts(of: line) {
      kept += line[place..<text.range.lowerBound]
      kept.append(UInt8(ascii: "\""))
      place = text.range.upperBound + 1
      while place < line.count, " \t\r".utf8.contains(line[place]) { place += 1 }
    }
    kept += line[place...] + [UInt8(ascii: "\n")]
    return SHA256(of: kept).digest()
  }

  package static func of(lines: [[UInt8]]) -> String {
    SHA256(of: lines.flatMap { bytes(of($0)) }).digest()
  }

  private static func bytes(_ digits: String) -> [UInt8] {
    let values = digits.utf8.map { $0.hexDigit ?? 0 }
    return stride(from: 0, to: values.count, by: 2).map { values[$0] << 4 | values[$0 + 1] }
  }

  private static func key(_ written: ArraySlice<UInt8>) -> String? {
    guard written.contains(UInt8(ascii: "\\")) else {
      return String(decoding: written, as: UTF8.self)
    }
    return try? JSONDecoder().decode([String].self, from: Data("[\"".utf8 + written + "\"]".utf8))[
      0]
  }

  /// Returns the redactable texts of the outermost object, in the order of the line.
  package static func texts(of line: [UInt8]) -> [(field: String, range: Range<Int>)] {
    var texts: [(field: String, range: Range<Int>)] = []
    var depth = 0
    var key: String?
    var place = 0
    while place < line.count {
      switch line[place] {
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: ",") where depth == 1: key = nil
      case UInt8(ascii: "\""):
        let start = place + 1
        place = start
        while line[place] != UInt8(ascii: "\"") {
          place += line[place] == UInt8(ascii: "\\") ? 2 : 1
        }
        guard depth == 1 else { break }
        if let key {
          if ["note", "value", "reason", "name"].contains(key) {
            texts.append((key, start..<place))
          }
        } else {
          key = self.key(line[start..<place])
        }
      default: break
      }
      place += 1
    }
    return texts
  }
}
