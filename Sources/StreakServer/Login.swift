import EventLog
import StreakDomain

/// Who is logged in, and the folder that is theirs alone.
package enum Login {
  /// The name of a login's folder.
  ///
  /// No two logins share one, whatever a file system takes for the same: it has small ASCII letters, digits and signs
  /// only, and a byte that is none of them is written as two digits there.
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
