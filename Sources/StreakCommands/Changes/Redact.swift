import EventLog
import Inspection
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
      """
      Removes a note, value, reason or name from its line and from torn ends of the segment, and \
      records an event that
      """,
      """
      names the removed fields. Earlier seals and heads stay valid, and no streak changes. It \
      cannot be undone. The length
      """,
      "of the text can still be seen.",
      "",
      """
      Only the segment of --writer is changed. If another device writes that segment, redact \
      there, or its next copy brings
      """,
      """
      the text back. Other places in the folder with the same text are listed, exit code 1; \
      backups, git, reports, folders below
      """,
      "and other devices are not searched.",
      "",
      "  streaks redact …2b3c4d --fields note --reason 'names somebody'",
    ],
    example: Example(
      line: "streaks redact @4849 --writer phone",
      answer: [
        "removed from …c366d7, entry.logged of 2025-10-08: note (38 bytes)",
        "backups, git, exports, reports and other devices are not searched",
      ])
  ) { invocation throws(Failure) in
    try invocation.redact()
  }
}

extension Invocation {
  fileprivate func redact() throws(Failure) -> ExitStatus {
    let fields = try requestedFields()
    var redaction = Redaction(
      folder: folder, writer: writer.segment, id: try words.event(named: word(0)), fields: fields)
    let isWritten = !isGuest && !arguments.has("--dry-run")
    var tornTails: [EventStream.TornTail] = []
    let written = try writer.write(printsImpact: false) { (log) throws(Failure) in
      try reader.report(log.stream)
      tornTails = log.stream.tornTails
      try redaction.findTexts(in: log.stream)
      try redaction.findCopies(in: log.stream)
      let payload = try redaction.payload(because: text("--reason"))
      let drafts = try payload.map { (payload) throws(Failure) in [try writer.draft(payload)] }
      return Drafts(drafts ?? [], removing: redaction.texts.map(\.extent))
    }
    if !isGuest {
      for warning in redaction.findFiles(tornTails, isWritten: isWritten) { warn(warning) }
    }
    if isJSON {
      let redacted = JSONValue.object([
        "event": .text(redaction.id), "fields": .texts(redaction.texts.map(\.field.rawValue)),
        "bytes": .whole(redaction.texts.map(\.content.count).reduce(0, +)),
      ])
      printJSON([
        "redacted": .list(redaction.texts.isEmpty ? [] : [redacted]),
        "results": JSONValue(of: written?.results ?? []),
        "remains": JSONValue(of: redaction.remains, omitsNil: true),
      ])
    } else {
      for line in redaction.lines(isWritten: isWritten) { print(Escaping.visible(line)) }
    }
    return redaction.remains.isEmpty ? .done : .failed
  }

  private func requestedFields() throws(Failure) -> Set<TextField> {
    guard let list = arguments.value("--fields") else { return Set(TextField.allCases) }
    let parts = list.parts(at: ",").map(String.init)
    if let part = parts.first(where: { TextField(rawValue: $0) == nil }) {
      let known = TextField.allCases.map(\.rawValue)
      let near = Nearest.hint(part, among: known)
      throw .usage(
        """
        --fields has \(quoted(part)), not a text; texts are \(known.joined(separator: ", "))\(near)
        """
      )
    }
    return Set(parts.compactMap { TextField(rawValue: $0) })
  }
}

/// The texts of an event that `redact` removes, and the other lines and files in the folder that
/// contain these texts.
private struct Redaction {
  let folder: String
  /// The segment to change, which must contain the event.
  let writer: String
  let id: String
  /// The fields whose texts are to be removed.
  let fields: Set<TextField>
  var event: Event?
  /// The texts to remove, each with its field, its byte range in the segment, and the bytes between
  /// the JSON quotes.
  var texts: [(field: TextField, extent: Range<Int>, content: [UInt8])] = []
  /// The removed texts in the forms in which other lines and files may still contain them.
  var patterns: [BytePattern] = []
  var remains: [Remaining] = []

  /// A line or a file that still contains a removed text.
  struct Remaining: Encodable {
    enum Kind: String, Encodable { case segment, file }

    let kind: Kind
    let path: String
    /// The number of the line if `kind` is `segment`; for others, `line`, `event` and `fields` are
    /// `nil`.
    var line: Int?
    var event: String?
    var fields: [String]?
    /// The text that follows `path` in the output.
    let says: String

    private enum CodingKeys: CodingKey { case kind, path, line, event, fields }
  }

  /// Finds the texts to remove; throws if the writer's segment lacks the event, or if the event
  /// lacks a requested text.
  mutating func findTexts(in stream: EventStream) throws(Failure) {
    var known: Set<TextField> = []
    var holders: [Text] = []
    for segment in stream.segments {
      try stream.eachLine(of: segment) { line in
        guard line.id == id, let found = line.event else { return }
        holders.append(segment)
        let isOwn = segment == Text(writer)
        if isOwn { event = found }
        for text in RedactableTexts(line.bytes).found where !text.content.isEmpty || text.isRedacted
        {
          known.insert(text.field)
          guard isOwn, !text.content.isEmpty, fields.contains(text.field) else { continue }
          let extent = line.offset + text.extent.lowerBound..<line.offset + text.extent.upperBound
          texts.append((text.field, extent, Array(line.bytes[text.content])))
        }
      }
    }
    guard let other = holders.first else { throw .notFound("there is no event \(quoted(id))") }
    if known.isEmpty { throw .notFound("the event \(quoted(id)) has no text") }
    guard let event else {
      let advice =
        Syntax.isWriter(other.string)
        ? """
        redact it on the device that writes that segment, or here with `--writer \(other)` if \
        nobody does
        """
        : "no device can write that file; rename it, or remove it if it is a copy"
      throw .notFound(
        """
        the event \(quoted(id)) is in \(Escaping.visible("\(folder)/\(other).jsonl")), not in \
        \(writer).jsonl; \(advice)
        """
      )
    }
    if case .daysExcused(_, _, _, "zone") = event.payload {
      throw .refused("the reason \"zone\" says why days are missing, and is not a text of a person")
    }
    let missing = fields.subtracting(known).map(\.rawValue).sorted().joined(separator: ", ")
    guard missing.isEmpty || fields.count == TextField.allCases.count else {
      let texts = known.map(\.rawValue).sorted().joined(separator: ", ")
      throw .notFound("the event \(quoted(id)) has no \(missing); its texts are \(texts)")
    }
  }

  func payload(because reason: Text?) throws(Failure) -> Payload? {
    guard let event, !texts.isEmpty else { return nil }
    if let reason, hasText(Array(reason.string.utf8)) {
      throw .usage("--reason has the text that is to be removed, and stays; use other words")
    }
    let fields = TextField.allCases.filter { field in texts.contains { $0.field == field } }
    return .eventRedacted(event: event.id, fields: fields, reason: reason)
  }

  /// Returns the forms of a removed text: escaped as in JSON (`content`), unescaped, and with
  /// doubled quotes as in CSV.
  ///
  /// For a text of fewer than 4 bytes, returns no forms, because so short a text occurs almost
  /// everywhere.
  private static func patterns(_ content: [UInt8]) -> [BytePattern] {
    let quote = [UInt8(ascii: "\"")]
    let value = try? JSONValue(parsing: String(decoding: quote + content + quote, as: UTF8.self))
    guard content.count >= 4, let text = value?.texts.first else { return [] }
    return [content, Array(text.utf8), Array(text.replacingBytes(of: "\"", with: "\"\"").utf8)]
      .map { BytePattern($0) }
  }

  private func hasText(_ bytes: [UInt8]) -> Bool {
    patterns.contains { $0.first(in: bytes) != nil }
  }

  /// Adds to `remains` the event's copies in other segments, and fields of any event that contain
  /// one of the texts.
  mutating func findCopies(in stream: EventStream) throws(Failure) {
    patterns = texts.flatMap { Redaction.patterns($0.content) }
    for segment in stream.segments {
      let isOwn = segment == Text(writer)
      try stream.eachLine(of: segment) { line in
        // A line with a backslash may contain the text in another escaped form.
        let mayHaveText = !patterns.isEmpty && line.bytes.contains(UInt8(ascii: "\\"))
        guard let event = line.id, event == id || mayHaveText || hasText(Array(line.bytes)),
          case .object(let members)? = (try? JSONValue(parsing: line.bytes))?.kind
        else { return }
        let found = members.filter { key, value in
          guard event == id, let field = TextField(rawValue: key.string), fields.contains(field)
          else {
            return value.texts.contains { hasText(Array($0.utf8)) }
          }
          return !isOwn && value.texts.contains { !$0.isEmpty }
        }.map(\.key.string)
        if !found.isEmpty { remains.append(remaining(found, of: event, in: segment, line.number)) }
      }
    }
  }

  private func remaining(_ fields: [String], of event: String, in segment: Text, _ line: Int)
    -> Remaining
  {
    let short = Event.shortID(event)
    let isRemovable = fields.contains { TextField(rawValue: $0) != nil }
    var advice = " of \(short), which is not a text and stays"
    if isRemovable { advice = "; `streaks redact \(short) --writer \(segment)` removes it" }
    if !Syntax.isWriter(segment.string) { advice = "; remove the file if it is a copy" }
    return Remaining(
      kind: .segment, path: "\(folder)/\(segment).jsonl", line: line, event: event, fields: fields,
      says: ":\(line) still has it in \(fields.joined(separator: ", "))\(advice)")
  }

  /// Adds files that aren't segments, and torn ends, that contain a removed text; returns warnings
  /// of unreadable files.
  mutating func findFiles(_ tornTails: [EventStream.TornTail], isWritten: Bool) -> [String] {
    var warnings: [String] = []
    // Redaction overwrites the torn ends of its own segment, unless the disk refuses it.
    let own = "\(folder)/\(writer)"
    var candidates = tornTails.filter { $0.path != "\(own).jsonl" }.map { ($0.path, $0.offset) }
    for name in ForeignFile.names(in: folder) ?? [] where !EventStream.isSegment(name) {
      let path = "\(folder)/\(name)"
      let isOverwritten = !isWritten && path.begins(with: "\(own).torn-")
      if !isOverwritten, FileStamp(path, followsLinks: false) != nil {
        candidates.append((path, 0))
      }
    }
    for (path, start) in patterns.isEmpty ? [] : candidates {
      do throws(SystemError) {
        let bytes = Array(try ForeignFile.bytes(of: path).dropFirst(start))
        guard hasText(bytes) else { continue }
        let says =
          path.ends(with: ".jsonl")
          ? " still has it in its torn end; the next append to that segment sets it aside"
          : " still has it; remove the file"
        remains.append(Remaining(kind: .file, path: path, says: says))
      } catch {
        warnings.append("\(error); it may still have the text")
      }
    }
    return warnings
  }

  func lines(isWritten: Bool) -> [String] {
    var lines = ["the event has no such text left; without it, other places cannot be searched"]
    if let event, !texts.isEmpty {
      let names = texts.map { "\($0.field.rawValue) (\(counted($0.content.count, "byte")))" }
      lines = [
        """
        \(isWritten ? "removed" : "would remove") from \(Event.shortID(event.id)), \
        \(event.payload.type.rawValue) of 
        """
          + "\(event.day): \(names.joined(separator: ", "))"
      ]
    }
    lines += remains.map { "  \($0.path)\($0.says)" }
    if isWritten {
      lines.append("backups, git, exports, reports and other devices are not searched")
    }
    return lines
  }
}

extension JSONValue {
  /// All strings in the value, and the keys of objects.
  fileprivate var texts: [String] {
    switch kind {
    case .text(let text): [text]
    case .list(let items): items.flatMap(\.texts)
    case .object(let members): members.flatMap { [$0.key.string] + $0.value.texts }
    default: []
    }
  }
}
