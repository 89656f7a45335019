package import StreakDomain

package enum LineLimits {
  package static let bytes = 65_536
  package static let depth = 16
}

extension Failure {
  package static var tooLong: Failure {
    Failure(
      .badForm, column: 1,
      "the line is too long; an event has at most \(LineLimits.bytes) bytes including the fields that the store adds",
      remedy: "keep long texts elsewhere and log where they are")
  }

  static func missing(_ field: String, in what: String) -> Failure {
    Failure(.missingField, column: 1, "\(what) needs the field \(quoted(field))", detail: .field(field))
  }

  /// Returns the failure for an unknown field, possibly a path; a single `known` field is suggested.
  package static func unknownField(
    _ field: String, of type: EventType, at column: Int, known: [String], isStored: Bool = false
  ) -> Failure {
    let name = field.parts(at: ".").last.map { String($0) } ?? field
    let meant = known.count == 1 ? known[0] : meanings[name].flatMap { known.contains($0) ? $0 : nil }
    let near =
      meant.map { Nearest.meant($0) } ?? Nearest.hint(name, among: known)
    let isElsewhere = Field.all.contains { $0 != .owner && $0.key == name }
    let remedy =
      isStored
      ? "if a newer program wrote it, update this one, or use --skip-unknown"
      : type == .habitDefined ? nil : "--lenient keeps others"
    return Failure(
      .unknownField, column: column,
      "\(type.rawValue) has no field \(quoted(field))\(near)\(isElsewhere ? ", which belongs elsewhere" : "")"
        + "; your own fields go at the top level and begin with x_",
      remedy: remedy, detail: .field(field))
  }

  /// Names that other programs use for a field, and that differ too much for the search of misspellings.
  private static let meanings = [
    "date": "day", "time": "at", "timestamp": "at", "duration": "minutes", "distance": "km",
    "comment": "note",
  ]

  static func notIncreasing(_ recorded: Instant, after newest: Instant, in text: [UInt8]) -> Failure {
    let key = Array("\"recorded\"".utf8)
    return Failure(
      .recordedNotIncreasing, column: (text.firstRange(of: key)?.lowerBound ?? 0) + 1,
      "\"recorded\" is \(recorded), not after \(newest) of the line before; it must increase in a segment")
  }

  package static func reused(_ id: String, first: String, at place: Place, _ line: [UInt8]) -> Failure {
    Failure(
      .reusedID, "the id \(quoted(id)) is already used at \(first); every event needs its own id", at: place,
      text: String(decoding: line, as: UTF8.self))
  }

  /// Returns the failure at a line of a segment, with advice if git left a conflict marker there.
  func inSegment(_ path: String, line: Int, _ text: [UInt8]) -> Failure {
    var failure = inLine(line, of: path, text)
    if kind == .conflictMarker { failure.remedy = Failure.keepingBoth(of: path) }
    return failure
  }

  private static func keepingBoth(of path: String) -> String {
    let file = path.parts(at: "/").last.map { String($0) } ?? path
    let stem = String(Substring(file.utf8.dropLast(".jsonl".utf8.count)))
    let isPlain = Forms.isWriter(stem)
    let name = isPlain ? file : Escaping.shell(file)
    let theirs = ":3:./\(name)"
    return Escaping.visible(
      "in its folder, keep both: "
        + "`git show \(theirs) > \(isPlain ? stem : Escaping.shell(stem))-$(git rev-parse --short \(theirs)).jsonl`, then "
        + "`git show :2:./\(name) > \(name)`, and `git add` both")
  }
}
