/// Text in which a few characters are written as they are and every other byte is `%` and two hexadecimal digits.
enum PercentEncoding {
  /// The path of a request, as written in a URL (RFC 3986, section 3.3).
  static func path(_ text: String) -> String {
    encoded(text) { isAlphanumeric($0) || "-._~/!$&'()*+,;=:@".utf8.contains($0) }
  }

  /// A name as one file name: no separator, nothing hidden, and no two names alike to a file system without case.
  static func fileName(_ name: String) -> String {
    var isFirst = true
    return encoded(name) { byte in
      defer { isFirst = false }
      if (97...122).contains(byte) || (48...57).contains(byte) { return true }
      return !isFirst && "-._".utf8.contains(byte)
    }
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    (97...122).contains(byte) || (65...90).contains(byte) || (48...57).contains(byte)
  }

  private static func encoded(_ text: String, staysAsItIs: (UInt8) -> Bool) -> String {
    var out: [UInt8] = []
    for byte in text.utf8 {
      if staysAsItIs(byte) {
        out.append(byte)
      } else {
        let digits = Array("0123456789ABCDEF".utf8)
        out += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: out, as: UTF8.self)
  }
}
