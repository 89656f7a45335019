import EventLog
import StreakDomain

extension Command {
  static let verify = Command(
    name: "verify", group: .check, words: "",
    summary: "check the whole ledger; silent and exit code 0 if it is sound",
    options: [
      json, Option("--heads", nil, "print each segment's length and seals, to be kept elsewhere"),
      Option("--against", "FILE", "also check against lines that --heads printed earlier"),
      Option("--accept", "SEGMENT", "record that the missing part of a short segment is lost for good"),
      Option("--reason", "TEXT", "with --accept: why it is lost"),
    ] + writing,
    details: [
      "Checks form, order, seals, ids, references, expectations and invariants. Seals show any changed byte; a cut-off",
      "end shows only --against heads that were kept elsewhere. Every subject and every line is checked, so --subject,",
      "--salvage and --skip-unknown change nothing here.",
      "A segment that is missing, or short of what another writer saw of it, is reported until restored or accepted.",
      "",
      "  streaks verify --heads > ~/heads.txt", "  streaks verify --against ~/heads.txt",
      "  streaks verify --accept phone --reason 'lost on the train'",
    ],
    example: Example(
      line: "streaks verify --heads",
      answer: [
        "annas-laptop-3fa2c1 bytes 186092 head b90ad10ec0d32cfb52c8ef669347275f388678e172689c4…",
        "phone bytes 1063307 head 64dc215cf3e20764e1cb60cec1e81a6df0c7529a5886e1e1c8f098a23535…",
      ])
  ) { invocation throws(CommandError) in
    let run = VerifyRun(invocation: invocation)
    if let segment = invocation.arguments.value("--accept") { return try run.accept(segment) }
    try invocation.writer.refuseWritingOptions(unless: "--accept")
    var heads: (file: String, bytes: [UInt8])?
    if let file = invocation.arguments.value("--against") {
      heads = (file, try invocation.context.input(file))
    }
    let now = try invocation.now()
    do throws(LogError) {
      var verification = try Verification(invocation.folder, against: heads, now: now)
      try verification.run()
      if invocation.isJSON {
        invocation.print(verification.json(withHeads: invocation.arguments.has("--heads")).line)
      } else {
        if invocation.arguments.has("--heads") {
          for head in verification.heads { invocation.print(Escaping.visible("\(head)")) }
        }
        // Heads are kept in a file, so what was found beside them goes elsewhere.
        for line in verification.lines {
          if invocation.arguments.has("--heads") { invocation.warn(line) } else { invocation.print(line) }
        }
      }
      return verification.findings.isEmpty ? .done : .failed
    } catch { throw .log(error) }
  }
}

/// The steps of `verify`.
private struct VerifyRun {
  let invocation: Invocation

  /// Records that what others saw of a segment is missed no more.
  func accept(_ segment: String) throws(CommandError) -> ExitStatus {
    for option in ["--heads", "--against"] where invocation.arguments.has(option) {
      throw .usage("--accept and \(option) do not go together")
    }
    let reason = try invocation.text("--reason")
    let written = try invocation.writer.write(makingOf: { (log) throws(CommandError) in
      let short: [ShortSegment]
      do throws(LogError) { short = try log.stream.shortSegments() } catch { throw .log(error) }
      guard let found = short.first(where: { $0.name.spelling == segment.spelling }) else {
        throw .notFound(
          "nothing is missed of the segment \(quoted(segment))"
            + Nearest.hint(segment, among: short.map(\.name)))
      }
      return [try invocation.writer.draft(.segmentDropped(found.seen, reason: reason))]
    })
    guard let written else { return .done }
    if invocation.isJSON {
      invocation.writer.printDocument(written.results)
    } else {
      invocation.print(Escaping.visible("the missing part of \(segment).jsonl is accepted as lost"))
    }
    return .done
  }
}

extension Verification {
  /// The findings for people, a line each, but those of one cause in one.
  fileprivate var lines: [String] {
    let absent = findings.filter { $0.absent != nil }
    let lost = findings.filter { $0.check == .seen }.map(\.segment)
    let isOneCause = absent.count > 1 || !absent.isEmpty && !lost.isEmpty
    var lines: [String] = []
    var told: Set<String> = []
    if isOneCause { lines.append(missing(absent, lost)) }
    for finding in findings where !(isOneCause && finding.absent != nil) {
      let says = "\(finding.check): \(Escaping.visible(finding.says))"
      guard told.insert(says).inserted else { continue }
      let alike = findings.filter { $0.check == finding.check && $0.says.spelling == finding.says.spelling }
      let last = alike.last.map { $0.place(in: folder) } ?? ""
      lines.append(
        "\(finding.place(in: folder)): \(says)"
          + (alike.count > 1 ? " (\(alike.count) times, the last at \(last))" : ""))
    }
    return lines
  }

  /// What all that speaks of something absent has in common: a segment that is not here.
  private func missing(_ absent: [Finding], _ lost: [String]) -> String {
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
    let names = lost.isEmpty ? "a segment" : Remains.files(lost)
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
