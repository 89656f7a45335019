package import StreakDomain

extension Failure {
  package static var tooLong: Failure {
    Failure(
      .badForm, column: 1,
      """
      the line is too long; an event has at most \(LineLimits.bytes) bytes including the fields \
      that the store adds
      """,
      remedy: "keep long texts elsewhere and log where they are")
  }

  static var restSkipped: Failure {
    Failure(
      .badForm, column: 1,
      "\(LineLimits.broken) lines before this one are no events, so the rest of the file is skipped"
    )
  }

  static func missing(_ field: String, in what: String) -> Failure {
    Failure(
      .missingField, column: 1, "\(what) needs the field \(quoted(field))", detail: .field(field))
  }

  /// Returns the failure for an unknown field, or for a path such as `rule.atleast`; suggests
  /// similar names in `keys`.
  package static func unknownField(
    _ field: String, of type: EventType, at column: Int, among keys: [String],
    isStored: Bool = false
  ) -> Failure {
    let name = field.parts(at: ".").last.map { String($0) } ?? field
    let known = fieldNames[name.asciiLowercased].flatMap { keys.contains($0) ? $0 : nil }
    let only = keys.count == 1 ? keys[0] : known
    let near = only.map { Nearest.meant($0) } ?? Nearest.hint(name, among: keys)

    let isElsewhere = known == nil && Field.all.contains { $0 != .owner && $0.key == name }
    let remedy: Remedy? =
      isStored ? .skipUnknownField : type == .habitDefined ? nil : .keepUnknownField
    return Failure(
      .unknownField, column: column,
      """
      \(type.rawValue) has no field \
      \(quoted(field))\(near)\(isElsewhere ? ", which belongs elsewhere" : "")
      """
        + "; your own fields go at the top level and begin with x_",
      remedy: remedy, detail: .field(field))
  }

  /// The fields that other programs call by these names.
  private static let fieldNames = [
    "date": "day", "time": "at", "timestamp": "at", "timezone": "zone", "comment": "note",
    "duration": "minutes", "distance": "km",
  ]

  static func notIncreasing(_ recorded: Instant, after newest: Instant, in text: [UInt8]) -> Failure
  {
    let key = Array("\"recorded\"".utf8)
    return Failure(
      .recordedNotIncreasing, column: (text.firstRange(of: key)?.lowerBound ?? 0) + 1,
      """
      \"recorded\" is \(recorded), not after \(newest) of the line before; it must increase in a \
      segment
      """
    )
  }

  package static func reused(_ id: String, first: String, at place: Place, _ line: [UInt8])
    -> Failure
  {
    Failure(
      .reusedID, "the id \(quoted(id)) is already used at \(first); every event needs its own id",
      at: place,
      text: String(decoding: line, as: UTF8.self))
  }

  /// Returns this failure with the location of a line of the segment, and with a remedy if the
  /// failure has none.
  func inSegment(_ path: String, line: Int, _ text: [UInt8]) -> Failure {
    var failure = inLine(line, of: path, text)
    failure.remedy = failure.remedy ?? .restoreOrSkip
    if kind == .conflictMarker {
      failure.remedy = .keepBothSides(script: Failure.scriptKeepingBoth(of: path))
    }
    return failure
  }

  private static func scriptKeepingBoth(of path: String) -> String {
    let file = path.parts(at: "/").last.map { String($0) } ?? path
    let stem = String(Substring(file.utf8.dropLast(".jsonl".utf8.count)))
    let isPlain = Syntax.isWriter(stem)
    let name = isPlain ? file : Escaping.shell(file)
    let theirs = ":3:./\(name)"
    return Escaping.visible(
      "in its folder, keep both: "
        + """
        `git show \(theirs) > \(isPlain ? stem : Escaping.shell(stem))-$(git rev-parse --short \
        \(theirs)).jsonl`, then 
        """
        + "`git show :2:./\(name) > \(name)`, and `git add` both")
  }
}

extension Failure {
  package static func noLedger(folder: String, _ leftovers: FolderLeftovers = FolderLeftovers())
    -> Failure
  {
    Failure(
      .noLedger, "there is no ledger at \(quoted(folder))\(leftovers.says)",
      remedy: .makeLedger)
  }

  package static func system(_ error: SystemError) -> Failure {
    Failure(error.isNotFound ? .vanished : .system, Sentence("\(error)"))
  }

  /// Returns the failure for an error with a file that a person named.
  ///
  /// A folder in place of the file is a mistake of the person. Any other error comes from the
  /// system.
  package static func ofFile(_ error: SystemError) -> Failure {
    error.isFolder
      ? Failure(.usage, "\(quoted(error.path)) is a folder, not a file") : .system(error)
  }

  /// Returns the result of `body`, whose system error is thrown as a failure.
  static func converting<Result>(
    _ body: () throws(SystemError) -> Result
  ) throws(Failure) -> Result {
    do throws(SystemError) { return try body() } catch { throw .system(error) }
  }

  package static func notWritten(_ error: SystemError) -> Failure {
    Failure(.notWritten, "nothing was written: \(error)")
  }

  package static func tooManyEvents(_ count: Int) -> Failure {
    Failure(
      .refused, "a batch has at most \(BatchLines.limit) events, and this one has \(count)",
      remedy: "split it, and give every event an id")
  }

  /// Returns the failure of a write to `path`; if permissions are the reason, the message names the
  /// file's owner.
  static func notWritten(_ error: SystemError, _ path: String, on disk: any Disk) -> Failure {
    guard error.isRefused, Text(error.path) == Text(path), let owner = disk.owner(of: path) else {
      return .notWritten(error)
    }
    return Failure(
      .notWritten, "nothing was written: \(error); it belongs to \(quoted(owner))",
      remedy: path.ends(with: "/.lock")
        ? .program("`chmod a+r` on it lets others lock it, too") : .useOtherWriter)
  }

  package static func outcomeUnknown(_ error: SystemError) -> Failure {
    Failure(
      .outcomeUnknown, "\(error); whether the events are on the disk is unknown",
      remedy: .checkOutcome)
  }

  package static func busy(_ lock: String, seconds: Double) -> Failure {
    Failure(
      .busy, "another program has been writing for \(seconds) s (\(lock))",
      remedy: .retry)
  }

  package static func badWriter(_ name: String) -> Failure {
    Failure(
      .badWriter,
      "\(quoted(name)) cannot name a segment; a writer is a file name of A-Z a-z 0-9 . _ -",
      remedy: .nameOtherWriter)
  }

  static func changedPast(_ place: Place?, _ says: Sentence) -> Failure {
    Failure(.changedPast, says, remedy: .restoreForCursor, at: place)
  }

  static func unknownZone(_ zone: String) -> Failure {
    Failure(
      .doesNotFit,
      "\"zone\" is \(quoted(zone)), which is not a known time zone\(Zones.nearest(to: zone))")
  }
}
