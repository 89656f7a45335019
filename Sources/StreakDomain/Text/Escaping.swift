/// Text made safe for where it is going: JSON and a terminal here, markup and tables in `Escaping+Forms.swift`.
package enum Escaping {
  /// A JSON string with its quotes; whatever could break a line, move a cursor or hide is escaped.
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
    } else {
      writeEscaped(text, into: &out)
    }
    out.append(UInt8(ascii: "\""))
  }

  private static func writeEscaped(_ text: String, into out: inout [UInt8]) {
    each(text) { scalar, isHidden in
      switch scalar {
      case "\"": out += "\\\"".utf8
      case "\\": out += "\\\\".utf8
      case "\n": out += "\\n".utf8
      case "\r": out += "\\r".utf8
      case "\t": out += "\\t".utf8
      case _ where isHidden:
        for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
          out += ("\\u" + hex(UInt32(unit), 4)).utf8
        }
      default: out += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
      }
    }
  }

  /// Text from the log for people: all of it is seen, and nothing in it moves the cursor, turns the writing round or
  /// ends the line.
  package static func visible(_ text: String) -> String {
    // Nearly every text is plain.
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
    guard text.unicodeScalars.contains(where: \.isHidden) else { return text }
    var out = String.UnicodeScalarView()
    each(text) { scalar, isHidden in
      if isHidden { out += "\\u{\(hex(scalar.value, 1))}".unicodeScalars } else { out.append(scalar) }
    }
    return String(out)
  }

  /// Control characters and line separators, which no text of the log may contain.
  package static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value) && !(0x2028...0x2029).contains(scalar.value)
  }

  private static func hex(_ value: UInt32, _ width: Int) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }

  /// How many columns a terminal gives the text; pictures and East Asian letters take two.
  package static func columns(of text: String) -> Int {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
    return text.reduce(0) { sum, cluster in
      guard let scalar = cluster.unicodeScalars.first else { return sum }
      let isWide =
        scalar.properties.isEmojiPresentation || (0x1100...0x115F).contains(scalar.value)
        || (0x2E80...0xA4CF).contains(scalar.value) || (0xAC00...0xD7A3).contains(scalar.value)
        || (0xF900...0xFAFF).contains(scalar.value) || (0xFF00...0xFF60).contains(scalar.value)
        || cluster.unicodeScalars.contains { $0.value == 0xFE0F }
      return sum + (isWide ? 2 : 1)
    }
  }
}

extension Escaping {
  /// Goes through a text, telling of each scalar whether it has to be escaped to be seen.
  private static func each(_ text: String, _ body: (Unicode.Scalar, Bool) -> Void) {
    let scalars = Array(text.unicodeScalars)
    for (index, scalar) in scalars.enumerated() {
      body(scalar, scalar.isHidden && !isNeeded(at: index, in: scalars))
    }
  }

  /// Whether a picture or a word is another without the hidden scalar, so that it shows by what is around it.
  ///
  /// Pictures are joined by U+200D and chosen by U+FE0E and U+FE0F: `🏋️`, `👨‍👩‍👧`, `1️⃣`. Between letters of the
  /// scripts from Arabic to Sinhala, U+200C and U+200D say which form the letters take. Nowhere else is either left
  /// as it is.
  private static func isNeeded(at index: Int, in scalars: [Unicode.Scalar]) -> Bool {
    guard index > 0 else { return false }
    let before = scalars[index - 1]
    let after = index + 1 < scalars.count ? scalars[index + 1] : " "
    switch scalars[index].value {
    case 0xFE0E, 0xFE0F: return before.isPicture || before.properties.isEmoji && after.value == 0x20E3
    case 0x200D where after.isPicture:
      return before.isPicture || before.value == 0xFE0F && index > 1 && scalars[index - 2].isPicture
    case 0x200C, 0x200D: return before.hasJoinedForms && after.hasJoinedForms
    default: return false
    }
  }
}

extension Unicode.Scalar {
  /// Whether nobody sees the scalar, or it changes how others are seen: what Unicode says has no look of its own,
  /// controls, formats and separators of lines, and what is assigned to nothing.
  fileprivate var isHidden: Bool {
    if value < 0xAD { return !Escaping.isPrintable(self) }
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: return true
    default: return properties.isDefaultIgnorableCodePoint
    }
  }

  fileprivate var isPicture: Bool { properties.isEmoji && !isASCII }

  /// Whether it is of a script whose letters take forms by their neighbours.
  fileprivate var hasJoinedForms: Bool { (0x600...0xDFF).contains(value) && !isHidden }
}
