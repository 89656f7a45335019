import StreakDomain
import Synchronization

/// Files in memory, in one folder or many: for trials that must not touch what is real.
final class MemoryDisk: Disk {
  fileprivate let files: Mutex<[Spelling: [UInt8]]>

  init(_ files: [Spelling: [UInt8]]) {
    self.files = Mutex(files)
  }

  var contents: [Spelling: [UInt8]] { files.withLock { $0 } }

  /// Replaces a file, or removes it.
  func put(_ bytes: [UInt8]?, at path: String) { files.withLock { $0[path.spelling] = bytes } }

  func truncate(_ path: String, to size: Int) {
    files.withLock { files in
      let count = files[path.spelling]?.count ?? 0
      files[path.spelling]?.removeLast(max(0, count - size))
    }
  }

  func open(_ path: String, _ mode: FileMode) throws(SystemError) -> any DiskFile {
    // A folder is there with its first file.
    if mode == .folder { return MemoryFile(self, path, isRewriting: false) }
    let isThere = files.withLock { files in
      if files[path.spelling] == nil, [.append, .create, .lock].contains(mode) { files[path.spelling] = [] }
      return files[path.spelling] != nil
    }
    guard isThere else { throw SystemError.notFound("open", path) }
    return MemoryFile(self, path, isRewriting: mode == .rewrite)
  }

  func stamp(of path: String) throws(SystemError) -> FileStamp? {
    contents[path.spelling].map(MemoryDisk.stamp)
  }

  // One thread at a time, so nothing changes but its size.
  fileprivate static func stamp(_ bytes: [UInt8]) -> FileStamp {
    FileStamp(file: [], size: bytes.count, changed: [])
  }

  func names(in folder: String) throws(SystemError) -> [String] {
    contents.keys.map(\.text).filter { $0.begins(with: folder + "/") }
      .map { String($0.droppingBytes(folder.utf8.count + 1)) }
  }

  // There is nothing to bring anywhere, and a folder is there with its first file.
  func makeFolder(_ path: String) throws(SystemError) {}
  func syncFolder(_ path: String) throws(SystemError) {}
  func remove(_ path: String) throws(SystemError) { put(nil, at: path) }
  func rename(_ path: String, to target: String) throws(SystemError) {
    put(contents[path.spelling], at: target)
    put(nil, at: path)
  }
  func pause(microseconds: UInt32) {}
}

private final class MemoryFile: DiskFile {
  private let disk: MemoryDisk
  private let path: String
  private let isRewriting: Bool

  init(_ disk: MemoryDisk, _ path: String, isRewriting: Bool) {
    self.disk = disk
    self.path = path
    self.isRewriting = isRewriting
  }

  func size() throws(SystemError) -> Int { try stamp().size }
  func stamp() throws(SystemError) -> FileStamp { MemoryDisk.stamp(disk.contents[path.spelling] ?? []) }

  func read(into memory: UnsafeMutableRawBufferPointer, at offset: Int) throws(SystemError) -> Int {
    disk.files.withLock { files in
      guard let bytes = files[path.spelling], offset < bytes.count else { return 0 }
      let end = min(bytes.count, offset + memory.count)
      unsafe memory.copyBytes(from: bytes[offset..<end])
      return end - offset
    }
  }

  func write(_ bytes: ArraySlice<UInt8>, at offset: Int) throws(SystemError) -> Int {
    disk.files.withLock { files in
      let start = isRewriting ? offset : files[path.spelling]?.count ?? 0
      files[path.spelling, default: []].replaceSubrange(
        start..<min(start + bytes.count, files[path.spelling]?.count ?? 0), with: bytes)
    }
    return bytes.count
  }

  func truncate(to size: Int) throws(SystemError) { disk.truncate(path, to: size) }
  func sync() throws(SystemError) {}
  func lock(upTo seconds: Double) throws(SystemError) -> Bool { true }
  func isNamed() throws(SystemError) -> Bool { true }
}
