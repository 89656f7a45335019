/// What git has to know of a ledger's folder, in the two files where it looks for that.
package enum GitFiles {
  /// The command that `merge=streaks` means; git takes it from no repository, so each clone must be configured.
  package static let driver = "streaks merge-file %O %A %B %P"

  /// The lines that each file needs: what is no event stays out, and no byte of a segment is changed.
  static let files = [
    (name: ".gitignore", lines: [".lock", "*.torn-*", ".batch"]),
    (name: ".gitattributes", lines: ["*.jsonl -text merge=streaks"]),
  ]

  /// Writes both files; of one that is there, only the lines that it lacks are added behind its own.
  ///
  /// Neither is brought to the disk: whatever a power failure takes of them can be written again.
  package static func write(in folder: String, on disk: any Disk = SystemDisk()) throws(SystemError) {
    for (name, lines) in files {
      let file = try File("\(folder)/\(name)", .append, on: disk)
      let bytes = try file.bytes(0..<(try file.size()))
      let known = bytes.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
      let missing = lines.filter { !known.contains(Array($0.utf8)[...]) }
      guard !missing.isEmpty else { continue }
      let gap = bytes.isEmpty || bytes.last == UInt8(ascii: "\n") ? "" : "\n"
      try file.append(Array((gap + missing.map { $0 + "\n" }.joined()).utf8)[...])
    }
  }

  /// Whether a folder is in a work tree of git.
  package static func isTracked(_ folder: String) -> Bool {
    let disk = SystemDisk()
    var folder = SystemDisk.resolved(folder)
    while true {
      // Of a further work tree, and of a submodule, it is a file that leads to the folder.
      if (try? disk.names(in: folder + "/.git")) != nil || (try? disk.stamp(of: folder + "/.git")) != nil {
        return true
      }
      let parent = FolderPath.parent(of: folder)
      guard parent != folder, parent != "." else { return false }
      folder = parent
    }
  }
}
