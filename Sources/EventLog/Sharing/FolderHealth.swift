package import StreakDomain

/// The damage in a ledger's folder.
///
/// Damage is a torn end, a line that can't be read, an id that two events have, or a segment that
/// is short, missing or evicted. Each kind of damage is described here once. Commands and the
/// library warn about it in one line with the file's path. `verify` lists it as a finding, which
/// has the segment's name and line in fields of its own.
package struct FolderHealth: Sendable {
  package let shortSegments: [ShortSegment]
  /// The evicted segments that aren't among `shortSegments`, because nobody has seen their lines.
  package let evictedSegments: [EvictedSegment]
  /// The first few lines that were skipped; `skippedCount` counts all of them.
  package let skippedLines: [SkippedLine]
  package let skippedCount: Int
  package let tornTails: [EventStream.TornTail]
  /// The reused ids that no `segment.dropped` accepts.
  private let reusedIDs: [ReusedID]
  /// The location of the event that counts instead of the first of `reusedIDs`.
  private let countedPlace: Place?

  private let folder: String

  /// Creates the health of the folder, according to the events that `stream` has read so far.
  package init(of stream: EventStream) throws(Failure) {
    folder = stream.folder
    tornTails = stream.tornTails
    skippedLines = stream.skipped
    skippedCount = stream.skippedCount

    let accepted = stream.droppedLines
    reusedIDs = stream.reusedIDs.filter { $0.line > accepted[$0.segment] ?? 0 }
    countedPlace =
      if let first = reusedIDs.first { try stream.place(at: first.position) } else { nil }

    let short = try stream.shortSegments()
    shortSegments = short
    let shortNames = Set(short.map(\.name))
    evictedSegments = stream.leftovers.evicted.filter { !shortNames.contains($0) }
      .map { EvictedSegment(name: $0) }
  }

  /// The warnings about the damage, one a line: the first ten, and the number of the others.
  package var warnings: [Sentence] {
    let all =
      tornTails.map(\.warning) + [skippedWarning, reusedIDWarning].compactMap(\.self)
      + shortSegments.map(\.warning) + evictedSegments.map { $0.warning(in: folder) }
    let rest = all.count - FolderHealth.mostWarnings
    guard rest > 0 else { return all }
    return all.prefix(FolderHealth.mostWarnings)
      + ["and \(rest) more of such files\(program: "; `streaks verify` lists them")"]
  }

  private static let mostWarnings = 10

  private var skippedWarning: Sentence? {
    guard let place = skippedLines.first?.failure.place else { return nil }
    let lines =
      counted(skippedCount, "line") + (skippedCount == 1 ? "" : ", the first")
    return "skipped \(lines) at \(place)"
  }

  private var reusedIDWarning: Sentence? {
    guard let first = reusedIDs.first, let countedPlace else { return nil }
    let line = Escaping.visible("\(folder)/\(first.segment).jsonl:\(first.line)")
    let owner = ReusedID.owner(Escaping.visible(countedPlace.file), countedPlace.line)
    let more = reusedIDs.count > 1 ? "; so it is for \(reusedIDs.count - 1) more" : ""
    return """
      \(line): the id \(quoted(first.id)) belongs to \(owner)\(more)\
      \(program: "; see `streaks verify`")
      """
  }
}

extension ReusedID {
  /// Returns the text of the finding about an event whose id an earlier event has.
  ///
  /// The earlier event, at `place`, counts. `isNew` is true if earlier heads cover only the event
  /// that doesn't count.
  package static func finding(countedAt place: Place, isNew: Bool) -> String {
    let lines = "has the id of \(owner(place.file, place.line)); this one does not"
    return isNew
      ? "\(lines), although only this one is in the heads: look who wrote line \(place.line) of "
        + place.file
      : "\(lines): look who wrote both, and record what is true but does not count with another id"
  }

  fileprivate static func owner(_ file: String, _ line: Int) -> String {
    "another event, at \(file):\(line), which comes first and counts"
  }
}

extension EventStream {
  /// An incomplete batch at the end of a segment that a crash left, and that readers skip.
  package struct TornTail: Sendable {
    package let path: String
    package let offset: Int
    package let bytes: Int
    /// Whether the segment has a name that a writer can have, unlike a copy such as `phone
    /// (1).jsonl`.
    package let isOfWriter: Bool

    fileprivate var warning: Sentence {
      let advice =
        isOfWriter ? "the next append to that segment sets them aside" : TornTail.copyAdvice
      return "\(Escaping.visible(path)): \(part) and are skipped; \(advice)"
    }

    package var finding: String { isOfWriter ? part : "\(part); \(TornTail.copyAdvice)" }

    private var part: String {
      "the last \(bytes) bytes, from byte \(offset), are an incomplete line or batch"
    }

    private static let copyAdvice =
      "no device writes this file, so remove it if it is a copy of a segment here"
  }
}

/// A segment that a sync program removed from this computer, leaving a placeholder.
package struct EvictedSegment: Sendable {
  package let name: Text

  fileprivate func warning(in folder: String) -> Sentence {
    "\(Escaping.visible("\(folder)/\(name)")).jsonl \(finding)"
  }

  package var finding: String { "was evicted by a sync program; bring it back" }
}

/// A segment that is missing, or that lacks lines that another writer saw.
package struct ShortSegment: Equatable, Sendable {
  package let path: String
  package let seen: SeenSegment
  package let event: String
  package let place: Place
  /// The current number of lines in the segment, or `nil` if the segment is missing.
  package let lines: Int?
  package let isEvicted: Bool

  package var name: Text { seen.segment }

  /// The description of what is missing or was changed, as a sentence about the segment's file.
  package var says: String { "\(Escaping.visible(path)) \(loss)" }

  fileprivate var warning: Sentence {
    let accept = ", or accept it with `streaks verify --accept \(Escaping.visible(name))`"
    return "\(says); bring it back\(program: accept)"
  }

  package var finding: String {
    "\(loss); bring it back, or accept the loss with `streaks verify --accept \(name)`"
  }

  private var loss: String {
    let reader = "\(Escaping.visible(place.file)):\(place.line)"
    let count = counted(seen.lines, "line")
    let loss =
      switch lines {
      case nil: "is missing: \(reader) saw \(count) of it"
      case let lines? where lines < seen.lines:
        "is short: \(seen.lines - lines) of the \(count) that \(reader) saw are missing"
      default:
        "was replaced or changed: its line \(seen.lines) is not the event that \(reader) saw"
      }
    return loss + (isEvicted ? "; a sync program may have evicted it" : "")
  }
}
