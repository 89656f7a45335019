package enum GitFiles {
  /// The lines of each file: git ignores files without events, and converts no line ends in segments.
  static let files = [
    (name: ".gitignore", lines: [".lock", "*.torn-*", ".batch"]),
    (name: ".gitattributes", lines: ["*.jsonl -text"]),
  ]

  /// Creates the files that don't exist yet; they aren't synced, because they can be created again.
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

  package static func isTracked(_ folder: String) -> Bool {
    let disk = SystemDisk()
    var folder = SystemDisk.resolved(folder)
    while true {
      // In an additional work tree or a submodule, `.git` is a file.
      if (try? disk.names(in: folder + "/.git")) != nil || (try? disk.stamp(of: folder + "/.git")) != nil {
        return true
      }
      let parent = FolderPath.parent(of: folder)
      guard parent != folder, parent != "." else { return false }
      folder = parent
    }
  }
}
