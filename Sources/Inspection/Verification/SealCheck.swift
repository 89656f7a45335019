import EventLog
import StreakDomain

/// A check of a segment's seals, with digests of the raw bytes of all lines, even of unreadable
/// ones.
struct SealCheck {
  private let name: Text
  private let redactions: Redactions
  private var findings: [Finding] = []
  /// The digest of all lines from the one with the last seal on.
  ///
  /// The next seal must equal this digest. In the output of `verify --heads`, it is the `tail`.
  private var span = SHA256()
  private var lastSeal: String?
  /// The number of the line with the last seal, which is the first line that the next seal covers.
  private var sealedLine = 1
  /// The number of lines so far that aren't events.
  private var brokenCount = 0

  /// Creates a check of the segment `name`; `redactions` must contain the redactions of all
  /// segments.
  init(_ name: Text, _ redactions: Redactions) {
    self.name = name
    self.redactions = redactions
  }

  /// Returns the head and the findings of the segment's first `bytes` bytes; their lines must have
  /// been checked.
  consuming func finish(_ bytes: Int) -> (head: SegmentHead, findings: [Finding]) {
    (SegmentHead(name: name, bytes: bytes, seal: lastSeal, tail: span.digest()), findings)
  }

  mutating func check(_ line: StoredLine) {
    // The reader skips the rest of such a segment, too.
    guard brokenCount <= LineLimits.broken else { return }
    let texts = RedactableTexts(line.bytes)
    if !redactions.isEmpty { findRedacted(texts, in: line) }
    if !texts.isEvent { brokenCount += 1 }
    let digest = texts.digest(of: line.bytes)
    if let seal = SealCheck.seal(of: line) {
      if span.digest() != seal.digest {
        let last = line.number - 1
        let lines = last > sealedLine ? "lines \(sealedLine) to \(last)" : "line \(sealedLine)"
        findings.append(
          Finding(
            check: .seal,
            says:
              """
              the seal does not match: a byte of \(lines), or this seal, was changed, lost or \
              inserted; restore the segment from a backup
              """,
            segment: name, line: line.number, event: seal.event))
      }
      lastSeal = seal.digest
      sealedLine = line.number
      span = SHA256()
    }

    span.update(digest)
  }

  static func seal(of line: StoredLine) -> (digest: String, event: String)? {
    guard mark.first(in: line.bytes) != nil, let event = line.event,
      case .dayChanged(_, let digest?, _) = event.payload
    else { return nil }
    return (digest, event.id)
  }

  private static let mark = BytePattern("\"\(EventType.dayChanged.rawValue)\"")

  /// Adds a finding for each redacted text that `line` still contains; old copies of a segment
  /// contain such texts.
  private mutating func findRedacted(_ texts: RedactableTexts, in line: StoredLine) {
    guard let id = line.id, case let redacted = redactions.fields(of: id), !redacted.isEmpty else {
      return
    }

    for text in texts.texts
    where redacted.contains(text.field) && !text.content.isEmpty {
      let advice =
        Syntax.isWriter(name.string)
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
