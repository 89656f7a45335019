package import EventLog
import StreakDomain

extension Command {
  static let verify = Command(
    name: "verify", words: "", summary: "check the whole ledger; silent and 0 if it is sound",
    options: [
      json, Option("--heads", nil, "print each segment's length and seals, to be kept elsewhere"),
      Option("--against", "FILE", "also check against lines that --heads printed earlier"),
    ],
    details: [
      "Form, order, seals, ids, references, expectations and invariants. Seals show any changed byte; a cut-off end shows only",
      "--against heads that were kept elsewhere. Every subject and every line is looked at, so --subject,",
      "--salvage and --skip-unknown change nothing here.", "",
      "  streaks verify --heads > ~/heads.txt", "  streaks verify --against ~/heads.txt",
    ]
  ) { invocation throws(CommandError) in
    try invocation.arguments.limit(0, "")
    if let file = invocation.arguments.value("--against") { try invocation.requireFile(file) }
    do throws(LogError) {
      var verification = try Verification(invocation.folder, against: invocation.arguments.value("--against"))
      try verification.run()
      if invocation.isJSON {
        invocation.print(verification.json(withHeads: invocation.arguments.has("--heads")).line)
      } else {
        if invocation.arguments.has("--heads") {
          for head in verification.heads { invocation.print(Escaping.visible("\(head)")) }
        }
        // Heads are kept in a file, so what was found beside them goes elsewhere.
        for finding in verification.findings {
          let line =
            "\(finding.place(in: invocation.folder)): \(finding.check): \(Escaping.visible(finding.says))"
          if invocation.arguments.has("--heads") { invocation.warn(line) } else { invocation.print(line) }
        }
      }
      return verification.findings.isEmpty ? .done : .failed
    } catch { throw .log(error) }
  }
}

/// Every check of a ledger; what it finds, in the order of the segments and lines.
package struct Verification {
  let folder: String
  private let disk: any Disk
  package private(set) var findings: [Finding] = []
  private(set) var heads: [SegmentHead] = []
  private let kept: [(name: String, bytes: Int, rest: String)]

  /// Splits a line of `--heads`; the name may have spaces, the six words after it have none.
  private static func head(_ line: String) -> (name: String, bytes: Int, rest: String)? {
    let words = line.parts(at: " ").map(String.init)
    guard words.count >= 7 else { return nil }
    let tail = Array(words.suffix(6))
    guard tail[0] == "bytes", let bytes = Int(tail[1]), tail[2] == "head", tail[4] == "tail" else {
      return nil
    }
    return (words.dropLast(6).joined(separator: " "), bytes, tail[2...].joined(separator: " "))
  }

  package init(_ folder: String, against file: String?, on disk: any Disk = SystemDisk()) throws(LogError) {
    self.folder = folder
    self.disk = disk
    var kept: [(name: String, bytes: Int, rest: String)] = []
    if let file {
      try JSONLines.each(try JSONLines.bytes(of: file)) { (line, number) throws(LogError) in
        let text = String(decoding: line, as: UTF8.self)
        guard let head = Verification.head(text) else {
          let form = "NAME bytes N head SEAL tail DIGEST, as `streaks verify --heads` prints it"
          throw .badLine(
            Place(file: file, line: number, column: 1), text: text,
            .badForm(field: "head", value: text, form: form))
        }
        kept.append(head)
      }
    }
    self.kept = kept
  }

  package mutating func run() throws(LogError) {
    try checkSeals()
    try checkStream()
    findings.sort { ($0.segment, $0.line) < ($1.segment, $1.line) }
  }

  func json(withHeads: Bool) -> JSON {
    var document: JSON.Members = [
      "format": .whole(1), "sound": .bool(findings.isEmpty),
      "findings": .list(
        findings.map { finding in
          var members: JSON.Members = [
            "check": .text(finding.check.rawValue), "segment": .text(finding.segment),
            "line": .whole(finding.line), "says": .text(finding.says),
          ]
          if let event = finding.event { members["event"] = .text(event) }
          return .object(members)
        }),
    ]
    if withHeads {
      document["heads"] = .list(
        heads.map { head in
          .object([
            "segment": .text(head.name), "bytes": .whole(head.bytes), "head": .text(head.seal),
            "tail": .text(head.tail),
          ])
        })
    }
    return .object(document)
  }

  private mutating func checkSeals() throws(LogError) {
    var options = ReadingOptions()
    options.disk = disk
    let stream = try EventStream(folder: folder, options: options)
    let segments = stream.segments
    for name in segments {
      let (head, found) = try walk(name)
      heads.append(head)
      findings += found
      let isUnended = stream.unended.first { $0.path.spelling == path(name).spelling }
      for old in kept where old.name.spelling == Escaping.visible(name).spelling {
        try compare(name, head.bytes, old, isUnendedAt: isUnended?.batch.upperBound)
      }
    }
    for old in kept where !segments.contains(where: { Escaping.visible($0).spelling == old.name.spelling }) {
      add(.history, old.name, 0, nil, "the segment had \(old.bytes) bytes and is gone")
    }
  }

  /// Checks the seals of a segment, or of its first `limit` bytes.
  private func walk(
    _ name: String, limit: Int = .max, isEnded: Bool = true
  ) throws(LogError) -> (head: SegmentHead, findings: [Finding]) {
    var check = SealCheck(name)
    try JSONLines.pieces(of: path(name), limit: limit, on: disk) { check.update($0[...]) }
    if !isEnded { check.update([UInt8(ascii: "\n")]) }
    return check.finish()
  }

  private func path(_ segment: String) -> String { "\(folder)/\(segment).jsonl" }

  /// What was there when the heads were kept must still be there.
  private mutating func compare(
    _ name: String, _ bytes: Int, _ old: (name: String, bytes: Int, rest: String), isUnendedAt end: Int?
  ) throws(LogError) {
    let kept = "\(old.name) bytes \(old.bytes) \(old.rest)"
    // A power failure may take the last newline and no more; the next append writes it again.
    if end == old.bytes - 1 {
      let (then, _) = try walk(name, limit: old.bytes - 1, isEnded: false)
      if Escaping.visible("\(then)").spelling == kept.spelling { return }
    }
    guard bytes >= old.bytes else {
      return add(
        .history, old.name, 0, nil,
        "the segment had \(old.bytes) bytes and now has \(bytes): its end was cut off")
    }
    let (then, _) = try walk(name, limit: old.bytes)
    if Escaping.visible("\(then)").spelling != kept.spelling {
      add(
        .history, old.name, 0, nil,
        "the first \(old.bytes) bytes are not what they were when the heads were kept")
    }
  }

  private mutating func add(
    _ check: Finding.Check, _ segment: String, _ line: Int, _ event: String?, _ says: String
  ) {
    findings.append(Finding(check: check, segment: segment, line: line, event: event, says: says))
  }

  /// Folds everything that can be read, then looks at each event again from the end.
  private mutating func checkStream() throws(LogError) {
    var options = ReadingOptions()
    options.wantsEvents = true
    options.salvage = true
    options.disk = disk
    var stream = try EventStream(folder: folder, options: options)
    let segments = stream.segments
    var names = Names()
    var index = EventIndex()
    var subjects: Set<String?> = [nil]
    var item = StreamItem()
    var events: [(event: Event, item: StreamItem)] = []
    while try stream.next(&item, names: &names) {
      guard let event = item.event else { continue }
      if let known = index.insert(item.id) {
        do throws(LogError) {
          try stream.judgeRepeat(of: known, item, names: names)
          let first = stream.place(of: events[known - 1].item)
          add(
            .identity, segments[item.segment], item.line, event.id,
            "stands a second time; first at \(first.file):\(first.line)")
        } catch {
          guard case .badLine(_, _, let problem) = error else { throw error }
          add(.identity, segments[item.segment], item.line, event.id, problem.sentence)
        }
        continue
      }
      stream.keepPlace(of: item)
      subjects.insert(event.subject)
      events.append((event, item))
    }
    for line in stream.skipped { add(.form, line.segment, line.place.line, nil, line.problem.sentence) }
    for torn in stream.tornTails {
      let name = segments.first { path($0).spelling == torn.path.spelling } ?? torn.path
      add(.torn, name, 0, nil, "the last \(torn.bytes) bytes, from byte \(torn.offset), were never finished")
    }
    checkDeletions(events, stream)
    checkReferences(events, subjects, segments)
  }

  /// Two devices may delete the same entry without knowing of each other; it changes nothing, yet a person should look.
  private mutating func checkDeletions(
    _ events: [(event: Event, item: StreamItem)], _ stream: EventStream
  ) {
    var deletions: [String: StreamItem] = [:]
    for (event, item) in events {
      guard case .entryDeleted(let entry, _) = event.payload else { continue }
      guard let first = deletions[entry] else {
        deletions[entry] = item
        continue
      }
      let place = stream.place(of: first)
      add(
        .reference, stream.segments[item.segment], item.line, event.id,
        "deletes \(entry) once more; first at \(place.file):\(place.line)")
    }
  }

  private mutating func checkReferences(
    _ events: [(event: Event, item: StreamItem)], _ subjects: Set<String?>, _ segments: [String]
  ) {
    var ledgers = SubjectLedgers(subjects)
    for (place, (event, item)) in events.enumerated() {
      if case .expectationStated(let expects) = event.payload {
        checkExpectation(expects, of: event, at: place, segments[item.segment], item.line, &ledgers)
      }
      ledgers.apply(event)
    }
    // Whether there was something to celebrate is only asked when it is said to be seen.
    for (event, item) in events where event.payload.type != .celebrationSeen {
      guard let refusal = ledgers[event.subject]?.refusal(of: event), refusal.standsInAStream else {
        continue
      }
      add(.reference, segments[item.segment], item.line, event.id, refusal.sentence)
    }
    checkInvariants(&ledgers, subjects)
  }

  /// An expectation is about the state just before its event, of its own subject.
  private mutating func checkExpectation(
    _ expects: String, of event: Event, at position: Int, _ segment: String, _ line: Int,
    _ ledgers: inout SubjectLedgers
  ) {
    ledgers.settle(event.subject)
    let place = StreamPlace(position: position, zone: ledgers.zone)
    guard let ledger = ledgers[event.subject],
      let says = ExpectationJudgement.violation(of: expects, ledger, place)
    else { return }
    add(.expectation, segment, line, event.id, says)
  }

  private mutating func checkInvariants(_ ledgers: inout SubjectLedgers, _ subjects: Set<String?>) {
    for subject in subjects.sorted(by: { $0 ?? "" < $1 ?? "" }) {
      ledgers.settle(subject)
      guard let ledger = ledgers[subject] else { continue }
      for state in ledger.states() {
        if let violation = Invariants.violation(
          of: state, book: ledger.jokerBook(of: state.habit), in: ledger)
        {
          add(.invariant, "", 0, nil, violation)
        }
      }
    }
  }
}

extension Finding {
  /// Its file and line, as far as it has one.
  fileprivate func place(in folder: String) -> String {
    guard !segment.isEmpty else { return folder }
    return Escaping.visible("\(folder)/\(segment).jsonl") + (line > 0 ? ":\(line)" : "")
  }
}

extension Refusal {
  /// Whether it says something about a whole stream too; the others only guard the moment of appending.
  fileprivate var standsInAStream: Bool {
    switch self {
    case .entryDeletedBefore, .dayNotChanged, .retiredBefore, .inTheFuture, .dayAfterItsTime, .unknownZone,
      .afterRetirement, .unknownCelebration:
      false
    default: true
    }
  }
}
