package import EventLog
import Synchronization

/// A disk that doesn't answer until the test releases it.
package final class StuckDisk: Disk {
  package init() {}

  private let disk = SystemDisk()
  private let isStuck = Mutex(true)
  private let asked = Mutex(0)

  package func isAsked() async { while asked.withLock({ $0 }) < 2 { await Task.yield() } }
  package func letGo() { isStuck.withLock { $0 = false } }

  package func names(in folder: String) throws(SystemError) -> [String] {
    asked.withLock { $0 += 1 }
    while isStuck.withLock({ $0 }) { disk.pause(microseconds: 1000) }
    return try disk.names(in: folder)
  }
  package func open(_ path: String, _ mode: FileMode) throws(SystemError) -> any DiskFile {
    try disk.open(path, mode)
  }
  package func stamp(of path: String) throws(SystemError) -> FileStamp? { try disk.stamp(of: path) }
  package func makeFolder(_ path: String) throws(SystemError) { try disk.makeFolder(path) }
  package func syncFolder(_ path: String) throws(SystemError) { try disk.syncFolder(path) }
  package func remove(_ path: String) throws(SystemError) { try disk.remove(path) }
  package func rename(_ path: String, to target: String) throws(SystemError) {
    try disk.rename(path, to: target)
  }
  package func pause(microseconds: UInt32) { disk.pause(microseconds: microseconds) }
}
