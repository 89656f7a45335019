/// Text taken apart by its bytes.
///
/// A `Character` joins a sign with the U+200D or combining mark behind it, so that no search for the sign finds it.
/// Every mark that is looked for here is ASCII, whose bytes are in no other scalar.
extension StringProtocol {
  /// Whether the text begins with these bytes.
  package func begins(with start: String) -> Bool { utf8.starts(with: start.utf8) }

  /// Whether the text ends with these bytes.
  package func ends(with end: String) -> Bool { utf8.reversed().starts(with: end.utf8.reversed()) }

  /// Whether these bytes are anywhere in the text.
  package func holds(_ part: String) -> Bool {
    utf8.indices.contains { utf8[$0...].starts(with: part.utf8) }
  }

  /// Whether it may once have been other bytes: what is no UTF-8 becomes U+FFFD before it reaches a program, and two
  /// such texts can look alike.
  package var hasReplacedBytes: Bool { unicodeScalars.contains("\u{FFFD}") }

  /// The parts between ASCII signs, at most so many; of two in a row, and at an end, an empty part.
  package func parts(at sign: Unicode.Scalar, most: Int = Int.max) -> [Substring] {
    let text = Substring(self)
    return text.utf8.split(
      separator: UInt8(ascii: sign), maxSplits: most - 1, omittingEmptySubsequences: false
    ).map { Substring($0) }
  }

  /// The text without so many bytes at its front, which must end with a whole scalar.
  package func droppingBytes(_ count: Int) -> Substring { Substring(Substring(self).utf8.dropFirst(count)) }

  /// The text with other text in the place of some scalars; nil leaves one as it is.
  package func rewriting(_ instead: (Unicode.Scalar) -> String?) -> String {
    var out = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      if let text = instead(scalar) { out += text.unicodeScalars } else { out.append(scalar) }
    }
    return String(out)
  }

  /// The text with other bytes in the place of some, wherever they are.
  package func replacingBytes(of old: String, with new: String) -> String {
    String(decoding: Array(utf8).replacing(Array(old.utf8), with: Array(new.utf8)), as: UTF8.self)
  }

  /// The text with ASCII letters made small.
  package var asciiLowercased: String {
    String(decoding: utf8.map { (65...90).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
  }

  /// The text without the spaces at its end.
  package var withoutSpacesBehind: String {
    String(decoding: utf8.reversed().drop { $0 == 0x20 }.reversed(), as: UTF8.self)
  }

  /// The text without the white space at its ends.
  package var trimmed: String {
    let scalars = Substring(self).unicodeScalars
    let start = scalars.drop { $0.properties.isWhitespace }
    guard let last = start.lastIndex(where: { !$0.properties.isWhitespace }) else { return "" }
    return String(start[...last])
  }
}

extension UInt8 {
  /// What the byte is worth as a hexadecimal digit; nil where it is none.
  package var hexDigit: UInt8? {
    switch self {
    case 48...57: self - 48
    case 65...70, 97...102: (self | 0x20) - 87
    default: nil
    }
  }
}
