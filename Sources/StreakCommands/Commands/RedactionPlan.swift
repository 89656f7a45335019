import EventLog
import StreakDomain

struct RedactionPlan {
  struct Taken {
    let redacted: RedactedText
    let range: RedactedRange
    let content: [UInt8]
  }

  struct Remaining {
    enum Kind: String {
      case segment, file, git
    }

    let kind: Kind
    let path: String
    var line: (number: Int, event: String, fields: [Text], segment: Text)?
  }

  private(set) var events: [(event: Event, texts: [Taken])] = []
  private(set) var remains: [Remaining] = []
  /// The number of events found in the segment with the requested id.
  private(set) var matches = 0
  private(set) var known: Set<TextField> = []
  /// Whether the requested text is the reserved reason `zone`, which the program itself uses.
  private(set) var isZone = false

  var ranges: [RedactedRange] { events.flatMap { $0.texts.map(\.range) } }

  mutating func take(_ line: TextLine, _ fields: Set<TextField>?) {
    matches += 1
    var texts: [Taken] = []
    for text in line.texts where fields?.contains(text.field) ?? true {
      if case .daysExcused(_, _, _, "zone") = line.event.payload {
        isZone = true
        continue
      }
      guard !text.range.isEmpty else { continue }
      texts.append(
        Taken(
          redacted: line.redacted(text), range: RedactedRange(text, ofLineAt: line.offset),
          content: line.content(of: text)))
    }
    known.formUnion(line.texts.filter { !$0.range.isEmpty || $0.isTakenOut }.map(\.field))
    if !texts.isEmpty { events.append((line.event, texts)) }
  }

  mutating func find(_ line: TextLine, _ fields: Set<TextField>?, in segment: Text, _ path: String) {
    let found = line.texts.filter { !$0.range.isEmpty && fields?.contains($0.field) ?? true }
    if case .daysExcused(_, _, _, "zone") = line.event.payload { return }
    add(found.map { Text($0.field.rawValue) }, of: line, in: segment, path)
  }

  mutating func add(_ fields: [Text], of line: TextLine, in segment: Text, _ path: String) {
    let known = remains.firstIndex {
      Text($0.path) == Text(path) && $0.line?.number == line.number
    }
    guard let known, let found = remains[known].line else {
      guard !fields.isEmpty else { return }
      return remains.append(
        Remaining(kind: .segment, path: path, line: (line.number, line.event.id, fields, segment)))
    }
    remains[known].line?.fields += fields.filter { !found.fields.contains($0) }
  }

  var longContents: [[UInt8]] { events.flatMap(\.texts).map(\.content).filter { $0.count >= 4 } }

  mutating func findFiles(in folder: String) throws(Failure) {
    // Other files contain the text unescaped, CSV files with doubled quotes.
    let contents = longContents.flatMap { content -> [[UInt8]] in
      let quote = [UInt8(ascii: "\"")]
      guard let value = try? JSONValue(parsing: String(decoding: quote + content + quote, as: UTF8.self)),
        case .string(let text) = value.kind, !text.utf8.elementsEqual(content)
      else { return [content] }
      return [content, Array(text.utf8), Array(text.replacingBytes(of: "\"", with: "\"\"").utf8)]
    }
    if !contents.isEmpty {
      for path in try FileSearch.files(in: folder) where try FileSearch.holds(path, anyOf: contents) {
        remains.append(Remaining(kind: .file, path: path))
      }
    }
    if GitFiles.isTracked(folder) { remains.append(Remaining(kind: .git, path: folder)) }
  }
}

extension RedactionPlan {
  func document(_ results: AppendResults?) -> JSON {
    .object([
      "format": .whole(1),
      "redacted": .list(
        events.map { event, texts in
          .object([
            "event": .text(event.id), "fields": .texts(texts.map(\.redacted.field.rawValue)),
            "bytes": .whole(texts.reduce(0) { $0 + $1.content.count }),
          ])
        }),
      "results": .list((results ?? AppendResults()).map(\.json)),
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
    ])
  }

  func lines(isWritten: Bool) -> [String] {
    let count = events.reduce(0) { $0 + $1.texts.count }
    var lines: [String] = []
    let verb = isWritten ? "took" : "would take"
    switch events.count {
    case 0: lines.append("nothing is left to take out")
    case 1:
      let texts = events[0].texts.map {
        "\($0.redacted.field.rawValue) (\(counted($0.content.count, "byte")))"
      }
      lines.append(
        "\(verb) out of \(Event.shortID(events[0].event.id)), \(events[0].event.payload.type.rawValue) of "
          + "\(events[0].event.day): \(texts.joined(separator: ", "))")
    default: lines.append("\(verb) \(counted(count, "text")) out of \(counted(events.count, "event"))")
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

extension RedactionPlan.Remaining {
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
        "\(place); `streaks redact \(Event.shortID(event)) --writer \(segment)` takes it out\(stays)"
    case .file: return "\(path) still has it; remove the file"
    case .git: return "\(path) is in a git repository, whose earlier commits may have it"
    }
  }
}
