import EventLog
import Inspection
import StreakDomain

extension Command {
  static let verify = Command(
    name: "verify", group: .check, words: "",
    summary: "check the whole ledger; silent and exit code 0 if it is sound",
    options: [
      json, Option("--heads", nil, "print each segment's length and seals, to be kept elsewhere"),
      Option("--against", .file, "also compare with what --heads or `streaks pin` printed earlier"),
      Option(
        "--allow-late", nil, "with --against a pin: accept events that were inserted since",
        needs: ["--against"]),
      Option(
        "--accept", .other("SEGMENT"),
        "record that what is missing is lost for good, or that a finding is known",
        excludes: ["--heads", "--against", "--allow-late"]),
      Option("--reason", .text, "with --accept: why", needs: ["--accept"]),
    ] + writing(with: "--accept"),
    details: [
      "Checks form, order, seals, ids, references, expectations and invariants. Every line is checked,",
      "so --salvage and --skip-unknown change nothing here.",
      "A seal shows a byte changed before the last new day of a segment. What follows shows once another writer's new day",
      "saw it, whole or cut off; heads that were kept elsewhere show both for all that was there. An edit of the last day",
      "that nobody saw shows nowhere, nor does a history that somebody wrote anew with all its seals, but against heads.",
      "A segment that is missing, or short of what another writer saw of it, is reported until restored or accepted. A",
      "finding that only informs, such as a copy, may be accepted, too: that of a file comes back when it grows.",
      "Of a pin that differs, the first event, habit, day and field are named: of other events the cause is the history,",
      "of the same events the fold.",
      "",
      "  streaks verify --heads > ~/heads.txt", "  streaks verify --against ~/heads.txt",
      "  streaks pin > ~/ledger.pin", "  streaks verify --against ~/ledger.pin",
      "  streaks verify --accept phone --reason 'lost on the train'",
    ],
    example: Example(
      line: "streaks verify --heads",
      answer: [
        "annas-laptop-3fa2c1 bytes 193060 head d9f2bfebd51e151caff76c84f22310498dd18a7829838da…",
        "phone bytes 1081799 head 8a1eb594805eb8134c12d833c3b7a892adb3c8220fb4adea678d142d8ddd…",
        "segments 2",
      ])
  ) { invocation throws(Failure) in
    let run = VerifyRun(invocation: invocation)
    if let segment = invocation.arguments.value("--accept") { return try run.accept(Text(segment)) }
    return try run.check()
  }
}

/// The steps of `verify`.
private struct VerifyRun {
  let invocation: Invocation

  /// What the file of `--against` has, one of both; a file that is neither is refused.
  private func kept() throws(Failure) -> (KeptHeads?, Pin?) {
    guard let file = invocation.arguments.value("--against") else { return (nil, nil) }
    let bytes = try invocation.context.input(file)
    guard bytes.starts(with: "streaks-pin".utf8) else { return (try KeptHeads(bytes, of: file), nil) }
    return (nil, try Pinning(invocation: invocation).read(bytes, of: file))
  }

  /// Checks the ledger, against what was kept where a file is named, and prints what it finds.
  func check() throws(Failure) -> ExitStatus {
    let (heads, pin) = try kept()
    if invocation.arguments.has("--allow-late"), pin == nil {
      throw .usage("--allow-late goes with a pin, and the file of --against has heads")
    }
    var verification = Verification(invocation.folder, against: heads, now: try invocation.now())
    try verification.run()
    let comparison = try pin.flatMap { (pin) throws(Failure) in
      try self.comparison(with: pin, isSound: verification.findings.isEmpty)
    }
    let withHeads = invocation.arguments.has("--heads")
    if invocation.isJSON {
      var members = verification.members(withHeads: withHeads)
      for member in comparison?.members.sorted ?? [] { members[member.key] = member.value }
      invocation.print(JSON.object(members).line)
    } else {
      if withHeads {
        for head in verification.heads { invocation.print(Escaping.visible("\(head)")) }
        invocation.print(KeptHeads.end(verification.heads))
      }
      // Heads are kept in a file, so what was found beside them goes elsewhere.
      for line in verification.lines + (comparison?.lines ?? []) {
        if withHeads { invocation.warn(line) } else { invocation.print(line) }
      }
      let bySegment = Dictionary(grouping: verification.findings, by: \.segment)
      for (segment, findings) in bySegment.sorted(by: { $0.key < $1.key })
      where findings.allSatisfy(\.onlyInforms) && Forms.isWriter(segment.string) {
        invocation.warn(
          "what is found of \(segment) only informs; `streaks verify --accept \(segment)` settles it")
      }
    }
    return verification.findings.isEmpty && comparison?.agrees ?? true ? .done : .failed
  }

  /// How the ledger compares with a pin; nil where it cannot be folded for what was found already.
  private func comparison(with pin: Pin, isSound: Bool) throws(Failure) -> PinComparison? {
    do throws(Failure) {
      return try Pinning(invocation: invocation).comparison(with: pin)
    } catch {
      if !isSound, error.kind.row.app.isOfLog { return nil }
      throw error
    }
  }

  /// Records that what others saw of a segment is missed no more, or that what is found of it is known.
  func accept(_ segment: Text) throws(Failure) -> ExitStatus {
    let reason = invocation.text("--reason")
    var isMissed = false
    let written = try invocation.writer.write(makingOf: { (log) throws(Failure) in
      let accepted: SeenSegment
      (accepted, isMissed) = try self.accepted(segment, in: log.stream)
      return [try invocation.writer.draft(.segmentDropped(accepted, reason: reason))]
    })
    guard let written else { return .done }
    if invocation.isJSON {
      invocation.writer.printDocument(written.results)
    } else {
      let says =
        isMissed
        ? "what is missing of \(segment).jsonl is accepted as lost"
        : "what `verify` found of \(segment).jsonl is accepted"
      invocation.print(Escaping.visible(says))
    }
    return .done
  }

  /// Up to where a segment is accepted, and whether something of it is missing.
  private func accepted(
    _ segment: Text, in stream: EventStream
  ) throws(Failure) -> (SeenSegment, isMissed: Bool) {
    var known: [Text]
    let short = try stream.shortSegments()
    if let found = short.first(where: { $0.name == segment }) {
      return (found.seen, true)
    }
    var verification = Verification(invocation.folder, against: nil)
    try verification.run()
    known = verification.findings.filter(\.onlyInforms).map(\.segment)
    if known.contains(segment), Forms.isWriter(segment.string), let whole = try stream.wholeSegment(segment) {
      return (whole, false)
    }
    known += short.map(\.name)
    guard !known.contains(segment) else {
      throw .notFound(
        "\(quoted(segment)) is no name that a writer can have, so no event can name it; remove or rename the file"
      )
    }
    throw .notFound(
      "nothing is missed of the segment \(quoted(segment)), and no finding of it only informs\(Nearest.hint(segment.string, among: known.strings))"
    )
  }
}

extension Verification {
  /// What was found as members of a document, with the heads where they are wanted.
  fileprivate func members(withHeads: Bool) -> JSON.Members {
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
    return document
  }

  /// The findings for people, a line each, but those of one cause in one.
  fileprivate var lines: [String] {
    let absent = findings.filter { $0.absent != nil }
    let lost = findings.filter { $0.check == .seen && $0.line == 0 }.map(\.segment)
    let isOneCause = absent.count > 1 || !absent.isEmpty && !lost.isEmpty
    var lines: [String] = []
    var told: Set<Text> = []
    if isOneCause { lines.append(missing(absent, lost)) }
    for finding in findings where !(isOneCause && finding.absent != nil) {
      let says = "\(finding.check): \(Escaping.visible(finding.says))"
      guard told.insert(Text(says)).inserted else { continue }
      let alike = findings.filter { $0.check == finding.check && Text($0.says) == Text(finding.says) }
      let last = alike.last.map { $0.place(in: folder) } ?? ""
      lines.append(
        "\(finding.place(in: folder)): \(says)"
          + (alike.count > 1 ? " (\(alike.count) times, the last at \(last))" : ""))
    }
    return lines
  }

  /// What all that speaks of something absent has in common: a segment that is not here.
  private func missing(_ absent: [Finding], _ lost: [Text]) -> String {
    var types: [EventType] = []
    for finding in absent { if case .habit(let type)? = finding.absent { types.append(type) } }
    let isOne = lost.count <= 1
    let (noun, nouns) = types.allSatisfy { $0 == .entryLogged } ? ("entry", "entries") : ("event", "events")
    let it = isOne ? "it" : "they"
    var parts: [String] = []
    if types.count == 1 {
      parts.append("1 \(noun) names a habit that \(it) define\(isOne ? "s" : "")")
    } else if types.count > 1 {
      parts.append("\(types.count) \(nouns) name habits that \(it) define\(isOne ? "s" : "")")
    }
    let entries = absent.count - types.count
    if entries > 0 { parts.append("\(entries) of entries that \(it) ha\(isOne ? "s" : "ve")") }
    let names = lost.isEmpty ? "a segment" : FolderLeftovers.files(lost)
    return "\(absent[0].place(in: folder)): reference: \(names) seem\(isOne ? "s" : "") to be missing: "
      + parts.joined(separator: ", ")
  }
}

extension Finding {
  /// Its file and line, as far as it has one.
  fileprivate func place(in folder: String) -> String {
    guard !segment.isEmpty else { return folder }
    return Escaping.visible("\(folder)/\(segment).jsonl") + (line > 0 ? ":\(line)" : "")
  }
}
