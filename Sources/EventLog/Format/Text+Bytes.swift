package import StreakDomain

extension StringProtocol {
  /// Whether the text contains U+FFFD, which replaces invalid UTF-8 and can make different file
  /// names equal.
  package var hasReplacedBytes: Bool { unicodeScalars.contains("\u{FFFD}") }

  package func rewriting(_ instead: (Unicode.Scalar) -> String?) -> String {
    var out = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      if let text = instead(scalar) { out += text.unicodeScalars } else { out.append(scalar) }
    }
    return String(out)
  }

  package func replacingBytes(of old: String, with new: String) -> String {
    String(decoding: Array(utf8).replacing(Array(old.utf8), with: Array(new.utf8)), as: UTF8.self)
  }

  /// The bytes that a percent-encoded text stands for, or `nil` if a `%` isn't followed by two
  /// hexadecimal digits.
  package var percentDecoded: [UInt8]? {
    var bytes: [UInt8] = []
    var rest = Array(utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst()?.hexDigit, let low = rest.popFirst()?.hexDigit else {
        return nil
      }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  package var trimmed: String {
    let scalars = Substring(self).unicodeScalars
    let start = scalars.drop { $0.properties.isWhitespace }
    guard let last = start.lastIndex(where: { !$0.properties.isWhitespace }) else { return "" }
    return String(start[...last])
  }
}

extension UInt8 {
  package var hexDigit: UInt8? {
    switch self {
    case 48...57: self - 48
    case 65...70, 97...102: (self | 0x20) - 87
    default: nil
    }
  }
}

extension Escaping {
  package static func shell(_ text: String) -> String {
    "'" + text.rewriting { $0 == "'" ? "'\\''" : nil } + "'"
  }
}
