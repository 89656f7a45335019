import EventLog

/// The segments of a folder as they were when they were looked at, to see whether anything was written since.
struct FolderStamp: Equatable, Sendable {
  private var segments: [String: FileStamp] = [:]

  /// nil where the folder cannot be looked at now.
  init?(_ folder: String) {
    let disk = SystemDisk()
    guard let names = try? disk.names(in: folder) else { return nil }
    for name in names where EventStream.isSegment(name) {
      segments[name] = (try? disk.stamp(of: "\(folder)/\(name)")) ?? nil
    }
  }
}
