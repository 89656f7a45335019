import EventLog
import Inspection
import StreakDomain

/// The command that checks the whole ledger.
struct VerifyCommand: Command {
  static let name = "verify"
  static let group = CommandGroup.check
  static let options: [Option] =
    [
      .json, Option("--heads", nil, "print each segment's length and seals, to be kept elsewhere"),
      Option("--against", .file, "also compare with what --heads printed earlier"),
      Option(
        "--allow-late", nil, "exit with 0 although events are late", needs: ["--against"]),
      Option(
        "--accept", .other("SEGMENT"),
        "record that what is missing is lost, or that a finding is known",
        excludes: ["--heads", "--against"]),
      Option("--reason", .text, "with --accept: why", needs: ["--accept"]),
    ] + Option.writing(with: "--accept")
  static let help = HelpText(PackageResources.verify_txt)
  static func isForPeople(_ arguments: Arguments) -> Bool {
    !arguments.has("--json") && !arguments.has("--heads")
  }

  let invocation: Invocation

  func run() throws(Failure) -> ExitStatus {
    if let segment = arguments.value("--accept") {
      try accept(Text(segment.ends(with: ".jsonl") ? String(segment.dropLast(6)) : segment))
      return .done
    }
    let kept = try arguments.value("--against").map { (file) throws(Failure) in
      try SegmentHead.list(try context.input(file), of: file)
    }
    // A `--now` without a UTC offset needs the ledger's zone, even if some lines of the ledger are
    // unreadable.
    let now = try invocation.with(arguments.with("--skip", [""])).now()
    var verification = Verification(folder, against: kept ?? [], now: now)
    if let progress = context.progress { verification.report = progress.update(_:_:of:) }
    try verification.run()

    // For a backup, only lost or changed data make the command fail.
    let isBackup = arguments.has("--heads") || kept != nil
    let allowsLate = arguments.has("--allow-late")
    let isSound = !verification.findings.contains { finding in
      isBackup ? finding.isLossOrChange && !(allowsLate && finding.check == .late) : true
    }
    if isJSON {
      let report = VerificationReport(
        verification, isSound: isSound, hasHeads: arguments.has("--heads"),
        hasNewSegments: arguments.has("--against"))
      printJSON(of: report, omitsNil: true)
    } else {
      printText(verification)
    }
    return isSound ? .done : .failed
  }

  /// Prints the findings; with `--heads` only the heads are data, and the findings are warnings.
  private func printText(_ verification: Verification) {
    let heads = verification.heads
    let withHeads = arguments.has("--heads")
    if withHeads {
      for line in heads.map(\.description) + [SegmentHead.end(heads)] {
        print(Escaping.visible(line))
      }
    }
    for line in lines(of: verification.findings) {
      if withHeads { warn(line) } else { print(line) }
    }

    for name in verification.newSegments {
      warn("the heads have no segment \(name), so they do not prove when its events were recorded")
    }
    let bySegment = Dictionary(grouping: verification.findings, by: \.segment)
    for (segment, findings) in bySegment.sorted(by: { $0.key < $1.key })
    where findings.allSatisfy(\.onlyInforms) && Syntax.isWriter(segment.string) {
      // A finding of this kind names the command itself.
      if findings.contains(where: { $0.check == .seen }) { continue }
      warn(
        """
        if the finding about \(segment) is harmless, `streaks verify --accept \(segment)` settles it
        """)
    }
  }

  /// Returns the first 20 findings as lines of text, and how many more there are; equal findings
  /// share a line.
  private func lines(of findings: [Finding]) -> [String] {
    var order: [Text] = []
    var places: [Text: [String]] = [:]
    for finding in findings {
      let problem = Text("\(finding.check.rawValue): \(Escaping.visible(finding.says))")
      let file =
        finding.segment == "" ? folder : Escaping.visible("\(folder)/\(finding.segment).jsonl")
      if places[problem] == nil { order.append(problem) }
      places[problem, default: []].append(file + (finding.line > 0 ? ":\(finding.line)" : ""))
    }

    let lines = order.map { problem in
      let places = places[problem] ?? []
      let others =
        places.count > 1 ? " (\(places.count) times, the last at \(places[places.count - 1]))" : ""
      return "\(places[0]): \(problem)\(others)"
    }
    return lines.count > 20
      ? lines.prefix(20) + ["and \(lines.count - 20) more, all in --json"] : lines
  }

  /// Appends an event that accepts that the missing part of `segment` is lost.
  ///
  /// If no part is missing, the event accepts what `verify` found in `segment`.
  private func accept(_ segment: Text) throws(Failure) {
    var loss: String?
    let written = try writer.write { (log) throws(Failure) in
      let part: SeenSegment
      (part, loss) = try acceptedPart(of: segment, in: log.stream)
      return Drafts([writer.draft(.segmentDropped(part, reason: text("--reason")))])
    }
    guard let written else { return }
    if isJSON { return printResults(of: written) }
    let answer =
      loss.map { "accepted: \($0)" }
      ?? "accepted: what `verify` found of \(segment).jsonl, and a loss of its present lines"
    print(Escaping.visible(answer))
  }

  /// Returns the part of `segment` to accept.
  ///
  /// `loss` says what is missing or was changed, if another device saw it. Throws if there is
  /// nothing to accept.
  private func acceptedPart(
    of segment: Text, in stream: EventStream
  ) throws(Failure) -> (SeenSegment, loss: String?) {
    let short = try stream.shortSegments()
    if let missing = short.first(where: { $0.name == segment }) {
      return (missing.seen, missing.says)
    }

    var verification = Verification(folder, now: try invocation.now())
    try verification.run()
    let acceptable = verification.findings.filter(\.onlyInforms).map(\.segment)
    guard acceptable.contains(segment) else {
      if let finding = verification.findings.first(where: { $0.segment == segment }) {
        throw .notFound(
          "this finding cannot be accepted: \(finding.check.rawValue): \(finding.says)")
      }
      let near = Nearest.hint(segment.string, among: (acceptable + short.map(\.name)).strings)
      throw .notFound("the segment \(quoted(segment)) has nothing to accept\(near)")
    }

    guard Syntax.isWriter(segment.string), let length = try stream.length(ofSegment: segment) else {
      throw .notFound(
        """
        \(quoted(segment)) cannot be the name of a segment; rename the file, or remove it if it is \
        a complete copy
        """)
    }
    return (length, nil)
  }
}
