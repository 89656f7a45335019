import EventLog
import StreakDomain

/// An entity tag (RFC 9110, section 8.8.3), such as `"5148-1f3a…"`: the ledger's position and the body's
/// digest.
///
/// The same position may look different on another day or after an update of the program. A ledger's tag
/// without a document is only its position, `"5148"`.
struct EntityTag: Equatable {
  let opaque: Text
  let isWeak: Bool

  init(position: Int) {
    opaque = "\(position)"
    isWeak = false
  }

  init(position: Int, body: [UInt8]) {
    opaque = "\(position)-\(SHA256(of: body).digest().prefix(16))"
    isWeak = false
  }

  private init(opaque: Text, isWeak: Bool) {
    self.opaque = opaque
    self.isWeak = isWeak
  }

  var text: String { (isWeak ? "W/" : "") + "\"\(opaque)\"" }

  var position: Int? {
    let digits = opaque.string.parts(at: "-")[0]
    guard !isWeak, !digits.isEmpty, digits.utf8.allSatisfy({ $0.isDigit }) else { return nil }
    return Int(digits)
  }

  enum Wanted {
    case any
    case tags([EntityTag])

    /// Whether the client's copy is current (`If-None-Match`); weak tags are sufficient.
    func isKnown(_ tag: EntityTag) -> Bool {
      switch self {
      case .any: true
      case .tags(let tags): tags.contains { $0.opaque == tag.opaque }
      }
    }

    /// Whether the content is exactly the expected one (`If-Match`); weak tags never match.
    func isMet(by tag: EntityTag) -> Bool {
      switch self {
      case .any: true
      case .tags(let tags): tags.contains { !$0.isWeak && $0.opaque == tag.opaque }
      }
    }
  }

  static func wanted(_ text: String, in header: String) throws(Problem) -> Wanted {
    if text == "*" { return .any }
    var tags: [EntityTag] = []
    var rest = text.utf8[...]
    func skipSpace() { rest = rest.drop { $0 == 0x20 || $0 == 0x09 } }
    while true {
      skipSpace()
      let isWeak = rest.starts(with: "W/".utf8)
      if isWeak { rest = rest.dropFirst(2) }
      let quote = UInt8(ascii: "\"")
      let inside = rest.dropFirst().prefix { $0 != quote }
      guard rest.first == quote, inside.endIndex < rest.endIndex else {
        throw Problem(
          .badHeader, "\(header) is \(quoted(text)); it must be tags in quotes such as \"5148\", or *")
      }
      tags.append(EntityTag(opaque: Text(Substring(inside)), isWeak: isWeak))
      rest = rest[inside.endIndex...].dropFirst()
      skipSpace()
      if rest.isEmpty { return .tags(tags) }
      guard rest.first == UInt8(ascii: ",") else {
        throw Problem(.badHeader, "\(header) is \(quoted(text)); separate tags with a comma")
      }
      rest = rest.dropFirst()
    }
  }
}
