/// A file that is written as a whole, or not at all: what a command makes beside the log.
package enum WholeFile {
  /// Writes beside the path, brings it to the disk and puts it in the place of what was there; made with mode 0600.
  package static func write(_ bytes: [UInt8], to path: String) throws(SystemError) {
    let disk = SystemDisk()
    let draft = path + ".part"
    do throws(SystemError) { try disk.remove(draft) } catch  where error.isNotFound {}
    let file = try File(draft, .create, on: disk)
    try file.append(bytes[...])
    try file.sync()
    try disk.rename(draft, to: path)
  }
}
