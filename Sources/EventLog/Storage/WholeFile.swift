/// A file that is written as a whole, or not at all: what a command makes beside the log.
package enum WholeFile {
  /// Writes a new file `draft` beside the path, with mode 0600, and puts it in the place of what was there.
  ///
  /// The draft is gone in any case. The file is brought to the disk first, and then its name.
  package static func write(
    _ bytes: [UInt8], to path: String, by draft: String, on disk: SystemDisk = SystemDisk()
  ) throws(SystemError) {
    let file = try File(draft, .create, on: disk)
    do throws(SystemError) {
      try file.append(bytes[...])
      try file.sync()
      try disk.rename(draft, to: path)
      try disk.syncFolder(FolderPath.parent(of: path))
    } catch {
      try? disk.remove(draft)
      throw error
    }
  }
}
