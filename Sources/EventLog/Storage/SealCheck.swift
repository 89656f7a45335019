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

/// A record of another segment's lines in a `day.changed`, with its location.
package struct SaidTail: Sendable {
  package let seen: SeenSegment
  package let event: String
  package let place: Place

  package init(_ seen: SeenSegment, event: String, place: Place) {
    (self.seen, self.event, self.place) = (seen, event, place)
  }
}

/// A check of a segment's seals and redactions, which reads its raw bytes and ignores unreadable lines.
package struct SealCheck {
  private let name: Text
  /// Whether the first line's seal can't be checked, because the bytes before it are missing.
  private let isWithoutBeginning: Bool
  private let redactions: Redactions
  /// The redactions in all segments.
  private let all: Redactions
  private var findings: [Finding] = []
  /// The digest of the lines since the last sealed line, including that line.
  private var span = SHA256()
  private var spanStart = 1
  /// The records of other writers, by the number of the last line that they saw.
  private let seen: [Int: [SaidTail]]
  /// The records of other writers whose last line is missing or contains another event.
  private var notHere: [SaidTail] = []
  /// The digest of the lines after the last sealed line.
  private var tail = SHA256()
  private var last: String?
  private var cutter = LineCutter()
  private var number = 0
  private var count = 0
  private var withoutText: Set<String> = []
  private var said = Redactions()

  /// Creates a check; `redactions` are those of the whole segment, and `seen` the records of other writers.
  package init(
    _ name: Text, _ redactions: Redactions, all: Redactions, seen: [SaidTail] = [],
    isWithoutBeginning: Bool = false
  ) {
    self.name = name
    self.seen = Dictionary(grouping: seen) { $0.seen.lines }
    self.redactions = redactions
    self.all = all
    self.isWithoutBeginning = isWithoutBeginning
  }

  package mutating func update(_ bytes: ArraySlice<UInt8>) {
    count += bytes.count
    var rest = bytes
    while let line = cutter.next(&rest) { take(line) }
  }

  /// Finishes the check; `notHere` contains the records of lines that the segment doesn't have.
  package mutating func finish() -> (head: SegmentHead, findings: [Finding], notHere: [SaidTail]) {
    if let line = cutter.end() { take(line) }
    for (line, said) in seen where line > number { notHere += said }
    return (SegmentHead(name: name, bytes: count, seal: last, tail: tail.digest()), findings, notHere)
  }

  /// The SHA-256 of the digests of the lines from the last sealed one on, as other writers record it.
  var sinceSeal: String { span.digest() }

  private mutating func take(_ line: LineCutter.Line) {
    number += 1
    let places = TextPlaces(line.bytes, wantsID: !all.isEmpty || seen[number] != nil)
    let redacted = places.id.map { redactions.texts(of: $0) } ?? []
    let digest = line.digest(places, redacted)
    check(line.bytes, places, redacted)
    let isHeld = isWithoutBeginning && number == 1
    if !isHeld, let seal = SealCheck.seal(of: line.bytes) {
      if span.digest() != seal.digest {
        add(.seal, seal.event, "the seal does not match: a byte before it was changed, lost or inserted")
      }
      last = seal.digest
      (span, spanStart) = (SHA256(), number)
      tail = SHA256()
    } else {
      tail.update(digest)
    }
    span.update(digest)
    for said in seen[number] ?? [] { compare(said, places.id) }
  }

  private mutating func compare(_ said: SaidTail, _ id: String?) {
    guard id == said.seen.last else { return notHere.append(said) }
    guard said.seen.tail != sinceSeal else { return }
    let lines = spanStart == number ? "it" : "a byte from line \(spanStart) on"
    add(
      .seen, said.event,
      "is not what \(Escaping.visible("\(said.place.file)")):\(said.place.line) saw: \(lines) was changed, lost or inserted"
    )
  }

  private static func seal(of line: [UInt8]) -> (digest: String, event: String)? {
    guard mark.first(in: line) != nil, let event = try? EventDecoder.event(line),
      case .dayChanged(_, let digest?, _) = event.payload
    else { return nil }
    return (digest, event.id)
  }

  private static let mark = BytePattern("\"\(EventType.dayChanged.rawValue)\"")
}

extension SealCheck {
  private mutating func check(_ line: [UInt8], _ places: TextPlaces, _ redacted: [RedactedText]) {
    for text in places.texts {
      let field = text.field.rawValue
      let isRedacted = redacted.contains { $0.field == text.field } && text.range.isEmpty
      let isPadded = line[text.space].allSatisfy { $0 == UInt8(ascii: " ") }
      if !(isRedacted ? isPadded : text.space.isEmpty) {
        add(.seal, places.id, "white space behind the \(field) was changed or inserted, which no seal shows")
      }
    }
    guard let id = places.id else { return }
    for known in all.texts(of: id) {
      let field = known.field.rawValue
      let isOwn = redacted.contains { $0.field == known.field }
      let text = places.texts.first { $0.field == known.field }
      if isOwn { withoutText.insert(id) }
      if let text, text.range.isEmpty { continue }
      let isThat = text.map { SHA256(of: line[$0.range]).digest() == known.digest } ?? false
      if isOwn, !isThat {
        add(.seal, id, "the \(field) of \(id) was redacted, and is neither empty nor what it was before")
      } else if text != nil {
        let advice =
          Forms.isWriter(name.string)
          ? "`streaks redact \(id) --writer \(name)` takes it out here, too"
          : "remove the file if it is a copy"
        add(.redaction, id, "the \(field) of \(id) was redacted, and is still here; \(advice)")
      }
    }
    guard redactionMark.first(in: line) != nil, let event = try? EventDecoder.event(line),
      case .eventRedacted(let redaction) = event.payload
    else { return }
    if !withoutText.contains(redaction.event) {
      add(
        .seal, event.id,
        "redacts the event \(redaction.event), which is not before it in this segment")
    }
    let before = said.texts(of: redaction.event)
    for text in redaction.texts {
      guard let other = before.first(where: { $0.field == text.field }), other != text else { continue }
      let what = "the \(text.field.rawValue) of \(redaction.event)"
      add(.seal, event.id, "says of \(what) that it was another text than an earlier redaction says")
    }
    said.add(redaction)
  }

  private mutating func add(_ check: Finding.Check, _ event: String?, _ says: String) {
    findings.append(Finding(check: check, segment: name, line: number, event: event, says: says))
  }
}

private let redactionMark = BytePattern("\"\(EventType.eventRedacted.rawValue)\"")
