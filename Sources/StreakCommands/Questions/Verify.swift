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
      """
      Checks form, order, seals, ids, references and invariants of every line; --skip has no effect.
      """,
      """
      A seal, written at each new day, reveals later changes to the lines before it, except in \
      texts: notes, --value texts,
      """,
      """
      reasons and names. Only heads that you keep elsewhere reveal an edit after the last seal, or \
      a log written anew.
      """,
      """
      At each new day a device also records how long the other segments are, so lost lines that \
      another device has seen are
      """,
      """
      reported until you restore them or --accept their loss; only heads reveal that lines that \
      none has seen were cut off.
      """,
      """
      --accept also settles findings about a copy, an id used twice, or a definition that two \
      devices changed. From then
      """,
      """
      on, a loss of lines that the segment has now is not reported either. Nothing settles a \
      broken seal.
      """,
      """
      With --heads or --against the exit code is 1 only for loss or change: form, seal, seen, \
      history, reused-id, and an
      """,
      "event twice in one segment.",
      "",
      "  streaks verify --heads > ~/heads.txt", "  streaks verify --against ~/heads.txt",
      "  streaks verify --accept phone --reason 'lost on the train'",
    ],
    example: Example(
      line: "streaks verify --heads",
      answer: [
        "annas-laptop-3fa2c1 bytes 186092 head 8de32c8a573b83a23e539c956343d55b3c81cd9cd279167…",
        "phone bytes 1063366 head 7fc9bb488af5388d7335def2918800a875daca4e9063e9069ceae416562f…",
        "segments 2",
      ])
  ) { invocation throws(Failure) in
    try invocation.verifyLedger()
  }
}

extension Invocation {
  fileprivate func verifyLedger() throws(Failure) -> ExitStatus {
    if let segment = arguments.value("--accept") {
      try accept(Text(segment.ends(with: ".jsonl") ? String(segment.dropLast(6)) : segment))
      return .done
    }
    let kept = try arguments.value("--against").map { (file) throws(Failure) in
      try SegmentHead.list(try context.input(file), of: file)
    }
    // A `--now` without a UTC offset needs the ledger's zone, even if some lines of the ledger are
    // unreadable.
    let now = try with(arguments.with("--skip", [""])).now()
    var verification = Verification(folder, against: kept ?? [], now: now)
    try verification.run()
    let (findings, heads) = (verification.findings, verification.heads)
    let withHeads = arguments.has("--heads")
    // For a backup, only lost or changed data make the command fail.
    let isSound = !findings.contains { !withHeads && kept == nil || $0.isLossOrChange }
    if isJSON {
      var document: JSONValue.Members = [
        "sound": .bool(isSound), "findings": JSONValue(of: findings, omitsNil: true),
      ]
      if withHeads { document["heads"] = JSONValue(of: heads) }
      if kept != nil { document["newSegments"] = JSONValue(of: verification.newSegments) }
      printJSON(document)
      return isSound ? .done : .failed
    }
    if withHeads {
      for line in heads.map(\.description) + [SegmentHead.end(heads)] {
        print(Escaping.visible(line))
      }
    }
    for line in lines(of: findings) { if withHeads { warn(line) } else { print(line) } }
    for name in verification.newSegments {
      warn("the heads have no segment \(name), so they do not prove when its events were recorded")
    }
    for (segment, findings) in Dictionary(grouping: findings, by: \.segment).sorted(by: {
      $0.key < $1.key
    })
    where findings.allSatisfy(\.onlyInforms) && Syntax.isWriter(segment.string) {
      warn(
        """
        if the finding about \(segment) is harmless, `streaks verify --accept \(segment)` settles it
        """
      )
    }
    return isSound ? .done : .failed
  }

  /// Returns the first 20 findings as lines of text, and how many more there are; equal findings
  /// share a line.
  private func lines(of findings: [Finding]) -> [String] {
    var order: [Text] = []
    var places: [Text: [String]] = [:]
    for finding in findings {
      let says = Text("\(finding.check.rawValue): \(Escaping.visible(finding.says))")
      let file =
        finding.segment == "" ? folder : Escaping.visible("\(folder)/\(finding.segment).jsonl")
      if places[says] == nil { order.append(says) }
      places[says, default: []].append(file + (finding.line > 0 ? ":\(finding.line)" : ""))
    }
    let lines = order.map { says in
      let places = places[says] ?? []
      let others =
        places.count > 1 ? " (\(places.count) times, the last at \(places[places.count - 1]))" : ""
      return "\(places[0]): \(says)\(others)"
    }
    return lines.count > 20
      ? lines.prefix(20) + ["and \(lines.count - 20) more, all in --json"] : lines
  }

  /// Appends an event that accepts the missing part of `segment` as lost, or else what `verify`
  /// found in `segment`.
  private func accept(_ segment: Text) throws(Failure) {
    var isLoss = false
    let written = try writer.write { (log) throws(Failure) in
      let part: SeenSegment
      (part, isLoss) = try acceptedPart(of: segment, in: log.stream)
      return Drafts([try writer.draft(.segmentDropped(part, reason: text("--reason")))])
    }
    guard let written else { return }
    if isJSON { return printResults(of: written) }
    let known = "accepted: what `verify` found of \(segment).jsonl, and a loss of its present lines"
    print(
      Escaping.visible(isLoss ? "the missing part of \(segment).jsonl is accepted as lost" : known))
  }

  private func acceptedPart(
    of segment: Text, in stream: EventStream
  ) throws(Failure) -> (SeenSegment, isLoss: Bool) {
    let short = try stream.shortSegments()
    if let found = short.first(where: { $0.name == segment }) { return (found.seen, true) }
    var verification = Verification(folder)
    try verification.run()
    let known = verification.findings.filter(\.onlyInforms).map(\.segment)
    guard known.contains(segment) else {
      if let finding = verification.findings.first(where: { $0.segment == segment }) {
        throw .notFound(
          "this finding cannot be accepted: \(finding.check.rawValue): \(finding.says)")
      }
      let near = Nearest.hint(segment.string, among: (known + short.map(\.name)).strings)
      throw .notFound("the segment \(quoted(segment)) has nothing to accept\(near)")
    }
    guard Syntax.isWriter(segment.string), let length = try stream.length(ofSegment: segment) else {
      throw .notFound(
        """
        \(quoted(segment)) cannot be the name of a segment; rename the file, or remove it if it is \
        a complete copy
        """
      )
    }
    return (length, false)
  }
}
