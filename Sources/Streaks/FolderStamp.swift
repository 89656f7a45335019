import EventLog
import StreakDomain

/// The segments of a folder as they were when they were looked at, to see whether anything was written since.
struct FolderStamp: Equatable, Sendable {
  private var segments: [String: FileStamp] = [:]

  /// nil where the folder cannot be looked at now.
  init?(_ folder: String, on disk: any Disk) {
    guard let names = try? disk.names(in: folder) else { return nil }
    for name in names where EventStream.isSegment(name) {
      segments[name] = (try? disk.stamp(of: "\(folder)/\(name)")) ?? nil
    }
  }

  /// Reads a folder, again where somebody wrote to it, moved it or brought it back meanwhile and it could not be read.
  ///
  /// `body` is given the stamp that the folder had before.
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
  /// Whether it may be gone though no segment has changed: of a disk, not of a line.
  var mayPass: Bool { [.system, .vanished].contains(kind) }
}
