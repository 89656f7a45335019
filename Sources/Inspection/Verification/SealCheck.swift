import EventLog
package import StreakDomain

/// The length and the digests of a segment, as `verify --heads` prints them.
package struct SegmentHead: Encodable, Sendable, Equatable, CustomStringConvertible {
  package let name: Text
  package let bytes: Int
  package let seal: String?
  /// The SHA-256 of the digests of all lines after the last `day.changed` with a seal.
  package let tail: String

  private enum CodingKeys: String, CodingKey { case name = "segment", bytes, seal = "head", tail }

  package var description: String { "\(name) bytes \(bytes) head \(seal ?? "-") tail \(tail)" }

  /// Returns the last line of the output of `verify --heads`.
  package static func end(_ heads: [SegmentHead]) -> String { "segments \(heads.count)" }

  /// Parses the complete output of an earlier `verify --heads`, in which the names are escaped.
  package static func list(_ bytes: [UInt8], of file: String) throws(Failure) -> [SegmentHead] {
    var lines = bytes.split(separator: UInt8(ascii: "\n")).map {
      String(decoding: $0, as: UTF8.self)
    }
    guard let end = lines.popLast(), Text(end) == Text("segments \(lines.count)") else {
      throw Failure(
        .usage,
        """
        \(Escaping.visible(file)) is not all that `streaks verify --heads` printed without --json: \
        it must end with 
        """
          + "`segments N` after N heads")
    }
    var heads: [SegmentHead] = []
    for (index, line) in lines.enumerated() {
      guard let head = SegmentHead(line) else {
        throw Failure(
          .badForm, "\"head\" is \(quoted(line)); it must be NAME bytes N head SEAL tail DIGEST",
          at: Place(file: file, line: index + 1, column: 1), text: line)
      }
      heads.append(head)
    }
    return heads
  }
}

extension SegmentHead {
  fileprivate init?(_ line: String) {
    let words = line.parts(at: " ").map(String.init)
    let rest = Array(words.suffix(6))
    guard words.count > 6, rest[0] == "bytes", let bytes = Int(rest[1]), rest[2] == "head",
      rest[4] == "tail"
    else { return nil }
    self.init(
      name: Text(words.dropLast(6).joined(separator: " ")), bytes: bytes,
      seal: rest[3] == "-" ? nil : rest[3], tail: rest[5])
  }
}

/// A check of a segment's seals, with digests of the raw bytes of all lines, even of unreadable
/// ones.
struct SealCheck {
  private let name: Text
  private let redactions: Redactions
  private var findings: [Finding] = []
  /// The digest that the next seal must equal: the digest of the line with the last seal and of all
  /// lines after it.
  private var span = SHA256()
  /// The digest of the lines after the line with the last seal.
  private var tail = SHA256()
  private var lastSeal: String?
  /// The number of the line with the last seal, which is the first line that the next seal covers.
  private var sealedLine = 1

  /// Creates a check of the segment `name`; `redactions` must contain the redactions of all
  /// segments.
  init(_ name: Text, _ redactions: Redactions) {
    (self.name, self.redactions) = (name, redactions)
  }

  /// Returns the head and the findings of the segment's first `bytes` bytes; their lines must have
  /// been checked.
  consuming func finish(_ bytes: Int) -> (head: SegmentHead, findings: [Finding]) {
    (SegmentHead(name: name, bytes: bytes, seal: lastSeal, tail: tail.digest()), findings)
  }

  mutating func check(_ line: StoredLine) {
    if !redactions.isEmpty { findRedacted(line) }
    let digest = LineTexts.digest(of: line.bytes)
    if let seal = SealCheck.seal(of: line) {
      if span.digest() != seal.digest {
        findings.append(
          Finding(
            check: .seal,
            says:
              """
              the seal does not match: a byte of lines \(sealedLine) to \(line.number - 1) was \
              changed, lost or inserted; restore the segment from a backup
              """,
            segment: name, line: line.number, event: seal.event))
      }
      (lastSeal, sealedLine) = (seal.digest, line.number)
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

  /// Adds a finding for each redacted text that `line` still contains; old copies of a segment
  /// contain such texts.
  private mutating func findRedacted(_ line: StoredLine) {
    guard let id = line.id, case let redacted = redactions.fields(of: id), !redacted.isEmpty else {
      return
    }
    for text in LineTexts(line.bytes).found
    where redacted.contains(text.field) && !text.content.isEmpty {
      let advice =
        Forms.isWriter(name.string)
        ? """
        on the device that writes \(name), `streaks redact \(id) --writer \(name)` removes it \
        here, too
        """
        : "remove the file if it is a copy"
      findings.append(
        Finding(
          check: .redaction,
          says: "the \(text.field.rawValue) of \(id) was redacted, and is still here; \(advice)",
          segment: name, line: line.number, event: id))
    }
  }
}
