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
      "Removes a note, value, reason or name from its line and from torn ends of the segment, and records an event that",
      "names the removed fields. Earlier seals and heads stay valid, and no streak changes. It cannot be undone. The length",
      "of the text can still be seen.",
      "",
      "Only the segment of --writer is changed. If another device writes that segment, redact there, or its next copy brings",
      "the text back. Other places in the folder with the same text are listed, exit code 1; backups, reports, folders below",
      "and other devices are not searched.",
      "",
      "  streaks redact …2b3c4d --fields note --reason 'names somebody'",
    ],
    example: Example(
      line: "streaks redact @4848 --writer phone",
      answer: [
        "removed from …c366d7, entry.deleted of 2025-11-04: reason (34 bytes)",
        "backups, exports, reports and other devices are not searched",
      ])
  ) { invocation throws(Failure) in
    try invocation.redact()
  }
}

extension Invocation {
  fileprivate func redact() throws(Failure) -> ExitStatus {
    let fields = try requestedFields()
    let reason = text("--reason")
    let id = try words.event(named: word(0))
    var redaction = Redaction(folder: folder, writer: writer.segment)
    let written = try writer.write(printsImpact: false) { (log) throws(Failure) in
      try reader.report(log.stream)
      redaction.tornEnds = log.stream.tornTails
      try redaction.findTexts(of: id, fields, in: log.stream)
      try redaction.findCopies(of: id, fields, in: log.stream)
      let payload = try redaction.payload(because: reason)
      let drafts = try payload.map { (payload) throws(Failure) in [try writer.draft(payload)] }
      return Drafts(drafts ?? [], removing: redaction.texts.map(\.extent))
    }
    let isWritten = !isGuest && !arguments.has("--dry-run")
    if !isGuest {
      for warning in redaction.findFiles(isWritten: isWritten) { warn(warning) }
    }
    if isJSON {
      printJSON(redaction.members(written?.results ?? []))
    } else {
      for line in redaction.lines(isWritten: isWritten) { print(Escaping.visible(line)) }
    }
    return redaction.remains.isEmpty ? .done : .failed
  }

  private func requestedFields() throws(Failure) -> Set<TextField> {
    guard let list = arguments.value("--fields") else { return Set(TextField.allCases) }
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
}

/// The texts of an event that `redact` removes, and the other places in the folder with the same texts.
private struct Redaction {
  let folder: String
  /// The segment to change, which must contain the event.
  let writer: String
  var event: Event?
  /// The texts to remove, each with its field, its byte range in the segment, and the bytes between the JSON quotes.
  var texts: [(field: TextField, extent: Range<Int>, content: [UInt8])] = []
  var remains: [Remaining] = []
  var tornEnds: [EventStream.TornTail] = []

  /// A line, a file or a git repository that still contains a removed text.
  struct Remaining {
    enum Kind: String {
      case segment, file, git
    }

    let kind: Kind
    let path: String
    /// The number, the event and the segment of a line, with the fields that contain the text; `nil` for other kinds.
    var line: (number: Int, event: String, fields: [Text], segment: Text)?
  }

  /// Finds the texts to remove.
  ///
  /// Throws if the writer's segment doesn't contain the event, or the event has no such text.
  mutating func findTexts(
    of id: String, _ fields: Set<TextField>, in stream: EventStream
  ) throws(Failure) {
    var known: Set<TextField> = []
    var holders: [Text] = []
    for segment in stream.segments {
      try stream.eachLine(of: segment) { line in
        guard line.id == id, let found = line.event else { return }
        holders.append(segment)
        guard segment == Text(writer) else { return }
        event = found
        for text in LineTexts(line.bytes).found where !text.content.isEmpty || text.isRedacted {
          known.insert(text.field)
          guard !text.content.isEmpty, fields.contains(text.field) else { continue }
          let extent = line.offset + text.extent.lowerBound..<line.offset + text.extent.upperBound
          texts.append((text.field, extent, Array(line.bytes[text.content])))
        }
      }
    }
    guard let event else {
      guard let other = holders.first else { throw .notFound("there is no event \(quoted(id))") }
      let place = Escaping.visible("\(folder)/\(other).jsonl")
      let advice =
        Forms.isWriter(other.string)
        ? "redact it on the device that writes that segment, or here with `--writer \(other)` if nobody does"
        : "no device can write that file; give it a name such as copy.jsonl first, or remove it if it is a copy"
      throw .notFound("the event \(quoted(id)) is in \(place), not in \(writer).jsonl; \(advice)")
    }
    if case .daysExcused(_, _, _, "zone") = event.payload {
      throw .refused("the reason \"zone\" says why days are missing, and is no text of a person")
    }
    let isAll = fields.count == TextField.allCases.count
    let missing = TextField.allCases.filter { fields.contains($0) && !known.contains($0) }
    guard known.isEmpty || !isAll && !missing.isEmpty else { return }
    let what = isAll ? "text" : missing.map(\.rawValue).joined(separator: ", ")
    let others = TextField.allCases.filter(known.contains).map(\.rawValue).joined(separator: ", ")
    throw .notFound(
      "the event \(quoted(id)) has no \(what)" + (known.isEmpty ? "" : "; its texts are \(others)"))
  }

  func payload(because reason: Text?) throws(Failure) -> Payload? {
    guard let event, !texts.isEmpty else { return nil }
    if let reason, contains(reason.string) {
      throw .usage("--reason has the text that is to be removed, and stays; use other words")
    }
    let fields = TextField.allCases.filter { field in texts.contains { $0.field == field } }
    return .eventRedacted(event: event.id, fields: fields, reason: reason)
  }

  /// The texts to search for in other places, as bytes of JSON strings.
  ///
  /// Texts of fewer than 4 bytes are excluded, because they occur almost everywhere.
  private var contents: [[UInt8]] { texts.map(\.content).filter { $0.count >= 4 } }

  private func contains(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    return contents.contains { content in
      Redaction.text(content).map { BytePattern($0).first(in: bytes) != nil } ?? false
    }
  }

  /// Decodes `content`, the bytes between the quotes of a JSON string; returns `nil` if they are invalid.
  private static func text(_ content: [UInt8]) -> String? {
    let quote = [UInt8(ascii: "\"")]
    guard let value = try? JSONValue(parsing: String(decoding: quote + content + quote, as: UTF8.self)),
      case .string(let text) = value.kind
    else { return nil }
    return text
  }

  /// Finds copies of the event in other segments, and other fields and events with a removed text.
  ///
  /// Adds them to `remains`.
  mutating func findCopies(
    of id: String, _ fields: Set<TextField>, in stream: EventStream
  ) throws(Failure) {
    let patterns = contents.map { BytePattern($0) }
    for segment in stream.segments {
      let isOwn = segment == Text(writer)
      try stream.eachLine(of: segment) { line in
        // A line with a backslash may contain the text in another escaped form.
        let mayHaveText =
          line.bytes.contains(UInt8(ascii: "\\")) && !patterns.isEmpty
          || patterns.contains { $0.first(in: line.bytes) != nil }
        guard let event = line.id, mayHaveText || event == id,
          case .object(let members)? = (try? JSONValue(parsing: line.bytes))?.kind
        else { return }
        let isEvent = event == id
        let found = members.filter { key, value in
          guard isEvent, let field = TextField(rawValue: key.string), fields.contains(field) else {
            return value.texts.contains(where: contains)
          }
          return !isOwn && value.texts.contains { !$0.isEmpty }
        }
        guard !found.isEmpty else { return }
        remains.append(
          Remaining(
            kind: .segment, path: "\(folder)/\(segment).jsonl",
            line: (line.number, event, found.map(\.key), segment)))
      }
    }
  }

  /// Finds other places that still contain a removed text, such as torn ends or the git repository.
  ///
  /// Adds them to `remains`, and returns warnings about files that can't be read. If `isWritten` is false, torn ends
  /// that a redaction would overwrite are skipped.
  mutating func findFiles(isWritten: Bool) -> [String] {
    var warnings: [String] = []
    // Files in other formats contain the text unescaped, or in CSV with doubled quotes.
    let patterns = contents.flatMap { content -> [BytePattern] in
      let text = Redaction.text(content) ?? ""
      return [content, Array(text.utf8), Array(text.replacingBytes(of: "\"", with: "\"\"").utf8)]
        .map { BytePattern($0) }
    }
    // Redaction overwrites the torn ends of its own segment, unless the disk refuses it.
    let own = "\(folder)/\(writer)"
    var candidates = tornEnds.filter { $0.path != "\(own).jsonl" }.map { ($0.path, $0.offset) }
    for name in ForeignFile.names(in: folder) ?? [] where !EventStream.isSegment(name) {
      let path = "\(folder)/\(name)"
      let offset = path.begins(with: "\(own).torn-") ? path.droppingBytes("\(own).torn-".utf8.count) : "x"
      let isOverwritten = !isWritten && offset.utf8.allSatisfy { $0.isDigit }
      guard !isOverwritten, FileStamp(path, followsLinks: false) != nil else { continue }
      candidates.append((path, 0))
    }
    for (path, start) in patterns.isEmpty ? [] : candidates {
      do throws(SystemError) {
        let bytes = Array(try ForeignFile.bytes(of: path).dropFirst(start))
        guard patterns.contains(where: { $0.first(in: bytes) != nil }) else { continue }
        remains.append(Remaining(kind: .file, path: path))
      } catch {
        warnings.append("\(error); it may still have the text")
      }
    }
    if Redaction.isTracked(folder) { remains.append(Remaining(kind: .git, path: folder)) }
    return warnings
  }

  /// Whether the folder is in a git work tree.
  ///
  /// Earlier commits may contain the text.
  private static func isTracked(_ folder: String) -> Bool {
    let disk = SystemDisk()
    var folder = SystemDisk.resolved(folder)
    while true {
      // In an additional work tree or a submodule, `.git` is a file.
      if (try? disk.names(in: folder + "/.git")) != nil || (try? disk.stamp(of: folder + "/.git")) != nil {
        return true
      }
      let parent = FolderPath.parent(of: folder)
      guard parent != folder, parent != "." else { return false }
      folder = parent
    }
  }

  func members(_ results: [AppendResult]) -> JSON.Members {
    let redacted = event.map { event in
      JSON.object([
        "event": .text(event.id), "fields": .texts(texts.map(\.field.rawValue)),
        "bytes": .whole(texts.reduce(0) { $0 + $1.content.count }),
      ])
    }
    return [
      "redacted": .list(texts.isEmpty ? [] : [redacted].compactMap { $0 }),
      "results": .list(results.map(\.json)),
      "remains": .list(
        remains.map { place in
          var members: JSON.Members = ["kind": .text(place.kind.rawValue), "path": .text(place.path)]
          if let line = place.line {
            members["line"] = .whole(line.number)
            members["event"] = .text(line.event)
            members["fields"] = .texts(line.fields.strings)
          }
          return .object(members)
        }),
    ]
  }

  func lines(isWritten: Bool) -> [String] {
    var lines: [String] = []
    if let event, !texts.isEmpty {
      let names = texts.map { "\($0.field.rawValue) (\(counted($0.content.count, "byte")))" }
      lines.append(
        "\(isWritten ? "removed" : "would remove") from \(Event.shortID(event.id)), \(event.payload.type.rawValue) of "
          + "\(event.day): \(names.joined(separator: ", "))")
    } else {
      lines.append("nothing is left to remove")
    }
    let most = 10
    for place in remains.prefix(most) { lines.append("  " + place.says) }
    if remains.count > most {
      lines.append("  and \(counted(remains.count - most, "place")) more, all in --json")
    }
    if isWritten { lines.append("backups, exports, reports and other devices are not searched") }
    return lines
  }
}

extension Redaction.Remaining {
  fileprivate var says: String {
    switch kind {
    case .segment:
      let (number, event, fields, segment) = line ?? (0, "", [], "")
      let place = "\(path):\(number) still has it in \(fields.strings.joined(separator: ", "))"
      guard Forms.isWriter(segment.string) else { return "\(place); remove the file if it is a copy" }
      let texts = fields.filter { TextField(rawValue: $0.string) != nil }
      guard !texts.isEmpty else { return "\(place) of \(Event.shortID(event)), which is no text and stays" }
      let stays = texts.count < fields.count ? "; what is no text stays" : ""
      return
        "\(place); `streaks redact \(Event.shortID(event)) --writer \(segment)` removes it\(stays)"
    case .file:
      let advice =
        path.ends(with: ".jsonl") ? "the next append to that segment sets it aside" : "remove the file"
      return "\(path) still has it\(path.ends(with: ".jsonl") ? " in its torn end" : ""); \(advice)"
    case .git: return "\(path) is in a git repository, whose earlier commits may have it"
    }
  }
}

extension JSONValue {
  /// All strings in the value, and the keys of objects.
  fileprivate var texts: [String] {
    switch kind {
    case .string(let text): [text]
    case .array(let items): items.flatMap(\.texts)
    case .object(let members): members.flatMap { [$0.key.string] + $0.value.texts }
    default: []
    }
  }
}
