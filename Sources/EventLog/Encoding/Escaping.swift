/// Text made safe: for a JSON string, and for a terminal.
package enum Escaping {
  /// A JSON string with its quotes; whatever could break a line, move a cursor or turn the writing round is escaped.
  package static func json(_ text: String) -> String {
    var out: [UInt8] = []
    writeJSON(text, into: &out)
    return String(decoding: out, as: UTF8.self)
  }

  /// Adds a JSON string with its quotes.
  package static func writeJSON(_ text: String, into out: inout [UInt8]) {
    out.append(UInt8(ascii: "\""))
    // Nearly every text is plain, and then it is copied whole.
    if text.utf8.allSatisfy({
      $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
    }) {
      out += text.utf8
      out.append(UInt8(ascii: "\""))
      return
    }
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": out += "\\\"".utf8
      case "\\": out += "\\\\".utf8
      case "\n": out += "\\n".utf8
      case "\r": out += "\\r".utf8
      case "\t": out += "\\t".utf8
      case _ where isDangerous(scalar):
        out += ("\\u" + hex(scalar.value, 4)).utf8
      default: out += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
      }
    }
    out.append(UInt8(ascii: "\""))
  }

  /// Text from the log for people: nothing in it can move the cursor, change its direction or end the line.
  package static func visible(_ text: String) -> String {
    // Nearly every text is plain.
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
    guard text.unicodeScalars.contains(where: isDangerous) else { return text }
    var out = ""
    for scalar in text.unicodeScalars {
      if isDangerous(scalar) {
        out += "\\u{" + hex(scalar.value, 1) + "}"
      } else {
        out.unicodeScalars.append(scalar)
      }
    }
    return out
  }

  /// Control characters and line separators, which no text of the log may contain.
  package static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value) && !isLineSeparator(scalar)
  }

  private static func isDangerous(_ scalar: Unicode.Scalar) -> Bool {
    !isPrintable(scalar) || (0x202A...0x202E).contains(scalar.value)
      || (0x2066...0x2069).contains(scalar.value)
      || [0x200B, 0x200E, 0x200F, 0x2060, 0x061C, 0xFEFF].contains(scalar.value)
  }

  private static func isLineSeparator(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value == 0x2028 || scalar.value == 0x2029
  }

  private static func hex(_ value: UInt32, _ width: Int) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  /// How many columns a terminal gives the text; pictures and East Asian letters take two.
  package static func columns(of text: String) -> Int {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
    return text.reduce(0) { sum, character in
      guard let scalar = character.unicodeScalars.first else { return sum }
      let isWide =
        scalar.properties.isEmojiPresentation || (0x1100...0x115F).contains(scalar.value)
        || (0x2E80...0xA4CF).contains(scalar.value) || (0xAC00...0xD7A3).contains(scalar.value)
        || (0xF900...0xFAFF).contains(scalar.value) || (0xFF00...0xFF60).contains(scalar.value)
        || character.unicodeScalars.contains { $0.value == 0xFE0F }
      return sum + (isWide ? 2 : 1)
    }
  }
}
