/// A file that is written as a whole, or not at all: what a command makes beside the log.
package enum WholeFile {
  /// The bytes of a file; nil where it cannot be read, is no regular file itself, or has more bytes than that.
  package static func read(_ path: String, upTo limit: Int, on disk: SystemDisk = SystemDisk()) -> [UInt8]? {
    guard let file = try? File(path, .read, on: disk), let size = try? file.size(), size <= limit
    else { return nil }
    return try? file.bytes(0..<size)
  }

  /// Writes a new file `draft` beside the path, with mode 0600, and puts it in the place of what was there.
  ///
  /// The draft is gone in any case. `durably` the file is brought to the disk first, and then its name.
  package static func write(
    _ bytes: [UInt8], to path: String, by draft: String, durably: Bool = true,
    on disk: SystemDisk = SystemDisk()
  ) throws(SystemError) {
    let file = try File(draft, .create, on: disk)
    do throws(SystemError) {
      try file.append(bytes[...])
      if durably { try file.sync() }
      try disk.rename(draft, to: path)
      if durably { try disk.syncFolder(FolderPath.parent(of: path)) }
    } catch {
      try? disk.remove(draft)
      throw error
    }
  }
}
