package import EventLog
import Foundation
import Synchronization

/// The machine's disk, until a call that changes something fails with half of a write done.
package final class FailingDisk: Disk {
  package enum Fault: CaseIterable, Sendable {
    /// Nothing changes any more, as if the process had been killed.
    case killed
    case full
    case readOnly
  }

  private let disk = SystemDisk()
  private let fault: Fault
  private let left: Mutex<Int>

  package init(_ fault: Fault, after calls: Int) {
    self.fault = fault
    left = Mutex(calls)
  }

  package var hasFailed: Bool { left.withLock { $0 < 0 } }

  fileprivate func change(_ operation: String, _ path: String, isWrite: Bool = false) throws(SystemError) {
    let fails = left.withLock { left in
      if left >= 0, fault != .full || isWrite { left -= 1 }
      return left < 0
    }
    guard fails, fault != .full || isWrite else { return }
    let code = [.killed: EIO, .full: ENOSPC, .readOnly: EROFS][fault] ?? EIO
    throw SystemError(operation: operation, path: path, code: code)
  }

  package func open(_ path: String, _ mode: FileMode) throws(SystemError) -> any DiskFile {
    if mode == .create { try change("make", path) }
    return FailingFile(self, try disk.open(path, mode), path)
  }
  package func stamp(of path: String) throws(SystemError) -> FileStamp? { try disk.stamp(of: path) }
  package func names(in folder: String) throws(SystemError) -> [String] { try disk.names(in: folder) }
  package func makeFolder(_ path: String) throws(SystemError) {
    try change("make", path)
    try disk.makeFolder(path)
  }
  package func syncFolder(_ path: String) throws(SystemError) { try disk.syncFolder(path) }
  package func remove(_ path: String) throws(SystemError) {
    try change("remove", path)
    try disk.remove(path)
  }
  package func rename(_ path: String, to target: String) throws(SystemError) {
    try change("replace", target)
    try disk.rename(path, to: target)
  }
  package func pause(microseconds: UInt32) { disk.pause(microseconds: microseconds) }
}

private final class FailingFile: DiskFile {
  private let disk: FailingDisk
  private let file: any DiskFile
  private let path: String

  init(_ disk: FailingDisk, _ file: any DiskFile, _ path: String) {
    (self.disk, self.file, self.path) = (disk, file, path)
  }

  func size() throws(SystemError) -> Int { try file.size() }
  func stamp() throws(SystemError) -> FileStamp { try file.stamp() }
  func isNamed() throws(SystemError) -> Bool { try file.isNamed() }
  func lock(upTo seconds: Double) throws(SystemError) -> Bool { try file.lock(upTo: seconds) }
  func read(into memory: UnsafeMutableRawBufferPointer, at offset: Int) throws(SystemError) -> Int {
    unsafe try file.read(into: memory, at: offset)
  }
  func sync() throws(SystemError) { try file.sync() }

  func write(_ bytes: ArraySlice<UInt8>, at offset: Int) throws(SystemError) -> Int {
    let hadFailed = disk.hasFailed
    do throws(SystemError) { try disk.change("write to", path, isWrite: true) } catch {
      if !hadFailed { _ = try file.write(bytes.prefix(bytes.count / 2), at: offset) }
      throw error
    }
    return try file.write(bytes, at: offset)
  }

  func truncate(to size: Int) throws(SystemError) {
    try disk.change("cut", path)
    try file.truncate(to: size)
  }
}
