import EventLog
import StreakDomain

package enum Login {
  /// Returns the name of a login's folder.
  ///
  /// No two logins share a folder, even if the file system ignores case: the name contains only lowercase
  /// ASCII letters, digits and `-._`, and every other byte is percent-encoded.
  package static func folder(of login: String) throws(Problem) -> String {
    guard !login.hasReplacedBytes else {
      throw Problem(.badName, "the name is not valid UTF-8, so it cannot be distinguished from others")
    }
    let name = PercentEncoding.fileName(login)
    guard (1...255).contains(name.utf8.count) else {
      throw Problem(
        .badName,
        "the name has \(name.utf8.count) characters where it names a folder, percent-encoded, and 255 at most are allowed"
      )
    }
    return name
  }
}

enum PercentEncoding {
  /// Encodes the path of a request for a URL (RFC 3986, section 3.3).
  static func path(_ text: String) -> String {
    encoded(text) { isAlphanumeric($0) || "-._~/!$&'()*+,;=:@".utf8.contains($0) }
  }

  /// Encodes a name so that the file isn't hidden, and is unique even if the file system ignores case.
  static func fileName(_ name: String) -> String {
    var isFirst = true
    return encoded(name) { byte in
      defer { isFirst = false }
      if (97...122).contains(byte) || byte.isDigit { return true }
      return !isFirst && "-._".utf8.contains(byte)
    }
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    (97...122).contains(byte) || (65...90).contains(byte) || byte.isDigit
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
