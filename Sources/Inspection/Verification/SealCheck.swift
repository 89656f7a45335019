package import EventLog
package import StreakDomain

/// The length and the digests of a segment, as `verify --heads` prints them.
package struct SegmentHead: Sendable, Equatable, CustomStringConvertible {
  package let name: Text
  package let bytes: Int
  package let seal: String?
  /// The SHA-256 of the digests of all lines after the last `day.changed` with a seal.
  package let tail: String

  package var description: String { "\(name) bytes \(bytes) \(rest)" }

  /// The part of the description after the name and the size.
  ///
  /// It doesn't depend on whether the segment's last line ends with a newline.
  package var rest: String { "head \(seal ?? "-") tail \(tail)" }
}

/// A check of a segment's seals.
///
/// The digests are computed from the raw bytes of all lines, even of unreadable ones.
package struct SealCheck {
  private let name: Text
  private let redactions: Redactions
  private var findings: [Finding] = []
  /// The digest of the lines since the last seal, including the line with this seal.
  ///
  /// The next seal is compared with it.
  private var span = SHA256()
  /// The digest of the lines since the last seal, without the line with this seal.
  private var tail = SHA256()
  private var lastSeal: String?

  /// Creates a check of the segment `name`; `redactions` must contain the redactions of all segments.
  package init(_ name: Text, _ redactions: Redactions) {
    (self.name, self.redactions) = (name, redactions)
  }

  /// Returns the segment's head and the findings.
  ///
  /// `check(_:)` must have been called for each line of the segment's first `bytes` bytes.
  package consuming func finish(_ bytes: Int) -> (head: SegmentHead, findings: [Finding]) {
    (SegmentHead(name: name, bytes: bytes, seal: lastSeal, tail: tail.digest()), findings)
  }

  package mutating func check(_ line: StoredLine) {
    if !redactions.isEmpty { findRedacted(line) }
    let digest = LineTexts.digest(of: line.bytes)
    if let seal = SealCheck.seal(of: line) {
      if span.digest() != seal.digest {
        add(
          .seal, line, seal.event,
          "the seal does not match: a byte between the previous seal and this line was changed, lost or inserted"
        )
      }
      lastSeal = seal.digest
      (span, tail) = (SHA256(), SHA256())
    } else {
      tail.update(digest)
    }
    span.update(digest)
  }

  private static func seal(of line: StoredLine) -> (digest: String, event: String)? {
    guard mark.first(in: line.bytes) != nil, let event = line.event,
      case .dayChanged(_, let digest?, _) = event.payload
    else { return nil }
    return (digest, event.id)
  }

  private static let mark = BytePattern("\"\(EventType.dayChanged.rawValue)\"")

  /// Adds a finding for each text in `line` that has been redacted elsewhere, as happens in an old copy of a segment.
  private mutating func findRedacted(_ line: StoredLine) {
    guard let id = line.id, case let redacted = redactions.fields(of: id), !redacted.isEmpty else { return }
    for text in LineTexts(line.bytes).found where redacted.contains(text.field) && !text.content.isEmpty {
      let advice =
        Forms.isWriter(name.string)
        ? "on the device that writes \(name), `streaks redact \(id) --writer \(name)` removes it here, too"
        : "remove the file if it is a copy"
      add(
        .redaction, line, id, "the \(text.field.rawValue) of \(id) was redacted, and is still here; \(advice)"
      )
    }
  }

  private mutating func add(_ check: Finding.Check, _ line: StoredLine, _ event: String, _ says: String) {
    findings.append(Finding(check: check, segment: name, line: line.number, event: event, says: says))
  }
}

/// The parsed output of an earlier `verify --heads`.
package struct KeptHeads: Sendable {
  struct Head: Sendable {
    let name: Text
    let bytes: Int
    let rest: String
  }

  private(set) var heads: [Head] = []

  package init(_ bytes: [UInt8], of file: String) throws(Failure) {
    var lines: [String] = []
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      lines.append(String(decoding: line, as: UTF8.self))
    }
    guard lines.contains(where: { KeptHeads.isLine($0) }) else {
      throw Failure(
        .usage,
        "\(Escaping.visible(file)) has no heads: name what `streaks verify --heads` printed"
      )
    }
    let last = lines.popLast()?.parts(at: " ").map(String.init) ?? []
    guard last.count == 2, last[0] == "segments", let count = Int(last[1]), count == lines.count else {
      let what =
        last.first == "segments" ? "has \(counted(lines.count, "head"))" : "does not end with `segments N`"
      throw Failure(
        .usage,
        "\(Escaping.visible(file)) \(what): a part of what `streaks verify --heads` printed proves nothing")
    }
    for (place, line) in lines.enumerated() {
      guard let head = KeptHeads.head(line) else {
        let form = "NAME bytes N head SEAL tail DIGEST, as `streaks verify --heads` prints it"
        throw Failure(
          .badForm, "\"head\" is \(quoted(line)); it must be \(form)",
          at: Place(file: file, line: place + 1, column: 1), text: line)
      }
      heads.append(head)
    }
  }

  private static func isLine(_ line: String) -> Bool {
    head(line) != nil || line.parts(at: " ").first == "segments"
  }

  package static func end(_ heads: [SegmentHead]) -> String { "segments \(heads.count)" }

  private static func head(_ line: String) -> Head? {
    let words = line.parts(at: " ").map(String.init)
    guard words.count >= 7 else { return nil }
    let tail = Array(words.suffix(6))
    guard tail[0] == "bytes", let bytes = Int(tail[1]), tail[2] == "head", tail[4] == "tail" else {
      return nil
    }
    return Head(
      name: Text(words.dropLast(6).joined(separator: " ")), bytes: bytes,
      rest: tail[2...].joined(separator: " "))
  }
}
