package import StreakDomain

/// The log opened for writing: one owner, locked for as long as it lives.
///
/// Read, check and write happen under one exclusive `flock` on `.lock`, so nothing can come between what was
/// checked and what is written.
package struct OpenLog: ~Copyable {
  package let folder: String
  package let writer: String
  private let lock: File
  package var path: String { "\(folder)/\(writer).jsonl" }

  /// Opens the folder, making it if asked, and waits for the lock at most `wait` seconds.
  package init(folder: String, writer: String, wait: Double, makesFolder: Bool) throws(LogError) {
    guard OpenLog.isWriter(writer) else { throw .badWriter(writer) }
    lock = try OpenLog.locked(folder, wait: wait, makesFolder: makesFolder)
    self.folder = folder
    self.writer = writer
  }

  private static func locked(_ folder: String, wait: Double, makesFolder: Bool) throws(LogError) -> File {
    let file: File
    do throws(SystemError) {
      if makesFolder { try Folder.makeAll(folder) }
      file = try File(folder + "/.lock", .append)
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
      pause(microseconds: 10_000)
      waited += 0.01
    }
  }

  /// A segment's name: one file name, not hidden.
  package static func isWriter(_ name: String) -> Bool {
    Forms.isID(name) && !name.hasPrefix(".") && !name.hasPrefix("-") && !name.contains(":")
  }

  /// Takes a folder away again that was made for a ledger that was then refused.
  package static func discardEmpty(_ folder: String) {
    guard (try? Folder.names(folder))??.filter({ $0 != "." && $0 != ".." }) == [".lock"] else { return }
    Folder.remove(folder + "/.lock", folder)
  }

  /// Writes what was decided under this lock as one batch and brings it to the disk.
  ///
  /// - Throws: `notWritten` when nothing of it stands; `unknownOutcome` when syncing failed.
  package func write(_ decision: Decision) throws(LogError) {
    let (events, head) = (decision.batch, decision.head)
    guard !events.isEmpty else { return }
    let size = head.tail?.validEnd ?? 0
    let segment: File
    let bytes: [UInt8]
    do throws(SystemError) {
      if let tail = head.tail, tail.isTorn { try setAside(tail) }
      segment = try File(path, .append)
      let isSealing = events.contains { $0.payload.type == .dayChanged }
      let unsealed = isSealing ? try segment.bytes(head.sealStart..<size) : []
      bytes = lines(events, after: unsealed, isUnended: head.tail?.isUnended == true)
    } catch { throw .notWritten(error) }
    do throws(SystemError) {
      try segment.append(bytes)
    } catch {
      // Part of the batch may stand; without its last line it never happened, and it is cut off here if it can be.
      try? segment.truncate(to: size)
      throw .notWritten(error)
    }
    do throws(SystemError) {
      try segment.sync()
      if head.tail == nil { try Folder.sync(folder) }
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
    do throws(SystemError) {
      let segment = try File(log.path, .append)
      try segment.append(log.lines(events, after: [], isUnended: false, isBatch: false))
      try segment.sync()
      try Folder.sync(folder)
    } catch { throw .notWritten(error) }
  }

  /// The batch as it is written, each `day.changed` sealing what stands before it.
  private func lines(
    _ events: [Event], after unsealed: [UInt8], isUnended: Bool, isBatch: Bool = true
  ) -> [UInt8] {
    var bytes: [UInt8] = isUnended ? [UInt8(ascii: "\n")] : []
    var span = unsealed + bytes
    for (index, event) in events.enumerated() {
      var event = event
      event.more = isBatch && index < events.count - 1
      let isSealed = event.payload.type == .dayChanged
      if isSealed, case .dayChanged(let to, _) = event.payload {
        event.payload = .dayChanged(to: to, seal: SHA256.digest(of: span))
        span = []
      }
      let line = EventEncoder.line(event)
      bytes += line
      span += line
    }
    return bytes
  }

  /// Moves what a crash left at the end to a file of its own, byte for byte, and cuts it off.
  private func setAside(_ tail: SegmentTail) throws(SystemError) {
    let segment = try File(path, .append)
    let torn = try segment.bytes(tail.validEnd..<tail.size)
    let aside = try File("\(folder)/\(writer).torn-\(tail.validEnd)", .append)
    // Written before and not cut off: a crash between the two steps.
    let isKept = try aside.bytes(0..<torn.count) == torn
    if !isKept { try aside.append(torn) }
    try aside.sync()
    try Folder.sync(folder)
    try segment.truncate(to: tail.validEnd)
    try segment.sync()
  }
}
