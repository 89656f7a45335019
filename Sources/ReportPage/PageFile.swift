import EventLog
package import StreakDomain

extension ReportPage {
  /// Returns whether the file at `path` is a page that `streaks report` made, or `nil` if it
  /// doesn't exist.
  package static func isPage(at path: String) throws(Failure) -> Bool? {
    do throws(SystemError) {
      let head = try ForeignFile(path).next().prefix(256)
      return BytePattern(Array(#"data-made-by="streaks report""#.utf8)).first(in: Array(head))
        != nil
    } catch {
      guard error.isNotFound else { throw .ofFile(error) }
      return nil
    }
  }

  /// Writes the file at `path`; an existing file is replaced only once the new one is on the disk.
  package static func write(
    _ page: [UInt8], to path: String, random: any RandomNumberGenerator
  ) throws(Failure) {
    var random = random
    let draft = path + "." + String(random.next(), radix: 16) + ".part"
    let disk = SystemDisk()
    do throws(SystemError) {
      let file = try File(draft, .create, on: disk)
      try file.append(page[...])
      try file.sync()
      try disk.rename(draft, to: path)
      try disk.syncFolder(FolderPath.parent(of: path))
    } catch {
      try? disk.remove(draft)
      // The error names the file that the person asked for, not the draft.
      throw .ofFile(SystemError(operation: error.operation, path: path, code: error.code))
    }
  }
}
