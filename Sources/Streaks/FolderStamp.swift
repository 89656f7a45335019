import EventLog
import StreakDomain

/// The file stamps of a folder's segments, which show whether anything was written since they were taken.
struct FolderStamp: Equatable, Sendable {
  private var segments: [String: FileStamp] = [:]

  /// Creates the stamp of `folder`, or `nil` if its files cannot be listed.
  init?(_ folder: String, on disk: any Disk) {
    guard let names = try? disk.names(in: folder) else { return nil }
    for name in names where EventStream.isSegment(name) {
      segments[name] = (try? disk.stamp(of: "\(folder)/\(name)")) ?? nil
    }
  }

  /// Runs `body` with the folder's stamp, up to three times if it fails because the folder is changing.
  static func reading<Value>(
    _ folder: String, on disk: any Disk, _ body: (FolderStamp?) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    var attempts = 3
    while true {
      let stamp = FolderStamp(folder, on: disk)
      do throws(Failure) { return try body(stamp) } catch {
        attempts -= 1
        guard attempts > 0, FolderStamp(folder, on: disk) != stamp else { throw error }
      }
    }
  }
}

extension Failure {
  /// Whether the failure may disappear without a change of a segment: an error of the disk, not of a line.
  var mayPass: Bool { [.system, .vanished].contains(kind) }
}
