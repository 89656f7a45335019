package import EventLog
public import StreakDomain

/// A fault of a segment or of the ledger, as `verify` reports it.
public struct Finding: Codable, Equatable, Sendable {
  /// A check of a ledger's folder.
  public enum Check: String, CaseIterable, Codable, Sendable {
    /// A line that isn't an event, or is out of order, or a `day.corrected` that no command writes.
    case form
    /// An incomplete last line.
    case torn
    /// A seal (a digest in the log) that doesn't match the lines before it.
    case seal
    /// A text that was redacted on another device, and is still in this segment.
    case redaction
    /// An event that is found twice, in two segments or in one.
    case identity
    /// An id that two segments use for different events.
    case reusedID = "reused-id"
    /// A reference to a missing event or habit, or an entry that the rule of its habit can't use.
    case reference
    case invariant
    /// A segment that is missing, shorter or different than in an earlier output of `verify
    /// --heads`.
    case history
    /// Events that an earlier output of `verify --heads` lacks, although they are stamped before
    /// its newest event.
    case late
    /// A segment that lost or changed lines after another writer had read them, or a segment that
    /// was evicted.
    case seen
    case clock
  }

  /// The check that found the fault.
  public let check: Check
  /// The fault as a sentence for people.
  public let says: String
  /// The name of the segment, or an empty text for a finding about the whole ledger.
  public let segment: LedgerText
  /// The number of the line, or 0 for a finding about the whole segment.
  public package(set) var line = 0
  /// The id of the event, or `nil` for a finding that isn't about one event.
  public package(set) var event: String?
  /// Whether the finding only informs; `verify --accept` can then settle it.
  package var onlyInforms = false

  private enum CodingKeys: CodingKey { case check, segment, line, event, says }

  /// Whether the finding means that bytes or events were lost, or were changed after they had been
  /// written.
  package var isLossOrChange: Bool {
    switch check {
    case .form, .seal, .seen, .history, .late, .reusedID: true
    case .identity: !onlyInforms
    case .torn, .redaction, .reference, .invariant, .clock: false
    }
  }

  /// The rank in the order of findings: 0 for a loss or a change, 1 for late events, 2 for the
  /// rest.
  fileprivate var rank: Int { check == .late ? 1 : isLossOrChange ? 0 : 2 }
}

/// The result of the check of a ledger's folder, as `streaks verify --json` prints it.
public struct VerificationReport: Codable, Equatable, Sendable {
  /// Whether nothing was found that makes the command fail.
  public let sound: Bool
  public let findings: [Finding]
  /// The lengths and digests of the segments, from `--heads`, or `nil` without that option.
  public let heads: [SegmentHead]?
  /// The escaped names of the segments that the earlier heads don't have, from `--against`, or
  /// `nil` without that option.
  public let newSegments: [LedgerText]?

  package init(
    _ verification: Verification, isSound: Bool, hasHeads: Bool, hasNewSegments: Bool
  ) {
    sound = isSound
    findings = verification.findings
    heads = hasHeads ? verification.heads : nil
    newSegments = hasNewSegments ? verification.newSegments : nil
  }
}

/// The check of a ledger's folder: the seals and heads of the segments, the events, and the folded
/// ledger.
package struct Verification {
  package let folder: String
  let disk: any Disk
  /// The current time, or `nil` to skip the check for clocks that are ahead.
  let now: Instant?
  package internal(set) var findings: [Finding] = []
  package private(set) var heads: [SegmentHead] = []
  /// The heads from the output of an earlier `verify --heads`, with escaped names.
  let kept: [SegmentHead]
  /// The part of each segment that the earlier heads cover, by the segment's name.
  private(set) var covered: [Text: CoveredPart] = [:]
  /// Called with how much of a part of the work is done, in bytes or events.
  package var report: (_ part: WorkPart, _ done: Int, _ total: Int) -> Void = { _, _, _ in }

  package init(
    _ folder: String, against heads: [SegmentHead] = [], now: Instant? = nil,
    on disk: any Disk = SystemDisk()
  ) {
    self.folder = folder
    self.now = now
    self.disk = disk
    kept = heads
  }

  /// The escaped names of the segments that aren't in the earlier heads, or an empty list if no
  /// heads were given.
  package var newSegments: [Text] {
    kept.isEmpty
      ? []
      : heads.filter { covered[$0.name] == nil }.map { Text(Escaping.visible($0.name)) }
  }

  package mutating func run() throws(Failure) {
    try checkSeals()
    try checkStream()

    // Losses and changes come first, because other findings may only follow from them.
    findings.sort { ($0.rank, $0.segment, $0.line) < ($1.rank, $1.segment, $1.line) }
  }

  private mutating func checkSeals() throws(Failure) {
    var options = ReadingOptions()
    options.disk = disk
    let stream = try EventStream(folder: folder, options: options)
    let redactions = try stream.storedRedactions()
    let size = stream.size
    let tornEnds = Dictionary(
      stream.tornTails.map { (Text($0.path), $0.offset) }, uniquingKeysWith: { first, _ in first })
    var done = 0
    for name in stream.segments {
      let check = try checkSeals(of: name, in: stream, redactions) { line in
        report(.seals, done + line.offset, size)
      }
      findings += check.findings
      done += stream.bytes(ofSegment: name)

      // The next append sets a torn end aside, so the head is that of the bytes before it; it adds
      // the newline that a power failure took, so the head counts it.
      var head = check.head
      if let end = tornEnds[Text(path(name))] {
        head = try checkSeals(of: name, in: stream, redactions, upTo: end).head
      } else if stream.unended.contains(where: { $0.path == Text(path(name)) }) {
        head = SegmentHead(
          name: name, bytes: head.bytes + 1, seal: head.seal, tail: head.tail)
      }
      heads.append(head)
    }
    try compareHeads(in: stream)
  }

  /// Adds a finding about each segment that no longer begins with what the earlier heads cover.
  private mutating func compareHeads(in stream: EventStream) throws(Failure) {
    let headsByName = Dictionary(
      heads.map { (Text(Escaping.visible($0.name)), $0) }, uniquingKeysWith: { first, _ in first })
    let keptNames = Set(kept.map(\.name))
    let newHeads = headsByName.filter { !keptNames.contains($0.key) }.map(\.value)

    for old in kept {
      var problem: String?
      if let head = headsByName[old.name] {
        problem = try change(of: head, since: old, in: stream)
        let bytes =
          problem == nil ? old.bytes : try length(of: head.name, upToSeal: old.seal, in: stream)
        covered[head.name] = CoveredPart(bytes: bytes, isUnchanged: problem == nil)
      } else {
        problem = "the segment had \(old.bytes) bytes and is gone"
        if let renamed = try segment(among: newHeads, beginningWith: old, in: stream) {
          problem? += ", but \(renamed).jsonl begins with them: rename it to \(old.name).jsonl"
          covered[renamed] = CoveredPart(bytes: old.bytes, isUnchanged: true)
        }
      }
      if let problem {
        findings.append(Finding(check: .history, says: problem, segment: old.name))
      }
    }
  }

  /// Returns the name of a segment of `heads` that begins with all that the earlier head `old`
  /// covers, or `nil` if there is none.
  private func segment(
    among heads: [SegmentHead], beginningWith old: SegmentHead, in stream: EventStream
  ) throws(Failure) -> Text? {
    guard old.bytes > 0 else { return nil }
    for head in heads where try change(of: head, since: old, in: stream) == nil {
      return head.name
    }
    return nil
  }

  /// Returns the number of bytes of the segment `name` through the line with `seal`, or 0 if there
  /// is no such line.
  private func length(
    of name: Text, upToSeal seal: String?, in stream: EventStream
  ) throws(Failure) -> Int {
    var length = 0
    guard let seal else { return length }
    try stream.eachLine(of: name) { line in
      if SealCheck.seal(of: line)?.digest == seal { length = line.offset + line.bytes.count }
    }
    return length
  }

  /// Checks the seals of the segment `name`, and calls `note` with each line.
  private func checkSeals(
    of name: Text, in stream: EventStream, _ redactions: Redactions, upTo end: Int? = nil,
    _ note: (StoredLine) -> Void = { _ in }
  ) throws(Failure) -> (head: SegmentHead, findings: [Finding]) {
    var check = SealCheck(name, redactions)
    try stream.eachLine(of: name, upTo: end) { line in
      check.check(line)
      note(line)
    }
    return check.finish(end ?? stream.bytes(ofSegment: name))
  }

  func path(_ segment: Text) -> String { "\(folder)/\(segment).jsonl" }

  /// Returns how the segment changed from the earlier head `old` to `head`, or `nil` if lines were
  /// only appended.
  private func change(
    of head: SegmentHead, since old: SegmentHead, in stream: EventStream
  ) throws(Failure) -> String? {
    // A power failure may lose the final newline, which the next append writes again.
    let unended = stream.unended.first { $0.path == Text(path(head.name)) }?.batch.upperBound
    let end = unended == old.bytes - 1 ? old.bytes - 1 : old.bytes
    if head.bytes < end {
      return "the segment had \(old.bytes) bytes; \(head.bytes) are left as complete lines"
    }
    var endsInLine = false
    let then = try checkSeals(of: head.name, in: stream, Redactions(), upTo: end) { line in
      endsInLine = line.offset + line.bytes.count == old.bytes
    }.head
    let isSame = !endsInLine && (then.seal, then.tail) == (old.seal, old.tail)
    return isSame
      ? nil : "something in the first \(old.bytes) bytes has changed since the heads were kept"
  }
}
