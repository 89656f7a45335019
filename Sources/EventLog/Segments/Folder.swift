package import StreakDomain

extension EventStream {
  /// Throws if the folder contains no event.
  ///
  /// It reads only the end of each segment, and stops at the first segment with an event.
  static func requireLedger(in folder: String, on disk: any Disk) throws(Failure) {
    let names = try names(in: folder, on: disk)
    var tails: [(Text, SegmentTail)] = []
    for name in segments(among: names) {
      let tail = try Failure.converting { () throws(SystemError) in
        let file = try File("\(folder)/\(name).jsonl", .read, on: disk)
        return try SegmentTail(file, size: file.size())
      }
      if tail.validEnd > 0 { return }
      tails.append((name, tail))
    }
    throw .noLedger(folder: folder, FolderLeftovers(names, tails))
  }

  /// Returns the names of all files in a folder, or an empty array if the folder doesn't exist.
  static func names(in folder: String, on disk: any Disk) throws(Failure) -> [String] {
    do throws(SystemError) { return try disk.names(in: folder) } catch {
      if error.isNotFound { return [] }
      throw .system(error)
    }
  }

  static func segments(among names: [String]) -> [Text] {
    names.filter(isSegment).map { Text(Substring($0.utf8.dropLast(6))) }.sorted()
  }

  package static func isSegment(_ name: String) -> Bool {
    name.ends(with: ".jsonl") && !name.begins(with: ".")
  }
}

/// The files of a folder that contain no events.
package struct FolderLeftovers: Equatable, Sendable {
  /// The segments that a sync program evicted, which left a placeholder such as
  /// `.phone.jsonl.icloud`.
  package private(set) var evicted: [Text] = []
  /// The empty segments; a sync program may have evicted them without a placeholder.
  package private(set) var empty: [Text] = []
  /// The segments that contain only a torn end.
  package private(set) var torn: [Text] = []

  package init() {}

  package var away: [Text] { evicted + empty }

  init(_ names: [String], _ segments: [(name: Text, tail: SegmentTail)]) {
    for name in names where name.begins(with: ".") && name.ends(with: FolderLeftovers.placeholder) {
      let segment = Text(
        Substring(name.utf8.dropFirst().dropLast(FolderLeftovers.placeholder.utf8.count)))
      if !segments.contains(where: { $0.name == segment }) { evicted.append(segment) }
    }
    for (name, tail) in segments where tail.validEnd == 0 {
      if tail.size == 0 { empty.append(name) } else { torn.append(name) }
    }
    evicted.sort()
  }

  private static let placeholder = ".jsonl.icloud"
}

extension EventStream {
  /// Throws if there is no event but an empty or evicted segment, unless `isForced` is true.
  package func requireNoEvictedSegments(isForced: Bool) throws(Failure) {
    guard size == 0, !isForced, !leftovers.away.isEmpty else { return }
    throw Failure(
      .system,
      """
      \(FolderLeftovers.files(leftovers.away)) in \(quoted(folder)) may have been evicted by a \
      sync program
      """,
      remedy: .restoreOrBegin)
  }
}

extension FolderLeftovers {
  /// The sentence parts about these files in the failure for a folder without a ledger.
  package var says: String {
    var parts = ""
    if !away.isEmpty {
      parts += "; \(FolderLeftovers.files(away)) may have been evicted by a sync program"
    }
    if !torn.isEmpty {
      parts +=
        """
        ; \(FolderLeftovers.files(torn)) contains only a torn end, so restore a backup if you have \
        one
        """
    }
    return parts
  }

  package static func files(_ segments: [Text]) -> String {
    segments.map { Escaping.visible($0.string) + ".jsonl" }.joined(separator: ", ")
  }
}
