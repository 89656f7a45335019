package import StreakDomain

extension Failure {
  package static func noLedger(folder: String, _ leftovers: FolderLeftovers = FolderLeftovers()) -> Failure {
    Failure(
      .noLedger, "there is no ledger at \(quoted(folder))\(leftovers.says)",
      remedy: "make one with `streaks init`, or name another with --events")
  }

  package static func system(_ error: SystemError) -> Failure {
    Failure(error.isNotFound ? .vanished : .system, Sentence("\(error)"))
  }

  package static func notWritten(_ error: SystemError) -> Failure {
    Failure(.notWritten, "nothing was written: \(error)")
  }

  package static func tooManyEvents(_ count: Int) -> Failure {
    Failure(
      .refused, "a batch has at most \(BatchLines.limit) events, and this one has \(count)",
      remedy: "split it, and give every event an id")
  }

  /// Returns the failure of a write; if permissions are the reason, with the owner of `path`.
  static func notWritten(_ error: SystemError, _ path: String, on disk: any Disk) -> Failure {
    guard error.isRefused, Text(error.path) == Text(path), let owner = disk.owner(of: path) else {
      return .notWritten(error)
    }
    return Failure(
      .notWritten, "nothing was written: \(error); it belongs to \(quoted(owner))",
      remedy: path.ends(with: "/.lock")
        ? "`chmod a+r` on it lets others lock it, too" : "write another segment with --writer NAME")
  }

  package static func outcomeUnknown(_ error: SystemError) -> Failure {
    Failure(
      .outcomeUnknown, "\(error); whether the events are on the disk is unknown",
      remedy: "check with `streaks verify` and `streaks replay` before you try again with the same ids")
  }

  package static func busy(_ lock: String, seconds: Double) -> Failure {
    Failure(
      .busy, "another program has been writing for \(seconds) s (\(lock))",
      remedy: "try again, or wait longer with --wait")
  }

  package static func badWriter(_ name: String) -> Failure {
    Failure(
      .badWriter,
      "\(quoted(name)) cannot name a segment; a writer is a file name of A-Z a-z 0-9 . _ -")
  }

  static func changedPast(_ place: Place?, _ says: Sentence) -> Failure {
    Failure(
      .changedPast, says, remedy: "restore the file, or begin again after `start`", at: place)
  }

  static func unknownZone(_ zone: String) -> Failure {
    Failure(
      .doesNotFit, "\"zone\" is \(quoted(zone)), which is no known time zone\(Zones.nearest(to: zone))")
  }
}

func reading<Result>(_ body: () throws(SystemError) -> Result) throws(Failure) -> Result {
  do throws(SystemError) { return try body() } catch { throw .system(error) }
}

extension ShortSegment {
  package var says: String { "\(Escaping.visible(path)) \(finding)" }

  /// The description of a `ShortSegment` without the path, because a finding already contains it.
  package var finding: String {
    let by = "\(Escaping.visible(place.file)):\(place.line)"
    let count = counted(seen.lines, "line")
    var says: String
    switch lines {
    case nil: says = "is missing: \(by) saw \(count) of it"
    case let lines? where lines < seen.lines:
      says = "is short: \(seen.lines - lines) of the \(count) that \(by) saw are missing"
    default: says = "is another file than before: its line \(seen.lines) is not the event that \(by) saw"
    }
    if isEvicted { says += "; a sync program evicted it" }
    return says
  }
}

extension FolderLeftovers {
  package var says: String {
    var says = ""
    if !away.isEmpty { says += "; \(FolderLeftovers.files(away)) may have been evicted by a sync program" }
    if !torn.isEmpty { says += "; \(FolderLeftovers.files(torn)) contains only a torn end" }
    return says
  }

  package static func files(_ segments: [Text]) -> String {
    segments.map { Escaping.visible($0.string) + ".jsonl" }.joined(separator: ", ")
  }
}
