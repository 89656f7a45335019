import DomainFixtures
package import EventLog
import Foundation

/// A disk in memory that randomly fails, interrupts calls, writes partially, and loses unsynced
/// data.
///
/// The process is killed, or the machine stops, at a call chosen by the seed. From then on every
/// call fails until `restart`. Not thread-safe.
package final class SimulatedDisk: Disk, @unchecked Sendable {
  package struct Faults {
    package var percent = 0
    package var syncPercent = 0
    package var callsUntilStop: Int?

    package init() {}
  }

  package var faults = Faults()
  package private(set) var calls = 0
  /// Called before each call, while the disk doesn't fail, to act as another process.
  package var onCall: ((_ operation: String) -> Void)?
  private var random: SeededRandom
  private var inodes: [SimulatedInode] = []
  /// The files and folders by path, as processes see them and as they would be after a power
  /// failure.
  private var files: [String: Int] = [:]
  private var durableFiles: [String: Int] = [:]
  private var folders: [String: Int] = ["": -1]
  private var durableFolders: [String: Int] = ["": -1]
  private var locks: [Int: ObjectIdentifier] = [:]
  private var isStopped = false
  private let page: Int

  package init(seed: UInt64) {
    random = SeededRandom(seed: seed)
    page = random.chance(50) ? 512 : 4096
  }

  package func isLocked(_ path: String) -> Bool { files[path].map { locks[$0] != nil } ?? false }

  /// Continues after a stop, with what processes saw or, if `losesPower`, with what is on the disk.
  package func restart(losesPower: Bool) {
    isStopped = false
    locks = [:]
    guard losesPower else { return }
    // Each change of a folder may have reached the disk or not.
    for path in Set(files.keys).union(durableFiles.keys).sorted() where random.chance(50) {
      durableFiles[path] = files[path]
    }
    for folder in folders.keys.sorted() where random.chance(50) {
      durableFolders[folder] = folders[folder]
    }
    folders = durableFolders
    files = durableFiles.filter { folders[SimulatedDisk.folder(of: $0.key)] != nil }
    durableFiles = files
    for index in inodes.indices { inodes[index].lose(&random) }
  }

  package func contents(of folder: String) -> [String: [UInt8]] {
    var found: [String: [UInt8]] = [:]
    for (path, inode) in files where SimulatedDisk.folder(of: path) == folder {
      found[String(path.dropFirst(folder.count + 1))] = inodes[inode].cached
    }
    return found
  }

  package func open(_ path: String, _ mode: FileMode) throws(SystemError) -> any DiskFile {
    try call("open", path, [EINTR, EMFILE, EIO])
    if mode == .folder, let inode = folders[path] {
      return SimulatedFile(self, path, inode, isRewriting: false)
    }
    if mode == .create, files[path] != nil {
      throw SystemError(operation: "make", path: path, code: EEXIST)
    }
    if let inode = files[path] {
      return SimulatedFile(self, path, inode, isRewriting: mode == .rewrite)
    }
    guard [.append, .create, .lock].contains(mode), folders[SimulatedDisk.folder(of: path)] != nil
    else {
      throw SystemError(operation: "open", path: path, code: ENOENT)
    }
    let inode = makeInode()
    files[path] = inode
    return SimulatedFile(self, path, inode, isRewriting: false)
  }

  private func makeInode() -> Int {
    inodes.append(SimulatedInode(page: page))
    return inodes.count - 1
  }

  package func stamp(of path: String) throws(SystemError) -> FileStamp? {
    try call("inspect", path, [EIO])
    return files[path].map(stamp)
  }

  package func names(in folder: String) throws(SystemError) -> [String] {
    try call("list", folder, [EIO])
    guard folders[folder] != nil else {
      throw SystemError(operation: "list", path: folder, code: ENOENT)
    }
    return Array(contents(of: folder).keys).shuffled(using: &random)
  }

  package func makeFolder(_ path: String) throws(SystemError) {
    try call("make", path, [EIO])
    guard folders[path] == nil else {
      throw SystemError(operation: "make", path: path, code: EEXIST)
    }
    folders[path] = makeInode()
  }

  package func syncFolder(_ path: String) throws(SystemError) {
    try call("sync", path, [EIO])
    let isHere = { SimulatedDisk.folder(of: $0) == path || path == "." }
    durableFiles = durableFiles.filter { !isHere($0.key) }
    for (file, inode) in files where isHere(file) { durableFiles[file] = inode }
    for (folder, inode) in folders where isHere(folder) { durableFolders[folder] = inode }
  }

  package func remove(_ path: String) throws(SystemError) {
    try call("remove", path, [EIO])
    files[path] = nil
  }

  package func rename(_ path: String, to target: String) throws(SystemError) {
    try call("replace", target, [EIO])
    files[target] = files[path]
    files[path] = nil
  }

  package func pause(microseconds: UInt32) {}

  /// Replaces or removes a file durably, like another process.
  package func put(_ bytes: [UInt8]?, at path: String) {
    files[path] = bytes.map { bytes in
      let inode = makeInode()
      inodes[inode].write(bytes[...], at: 0)
      inodes[inode].sync()
      return inode
    }
    durableFiles[path] = files[path]
  }

  package func replaceFolder(_ folder: String) {
    folders[folder] = makeInode()
    durableFolders[folder] = folders[folder]
    for (name, bytes) in contents(of: folder) { put(bytes, at: "\(folder)/\(name)") }
  }

  fileprivate func call(_ operation: String, _ path: String, _ codes: [Int32]) throws(SystemError) {
    calls += 1
    interrupt(operation)
    if let rest = faults.callsUntilStop {
      faults.callsUntilStop = rest - 1
      if rest <= 0 { isStopped = true }
    }
    // Code after a kill must not run, so this code is one that no system returns.
    guard !isStopped else { throw SystemError(operation: operation, path: path, code: -1) }
    guard random.chance(faults.percent) else { return }
    throw SystemError(operation: operation, path: path, code: codes[random.below(codes.count)])
  }

  private func interrupt(_ operation: String) {
    guard let onCall, !isStopped else { return }
    let faults = faults
    self.onCall = nil
    self.faults = Faults()
    onCall(operation)
    self.faults = faults
    self.onCall = onCall
  }

  private static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
  }

  fileprivate func size(_ inode: Int) -> Int { inodes[inode].size }

  fileprivate func read(
    _ inode: Int, _ path: String, into memory: UnsafeMutableRawBufferPointer, at offset: Int
  ) throws(SystemError) -> Int {
    try call("read", path, [EINTR, EINTR, EINTR, EIO])
    var count = min(memory.count, inodes[inode].size - offset)
    guard count > 0 else { return 0 }
    if random.chance(faults.percent) { count = 1 + random.below(count) }
    unsafe memory.copyBytes(from: inodes[inode].cached[offset..<offset + count])
    return count
  }

  fileprivate func write(
    _ inode: Int, _ path: String, _ bytes: ArraySlice<UInt8>, at offset: Int
  ) throws(SystemError) -> Int {
    let isShort = random.chance(faults.percent) || faults.callsUntilStop == 0
    let part = isShort ? bytes.prefix(1 + random.below(bytes.count)) : bytes
    if faults.callsUntilStop == 0 { inodes[inode].write(part, at: offset) }
    try call("write to", path, [EINTR, ENOSPC, EIO])
    inodes[inode].write(part, at: offset)
    if random.chance(faults.percent) { inodes[inode].writeBack(&random) }
    return part.count
  }

  fileprivate func truncate(_ inode: Int, _ path: String, to size: Int) throws(SystemError) {
    try call("shorten", path, [EINTR, EIO])
    inodes[inode].truncate(to: size)
  }

  fileprivate func sync(_ inode: Int, _ path: String) throws(SystemError) {
    do throws(SystemError) {
      try call("sync", path, [EIO])
      if random.chance(faults.syncPercent) {
        throw SystemError(operation: "sync", path: path, code: EIO)
      }
    } catch {
      if !isStopped { inodes[inode].failSync(&random) }
      throw error
    }
    inodes[inode].sync()
  }

  fileprivate func lock(_ inode: Int, _ path: String, for file: SimulatedFile) throws(SystemError)
    -> Bool
  {
    try call("lock", path, [EIO])
    if locks[inode] == nil { locks[inode] = ObjectIdentifier(file) }
    return locks[inode] == ObjectIdentifier(file)
  }

  fileprivate func isNamed(_ inode: Int, _ path: String) throws(SystemError) -> Bool {
    try call("inspect", path, [EIO])
    return files[path] == inode
  }

  fileprivate func stamp(_ inode: Int) -> FileStamp {
    FileStamp(file: [UInt64(inode)], size: inodes[inode].size, changed: [inodes[inode].changes])
  }

  fileprivate func close(_ inode: Int, _ file: SimulatedFile) {
    if locks[inode] == ObjectIdentifier(file) { locks[inode] = nil }
  }
}

private final class SimulatedFile: DiskFile, @unchecked Sendable {
  private let disk: SimulatedDisk
  private let path: String
  private let inode: Int
  private let isRewriting: Bool

  init(_ disk: SimulatedDisk, _ path: String, _ inode: Int, isRewriting: Bool) {
    self.disk = disk
    self.path = path
    self.inode = inode
    self.isRewriting = isRewriting
  }

  deinit {
    disk.close(inode, self)
  }

  func read(into memory: UnsafeMutableRawBufferPointer, at offset: Int) throws(SystemError) -> Int {
    unsafe try disk.read(inode, path, into: memory, at: offset)
  }

  func write(_ bytes: ArraySlice<UInt8>, at offset: Int) throws(SystemError) -> Int {
    try disk.write(inode, path, bytes, at: isRewriting ? offset : disk.size(inode))
  }

  func truncate(to size: Int) throws(SystemError) { try disk.truncate(inode, path, to: size) }
  func sync() throws(SystemError) { try disk.sync(inode, path) }
  func stamp() throws(SystemError) -> FileStamp { disk.stamp(inode) }
  func isNamed() throws(SystemError) -> Bool { try disk.isNamed(inode, path) }
  func lock(upTo seconds: Double) throws(SystemError) -> Bool {
    try disk.lock(inode, path, for: self)
  }
}
