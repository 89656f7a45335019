import EventLog
import StreakDomain

/// Who is logged in, and the folder that is theirs alone.
package enum Login {
  /// The name of a login's folder.
  ///
  /// No two logins share one, whatever a file system takes for the same: it has small ASCII letters, digits and signs only,
  /// and a byte that is none of them is written as two digits there.
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
