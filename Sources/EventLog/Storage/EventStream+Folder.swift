package import StreakDomain

extension EventStream {
  /// Whether the folder holds a ledger: any event.
  package static func exists(_ folder: String) throws(Failure) -> Bool {
    do throws(Failure) {
      try requireLedger(in: folder, on: SystemDisk())
      return true
    } catch  where error.kind == .noLedger {
      return false
    }
  }

  /// Refuses a folder without an event; nothing is read but the ends of segments, up to the first that has one.
  static func requireLedger(in folder: String, on disk: any Disk) throws(Failure) {
    let names = try names(in: folder, on: disk) ?? []
    var tails: [(Text, SegmentTail)] = []
    for name in segments(among: names) {
      let tail = try reading { () throws(SystemError) in
        let file = try File("\(folder)/\(name).jsonl", .read, on: disk)
        return try SegmentTail(file, size: file.size())
      }
      if tail.validEnd > 0 { return }
      tails.append((name, tail))
    }
    throw .noLedger(folder: folder, FolderLeftovers(names, tails))
  }

  /// The names in a folder; nil when there is no such folder.
  static func names(in folder: String, on disk: any Disk) throws(Failure) -> [String]? {
    do throws(SystemError) { return try disk.names(in: folder) } catch {
      if error.isNotFound { return nil }
      throw .system(error)
    }
  }

  /// The names of the segments among those of a folder's files, sorted.
  static func segments(among names: [String]) -> [Text] {
    names.filter(isSegment).map { Text(Substring($0.utf8.dropLast(6))) }.sorted()
  }

  /// Whether a file of this name in a ledger's folder is a segment.
  package static func isSegment(_ name: String) -> Bool {
    name.ends(with: ".jsonl") && !name.begins(with: ".")
  }
}
