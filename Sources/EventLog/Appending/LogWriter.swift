package import StreakDomain

/// The log opened for writing: one owner, locked for as long as it lives.
///
/// A write: lock; compare the files with what was read; end the last batch, or move a torn one aside; append without
/// the last newline; sync; append the newline; sync; compare once more. Only then it is acknowledged.
///
/// Read, check and write happen under one exclusive `flock` on `.lock`, so nothing can come between what was checked
/// and what is written. The folder itself is locked, too: who removes `.lock` must not let a second writer in.
/// Programs that know of no lock may still replace files, so what was read is looked at again before the first byte
/// and before anything is acknowledged.
package struct LogWriter: ~Copyable {
  package let folder: String
  package let writer: String
  let disk: any Disk
  /// Holds the folder's lock; released before `lock`, so that the next owner of that one finds it free.
  private let folderLock: File
  private let lock: File
  /// Whether the folder was not there before.
  private let madeFolder: Bool
  package var path: String { "\(folder)/\(writer).jsonl" }

  /// Opens the folder, making it if asked, and waits for the lock at most `wait` seconds.
  package init(
    folder: String, writer: String, wait: Double, makesFolder: Bool, on disk: any Disk = SystemDisk()
  ) throws(Failure) {
    guard Forms.isWriter(writer) else { throw .badWriter(writer) }
    // Where there is no ledger, no lock file is made.
    if !makesFolder { try EventStream.requireLedger(in: folder, on: disk) }
    (lock, folderLock, madeFolder) = try LogWriter.locked(
      folder, wait: wait, makesFolder: makesFolder, on: disk)
    self.disk = disk
    self.folder = folder
    self.writer = writer
  }

  private static func locked(
    _ folder: String, wait: Double, makesFolder: Bool, on disk: any Disk
  ) throws(Failure) -> (lock: File, folderLock: File, madeFolder: Bool) {
    var waited = 0.0
    var madeFolder = false
    while true {
      var isHeldElsewhere = false
      do throws(SystemError) {
        if makesFolder, try disk.makeFolders(folder) { madeFolder = true }
        let file = try File(folder + "/.lock", .lock, on: disk)
        // What is no file may be locked, too, and be something else for the next.
        _ = try file.size()
        let isHeld = try file.lock(upTo: wait - waited)
        // A lock file that was removed meanwhile excludes nobody.
        let isNamed = try file.isNamed()
        if isHeld, isNamed {
          let folderLock = try File(folder, .folder, on: disk)
          if try lockIfKnown(folderLock) { return (file, folderLock, madeFolder) }
        }
        isHeldElsewhere = !isHeld && isNamed
      } catch {
        // Another program may just have removed a folder that it had made and not used.
        guard error.isNotFound, makesFolder else {
          throw error.isNotFound ? .noLedger(folder: folder) : .notWritten(error, folder + "/.lock", on: disk)
        }
      }
      guard waited < wait, !isHeldElsewhere else { throw .busy(folder + "/.lock", seconds: wait) }
      disk.pause(microseconds: 10_000)
      waited += 0.01
    }
  }

  /// Locks the folder, where its file system can: a writer whose `.lock` was removed may still be writing.
  private static func lockIfKnown(_ folder: File) throws(SystemError) -> Bool {
    do throws(SystemError) { return try folder.lock(upTo: 0) } catch  where error.isUnsupported {
      return true
    }
  }

  /// Removes the folder if this made it and the new ledger was then refused.
  package func discardFolder() {
    guard madeFolder, (try? lock.isNamed()) == true, let found = try? disk.names(in: folder) else { return }
    let names = Set(found).subtracting([".", "..", ".lock"])
    let isEmpty = (try? disk.stamp(of: path))??.size == 0
    guard names.isEmpty || names == ["\(writer).jsonl"] && isEmpty else { return }
    for path in names.map({ "\(folder)/\($0)" }) + [folder + "/.lock", folder] { try? disk.remove(path) }
  }

  /// Writes what was decided under this lock as one batch and brings it to the disk.
  ///
  /// What the decision found to be there already is on the disk then, too, even if its own writer was killed or failed.
  /// - Throws: `notWritten` when nothing of it was written; `unknownOutcome` when syncing failed, or another program
  ///   has removed or replaced meanwhile what was written or found.
  package func write(_ decision: Decision) throws(Failure) {
    guard decision.batch.count <= BatchLines.limit else {
      throw .tooManyEvents(decision.batch.count)
    }
    try write(decision.batch, known: decision.known, head: decision.head)
  }

  /// Brings the last batch of each segment to the disk whose newline is missing.
  package func confirm(_ log: FoldedLog) throws(Failure) {
    try write(BatchLines(), known: [:], head: log.head)
  }

  /// Writes lines that were decided on a log with this head; `known` is where `exists` was answered.
  func write(_ batch: BatchLines, known: [Text: Int], head: LogHead) throws(Failure) {
    var readSet = ReadSet(segments: head.stamps, known: Set(known.keys))
    let own: Own?
    do throws(SystemError) {
      own = try prepare(&readSet, known: known, head, writes: !batch.isEmpty)
      guard !batch.isEmpty else {
        try require(readSet, own)
        return
      }
    } catch { throw .notWritten(error, path, on: disk) }
    try commit(batch, to: own, readSet, sealStart: head.sealStart)
  }

  /// Checks that nothing has changed since it was read, and opens this writer's segment if it `writes` or must be
  /// repaired; nil where it is new.
  func prepare(
    _ readSet: inout ReadSet, known: [Text: Int], _ head: LogHead, writes: Bool
  ) throws(SystemError) -> Own? {
    let names = try require(readSet)
    // A killed process may have left a temporary file, perhaps the copy of a whole segment.
    if names.contains(LogWriter.draft) { try disk.remove("\(folder)/\(LogWriter.draft)") }
    for (other, lines) in head.unended where other != Text(path) {
      let isKnown = known[other].map { $0 >= lines.lowerBound } ?? false
      // With nothing to write and no `exists` to answer, confirming is all that was asked for.
      let isAsked = !writes && known.isEmpty
      readSet.segments[other] = try confirm(
        other.string, lines, isKnown: isKnown, isAsked: isAsked, readSet.segments[other])
    }
    guard let tail = head.tail, let stamp = readSet.segments[Text(path)], tail.isUnended || writes else {
      return nil
    }
    readSet.segments[Text(path)] = nil
    return try opened(stamp, tail)
  }

  /// Temporary files beside the segments.
  static let draft = ".batch"

  /// The segment of this writer: the file that was read, and how many bytes it is to have.
  struct Own {
    let file: File
    var size: Int
  }

  /// What an append relies on besides its own segment.
  struct ReadSet {
    /// The segments as they were read, by their paths.
    var segments: [Text: FileStamp] = [:]
    /// Those that hold what is answered with `exists`.
    var known: Set<Text> = []
  }

  /// Throws if another program has changed what was read.
  ///
  /// - Returns: the names in the folder.
  @discardableResult
  func require(_ readSet: ReadSet, _ own: Own? = nil) throws(SystemError) -> [String] {
    try requireStanding(own)
    let names = try disk.names(in: folder)
    let segments = names.filter(EventStream.isSegment).map { Text("\(folder)/\($0)") }
    for other in Set(segments).symmetricDifference(readSet.segments.keys) where other != Text(path) {
      throw .changedMeanwhile(other.string)
    }
    for (segment, stamp) in readSet.segments { try require(segment, stamp) }
    return names
  }

  private func require(_ segment: Text, _ stamp: FileStamp?) throws(SystemError) {
    guard try disk.stamp(of: segment.string) == stamp else { throw .changedMeanwhile(segment.string) }
  }

  /// Throws if the lock file was removed, or if this writer's segment was replaced or has another size.
  func requireStanding(_ own: Own?) throws(SystemError) {
    guard try lock.isNamed() else { throw .changedMeanwhile(lock.path) }
    guard let own else { return }
    guard try own.file.isNamed(), try own.file.size() == own.size else { throw .changedMeanwhile(path) }
  }

  /// Syncs the lines, and only then writes the newline of the last: where a segment ends with a newline, nothing
  /// before it can have been lost.
  func commit(
    _ batch: BatchLines, to own: Own?, _ readSet: ReadSet, sealStart: Int = 0, isJoined: Bool = true
  ) throws(Failure) {
    var segment: Own
    do throws(SystemError) {
      segment = if let own { own } else { Own(file: try File(path, .create, on: disk), size: 0) }
    } catch { throw .notWritten(error.isExisting ? .changedMeanwhile(path) : error) }
    var writer = BatchWriter(batch, isJoined: isJoined, to: segment.file)
    var isBegun = false
    do throws(SystemError) {
      // Read before the first line is written behind it.
      if !batch.dayChanges.isEmpty { try writer.read(sealStart..<segment.size, of: segment.file) }
      // The newline before was never synced. Where it shares no block of the disk with these lines, it is written once
      // more, for a sync that failed since may have forgotten it.
      if segment.size > 0, segment.size % 512 == 0 {
        try again(segment.file, .rewrite).rewrite(LogWriter.newline, at: segment.size - 1)
      }
      try require(readSet, segment)
      isBegun = true
      try writer.write()
    } catch {
      // Part of the batch may be written; without its last line it never happened, and it is cut off here if it can
      // be. A new segment stays, empty: what its path leads to by now may be another's.
      if isBegun { try? segment.file.truncate(to: segment.size) }
      throw .notWritten(error)
    }
    do throws(SystemError) {
      try segment.file.sync()
      // A newline says that the folder's entry was on the disk, too.
      if segment.size == 0 { try disk.syncFolder(folder) }
      segment.size += writer.written
      // It is recorded now; should the newline be missing, the next append writes it.
      if (try? segment.file.append(LogWriter.newline)) != nil { segment.size += 1 }
      try requireStanding(segment)
      for other in readSet.known where other != Text(path) { try require(other, readSet.segments[other]) }
    } catch { throw .outcomeUnknown(error) }
  }

  static let newline = [UInt8(ascii: "\n")][...]

  /// Opens the segment of this writer in another way.
  private func again(_ segment: File, _ mode: FileMode) throws(SystemError) -> File {
    let file = try File(path, mode, on: disk)
    guard try file.stamp().isSameFile(as: segment.stamp()) else { throw .changedMeanwhile(path) }
    return file
  }

  /// Opens the segment of this writer as it was read, ends the batch whose newline is missing, and moves away what is
  /// torn.
  ///
  /// Its writer was killed, or was told that syncing failed, and then the system takes bytes for written that are
  /// not. So they are written once more in their place and synced, before anything can follow.
  private func opened(_ stamp: FileStamp, _ tail: SegmentTail) throws(SystemError) -> Own {
    let file = try File(path, .extend, on: disk)
    guard try file.stamp() == stamp else { throw .changedMeanwhile(path) }
    if let start = tail.unendedFrom {
      try rewrite(start..<tail.validEnd, in: again(file, .rewrite))
    }
    if tail.isTorn { try setAside(tail.validEnd..<tail.size, of: file) }
    guard tail.isUnended else { return Own(file: file, size: tail.validEnd) }
    try file.append(LogWriter.newline)
    return Own(file: file, size: tail.validEnd + 1)
  }

  /// Writes the bytes of a batch once more, with the newline before them, and brings them to the disk.
  private func rewrite(_ batch: Range<Int>, in segment: File) throws(SystemError) {
    let start = max(0, batch.lowerBound - 1)
    try segment.rewrite(try segment.bytes(start..<batch.upperBound)[...], at: start)
    try segment.sync()
    try disk.syncFolder(folder)
  }

  /// Makes as sure as need be of a batch of another writer whose newline is missing; returns the segment's stamp
  /// after that.
  ///
  /// It is synced, which changes nothing, and fails only where somebody asked for that. Only where something of it is
  /// answered with `exists` it is written once more, as the system may have forgotten what a sync could not write; a
  /// segment that may only be read came here whole.
  private func confirm(
    _ segment: String, _ batch: Range<Int>, isKnown: Bool, isAsked: Bool, _ stamp: FileStamp?
  ) throws(SystemError) -> FileStamp? {
    guard isKnown else {
      do throws(SystemError) {
        try File(segment, .read, on: disk).sync()
        try disk.syncFolder(folder)
      } catch { if isAsked { throw error } }
      return stamp
    }
    let file: File
    do throws(SystemError) { file = try File(segment, .rewrite, on: disk) } catch  where error.isForbidden {
      try File(segment, .read, on: disk).sync()
      try disk.syncFolder(folder)
      return stamp
    }
    guard try file.stamp() == stamp else { throw .changedMeanwhile(segment) }
    try rewrite(batch, in: file)
    return try file.stamp()
  }

  /// Moves what a crash left at the end to a file of its own, byte for byte, and cuts it off.
  private func setAside(_ torn: Range<Int>, of segment: File) throws(SystemError) {
    let name = "\(folder)/\(writer).torn-\(torn.lowerBound)"
    // Written before and not cut off: a crash between the two steps, or within the first.
    let kept = try File(name, .append, on: disk).size()
    let aside = try File(name, .rewrite, on: disk)
    var isBegun = kept <= torn.count
    if isBegun { isBegun = try aside.begins(with: torn.prefix(kept), of: segment) }
    // Written in full again: after a failed sync, what reads back may be in the system's cache alone.
    if !isBegun { try aside.rewrite(0..<kept, of: aside, at: 0) }
    try aside.rewrite(torn, of: segment, at: isBegun ? 0 : kept)
    try aside.sync()
    try disk.syncFolder(folder)
    try segment.truncate(to: torn.lowerBound)
    try segment.sync()
  }
}
