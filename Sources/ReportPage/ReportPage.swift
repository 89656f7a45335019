import EventLog
package import PageFiles
package import StreakDomain

/// The HTML page of the command `report`: one file that contains its style, script and data.
///
/// The file makes no request; the page of the service asks only for its earlier steps. The content
/// security policy allows only the page's own script, identified by the digest of the script. So no
/// text in the ledger can run as a script.
package enum ReportPage {
  /// Returns the complete page as UTF-8.
  ///
  /// - Parameters:
  ///   - title: The page's title in the browser, not escaped.
  ///   - data: The data of the page, lines of JSON in UTF-8.
  ///   - isServed: Whether the service shows the page, which loads other steps from there.
  /// - Returns: The bytes of the HTML file.
  package static func html(title: String, data: [UInt8], isServed: Bool) -> [UInt8] {
    let script = isServed ? servedScript : script
    let policy = policy(for: script) + (isServed ? "; connect-src 'self'" : "")
    let values = [
      ("policy", Array(policy.utf8)), ("title", Array(Escaping.xml(title).utf8)),
      ("style", style), ("data", Escaping.withinScript(data)), ("script", script),
    ]
    var page: [UInt8] = []
    var rest = [UInt8](report_html())[...]
    for (name, value) in values {
      let mark = Array("{{\(name)}}".utf8)
      guard let start = rest.indices.first(where: { rest[$0...].starts(with: mark) }) else {
        preconditionFailure("the template of the report has every mark, in order")
      }
      page += rest[..<start] + value
      rest = rest[(start + mark.count)...]
    }
    return page + rest
  }

  private static let style = [UInt8](report_css())

  private static let script = [UInt8](report_js())

  private static let servedScript = script + [UInt8](served_report_js())

  private static func policy(for script: [UInt8]) -> String {
    func digest(_ text: [UInt8]) -> String { base64(SHA256(of: text).bytes()) }
    return
      """
      default-src 'none'; style-src 'sha256-\(digest(style))'; script-src \
      'sha256-\(digest(script))'; base-uri 'none'; form-action 'none'
      """
  }

  private static func base64(_ bytes: [UInt8]) -> String {
    let alphabet = Array(
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".unicodeScalars)
    var text = String.UnicodeScalarView()
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let part = bytes[start...].prefix(3)
      let bits = part.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - part.count))
      for (index, shift) in [18, 12, 6, 0].enumerated() {
        text.append(index > part.count ? "=" : alphabet[bits >> shift & 0x3F])
      }
    }
    return String(text)
  }
}

extension Escaping {
  /// Escapes text for XML and HTML.
  ///
  /// Characters that XML can't represent are replaced by U+FFFD.
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

  /// Escapes `<` in JSON, so that no text can close the surrounding `script` element or open a
  /// comment.
  package static func withinScript(_ json: [UInt8]) -> [UInt8] {
    guard json.contains(UInt8(ascii: "<")) else { return json }
    var safe: [UInt8] = []
    safe.reserveCapacity(json.count + 64)
    for byte in json {
      if byte == UInt8(ascii: "<") { safe += "\\u003c".utf8 } else { safe.append(byte) }
    }
    return safe
  }
}

extension [UInt8] {
  /// Creates an array of the bytes of a file.
  package init(_ file: EmbeddedFile) {
    unsafe self.init(UnsafeBufferPointer(start: file.bytes, count: file.count))
  }
}
