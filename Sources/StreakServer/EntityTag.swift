import EventLog
import StreakDomain

/// An entity tag (RFC 9110, section 8.8.3), such as `"5148-1f3a…"`: the ledger's position and a digest of the body.
///
/// The same position can give another document on another day or after an update. The ledger's own tag is `"5148"`.
struct EntityTag {
  let opaque: Text
  var isWeak = false

  init(position: Int) { opaque = "\(position)" }

  init(position: Int, body: [UInt8]) { opaque = "\(position)-\(SHA256(of: body).digest().prefix(16))" }

  private init(opaque: Text, isWeak: Bool) { (self.opaque, self.isWeak) = (opaque, isWeak) }

  var text: String { "\"\(opaque)\"" }

  var position: Int? {
    let digits = opaque.string.parts(at: "-")[0]
    return !isWeak && !digits.isEmpty && digits.utf8.allSatisfy(\.isDigit) ? Int(digits) : nil
  }

  enum Wanted {
    case any
    case tags([EntityTag])

    /// Whether the header accepts `tag`; if `takesWeak` is false, as for `If-Match`, only strong tags are compared.
    func contains(_ tag: EntityTag, takesWeak: Bool) -> Bool {
      guard case .tags(let tags) = self else { return true }
      return tags.contains { (takesWeak || !$0.isWeak) && $0.opaque == tag.opaque }
    }
  }

  static func wanted(_ text: String, in header: String) throws(Problem) -> Wanted {
    if text == "*" { return .any }
    var tags: [EntityTag] = []
    var rest = text.utf8[...]
    repeat {
      rest = rest.drop { $0 == 0x20 || $0 == 0x09 }
      let isWeak = rest.starts(with: "W/".utf8)
      if isWeak { rest = rest.dropFirst(2) }
      let inside = rest.dropFirst().prefix { $0 != UInt8(ascii: "\"") }
      guard rest.first == UInt8(ascii: "\""), inside.endIndex < rest.endIndex else {
        throw Problem(
          .badHeader, "\(header) is \(quoted(text)); it must be tags in quotes such as \"5148\", or *")
      }
      tags.append(EntityTag(opaque: Text(Substring(inside)), isWeak: isWeak))
      rest = rest[inside.endIndex...].dropFirst().drop { $0 == 0x20 || $0 == 0x09 }
      if rest.isEmpty { return .tags(tags) }
      guard rest.popFirst() == UInt8(ascii: ",") else {
        throw Problem(.badHeader, "\(header) is \(quoted(text)); separate tags with a comma")
      }
    } while true
  }
}
