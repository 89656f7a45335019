import EventLog
import StreakDomain

package enum Login {
  /// Returns the name of the folder with the ledger of `login`, such as `ana%40example.org`.
  ///
  /// All but `a-z 0-9` and, after the first character, `-._` is encoded, so no two logins share a folder on any disk.
  package static func folder(of login: String) throws(Problem) -> String {
    guard !login.hasReplacedBytes else {
      throw Problem(.badName, "the name is not valid UTF-8, so it cannot be distinguished from others")
    }
    var name: [UInt8] = []
    for byte in login.utf8 {
      if (97...122).contains(byte) || byte.isDigit || !name.isEmpty && "-._".utf8.contains(byte) {
        name.append(byte)
      } else {
        let digits = Array("0123456789ABCDEF".utf8)
        name += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    guard name.count <= 255 else {
      throw Problem(
        .badName,
        "the name of its folder would have \(name.count) characters, percent-encoded, and at most 255 are allowed"
      )
    }
    return String(decoding: name, as: UTF8.self)
  }
}
