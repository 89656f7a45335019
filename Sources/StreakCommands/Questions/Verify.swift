import EventLog
import Inspection
import StreakDomain

extension Command {
  static let verify = Command(
    name: "verify", group: .check, words: "",
    summary: "check the whole ledger; silent and exit code 0 if it is sound",
    options: [
      json, Option("--heads", nil, "print each segment's length and seals, to be kept elsewhere"),
      Option("--against", .file, "also compare with what --heads printed earlier"),
      Option(
        "--accept", .other("SEGMENT"),
        "record that what is missing is lost, or that a finding is known",
        excludes: ["--heads", "--against"]),
      Option("--reason", .text, "with --accept: why", needs: ["--accept"]),
    ] + writing(with: "--accept"),
    details: [
      "Checks form, order, seals, ids, references and invariants of every line; --skip has no effect.",
      "Seals reveal every change before the last seal of a segment, except in notes, values, reasons and names. Lost lines",
      "are noticed once another device has recorded them at its next new day. Without heads that you keep elsewhere, nothing",
      "reveals an edit after the last seal, or a history rewritten with new seals.",
      "A missing or short segment is reported until it is restored or accepted. --accept also settles findings that change",
      "no number, such as a copy; one of a whole file only until the file grows. With --heads and --against,",
      "only loss and change set exit code 1 (form, identity in one segment, reused-id, seal, seen, history).",
      "",
      "  streaks verify --heads > ~/heads.txt", "  streaks verify --against ~/heads.txt",
      "  streaks verify --accept phone --reason 'lost on the train'",
    ],
    example: Example(
      line: "streaks verify --heads",
      answer: [
        "annas-laptop-3fa2c1 bytes 186092 head 574663c89af2048c0b478e696f07ed9e86c2919fb3f380d…",
        "phone bytes 1063307 head ab1431c5cb82785ad2cb1c6476ca9287ffeeca453feb06d330e973f736bc…",
        "segments 2",
      ])
  ) { invocation throws(Failure) in
    try invocation.verifyLedger()
  }
}

extension Invocation {
  fileprivate func verifyLedger() throws(Failure) -> ExitStatus {
    if let segment = arguments.value("--accept") {
      try accept(Text(segment))
      return .done
    }
    let heads = try arguments.value("--against").map { (file) throws(Failure) in
      try KeptHeads(try context.input(file), of: file)
    }
    // A `--now` without a UTC offset needs the ledger's zone, even if some lines of the ledger are unreadable.
    let now = try with(arguments.with("--skip", [""])).now()
    var verification = Verification(folder, against: heads, now: now)
    try verification.run()
    let withHeads = arguments.has("--heads")
    if isJSON {
      printJSON(verification.members(isSound: !fails(verification.findings), withHeads: withHeads))
    } else {
      if withHeads {
        for head in verification.heads { print(Escaping.visible("\(head)")) }
        print(KeptHeads.end(verification.heads))
      }
      for line in verification.lines {
        if withHeads { warn(line) } else { print(line) }
      }
      for name in verification.newSegments {
        warn("\(name) is not among the heads; `streaks timeline` shows its events, whatever their dates")
      }
      let bySegment = Dictionary(grouping: verification.findings, by: \.segment)
      for (segment, findings) in bySegment.sorted(by: { $0.key < $1.key })
      where findings.allSatisfy(\.onlyInforms) && Forms.isWriter(segment.string) {
        warn(
          "the finding about \(segment) changes no number; `streaks verify --accept \(segment)` settles it")
      }
    }
    return fails(verification.findings) ? .failed : .done
  }

  /// Whether the findings make the command fail.
  ///
  /// With `--heads` or `--against`, only findings about lost or changed data do.
  private func fails(_ findings: [Finding]) -> Bool {
    let isForBackup = arguments.has("--heads") || arguments.has("--against")
    return findings.contains { !isForBackup || $0.isLossOrChange }
  }

  /// Appends an event that accepts the missing part of a segment as lost.
  ///
  /// If no part is missing, the event accepts the findings about the segment as known.
  private func accept(_ segment: Text) throws(Failure) {
    let reason = text("--reason")
    var isMissed = false
    let written = try writer.write { (log) throws(Failure) in
      let accepted: SeenSegment
      (accepted, isMissed) = try acceptedPart(of: segment, in: log.stream)
      return Drafts([try writer.draft(.segmentDropped(accepted, reason: reason))])
    }
    guard let written else { return }
    if isJSON { return printResults(of: written) }
    let says =
      isMissed
      ? "the missing part of \(segment).jsonl is accepted as lost"
      : "what `verify` found of \(segment).jsonl is accepted"
    print(Escaping.visible(says))
  }

  private func acceptedPart(
    of segment: Text, in stream: EventStream
  ) throws(Failure) -> (SeenSegment, isMissed: Bool) {
    let short = try stream.shortSegments()
    if let found = short.first(where: { $0.name == segment }) { return (found.seen, true) }
    var verification = Verification(folder, against: nil)
    try verification.run()
    var known = verification.findings.filter(\.onlyInforms).map(\.segment)
    if known.contains(segment), Forms.isWriter(segment.string),
      let length = try stream.length(ofSegment: segment)
    {
      return (length, false)
    }
    known += short.map(\.name)
    guard !known.contains(segment) else {
      throw .notFound(
        "\(quoted(segment)) cannot be the name of a segment; rename the file, or remove it if it is a complete copy"
      )
    }
    throw .notFound(
      "the segment \(quoted(segment)) has nothing to accept\(Nearest.hint(segment.string, among: known.strings))"
    )
  }
}

extension Verification {
  fileprivate func members(isSound: Bool, withHeads: Bool) -> JSON.Members {
    var document: JSON.Members = [
      "sound": .bool(isSound),
      "findings": .list(
        findings.map { finding in
          var members: JSON.Members = [
            "check": .text(finding.check.rawValue), "segment": .text(finding.segment),
            "line": .whole(finding.line), "says": .text(finding.says),
          ]
          members["event"] = finding.event.map { .text($0) }
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

  /// The findings as text, one line each.
  ///
  /// Equal findings are merged into one line.
  fileprivate var lines: [String] {
    let absent = findings.filter { $0.absent != nil }
    let lost = findings.filter { $0.check == .seen && $0.line == 0 }.map(\.segment)
    let isOneCause = absent.count > 1 || !absent.isEmpty && !lost.isEmpty
    var lines: [String] = []
    var told: Set<Text> = []
    if isOneCause { lines.append(missing(absent, lost)) }
    for finding in findings where !(isOneCause && finding.absent != nil) {
      let says = "\(finding.check.rawValue): \(Escaping.visible(finding.says))"
      guard told.insert(Text(says)).inserted else { continue }
      let alike = findings.filter { $0.check == finding.check && Text($0.says) == Text(finding.says) }
      let last = alike.last.map { $0.place(in: folder) } ?? ""
      lines.append(
        "\(finding.place(in: folder)): \(says)"
          + (alike.count > 1 ? " (\(alike.count) times, the last at \(last))" : ""))
    }
    return lines
  }

  /// Returns one line that reports the missing segments `lost`, with the number of findings `absent` that they explain.
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
  fileprivate func place(in folder: String) -> String {
    guard !segment.isEmpty else { return folder }
    return Escaping.visible("\(folder)/\(segment).jsonl") + (line > 0 ? ":\(line)" : "")
  }
}
