import EventLog
import StreakDomain

extension Command {
  static let redact = Command(
    name: "redact", group: .check, words: "EVENT",
    summary: "remove texts from the log permanently",
    options: [
      json,
      Option(
        "--fields", .other("FIELDS", suggests: TextField.allCases.map(\.rawValue)),
        "which texts, such as note,value (default: all of the event)"),
      Option("--reason", .text, "why; this stays"),
    ] + writing,
    details: [
      "A note, value, reason or name is removed from its line, with all that crashes left of the segment, and an event says",
      "which and when. Seals and heads from before stay valid and no streak changes. It cannot be undone. How long the text",
      "was can still be seen, and a short one may be guessed from its digest.",
      "",
      "Only the segment of --writer is changed. Copies that the program finds elsewhere are listed, exit code 1; backups,",
      "reports and other devices are not searched.",
      "",
      "  streaks redact …2b3c4d --fields note --reason 'names somebody'",
    ],
    example: Example(
      line: "streaks redact @4848 --writer phone",
      answer: [
        "took out of …c366d7, entry.deleted of 2025-11-04: reason (34 bytes)",
        "backups, exports, reports and other devices are not searched",
      ])
  ) { invocation throws(Failure) in
    let run = RedactRun(invocation: invocation)
    let word = invocation.word(0)
    let fields = try run.fieldsToRedact()
    let reason = invocation.text("--reason")
    var plan = RedactionPlan()
    var ranges: [RedactedRange] = []
    let written = try invocation.writer.write(
      makingOf: { (log) throws(Failure) in
        plan = try run.redactionPlan(of: word, fields, &log)
        if let reason, RedactedWords(plan.events).has(reason.string) {
          throw .usage("--reason has the text that is to be taken out, and stays; say it in other words")
        }
        ranges = plan.ranges
        return try run.drafts(of: plan, because: reason)
      }, printsImpact: false,
      commit: { (log, decision) throws(Failure) in
        try log.redact(ranges, by: decision)
      })
    let isWritten = !invocation.isGuest && !invocation.arguments.has("--dry-run")
    if !invocation.isGuest { try plan.findFiles(in: invocation.folder) }
    if invocation.isJSON {
      invocation.print(plan.document(written?.results).line)
    } else {
      for line in plan.lines(isWritten: isWritten) { invocation.print(Escaping.visible(line)) }
    }
    return plan.remains.isEmpty ? .done : .failed
  }
}

private struct RedactRun {
  let invocation: Invocation

  func fieldsToRedact() throws(Failure) -> Set<TextField>? {
    guard let list = invocation.arguments.value("--fields") else { return nil }
    var fields: Set<TextField> = []
    for part in list.parts(at: ",").map(String.init) {
      guard let field = TextField(rawValue: part) else {
        let known = TextField.allCases.map(\.rawValue)
        throw .usage(
          "--fields has \(quoted(part)), which is no text; texts are \(known.joined(separator: ", "))\(Nearest.hint(part, among: known))"
        )
      }
      fields.insert(field)
    }
    return fields
  }

  func drafts(of plan: RedactionPlan, because reason: Text?) throws(Failure) -> [Draft] {
    if invocation.arguments.has("--id"), plan.events.count > 1 {
      throw .usage("--id names one event, and this would write \(plan.events.count)")
    }
    var drafts: [Draft] = []
    for (event, texts) in plan.events {
      let draft = try invocation.writer.draft(
        .eventRedacted(Redaction(event: event.id, texts: texts.map(\.redacted), reason: reason)))
      drafts.append(draft)
    }
    return drafts
  }

  func redactionPlan(
    of word: String, _ fields: Set<TextField>?, _ log: inout FoldedLog
  ) throws(Failure) -> RedactionPlan {
    var plan = RedactionPlan()
    let id = try invocation.words.event(named: word)
    let writer = invocation.writer.segment
    var others: [Text] = []
    try invocation.reader.report(log.stream)
    for segment in log.stream.segments {
      let isOwn = segment == Text(writer)
      let path = "\(invocation.folder)/\(segment).jsonl"
      try log.stream.eachLine(of: segment) { event, _ in
        event == id
      } _: { line in
        if isOwn { plan.take(line, fields) } else { others.append(segment) }
        if !isOwn { plan.find(line, fields, in: segment, path) }
      }
    }
    if plan.isZone {
      throw .refused("the reason \"zone\" says why days are missing, and is no text of a person")
    }
    if plan.matches == 0, let other = others.first {
      throw .notFound(
        "the event \(quoted(id)) is in \(Escaping.visible("\(invocation.folder)/\(other).jsonl")), not in \(writer).jsonl; "
          + "say `--writer \(Escaping.visible(other))`")
    }
    if plan.matches == 0 { throw .notFound("there is no event \(quoted(id))") }
    let missing = TextField.allCases.filter { fields?.contains($0) ?? false && !plan.known.contains($0) }
    guard missing.isEmpty, !plan.known.isEmpty else {
      let known = TextField.allCases.filter(plan.known.contains).map(\.rawValue)
      let what = missing.isEmpty ? "text" : missing.map(\.rawValue).joined(separator: ", ")
      throw .notFound(
        "the event \(quoted(id)) has no \(what)"
          + (known.isEmpty ? "" : "; its texts are \(known.joined(separator: ", "))"))
    }
    try findTwins(for: &plan, in: log)
    return plan
  }

  /// Searches for the same texts elsewhere, because undo and later definitions repeat texts.
  private func findTwins(for plan: inout RedactionPlan, in log: FoldedLog) throws(Failure) {
    let words = RedactedWords(plan.events)
    guard !words.isEmpty else { return }
    for segment in log.stream.segments {
      try log.stream.eachLine(of: segment) { _, line in
        words.mayBe(in: line)
      } _: { line in
        plan.add(
          words.fields(of: line), of: line, in: segment, "\(invocation.folder)/\(segment).jsonl")
      }
    }
  }
}
