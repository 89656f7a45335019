package import StreakDomain

extension LineProblem {
  /// The names under which docs/errors.md explains the problems.
  package enum Name: String, CaseIterable, Sendable {
    case notUTF8 = "not-utf8"
    case notJSON = "not-json"
    case conflictMarker = "conflict-marker"
    case blankLine = "blank-line"
    case tooLong = "too-long"
    case tooDeep = "too-deep"
    case duplicateKey = "duplicate-key"
    case missingField = "missing-field"
    case wrongType = "wrong-type"
    case badForm = "bad-form"
    case outOfRange = "out-of-range"
    case unknownField = "unknown-field"
    case unknownType = "unknown-type"
    case newerVersion = "newer-version"
    case badDefinition = "bad-definition"
    case recordedNotIncreasing = "recorded-not-increasing"
    case reusedID = "reused-id"
  }

  package var name: Name {
    switch self {
    case .notUTF8: .notUTF8
    case .notJSON: .notJSON
    case .conflictMarker: .conflictMarker
    case .blankLine: .blankLine
    case .tooLong: .tooLong
    case .tooDeep: .tooDeep
    case .duplicateKey: .duplicateKey
    case .missingField: .missingField
    case .wrongType: .wrongType
    case .badForm: .badForm
    case .outOfRange: .outOfRange
    case .unknownField: .unknownField
    case .unknownType: .unknownType
    case .newerVersion: .newerVersion
    case .badDefinition: .badDefinition
    case .recordedNotIncreasing: .recordedNotIncreasing
    case .reusedID: .reusedID
    }
  }

  /// What is wrong and what to do, in one sentence or two.
  package var sentence: String {
    switch self {
    case .notUTF8: "the line is not valid UTF-8"
    case .notJSON(let expected): "not valid JSON: expected \(expected)"
    case .conflictMarker: "git left a conflict here because two machines wrote this segment"
    case .blankLine: "an empty line; each line must contain one event"
    case .tooLong:
      "the line is too long; an event has at most \(LineLimits.bytes) bytes including the fields that the store adds"
    case .tooDeep: "nested deeper than \(LineLimits.depth) levels"
    case .duplicateKey(let key): "duplicate key \(quoted(key))"
    case .missingField(let field, let type): "\(type) needs the field \(quoted(field))"
    case .wrongType(let field, let expected, let found):
      "\(quoted(field)) must be \(expected), not \(found)"
    case .badForm(let field, let value, let form): "\(quoted(field)) is \(quoted(value)); it must be \(form)"
    case .outOfRange(let field, let value, let range): "\(quoted(field)) is \(value); it must be \(range)"
    case .unknownField(let field, let type, let known, let isStored):
      LineProblem.unknown(field, type, known)
        + (isStored ? "; if a newer program wrote it, update this one, or use --skip-unknown" : "")
        + (isStored || type == .habitDefined ? "" : ", and --lenient keeps others")
    case .unknownType(let type):
      "unknown event type \(quoted(type))"
        + Nearest.hint(type, among: EventType.allCases.map(\.rawValue))
        + "; --skip-unknown skips such events"
    case .newerVersion(let type, let version):
      "\(type) has version \(version), and this program knows version 1; update it, or use --skip-unknown"
    case .badDefinition(let field, let reason): "\(quoted(field)) \(reason)"
    case .recordedNotIncreasing(let recorded, let previous):
      "\"recorded\" is \(recorded), not after \(previous) of the line before; it must increase in a segment"
    case .reusedID(let id, let first):
      "the id \(quoted(id)) is already used at \(first); every event needs its own id"
    }
  }
}

extension LineProblem {
  /// What is wrong with a line of a file, with the commands that mend it.
  package func sentence(in path: String) -> String {
    guard case .conflictMarker = self else { return sentence }
    let file = path.parts(at: "/").last.map { String($0) } ?? path
    let stem = String(Substring(file.utf8.dropLast(".jsonl".utf8.count)))
    let isPlain = Forms.isWriter(stem)
    let name = isPlain ? file : Escaping.shell(file)
    let theirs = ":3:./\(name)"
    return Escaping.visible(
      "\(sentence); in its folder, keep both: "
        + "`git show \(theirs) > \(isPlain ? stem : Escaping.shell(stem))-$(git rev-parse --short \(theirs)).jsonl`, then "
        + "`git show :2:./\(name) > \(name)`, and `git add` both")
  }
}

extension LineProblem {
  /// What is wrong with a field that its event does not have, and what would be right.
  package static func unknown(_ field: String, _ type: EventType, _ known: [String]) -> String {
    let name = field.parts(at: ".").last.map { String($0) } ?? field
    // Where only one is named, that is the one.
    let meant = known.count == 1 ? known[0] : meanings[name].flatMap { known.has($0) ? $0 : nil }
    return "\(type.rawValue) has no field \(quoted(field))"
      + (meant.map { " (did you mean \(quoted($0))?)" } ?? Nearest.hint(name, among: known))
      + (Field.all.contains { $0.key.spelling == name.spelling } ? ", which belongs elsewhere" : "")
      + "; your own fields go at the top level and begin with x_"
  }

  /// Words that other programs have for a field, too far from its name to be found by their letters.
  private static let meanings = [
    "date": "day", "time": "at", "timestamp": "at", "duration": "minutes", "distance": "km",
    "comment": "note",
  ]
}

/// Text in quotes, with control characters escaped and long text cut.
package func quoted(_ text: String) -> String {
  let shown = text.unicodeScalars.prefix(80)
  return "\"" + Escaping.visible(String(shown)) + (shown.endIndex < text.endIndex ? "…\"" : "\"")
}

package enum LineLimits {
  package static let bytes = 65_536
  package static let depth = 16
}

extension LineProblem {
  /// The sentence without what only a command line can do, for servers and apps.
  package var plainSentence: String {
    switch self {
    case .conflictMarker: "a conflict marker of git, where an event was to be"
    case .unknownField(let field, let type, let known, _): LineProblem.unknown(field, type, known)
    case .unknownType(let type):
      "unknown event type \(quoted(type))" + Nearest.hint(type, among: EventType.allCases.map(\.rawValue))
    case .newerVersion(let type, let version):
      "\(type) has version \(version), and only version 1 is known here; update this program"
    default: sentence
    }
  }
}
