import StreakDomain

/// A consumer's position in a ledger's events: for each segment the number of lines read, and the last line's
/// id.
///
/// The text of the empty cursor is `start`. Any other is unpadded base64url of the number of segments and,
/// for each segment in ascending order: 6 bytes of the SHA-256 of its name, its number of lines, 4 bytes of
/// the SHA-256 of the id. Numbers are LEB128, lowest 7 bits first. Each cursor has exactly one text, and a
/// truncated text is invalid.
package struct Cursor: Hashable, Sendable {
  struct Mark: Hashable, Sendable {
    let segment: UInt64
    let lines: Int
    let last: UInt32

    static func segment(_ name: Text) -> UInt64 {
      let words = SHA256(of: Array(name.string.utf8)).words()
      return UInt64(words[0]) << 16 | UInt64(words[1] >> 16)
    }

    static func id(_ id: [UInt8]) -> UInt32 { SHA256(of: id).words()[0] }
  }

  /// The marks in ascending order of their segments; each has at least one line.
  private(set) var marks: [Mark] = []

  package static let mostSegments = 256

  package init() {}

  mutating func set(_ mark: Mark) {
    let place = marks.firstIndex { $0.segment >= mark.segment } ?? marks.count
    let isKnown = place < marks.count && marks[place].segment == mark.segment
    marks.replaceSubrange(place..<(isKnown ? place + 1 : place), with: [mark])
  }
}

extension Cursor: CustomStringConvertible {
  /// The text of the empty cursor; no base64url text has a length of one more than a multiple of four.
  private static let start = "start"

  package var description: String {
    guard !marks.isEmpty else { return Cursor.start }
    var bytes: [UInt8] = []
    Cursor.write(marks.count, into: &bytes)
    for mark in marks {
      for shift in stride(from: 40, through: 0, by: -8) { bytes.append(UInt8(mark.segment >> shift & 0xFF)) }
      Cursor.write(mark.lines, into: &bytes)
      for shift in stride(from: 24, through: 0, by: -8) { bytes.append(UInt8(mark.last >> shift & 0xFF)) }
    }
    return Base64.text(of: bytes, isForURLs: true)
  }

  package init?(_ text: String) {
    if text.utf8.elementsEqual(Cursor.start.utf8) { return }
    guard let bytes = Base64.bytes(ofURLWord: text) else { return nil }
    var rest = bytes[...]
    guard let count = Cursor.number(&rest), count <= Cursor.mostSegments else { return nil }
    for _ in 0..<count {
      guard let segment = Cursor.word(6, &rest), let lines = Cursor.number(&rest),
        let last = Cursor.word(4, &rest), marks.last.map({ $0.segment < segment }) ?? true
      else { return nil }
      marks.append(Mark(segment: segment, lines: lines, last: UInt32(last)))
    }
    guard rest.isEmpty else { return nil }
  }

  private static func write(_ number: Int, into bytes: inout [UInt8]) {
    var rest = number
    while rest > 0x7F {
      bytes.append(UInt8(rest & 0x7F | 0x80))
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// Reads a positive LEB128 number, which must have no superfluous bytes.
  private static func number(_ bytes: inout ArraySlice<UInt8>) -> Int? {
    var number = 0
    for shift in stride(from: 0, to: 56, by: 7) {
      guard let byte = bytes.popFirst() else { return nil }
      number |= Int(byte & 0x7F) << shift
      if byte & 0x80 == 0 { return byte == 0 ? nil : number }
    }
    return nil
  }

  private static func word(_ count: Int, _ bytes: inout ArraySlice<UInt8>) -> UInt64? {
    guard bytes.count >= count else { return nil }
    defer { bytes = bytes.dropFirst(count) }
    return bytes.prefix(count).reduce(0) { $0 << 8 | UInt64($1) }
  }
}
