import EventLog
import Inspection
import StreakDomain

/// The command that removes texts from the log.
struct RedactCommand: Command {
  static let name = "redact"
  static let group = CommandGroup.check
  static let words: Synopsis = "EVENT"
  static let options: [Option] =
    [
      .json,
      Option(
        "--fields", .other("FIELDS", suggests: TextField.allCases.map(\.rawValue)),
        "which texts, such as note,value (default: all of the event)"),
      Option("--reason", .text, "why; this stays"),
    ] + Option.writing
  static let help = HelpText(PackageResources.redact_txt)

  let invocation: Invocation

  func run() throws(Failure) -> ExitStatus {
    let fields = try requestedFields()
    var redaction = Redaction(
      folder: folder, writer: writer.segment, id: try words.event(named: word(0)), fields: fields)
    let isWritten = !isGuest && !arguments.has("--dry-run")
    var tornTails: [EventStream.TornTail] = []

    let options = WriteOptions(printsImpact: false)
    let written = try writer.write(options) { (log) throws(Failure) in
      tornTails = log.stream.tornTails
      try redaction.findTexts(in: log.stream, context.progress)
      try redaction.findCopies(in: log.stream, tornTails, context.progress)
      let payload = try redaction.payload(because: text("--reason"))
      return Drafts(
        payload.map { [writer.draft($0)] } ?? [], removing: redaction.texts.map(\.extent))
    }
    if !isGuest {
      for warning in redaction.findFiles(tornTails, isWritten: isWritten) { warn(warning) }
    }

    if isJSON {
      printJSON(redaction, written?.results ?? [])
    } else {
      for line in redaction.lines(isWritten: isWritten) { print(Escaping.visible(line)) }
    }
    return redaction.remains.isEmpty ? .done : .failed
  }

  private func printJSON(_ redaction: Redaction, _ results: [AppendResult]) {
    let redacted = JSONValue.object([
      "event": .text(redaction.id), "fields": .texts(redaction.texts.map(\.field.rawValue)),
      "bytes": .whole(redaction.texts.map(\.content.count).reduce(0, +)),
    ])
    printJSON([
      "redacted": .list(redaction.texts.isEmpty ? [] : [redacted]),
      "results": JSONValue(of: results.map { EventResult($0) }),
      "remains": JSONValue(of: redaction.remains, omitsNil: true),
    ])
  }

  private func requestedFields() throws(Failure) -> Set<TextField> {
    guard let list = arguments.value("--fields") else { return Set(TextField.allCases) }
    let parts = list.parts(at: ",").map(String.init)
    if let part = parts.first(where: { TextField(rawValue: $0) == nil }) {
      let names = TextField.allCases.map(\.rawValue)
      let near = Nearest.hint(part, among: names)
      let list = names.joined(separator: ", ")
      throw .usage("--fields has \(quoted(part)), not a text; texts are \(list)\(near)")
    }
    return Set(parts.compactMap { TextField(rawValue: $0) })
  }
}

/// The texts of an event that `redact` removes.
///
/// It also finds the other lines and files in the folder that contain these texts.
private struct Redaction {
  let folder: String
  /// The segment to change, which must contain the event.
  let writer: String
  let id: String
  /// The fields whose texts are to be removed.
  let fields: Set<TextField>
  var event: Event?
  /// The texts to remove.
  ///
  /// `extent` is the byte range in the segment, and `content` the bytes between the JSON quotes.
  var texts: [(field: TextField, extent: Range<Int>, content: [UInt8])] = []
  /// The removed texts in the forms in which other lines and files may still contain them.
  var patterns: [BytePattern] = []
  var remains: [Remaining] = []

  /// A line or a file that still contains a removed text.
  struct Remaining: Encodable {
    /// The kind of place that contains the text: a line of a segment, or another file.
    enum Kind: String, Encodable { case segment, file }

    let kind: Kind
    let path: String
    /// The number of the line, or `nil` if `kind` isn't `segment`.
    ///
    /// The same is true of `event` and `fields`.
    var line: Int?
    var event: String?
    var fields: [String]?
    /// The text that follows `path` in the output.
    let suffix: String

    private enum CodingKeys: CodingKey { case kind, path, line, event, fields }
  }

  /// Finds the texts to remove; throws if the writer's segment lacks the event, or if the event
  /// lacks a requested text.
  mutating func findTexts(in stream: EventStream, _ progress: ProgressLine?) throws(Failure) {
    var existing: Set<TextField> = []
    var holders: [Text] = []
    try stream.eachLine(progress) { segment, line in
      guard line.id == id, let event = line.event else { return }
      holders.append(segment)
      let isOfWriter = segment == Text(writer)
      if isOfWriter { self.event = event }
      for text in RedactableTexts(line.bytes).texts where !text.content.isEmpty || text.isRedacted {
        existing.insert(text.field)
        guard isOfWriter, !text.content.isEmpty, fields.contains(text.field) else { continue }
        let extent = line.offset + text.extent.lowerBound..<line.offset + text.extent.upperBound
        texts.append((text.field, extent, Array(line.bytes[text.content])))
      }
    }

    guard let holder = holders.first else { throw .notFound("there is no event \(quoted(id))") }
    if existing.isEmpty { throw .notFound("the event \(quoted(id)) has no text") }
    guard let event else { throw isInAnotherSegment(holder) }
    if case .daysExcused(_, _, _, "zone") = event.payload {
      throw .refused("the reason \"zone\" says why days are missing, and is not a text of a person")
    }
    let missing = fields.subtracting(existing).map(\.rawValue).sorted().joined(separator: ", ")
    guard missing.isEmpty || fields.count == TextField.allCases.count else {
      let texts = existing.map(\.rawValue).sorted().joined(separator: ", ")
      throw .notFound("the event \(quoted(id)) has no \(missing); its texts are \(texts)")
    }
  }

  /// Returns the failure if the event is in `segment` instead of the writer's segment.
  private func isInAnotherSegment(_ segment: Text) -> Failure {
    let advice =
      Syntax.isWriter(segment.string)
      ? """
      redact it on the device that writes that segment, or here with `--writer \(segment)` if \
      nobody does
      """
      : "no device can write that file; rename it, or remove it if it is a copy"
    return .notFound(
      """
      the event \(quoted(id)) is in \(Escaping.visible("\(folder)/\(segment).jsonl")), not in \
      \(writer).jsonl; \(advice)
      """)
  }

  func payload(because reason: Text?) throws(Failure) -> Payload? {
    guard let event, !texts.isEmpty else { return nil }
    if let reason, let part = part(in: reason.string) {
      throw .usage(
        """
        --reason has \(quoted(part)), a part of the text that is to be removed, and stays; use \
        other words
        """)
    }
    let fields = TextField.allCases.filter { field in texts.contains { $0.field == field } }
    return .eventRedacted(event: event.id, fields: fields, reason: reason)
  }

  /// Returns a word of `reason` that tells something of a text to remove, or `nil` if none does.
  ///
  /// Such a word is the beginning of a word of the text, or contains one. Case makes no difference.
  /// Very short words count only if the text has no others. If `reason` contains a whole text,
  /// returns that text.
  private func part(in reason: String) -> String? {
    let removed = texts.compactMap { Redaction.value(of: $0.content) }
    if hasText(Array(reason.utf8)) { return removed.first { reason.holds($0) } ?? reason }

    let removedWords = removed.flatMap { text in
      let words = Redaction.words(of: text)
      return words.filter { Redaction.isTelling($0) || words.count == 1 }
    }
    return Redaction.words(of: reason).first { word in
      removedWords.contains { removedWord in
        let begins = word.holds(removedWord) || removedWord.begins(with: word)
        let isEqual = word.utf8.count == removedWord.utf8.count
        return begins && (isEqual || Redaction.isLong(word) && Redaction.isLong(removedWord))
      }
    }
  }

  private static func isTelling(_ word: String) -> Bool {
    let isASCII = word.unicodeScalars.allSatisfy(\.isASCII)
    return word.unicodeScalars.count >= (isASCII ? 3 : 2)
  }

  private static func isLong(_ word: String) -> Bool { word.unicodeScalars.count >= 4 }

  /// Returns the runs of letters and digits in `text`, in lowercase.
  private static func words(of text: String) -> [String] {
    let parts = text.lowered.unicodeScalars.split { scalar in
      !scalar.properties.isAlphabetic && scalar.properties.numericType == nil
    }
    return parts.map { String(String.UnicodeScalarView($0)) }
  }

  /// Returns the text with the given bytes between the quotes of a JSON string.
  private static func value(of content: [UInt8]) -> String? {
    let quote = [UInt8(ascii: "\"")]
    let bytes = quote + content + quote
    return (try? JSONValue(parsing: String(decoding: bytes, as: UTF8.self)))?.texts.first
  }

  /// Returns the forms of a removed text: escaped as in JSON (`content`), unescaped, and with
  /// doubled quotes as in CSV.
  ///
  /// For a text of fewer than 4 bytes, returns no forms, because so short a text occurs almost
  /// everywhere.
  private static func patterns(_ content: [UInt8]) -> [BytePattern] {
    guard content.count >= 4, let text = value(of: content) else { return [] }
    return [content, Array(text.utf8), Array(text.replacingBytes(of: "\"", with: "\"\"").utf8)]
      .map { BytePattern($0) }
  }

  private func hasText(_ bytes: [UInt8]) -> Bool {
    patterns.contains { $0.first(in: bytes) != nil }
  }

  /// Adds to `remains` the event's copies in other segments, and fields of any event that contain
  /// one of the texts.
  mutating func findCopies(
    in stream: EventStream, _ tornTails: [EventStream.TornTail], _ progress: ProgressLine?
  ) throws(Failure) {
    patterns = texts.flatMap { Redaction.patterns($0.content) }
    let writer = Text(writer)
    // The torn end of the own segment is set aside and overwritten.
    let ownEnd = tornTails.first { $0.path == "\(folder)/\(writer).jsonl" }?.offset ?? .max

    try stream.eachLine(progress) { segment, line in
      guard segment != writer || line.offset < ownEnd else { return }

      // A line with a backslash may contain the text in another escaped form.
      let mayHaveText = !patterns.isEmpty && line.bytes.contains(UInt8(ascii: "\\"))
      guard let event = line.id, event == id || mayHaveText || hasText(Array(line.bytes)),
        case .object(let members)? = (try? JSONValue(parsing: line.bytes))?.kind
      else { return }

      let holding = members.filter { key, value in
        guard event == id, let field = TextField(rawValue: key.string), fields.contains(field)
        else {
          return value.texts.contains { hasText(Array($0.utf8)) }
        }
        return segment != writer && value.texts.contains { !$0.isEmpty }
      }.map(\.key.string)
      if !holding.isEmpty {
        remains.append(remaining(holding, of: event, in: segment, line.number))
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
      suffix: ":\(line) still has it in \(fields.joined(separator: ", "))\(advice)")
  }

  /// Adds to `remains` other files and torn ends that contain a removed text.
  ///
  /// Returns warnings about files that can't be read.
  mutating func findFiles(_ tornTails: [EventStream.TornTail], isWritten: Bool) -> [String] {
    var warnings: [String] = []
    // Redaction overwrites the torn ends of its own segment, unless the disk refuses it.
    let segmentPath = "\(folder)/\(writer)"
    var candidates = tornTails.filter { $0.path != "\(segmentPath).jsonl" }
      .map { ($0.path, $0.offset) }
    for name in ForeignFile.names(in: folder) ?? [] where !EventStream.isSegment(name) {
      let path = "\(folder)/\(name)"
      let isOverwritten = !isWritten && path.begins(with: "\(segmentPath).torn-")
      if !isOverwritten, FileStamp(path, followsLinks: false) != nil {
        candidates.append((path, 0))
      }
    }

    for (path, start) in patterns.isEmpty ? [] : candidates {
      do throws(SystemError) {
        guard try hasText(inFileAt: path, from: start) else { continue }
        let suffix =
          path.ends(with: ".jsonl")
          ? " still has it in its torn end; the next append to that segment sets it aside"
          : " still has it; remove the file"
        remains.append(Remaining(kind: .file, path: path, suffix: suffix))
      } catch {
        warnings.append("\(error); it may still have the text")
      }
    }
    return warnings
  }

  /// Whether the bytes of a file from the offset `start` on contain one of the texts.
  private func hasText(inFileAt path: String, from start: Int) throws(SystemError) -> Bool {
    let file = try ForeignFile(path)
    var read = 0
    var window: [UInt8] = []
    while case let piece = try file.next(), !piece.isEmpty {
      // A text may begin in one piece and end in the next one.
      window = window.suffix(LineLimits.bytes) + piece.dropFirst(max(0, start - read))
      read += piece.count
      if hasText(window) { return true }
    }
    return false
  }

  func lines(isWritten: Bool) -> [String] {
    var lines = ["the event has no such text left; without it, other places cannot be searched"]
    if let event, !texts.isEmpty {
      let names = texts.map { "\($0.field.rawValue) (\(counted($0.content.count, "byte")))" }
      lines = [
        """
        \(isWritten ? "removed" : "would remove") from \(Event.shortID(event.id)), \
        \(event.payload.type.rawValue) of \(event.day): \(names.joined(separator: ", "))
        """
      ]
    }
    lines += remains.map { "  \($0.path)\($0.suffix)" }
    if isWritten {
      lines.append("backups, git, exports, reports and other devices are not searched")
    }
    return lines
  }
}

extension EventStream {
  /// Calls `body` with each line of all segments and the segment's name, and shows in `progress`
  /// how much is read.
  fileprivate func eachLine(
    _ progress: ProgressLine?, _ body: (_ segment: Text, StoredLine) -> Void
  ) throws(Failure) {
    var read = 0
    for segment in segments {
      try eachLine(of: segment) { line in
        progress?.update(.searching, read + line.offset, of: size)
        body(segment, line)
      }
      read += bytes(ofSegment: segment)
    }
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
