package import StreakDomain

/// The state of a folder before a write that may create a segment in it.
package struct FirstWrite {
  package let createsSegment: Bool
  private let folder: String
  private let disk: any Disk

  /// The number of segments from which on a new segment must be named explicitly.
  package static let mostUnnamed = 64

  /// Throws if there are already many segments and a new one isn't named explicitly.
  ///
  /// A machine without a permanent name could otherwise create a segment in each run.
  package init(
    of writer: String, isNamed: Bool, in folder: String, on disk: any Disk = SystemDisk()
  ) throws(Failure) {
    (self.folder, self.disk) = (folder, disk)
    createsSegment = (try? disk.stamp(of: "\(folder)/\(writer).jsonl")) == nil
    guard createsSegment, !isNamed, let names = try? disk.names(in: folder) else { return }
    let count = names.count { EventStream.isSegment($0) }
    if count >= FirstWrite.mostUnnamed {
      throw Failure(
        .badWriter,
        "the ledger has \(count) segments, and \(writer).jsonl would be another under a name that nobody gave",
        remedy: "name the one to write with STREAKS_WRITER or --writer (`streaks help files`)")
    }
  }

  /// Creates `.gitignore` and `.gitattributes` if the segment is new and they don't exist.
  ///
  /// It is called after the events are written. Errors are ignored, because the events are already recorded.
  package func makeGitFiles() {
    // Git ignores files without events, and converts no line ends in segments.
    let files = [".gitignore": ".lock\n*.torn-*\n.batch\n", ".gitattributes": "*.jsonl -text\n"]
    for (name, text) in createsSegment ? files : [:] {
      try? File("\(folder)/\(name)", .create, on: disk).append(Array(text.utf8)[...])
    }
  }
}
