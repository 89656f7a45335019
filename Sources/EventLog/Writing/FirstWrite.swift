package import StreakDomain

/// The state of a ledger's folder before a write, which may create the writer's segment.
package struct FirstWrite {
  /// Whether the writer's segment doesn't exist yet.
  package let createsSegment: Bool
  private let folder: String
  private let disk: any Disk

  /// From this number of segments on, a new one needs a name from `--writer` or `STREAKS_WRITER`.
  package static let mostUnnamed = 64

  /// Creates the state of `folder`.
  ///
  /// Throws if the segment is new and its name has capitals, because some file systems ignore case.
  /// Also throws if the segment is new, `isNamed` is false, and there are too many segments. A
  /// machine without a permanent name, such as a container, could otherwise create a segment in
  /// each run.
  package init(
    of writer: String, isNamed: Bool, in folder: String, on disk: any Disk = SystemDisk()
  ) throws(Failure) {
    self.folder = folder
    self.disk = disk
    createsSegment = (try? disk.stamp(of: "\(folder)/\(writer).jsonl")) == nil

    let small = writer.asciiLowercased
    guard !createsSegment || !Syntax.isWriter(writer) || writer == small else {
      throw Failure(
        .badWriter,
        "\(quoted(writer)) cannot name a new segment, which needs small letters"
          + Nearest.meant(small))
    }

    guard createsSegment, !isNamed, let names = try? disk.names(in: folder) else { return }
    let count = names.count { EventStream.isSegment($0) }
    if count >= FirstWrite.mostUnnamed {
      throw Failure(
        .badWriter,
        """
        the ledger has \(count) segments, and \(writer).jsonl would be another under a name that \
        nobody gave
        """,
        remedy: .nameWriter)
    }
  }

  /// Creates `.gitignore` and `.gitattributes` if the segment is new; ignores errors, because the
  /// write succeeded.
  package func makeGitFiles() {
    // Git should ignore the files without events, and convert no line ends in segments.
    let files = [".gitignore": ".lock\n*.torn-*\n.batch\n", ".gitattributes": "*.jsonl -text\n"]
    for (name, text) in createsSegment ? files : [:] {
      try? File("\(folder)/\(name)", .create, on: disk).append(Array(text.utf8)[...])
    }
  }
}
