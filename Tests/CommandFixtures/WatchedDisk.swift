package import EventLog
import Foundation
import Synchronization

/// The machine's disk with counters of its calls, a limit for each read, and hooks before syncs and
/// listings.
package final class WatchedDisk: Disk {
  package struct Tally: Sendable {
    package var opens = 0
    package var open = 0
    package var mostOpen = 0
    package var reads = 0
    package var bytesRead = 0
    /// The most bytes that were asked for at once.
    package var longestRead = 0
    package var writes = 0
    package var listings = 0
  }

  private let disk: any Disk
  private let readOnly: String?
  private let owner: String?
  fileprivate let mostRead: Int
  private let beforeSync: @Sendable () -> Void
  private let beforeListing: @Sendable () -> Void
  private let counts = Mutex(Tally())

  package init(
    _ disk: any Disk = SystemDisk(), readOnly: String? = nil, owner: String? = nil,
    mostRead: Int = .max,
    beforeSync: @escaping @Sendable () -> Void = {},
    beforeListing: @escaping @Sendable () -> Void = {}
  ) {
    self.disk = disk
    self.readOnly = readOnly
    self.owner = owner
    self.mostRead = mostRead
    self.beforeSync = beforeSync
    self.beforeListing = beforeListing
  }

  package var tally: Tally { counts.withLock { $0 } }

  fileprivate func count(_ change: (inout Tally) -> Void) { counts.withLock { change(&$0) } }

  package func open(_ path: String, _ mode: FileMode) throws(SystemError) -> any DiskFile {
    if mode != .read, let readOnly, path.hasSuffix(readOnly) {
      throw SystemError(operation: "open", path: path, code: EACCES)
    }
    let file = try disk.open(path, mode)
    count { tally in
      tally.opens += 1
      tally.open += 1
      tally.mostOpen = max(tally.mostOpen, tally.open)
    }
    return WatchedFile(self, file, beforeSync)
  }

  package func stamp(of path: String) throws(SystemError) -> FileStamp? { try disk.stamp(of: path) }
  package func names(in folder: String) throws(SystemError) -> [String] {
    count { $0.listings += 1 }
    beforeListing()
    return try disk.names(in: folder)
  }
  package func makeFolder(_ path: String) throws(SystemError) { try disk.makeFolder(path) }
  package func syncFolder(_ path: String) throws(SystemError) { try disk.syncFolder(path) }
  package func remove(_ path: String) throws(SystemError) { try disk.remove(path) }
  package func rename(_ path: String, to target: String) throws(SystemError) {
    try disk.rename(path, to: target)
  }
  package func owner(of path: String) -> String? { owner }
  package func pause(microseconds: UInt32) { disk.pause(microseconds: microseconds) }
}

private final class WatchedFile: DiskFile {
  private let disk: WatchedDisk
  private let file: any DiskFile
  private let beforeSync: @Sendable () -> Void

  init(_ disk: WatchedDisk, _ file: any DiskFile, _ beforeSync: @escaping @Sendable () -> Void) {
    self.disk = disk
    self.file = file
    self.beforeSync = beforeSync
  }

  deinit {
    disk.count { $0.open -= 1 }
  }

  func stamp() throws(SystemError) -> FileStamp { try file.stamp() }
  func isNamed() throws(SystemError) -> Bool { try file.isNamed() }
  func lock(upTo seconds: Double) throws(SystemError) -> Bool { try file.lock(upTo: seconds) }

  func read(into memory: UnsafeMutableRawBufferPointer, at offset: Int) throws(SystemError) -> Int {
    let part = unsafe UnsafeMutableRawBufferPointer(rebasing: memory.prefix(disk.mostRead))
    let read = unsafe try file.read(into: part, at: offset)
    disk.count { tally in
      tally.reads += 1
      tally.bytesRead += read
      tally.longestRead = max(tally.longestRead, memory.count)
    }
    return read
  }

  func write(_ bytes: ArraySlice<UInt8>, at offset: Int) throws(SystemError) -> Int {
    disk.count { $0.writes += 1 }
    return try file.write(bytes, at: offset)
  }

  func truncate(to size: Int) throws(SystemError) {
    disk.count { $0.writes += 1 }
    try file.truncate(to: size)
  }

  func sync() throws(SystemError) {
    beforeSync()
    try file.sync()
  }
}
