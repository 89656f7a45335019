package import StreakDomain

/// The log opened for writing: one owner, locked for as long as it lives.
///
/// Read, check and write happen under one exclusive `flock` on `.lock`, so nothing can come between what was
/// checked and what is written.
package struct OpenLog: ~Copyable {
  package let folder: String
  package let writer: String
  private let disk: any Disk
  private let lock: File
  /// Whether the folder was not there before.
  private let madeFolder: Bool
  package var path: String { "\(folder)/\(writer).jsonl" }

  /// Opens the folder, making it if asked, and waits for the lock at most `wait` seconds.
  package init(
    folder: String, writer: String, wait: Double, makesFolder: Bool, on disk: any Disk = SystemDisk()
  ) throws(LogError) {
    guard OpenLog.isWriter(writer) else { throw .badWriter(writer) }
    (lock, madeFolder) = try OpenLog.locked(folder, wait: wait, makesFolder: makesFolder, on: disk)
    self.disk = disk
    self.folder = folder
    self.writer = writer
  }

  private static func locked(
    _ folder: String, wait: Double, makesFolder: Bool, on disk: any Disk
  ) throws(LogError) -> (lock: File, madeFolder: Bool) {
    var waited = 0.0
    var madeFolder = false
    while true {
      var isHeldElsewhere = false
      do throws(SystemError) {
        if makesFolder, try disk.makeFolders(folder) { madeFolder = true }
        let file = try File(folder + "/.lock", .append, on: disk)
        let isHeld = try file.lock(upTo: wait - waited)
        // What somebody removed meanwhile locks nobody out any more.
        let isNamed = try file.isNamed()
        if isHeld, isNamed { return (file, madeFolder) }
        isHeldElsewhere = !isHeld && isNamed
      } catch {
        // Another program may just have taken away the folder that it had made in vain.
        guard error.isNotFound, makesFolder else {
          throw error.isNotFound ? .noLedger(folder: folder) : .notWritten(error)
        }
      }
      guard waited < wait, !isHeldElsewhere else { throw .busy(lock: folder + "/.lock", seconds: wait) }
      disk.pause(microseconds: 10_000)
      waited += 0.01
    }
  }

  /// A segment's name: one file name, not hidden.
  package static func isWriter(_ name: String) -> Bool {
    Forms.isID(name) && !name.begins(with: ".") && !name.begins(with: "-") && !name.holds(":")
  }

  /// Takes the folder away again if this made it, for a ledger that was then refused.
  package func discardFolder() {
    guard madeFolder, (try? disk.names(in: folder))?.filter({ $0 != "." && $0 != ".." }) == [".lock"] else {
      return
    }
    for path in [folder + "/.lock", folder] { try? disk.remove(path) }
  }

  /// Writes what was decided under this lock as one batch and brings it to the disk.
  ///
  /// What the decision found to be there already is on the disk then, too, even if its own writer was killed or failed.
  /// - Throws: `notWritten` when nothing of it stands; `unknownOutcome` when syncing failed.
  package func write(_ decision: Decision) throws(LogError) {
    let head = decision.head
    for (segment, batch) in head.unended { try confirm(segment, batch, isOwn: segment == path) }
    guard !decision.batch.isEmpty else { return }
    let segment: File
    do throws(SystemError) {
      if let tail = head.tail, tail.isTorn, !tail.isUnended { try setAside(tail.validEnd..<tail.size) }
      segment = try File(path, head.tail == nil ? .create : .append, on: disk)
    } catch { throw .notWritten(error) }
    try commit(decision.batch, to: segment, after: head.tail, sealStart: head.sealStart)
  }

  /// Where the lines of a large batch wait until all of them are checked: on the disk that they are to be written to.
  package var overflow: BatchLines.Overflow { BatchLines.Overflow(path: folder + "/.batch", isNeeded: true) }

  /// Brings lines to the disk, and only then writes the newline of the last: at the end of a segment it says that nothing
  /// before it can have been lost.
  private func commit(
    _ batch: BatchLines, to segment: File, after tail: SegmentTail?, sealStart: Int = 0, isJoined: Bool = true
  ) throws(LogError) {
    var size: Int?
    do throws(SystemError) {
      if tail != nil { size = try segment.size() }
      var writer = BatchWriter(batch, isJoined: isJoined, to: segment)
      // Read before the first line is written behind it.
      if !batch.dayChanges.isEmpty { try writer.read(sealStart..<segment.size()) }
      // The newline before was never synced. Where it shares no block of the disk with these lines, it is written once
      // more, for a sync that failed since may have forgotten it.
      if let size, size > 0, size % 512 == 0 {
        try File(path, .rewrite, on: disk).rewrite([UInt8(ascii: "\n")], at: size - 1)
      }
      try writer.write()
    } catch {
      // Part of the batch may stand; without its last line it never happened, and it is cut off here if it can be.
      if let size { try? segment.truncate(to: size) }
      if tail == nil { try? disk.remove(path) }
      throw .notWritten(error)
    }
    do throws(SystemError) {
      try segment.sync()
      // A newline says that the folder's entry was on the disk, too.
      if tail.map({ $0.validEnd == 0 }) ?? true { try disk.syncFolder(folder) }
    } catch { throw .unknownOutcome(error) }
    // It is recorded now; should the newline be missing, the next append writes it.
    try? segment.append([UInt8(ascii: "\n")])
  }

  /// Makes sure of a batch whose newline is missing.
  ///
  /// Its writer was killed, or was told that syncing failed, and then the
  /// system takes bytes for written that are not. So they are written once more where they stand, with the newline before
  /// them, and synced; a segment of this writer is ended then, before anything can follow.
  private func confirm(_ path: String, _ batch: Range<Int>, isOwn: Bool) throws(LogError) {
    do throws(SystemError) {
      let segment = try File(path, .rewrite, on: disk)
      let start = max(0, batch.lowerBound - 1)
      try segment.rewrite(try segment.bytes(start..<batch.upperBound)[...], at: start)
      try segment.sync()
      try disk.syncFolder(folder)
      guard isOwn else { return }
      if try segment.size() > batch.upperBound { try setAside(batch.upperBound..<segment.size()) }
      try File(path, .append, on: disk).append([UInt8(ascii: "\n")])
    } catch { throw .notWritten(error) }
  }

  /// Begins a ledger of one segment with events that stood in another, each for itself; `recorded` is moved on where
  /// two had the same.
  package static func begin(_ events: [Event], in folder: String) throws(LogError) {
    let log = try OpenLog(folder: folder, writer: "main", wait: 5, makesFolder: true)
    var events = events
    for index in events.indices.dropFirst() where events[index].recorded <= events[index - 1].recorded {
      events[index].recorded = events[index - 1].recorded + 1
    }
    let segment: File
    do throws(SystemError) { segment = try File(log.path, .append, on: log.disk) } catch {
      throw .notWritten(error)
    }
    var batch = BatchLines(nil, on: log.disk)
    do throws(SystemError) {
      for event in events { try batch.add(EventEncoder.line(event, isFollowed: false), of: event) }
    } catch { throw .notWritten(error) }
    try log.commit(batch, to: segment, after: nil, isJoined: false)
  }

  /// Moves what a crash left at the end to a file of its own, byte for byte, and cuts it off.
  private func setAside(_ torn: Range<Int>) throws(SystemError) {
    let segment = try File(path, .append, on: disk)
    let name = "\(folder)/\(writer).torn-\(torn.lowerBound)"
    // Written before and not cut off: a crash between the two steps, or within the first.
    let kept = try File(name, .append, on: disk).size()
    let aside = try File(name, .rewrite, on: disk)
    var isBegun = kept <= torn.count
    if isBegun { isBegun = try aside.begins(with: torn.prefix(kept), of: segment) }
    // All of it once more: what stands there may be known to nobody but the system, which forgot it when syncing failed.
    if !isBegun { try aside.rewrite(0..<kept, of: aside, at: 0) }
    try aside.rewrite(torn, of: segment, at: isBegun ? 0 : kept)
    try aside.sync()
    try disk.syncFolder(folder)
    try segment.truncate(to: torn.lowerBound)
    try segment.sync()
  }
}
