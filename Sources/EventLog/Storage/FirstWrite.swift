package import StreakDomain

/// What a program that is about to append has to know if its segment is not there yet.
package struct FirstWrite {
  /// Whether the segment is not there.
  package let isOne: Bool
  private let folder: String
  private let disk: any Disk

  /// From so many segments on, a new one needs a name that somebody gave.
  package static let mostUnnamed = 64

  /// Looks for the segment; in a folder of many segments a new one that nobody named is refused.
  ///
  /// Where a machine has no lasting name, each run may begin one, and nobody would notice.
  package init(
    of writer: String, isNamed: Bool, in folder: String, on disk: any Disk = SystemDisk()
  ) throws(Failure) {
    (self.folder, self.disk) = (folder, disk)
    isOne = (try? disk.stamp(of: "\(folder)/\(writer).jsonl")) == nil
    guard isOne, !isNamed, let names = try? disk.names(in: folder) else { return }
    let count = names.count { EventStream.isSegment($0) }
    if count >= FirstWrite.mostUnnamed {
      throw Failure(
        .badWriter,
        "the ledger has \(count) segments, and \(writer).jsonl would be another under a name that nobody gave",
        remedy: "name the one to write with STREAKS_WRITER or --writer (`streaks help files`)")
    }
  }

  /// Makes git's files once the segment is there; whatever keeps it from that, the events are recorded.
  package func makeGitFiles() {
    if isOne { try? GitFiles.write(in: folder, on: disk) }
  }
}
