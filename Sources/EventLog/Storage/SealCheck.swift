package import StreakDomain

/// The length, last seal and tail of a segment, as printed by `verify --heads`.
package struct SegmentHead: Sendable, Equatable, CustomStringConvertible {
  package let name: Text
  package let bytes: Int
  package let seal: String?
  /// The SHA-256 of the digests of the lines after the last sealed `day.changed`.
  package let tail: String

  package var description: String { "\(name) bytes \(bytes) \(rest)" }

  /// The description without name and size; it doesn't depend on the final newline.
  package var rest: String { "head \(seal ?? "-") tail \(tail)" }
}

/// A check of a segment's seals, which reads its raw bytes and ignores unreadable lines.
package struct SealCheck {
  private let name: Text
  private let redactions: Redactions
  private var findings: [Finding] = []
  /// The digest of the lines since the last sealed line, including that line.
  private var span = SHA256()
  /// The digest of the lines after the last sealed line.
  private var tail = SHA256()
  private var lastSeal: String?
  private var cutter = LineCutter()
  private var number = 0
  private var count = 0

  /// Creates a check; `redactions` are those of all segments.
  package init(_ name: Text, _ redactions: Redactions) {
    (self.name, self.redactions) = (name, redactions)
  }

  package mutating func update(_ bytes: ArraySlice<UInt8>) {
    count += bytes.count
    var rest = bytes
    while let line = cutter.next(&rest) { check(line) }
  }

  package mutating func finish() -> (head: SegmentHead, findings: [Finding]) {
    if let line = cutter.end() { check(line) }
    return (SegmentHead(name: name, bytes: count, seal: lastSeal, tail: tail.digest()), findings)
  }

  private mutating func check(_ line: LineCutter.Line) {
    number += 1
    if !redactions.isEmpty { findRedacted(line.bytes) }
    let digest = line.digest
    if let seal = SealCheck.seal(of: line.bytes) {
      if span.digest() != seal.digest {
        add(.seal, seal.event, "the seal does not match: a byte before it was changed, lost or inserted")
      }
      lastSeal = seal.digest
      (span, tail) = (SHA256(), SHA256())
    } else {
      tail.update(digest)
    }
    span.update(digest)
  }

  private static func seal(of line: [UInt8]) -> (digest: String, event: String)? {
    guard mark.first(in: line) != nil, let event = try? EventDecoder.event(line),
      case .dayChanged(_, let digest?, _) = event.payload
    else { return nil }
    return (digest, event.id)
  }

  private static let mark = BytePattern("\"\(EventType.dayChanged.rawValue)\"")

  /// Reports redacted texts that the line still contains, as an older copy of a segment does.
  private mutating func findRedacted(_ line: [UInt8]) {
    guard let fields = try? LineFields(line), let id = (try? fields.optional(.id, .id)) ?? nil else { return }
    let redacted = redactions.fields(of: id)
    for text in LineTexts(fields).found where redacted.contains(text.field) && !text.content.isEmpty {
      let advice =
        Forms.isWriter(name.string)
        ? "`streaks redact \(id) --writer \(name)` takes it out here, too" : "remove the file if it is a copy"
      add(.redaction, id, "the \(text.field.rawValue) of \(id) was redacted, and is still here; \(advice)")
    }
  }

  private mutating func add(_ check: Finding.Check, _ event: String?, _ says: String) {
    findings.append(Finding(check: check, segment: name, line: number, event: event, says: says))
  }
}

package struct Finding: Sendable, Equatable {
  package enum Check: String, Sendable, CaseIterable {
    /// A line that isn't an event, or is out of order.
    case form
    case torn
    /// A seal that doesn't match the bytes before it, or bytes that no seal can protect.
    case seal
    case redaction
    /// A repeated id: a copy from another segment, or a second line of the same segment.
    case identity
    /// An id that two segments use for different events.
    case reusedID = "reused-id"
    /// A reference to a missing event or habit, or an entry that its rule can't use.
    case reference
    case invariant
    /// Missing bytes that stored heads cover.
    case history
    /// A segment with missing or different lines according to another writer, or an evicted one.
    case seen
    case clock
  }

  package let check: Check
  package let segment: Text
  package let line: Int
  package let event: String?
  package let says: String
  package var absent: Absent?
  /// Whether the finding has no effect on any number, so that a person may accept it.
  package var onlyInforms = false

  /// Whether bytes or events were lost or changed, rather than recorded in a way that may be a mistake.
  package var isLossOrChange: Bool {
    switch check {
    case .form, .seal, .seen, .history, .reusedID: true
    case .identity: !onlyInforms
    case .torn, .redaction, .reference, .invariant, .clock: false
    }
  }

  package enum Absent: Sendable, Equatable {
    case habit(EventType)
    case entry
  }

  package init(check: Check, segment: Text, line: Int, event: String?, says: String) {
    self.check = check
    self.segment = segment
    self.line = line
    self.event = event
    self.says = says
  }
}
