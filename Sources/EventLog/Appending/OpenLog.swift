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
  package var path: String { "\(folder)/\(writer).jsonl" }

  /// Opens the folder, making it if asked, and waits for the lock at most `wait` seconds.
  package init(
    folder: String, writer: String, wait: Double, makesFolder: Bool, on disk: any Disk = SystemDisk()
  ) throws(LogError) {
    guard OpenLog.isWriter(writer) else { throw .badWriter(writer) }
    lock = try OpenLog.locked(folder, wait: wait, makesFolder: makesFolder, on: disk)
    self.disk = disk
    self.folder = folder
    self.writer = writer
  }

  private static func locked(
    _ folder: String, wait: Double, makesFolder: Bool, on disk: any Disk
  ) throws(LogError) -> File {
    let file: File
    do throws(SystemError) {
      if makesFolder { try disk.makeFolders(folder) }
      file = try File(folder + "/.lock", .append, on: disk)
    } catch {
      if error.isNotFound { throw .noLedger(folder: folder) }
      throw .notWritten(error)
    }
    var waited = 0.0
    while true {
      do throws(SystemError) {
        if try file.lock() { return file }
      } catch { throw .notWritten(error) }
      guard waited < wait else { throw .busy(lock: folder + "/.lock", seconds: wait) }
      disk.pause(microseconds: 10_000)
      waited += 0.01
    }
  }

  /// A segment's name: one file name, not hidden.
  package static func isWriter(_ name: String) -> Bool {
    Forms.isID(name) && !name.hasPrefix(".") && !name.hasPrefix("-") && !name.contains(":")
  }

  /// Takes a folder away again that was made for a ledger that was then refused.
  package static func discardEmpty(_ folder: String) {
    let disk = SystemDisk()
    guard (try? disk.names(in: folder))?.filter({ $0 != "." && $0 != ".." }) == [".lock"] else { return }
    for path in [folder + "/.lock", folder] { try? disk.remove(path) }
  }

  /// Writes what was decided under this lock as one batch and brings it to the disk.
  ///
  /// What the decision found to be there already is on the disk then, too, even if its own writer was killed or failed.
  /// - Throws: `notWritten` when nothing of it stands; `unknownOutcome` when syncing failed.
  package func write(_ decision: Decision) throws(LogError) {
    let (events, head) = (decision.batch, decision.head)
    try confirm(head.unended)
    let size = head.tail?.validEnd ?? 0
    if events.isEmpty, head.tail?.isUnended != true { return }
    let segment: File
    var bytes: [UInt8] = []
    do throws(SystemError) {
      if let tail = head.tail, tail.isTorn { try setAside(tail) }
      segment = try File(path, .append, on: disk)
      if let start = head.tail?.unendedFrom { try rewrite(start..<size) }
      if !events.isEmpty {
        let isSealing = events.contains { $0.payload.type == .dayChanged }
        let unsealed = isSealing ? try segment.bytes(head.sealStart..<size) : []
        bytes = sealed(events, decision.lines, after: unsealed, isUnended: head.tail?.isUnended == true)
      }
    } catch { throw .notWritten(error) }
    try commit(bytes, to: segment, after: head.tail)
  }

  /// Brings lines to the disk, and only then writes the newline of the last: at the end of a segment it says that nothing
  /// before it can have been lost.
  private func commit(
    _ lines: [UInt8], to segment: File, after tail: SegmentTail?
  ) throws(LogError) {
    do throws(SystemError) {
      try segment.append(lines.dropLast())
    } catch {
      // Part of the batch may stand; without its last line it never happened, and it is cut off here if it can be.
      if let tail { try? segment.truncate(to: tail.validEnd) } else { try? disk.remove(path) }
      throw .notWritten(error)
    }
    do throws(SystemError) {
      try segment.sync()
      // A newline says that the folder's entry was on the disk, too.
      if tail.map({ $0.validEnd == 0 || $0.isUnended }) ?? true { try disk.syncFolder(folder) }
    } catch { throw .unknownOutcome(error) }
    // It is recorded now; should the newline be missing, the next append writes it.
    try? segment.append([UInt8(ascii: "\n")])
  }

  /// Writes the bytes of a batch once more where they stand: its writer may have been told that syncing failed, and then the
  /// system takes them for written though they are not.
  private func rewrite(_ batch: Range<Int>) throws(SystemError) {
    let segment = try File(path, .rewrite, on: disk)
    try segment.rewrite(try segment.bytes(batch)[...], at: batch.lowerBound)
  }

  /// Brings to the disk what other writers may have left in memory only.
  private func confirm(_ segments: [String]) throws(LogError) {
    do throws(SystemError) {
      for path in segments { try File(path, .read, on: disk).sync() }
      if !segments.isEmpty { try disk.syncFolder(folder) }
    } catch { throw .unknownOutcome(error) }
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
    let lines = events.map { EventEncoder.line($0, isFollowed: true) }
    try log.commit(
      log.sealed(events, lines, after: [], isUnended: false, isBatch: false), to: segment, after: nil)
  }

  /// The batch as it is written, each `day.changed` sealing what stands before it.
  private func sealed(
    _ events: [Event], _ lines: [[UInt8]], after unsealed: [UInt8], isUnended: Bool, isBatch: Bool = true
  ) -> [UInt8] {
    var bytes: [UInt8] = isUnended ? [UInt8(ascii: "\n")] : []
    bytes.reserveCapacity(lines.reduce(1) { $0 + $1.count })
    var spanStart = 0
    var span = unsealed
    for (index, line) in lines.enumerated() {
      let isLast = !isBatch || index == lines.count - 1
      if case .dayChanged(let to, _) = events[index].payload {
        var event = events[index]
        event.payload = .dayChanged(to: to, seal: SHA256.digest(of: span + bytes[spanStart...]))
        (span, spanStart) = ([], bytes.count)
        bytes += EventEncoder.line(event, isFollowed: !isLast)
      } else {
        bytes += isLast ? EventEncoder.last(line) : line
      }
    }
    return bytes
  }

  /// Moves what a crash left at the end to a file of its own, byte for byte, and cuts it off.
  private func setAside(_ tail: SegmentTail) throws(SystemError) {
    let segment = try File(path, .append, on: disk)
    let aside = try File("\(folder)/\(writer).torn-\(tail.validEnd)", .append, on: disk)
    // Written before and not cut off: a crash between the two steps.
    if try !aside.begins(with: tail.validEnd..<tail.size, of: segment) {
      try aside.append(tail.validEnd..<tail.size, of: segment)
    }
    try aside.sync()
    try disk.syncFolder(folder)
    try segment.truncate(to: tail.validEnd)
    try segment.sync()
  }
}
