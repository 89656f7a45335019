package import StreakDomain

/// The number of lines of each segment that a consumer has received.
///
/// As text, a cursor is `start`, or it lists the segments in the order of their names, such as
/// `laptop:745,phone:4405`. Bytes that no writer's name contains are percent-encoded. Each cursor
/// has exactly one text.
package struct Cursor: Hashable, Sendable {
  package private(set) var lines: [Text: Int] = [:]

  package init() {}

  /// Advances the cursor past a line, which includes all earlier lines of the same segment.
  package mutating func add(
    line: Int, ofSegment segment: Int, of stream: borrowing EventStream
  ) {
    let name = stream.readers[segment].name
    lines[name] = max(line, lines[name] ?? 0)
  }
}

extension Cursor: CustomStringConvertible {
  private static let start = "start"

  package var description: String {
    guard !lines.isEmpty else { return Cursor.start }
    return lines.sorted { $0.key < $1.key }.map { "\(Cursor.encoded($0.key)):\($0.value)" }
      .joined(separator: ",")
  }

  package init?(_ text: String) {
    for part in text == Cursor.start ? [] : text.parts(at: ",") {
      let pair = part.parts(at: ":")
      guard pair.count == 2, let name = Cursor.decoded(String(pair[0])), let count = Int(pair[1]),
        count > 0
      else {
        return nil
      }
      lines[Text(name)] = count
    }
    guard description == text else { return nil }
  }

  private static func encoded(_ name: Text) -> String {
    name.string.utf8.map { byte in
      let isPlain = Syntax.idBytes[Int(byte)] && byte != UInt8(ascii: ":")
      return isPlain
        ? String(Unicode.Scalar(byte)) : "%" + String(256 + Int(byte), radix: 16).droppingBytes(1)
    }.joined()
  }

  private static func decoded(_ text: String) -> String? {
    text.percentDecoded.flatMap { String(validating: $0, as: UTF8.self) }
  }
}
