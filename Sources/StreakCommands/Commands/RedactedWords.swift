import EventLog
import StreakDomain

/// The texts of a redaction, used to search for other occurrences.
///
/// Texts shorter than 4 bytes are ignored because they occur everywhere.
struct RedactedWords {
  private let words: [[UInt8]]
  /// The texts as they are escaped in lines.
  private let written: [BytePattern]
  private let taken: [String: Set<TextField>]

  init(_ events: [(event: Event, texts: [RedactionPlan.Taken])]) {
    let contents = events.flatMap(\.texts).map(\.content).filter { $0.count >= 4 }
    words = contents.map { Array((RedactedWords.text($0) ?? "").utf8) }.filter { !$0.isEmpty }
    written = contents.map { BytePattern($0) }
    taken = Dictionary(
      events.map { ($0.event.id, Set($0.texts.map(\.redacted.field))) },
      uniquingKeysWith: { $0.union($1) })
  }

  var isEmpty: Bool { words.isEmpty }

  /// Whether a line can contain one of the texts: literally, or because it contains an escape.
  func mayBe(in line: [UInt8]) -> Bool {
    line.contains(UInt8(ascii: "\\")) || written.contains { $0.first(in: line) != nil }
  }

  /// Returns the fields of a line that contain one of the texts, except the redacted ones.
  func fields(of line: TextLine) -> [Text] {
    let taken = taken[line.event.id] ?? []
    var fields: [Text] = []
    for text in line.texts where !taken.contains(text.field) {
      if RedactedWords.text(line.content(of: text)).map(has) ?? false {
        fields.append(Text(text.field.rawValue))
      }
    }
    for (field, value) in line.event.fieldsOfAPerson where has(value) { fields.append(field) }
    return fields
  }

  func has(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    return words.contains { BytePattern($0).first(in: bytes) != nil }
  }

  private static func text(_ written: [UInt8]) -> String? {
    let quoted = "\"" + String(decoding: written, as: UTF8.self) + "\""
    guard let value = try? JSONValue(parsing: quoted), case .string(let text) = value.kind else { return nil }
    return text
  }
}

extension Event {
  /// The fields with personal texts that can't be redacted.
  var fieldsOfAPerson: [(field: Text, says: String)] {
    var fields: [(Text, Text?)] = [("by", by)]
    switch payload {
    case .entryLogged(let entry): fields += [("activity", entry.activity), ("level", entry.level)]
    case .habitDefined(let definition): fields += [("icon", definition.icon), ("group", definition.group)]
    default: break
    }
    let known = fields.compactMap { field, says in says.map { (field, $0.string) } }
    return known
      + unknown.map { ($0.key, (try? JSONValue(parsing: $0.json.string))?.words ?? $0.json.string) }
  }
}

extension JSONValue {
  fileprivate var words: String {
    switch kind {
    case .string(let text): text
    case .array(let items): items.map(\.words).joined(separator: "\n")
    case .object(let members): members.map { "\($0.key)\n\($0.value.words)" }.joined(separator: "\n")
    default: json
    }
  }
}
