import StreakDomain

extension Escaping {
  /// Text between the tags of XML or HTML, or between an attribute's quotes.
  ///
  /// XML has no form for a control character, U+FFFE and U+FFFF; in their places is U+FFFD.
  package static func xml(_ text: String) -> String {
    text.rewriting { scalar in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"": "&quot;"
      case "\t", "\n", "\r": "&#\(scalar.value);"
      case "\u{FFFE}", "\u{FFFF}": "\u{FFFD}"
      default: scalar.properties.generalCategory == .control ? "\u{FFFD}" : nil
      }
    }
  }

  /// JSON in which no text can end the `script` element it is in, or begin a comment there.
  package static func withinScript(_ json: [UInt8]) -> [UInt8] {
    guard json.contains(UInt8(ascii: "<")) else { return json }
    var safe: [UInt8] = []
    safe.reserveCapacity(json.count + 64)
    for byte in json {
      if byte == UInt8(ascii: "<") { safe += "\\u003c".utf8 } else { safe.append(byte) }
    }
    return safe
  }

  /// A field of a table (RFC 4180), in quotes where it needs them.
  package static func csv(_ text: String) -> String {
    guard text.utf8.contains(where: { ",\"\r\n".utf8.contains($0) }) else { return text }
    return "\"" + text.rewriting { $0 == "\"" ? "\"\"" : nil } + "\""
  }

  /// Text for a table that a spreadsheet may open: made visible, and no formula.
  ///
  /// A spreadsheet takes what begins with one of these signs for a formula, after any space before it.
  package static func cell(_ text: String) -> String {
    let visible = visible(text)
    let first = visible.unicodeScalars.first { !$0.properties.isWhitespace }
    return first.map { "=+-@＝＋－＠".unicodeScalars.contains($0) } ?? false ? "'" + visible : visible
  }

  /// One word of a shell's command line, for a person to copy.
  package static func shell(_ text: String) -> String {
    "'" + text.rewriting { $0 == "'" ? "'\\''" : nil } + "'"
  }

  /// A line of a page for `man` that prints the text as it is.
  package static func roff(_ text: String) -> String {
    let plain = text.rewriting { ["\\": "\\e", "-": "\\-", "'": "\\(aq", "`": "\\(ga"][$0] }
    return plain.begins(with: ".") ? "\\&" + plain : plain
  }
}
