package import StreakDomain

/// The files of a folder that contain no events.
package struct FolderLeftovers: Equatable, Sendable {
  /// The segments that a sync program evicted, leaving a placeholder.
  package private(set) var evicted: [Text] = []
  /// The segments without content, which may also have been evicted.
  package private(set) var empty: [Text] = []
  /// The segments that contain only a torn end.
  package private(set) var torn: [Text] = []

  package init() {}

  package var away: [Text] { evicted + empty }

  init(_ names: [String], _ segments: [(name: Text, tail: SegmentTail)]) {
    for name in names where name.begins(with: ".") && name.ends(with: FolderLeftovers.placeholder) {
      let segment = Text(Substring(name.utf8.dropFirst().dropLast(FolderLeftovers.placeholder.utf8.count)))
      if !segments.contains(where: { $0.name == segment }) { evicted.append(segment) }
    }
    for (name, tail) in segments where tail.validEnd == 0 {
      if tail.size == 0 { empty.append(name) } else { torn.append(name) }
    }
    evicted.sort()
  }

  /// The ending of iCloud's placeholders, whose names begin with a dot.
  private static let placeholder = ".jsonl.icloud"
}

extension EventStream {
  /// Throws if a new ledger is about to be created although an older one may have been evicted.
  package func requireNothingAway(isForced: Bool) throws(Failure) {
    guard size == 0, !isForced, !leftovers.away.isEmpty else { return }
    throw Failure(
      .system,
      "\(FolderLeftovers.files(leftovers.away)) in \(quoted(folder)) may have been evicted by a sync program",
      remedy: "bring the files back, or begin a new ledger there with --force")
  }
}
