/// What git has to know of a ledger's folder, in the two files where it looks for that.
package enum GitFiles {
  /// The lines that each file needs: what is no event stays out, and no byte of a segment is changed.
  static let files = [
    (name: ".gitignore", lines: [".lock", "*.torn-*", ".batch"]),
    (name: ".gitattributes", lines: ["*.jsonl -text"]),
  ]

  /// Writes both files; one that is there is a person's own and stays as it is.
  ///
  /// Neither is brought to the disk: whatever a power failure takes of them can be written again.
  package static func write(in folder: String, on disk: any Disk = SystemDisk()) throws(SystemError) {
    for (name, lines) in files {
      let file: File
      do throws(SystemError) { file = try File("\(folder)/\(name)", .create, on: disk) } catch {
        if error.isExisting { continue }
        throw error
      }
      try file.append(Array(lines.map { $0 + "\n" }.joined().utf8)[...])
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
