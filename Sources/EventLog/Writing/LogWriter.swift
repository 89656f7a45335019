package import StreakDomain

/// A log opened for writing; it is locked as long as this value exists.
///
/// An append checks that no file has changed since it was read, repairs the end of the writer's
/// segment after a crash, and appends the lines without the last newline. It syncs, appends the
/// newline, and checks the files again before it reports success.
///
/// The lock is an exclusive `flock` on `.lock`, from before reading until success is reported. The
/// folder is locked, too, so that a second writer can't start after somebody removed `.lock`. The
/// checks detect programs that ignore the locks.
package struct LogWriter: ~Copyable {
  package let folder: String
  package let writer: String
  let disk: any Disk
  /// The lock of the whole folder, released before `lock` because fields are destroyed in the order
  /// of declaration.
  ///
  /// A writer that has waited for `lock` therefore finds the folder unlocked.
  private let folderLock: File
  private let lock: File
  private let makesFolder: Bool
  private let madeFolder: Bool
  package var path: String { "\(folder)/\(writer).jsonl" }

  package init(
    folder: String, writer: String, wait: Double, makesFolder: Bool,
    on disk: any Disk = SystemDisk()
  ) throws(Failure) {
    guard Forms.isWriter(writer) else { throw .badWriter(writer) }
    // Without a ledger, no lock may be left in the folder.
    if !makesFolder, (try? disk.stamp(of: folder + "/.lock")) == nil {
      try EventStream.requireLedger(in: folder, on: disk)
    }
    (lock, folderLock, madeFolder) = try LogWriter.locked(
      folder, wait: wait, makesFolder: makesFolder, on: disk)
    self.makesFolder = makesFolder
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
        // Fails if `.lock` isn't a regular file, which can't be trusted as a lock.
        _ = try file.size()
        let isHeld = try file.lock(upTo: wait - waited)
        // If the lock file was removed meanwhile, locking it excludes nobody.
        let isNamed = try file.isNamed()
        if isHeld, isNamed {
          let folderLock = try File(folder, .folder, on: disk)
          if try lockIfKnown(folderLock) { return (file, folderLock, madeFolder) }
        }
        isHeldElsewhere = !isHeld && isNamed
      } catch {
        // Another program may just have removed a folder that it had created and not used.
        guard error.isNotFound, makesFolder else {
          throw error.isNotFound
            ? .noLedger(folder: folder) : .notWritten(error, folder + "/.lock", on: disk)
        }
      }
      guard waited < wait, !isHeldElsewhere else { throw .busy(folder + "/.lock", seconds: wait) }
      disk.pause(microseconds: 10_000)
      waited += 0.01
    }
  }

  /// Locks the folder; returns false if another writer, whose `.lock` was removed, has locked the
  /// folder.
  ///
  /// Returns true without a lock if the system can't lock folders.
  private static func lockIfKnown(_ folder: File) throws(SystemError) -> Bool {
    do throws(SystemError) { return try folder.lock(upTo: 0) } catch  where error.isUnsupported {
      return true
    }
  }

  /// Appends the drafts of one command as one batch, and returns when they are on the disk.
  ///
  /// The log is read and passed to `drafts`; if `cache` contains the beginning of the log, only the
  /// rest is read. If `drafts` returns `nil`, nothing is appended, and `nil` is returned. A folder
  /// created for this append is removed if it stays empty.
  package func append(
    to cache: inout FoldedLog?, if options: AppendOptions,
    random: any RandomNumberGenerator = SystemRandomNumberGenerator(),
    _ drafts: (FoldedLog) throws(Failure) -> Drafts?
  ) throws(Failure) -> Decision? {
    var reading = options.reading
    reading.disk = disk
    do throws(Failure) {
      let decision = try FoldedLog.reading(
        &cache, in: folder, writer: writer, reading, mayBegin: makesFolder
      ) { (log) throws(Failure) -> Decision? in
        guard let drafts = try drafts(log) else { return nil }
        return try append(drafts, to: log, if: options, random: random)
      }
      if decision == nil { discardFolder() }
      return decision
    } catch {
      discardFolder()
      throw error
    }
  }

  /// Appends drafts to `log`, which must have been read while this lock was held.
  package func append(
    _ drafts: Drafts, to log: FoldedLog, if options: AppendOptions,
    random: any RandomNumberGenerator = SystemRandomNumberGenerator()
  ) throws(Failure) -> Decision {
    let decision = try Transaction.decide(drafts, on: log, options: options, random: random)
    try write(decision)
    return decision
  }

  private func discardFolder() {
    guard madeFolder, (try? lock.isNamed()) == true, let found = try? disk.names(in: folder) else {
      return
    }
    let names = Set(found).subtracting([".", "..", ".lock"])
    let isEmpty = (try? disk.stamp(of: path))??.size == 0
    guard names.isEmpty || names == ["\(writer).jsonl"] && isEmpty else { return }
    for path in names.map({ "\(folder)/\($0)" }) + [folder + "/.lock", folder] {
      try? disk.remove(path)
    }
  }

  /// Writes and syncs `decision`, which was made under this lock, and syncs the events answered
  /// with `exists`.
  ///
  /// - Throws: `notWritten` if nothing was written; `outcomeUnknown` if a sync failed or a segment
  ///   has changed.
  private func write(_ decision: Decision) throws(Failure) {
    if let texts = decision.removedTexts { return try redact(texts, by: decision) }
    guard decision.results.count <= BatchLines.limit else {
      throw .tooManyEvents(decision.results.count)
    }
    try write(decision.batch, known: decision.known, head: decision.head)
  }

  /// Syncs the last batch of each segment that ends without a newline.
  package func confirm(_ log: FoldedLog) throws(Failure) {
    try write(BatchLines(), known: [:], head: log.head)
  }

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

  /// Checks that no file has changed since `head` was read, and repairs the files that a crash left
  /// incomplete.
  ///
  /// - Returns: This writer's segment, opened for writing, or `nil` if it doesn't exist or nothing
  ///   is to be written.
  func prepare(
    _ readSet: inout ReadSet, known: [Text: Int], _ head: LogHead, writes: Bool
  ) throws(SystemError) -> Own? {
    let names = try require(readSet)
    // A killed process may have left a temporary file, possibly a copy of a whole segment.
    if names.contains(LogWriter.draft) { try disk.remove("\(folder)/\(LogWriter.draft)") }
    for (other, lines) in head.unended where other != Text(path) {
      let isKnown = known[other].map { $0 >= lines.lowerBound } ?? false
      // With no lines to write and no `exists` to answer, the caller wants only this sync.
      let isAsked = !writes && known.isEmpty
      readSet.segments[other] = try confirm(
        other.string, lines, isKnown: isKnown, isAsked: isAsked, readSet.segments[other])
    }
    guard let tail = head.tail, let stamp = readSet.segments[Text(path)], tail.isUnended || writes
    else {
      return nil
    }
    readSet.segments[Text(path)] = nil
    return try opened(stamp, tail)
  }

  static let draft = ".batch"

  struct Own {
    let file: File
    var size: Int
  }

  /// The stamps of the segments that must stay unchanged during an append, except this writer's own
  /// segment.
  struct ReadSet {
    var segments: [Text: FileStamp] = [:]
    var known: Set<Text> = []
  }

  /// Throws if another program changed a file that was read; returns the names of all files in the
  /// folder.
  @discardableResult
  func require(_ readSet: ReadSet, _ own: Own? = nil) throws(SystemError) -> [String] {
    try requireStanding(own)
    let names = try disk.names(in: folder)
    let segments = names.filter(EventStream.isSegment).map { Text("\(folder)/\($0)") }
    for other in Set(segments).symmetricDifference(readSet.segments.keys) where other != Text(path)
    {
      throw .changedMeanwhile(other.string)
    }
    for (segment, stamp) in readSet.segments { try require(segment, stamp) }
    return names
  }

  private func require(_ segment: Text, _ stamp: FileStamp?) throws(SystemError) {
    guard try disk.stamp(of: segment.string) == stamp else {
      throw .changedMeanwhile(segment.string)
    }
  }

  func requireStanding(_ own: Own?) throws(SystemError) {
    guard try lock.isNamed() else { throw .changedMeanwhile(lock.path) }
    guard let own else { return }
    guard try own.file.isNamed(), try own.file.size() == own.size else {
      throw .changedMeanwhile(path)
    }
  }

  /// Writes and syncs `batch`, then writes its final newline: a segment that ends with a newline is
  /// complete on disk.
  func commit(
    _ batch: BatchLines, to own: Own?, _ readSet: ReadSet, sealStart: Int = 0
  ) throws(Failure) {
    var segment: Own
    do throws(SystemError) {
      segment = if let own { own } else { Own(file: try File(path, .create, on: disk), size: 0) }
    } catch { throw .notWritten(error.isExisting ? .changedMeanwhile(path) : error) }
    var writer = BatchWriter(batch, to: segment.file)
    var isBegun = false
    do throws(SystemError) {
      if !batch.dayChanges.isEmpty { try writer.read(sealStart..<segment.size, of: segment.file) }
      // The previous newline was never synced. If it isn't in the same disk block as the new lines,
      // it is written again, because the system may have discarded it after a failed sync.
      if segment.size > 0, segment.size % 512 == 0 {
        try reopen(segment.file, for: .rewrite).rewrite(LogWriter.newline, at: segment.size - 1)
      }
      try require(readSet, segment)
      isBegun = true
      try writer.write()
    } catch {
      // An unfinished batch isn't valid, so it is cut off if possible. A new segment stays, because
      // its path may lead to another program's file by now.
      if isBegun { try? segment.file.truncate(to: segment.size) }
      throw .notWritten(error)
    }
    do throws(SystemError) {
      try segment.file.sync()
      // A final newline also means that the folder's entry of the file is on the disk.
      if segment.size == 0 { try disk.syncFolder(folder) }
      segment.size += writer.written
      // The batch is recorded now; if writing the newline fails, the next append writes it.
      if (try? segment.file.append(LogWriter.newline)) != nil { segment.size += 1 }
      try requireStanding(segment)
      for other in readSet.known where other != Text(path) {
        try require(other, readSet.segments[other])
      }
    } catch { throw .outcomeUnknown(error) }
  }

  static let newline = [UInt8(ascii: "\n")][...]

  private func reopen(_ segment: File, for mode: FileMode) throws(SystemError) -> File {
    let file = try File(path, mode, on: disk)
    guard try file.stamp().isSameFile(as: segment.stamp()) else { throw .changedMeanwhile(path) }
    return file
  }

  /// Opens this writer's segment, writes a missing final newline, and moves a torn end to another
  /// file.
  ///
  /// A batch without its final newline is first written again and synced, because after a failed
  /// sync the system may treat lost bytes as written.
  private func opened(_ stamp: FileStamp, _ tail: SegmentTail) throws(SystemError) -> Own {
    let file = try File(path, .extend, on: disk)
    guard try file.stamp() == stamp else { throw .changedMeanwhile(path) }
    if let start = tail.unendedFrom {
      try rewrite(start..<tail.validEnd, in: reopen(file, for: .rewrite))
    }
    if tail.isTorn { try setAside(tail.validEnd..<tail.size, of: file) }
    guard tail.isUnended else { return Own(file: file, size: tail.validEnd) }
    try file.append(LogWriter.newline)
    return Own(file: file, size: tail.validEnd + 1)
  }

  private func rewrite(_ batch: Range<Int>, in segment: File) throws(SystemError) {
    let start = max(0, batch.lowerBound - 1)
    try segment.rewrite(try segment.bytes(start..<batch.upperBound)[...], at: start)
    try segment.sync()
    try disk.syncFolder(folder)
  }

  /// Makes sure that the last batch of another writer is on the disk, if its segment ends without a
  /// newline.
  ///
  /// If `isKnown` is true, the caller will answer `exists` for events of `batch`. Then all errors
  /// are thrown, and the batch is rewritten if the file is writable, because the system may have
  /// discarded bytes after a failed sync. Otherwise the segment is only synced, and errors are
  /// thrown only if `isAsked` is true.
  ///
  /// - Returns: The segment's stamp afterwards.
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
    do throws(SystemError) { file = try File(segment, .rewrite, on: disk) } catch
      where error.isForbidden
    {
      try File(segment, .read, on: disk).sync()
      try disk.syncFolder(folder)
      return stamp
    }
    guard try file.stamp() == stamp else { throw .changedMeanwhile(segment) }
    try rewrite(batch, in: file)
    return try file.stamp()
  }

  /// Moves the bytes `torn` of `segment` to a file such as `phone.torn-361`, and cuts them off from
  /// the segment.
  private func setAside(_ torn: Range<Int>, of segment: File) throws(SystemError) {
    let name = "\(folder)/\(writer).torn-\(torn.lowerBound)"
    // After a crash in an earlier attempt, the file may already contain these bytes or a part of
    // them.
    let kept = try File(name, .append, on: disk).size()
    let aside = try File(name, .rewrite, on: disk)
    var isBegun = kept <= torn.count
    if isBegun { isBegun = try aside.begins(with: torn.prefix(kept), of: segment) }
    // All bytes are written again: after a failed sync, bytes that can be read may exist only in
    // the system's cache.
    if !isBegun { try aside.rewrite(0..<kept, of: aside, at: 0) }
    try aside.rewrite(torn, of: segment, at: isBegun ? 0 : kept)
    try aside.sync()
    try disk.syncFolder(folder)
    try segment.truncate(to: torn.lowerBound)
    try segment.sync()
  }
}

extension LogWriter {
  /// Removes `texts` from this writer's segment, and appends the batch of `decision`, which records
  /// the redaction.
  ///
  /// Each range begins after a text's opening quote and includes the closing quote. No other
  /// command changes a written line (event-format.md, "Redaction"). Renaming a synced copy of the
  /// segment commits the change.
  ///
  /// An empty batch means that the redaction was already recorded; then only files left by a crash
  /// are cleaned up. A torn end that can't be overwritten is no error, because the caller searches
  /// the files for the texts afterwards.
  ///
  /// - Throws: `notWritten` if nothing has changed; `outcomeUnknown` if the texts may remain.
  private func redact(_ texts: [Range<Int>], by decision: Decision) throws(Failure) {
    var readSet = ReadSet(segments: decision.head.stamps)
    do throws(SystemError) {
      let own = try prepare(&readSet, known: [:], decision.head, writes: !decision.batch.isEmpty)
      guard let own, !decision.batch.isEmpty else {
        try require(readSet, own)
        try? blankTornEnds()
        return
      }
      try replace(own, without: texts, adding: decision, readSet)
    } catch { throw .notWritten(error) }
    do throws(SystemError) {
      try disk.syncFolder(folder)
      try requireStanding(nil)
    } catch { throw .outcomeUnknown(error) }
    try? blankTornEnds()
  }

  private func replace(
    _ own: Own, without texts: [Range<Int>], adding decision: Decision, _ readSet: ReadSet
  ) throws(SystemError) {
    let draft = "\(folder)/\(LogWriter.draft)"
    let copy = try File(draft, .create, on: disk)
    do throws(SystemError) {
      for start in stride(from: 0, to: own.size, by: 1 << 20) {
        var piece = try own.file.bytes(start..<min(own.size, start + 1 << 20))
        for text in texts {
          for offset in text.clamped(to: start..<start + piece.count) {
            piece[offset - start] = UInt8(ascii: offset == text.lowerBound ? "\"" : " ")
          }
        }
        try copy.append(piece[...])
      }
      var writer = BatchWriter(decision.batch, to: copy)
      if !decision.batch.dayChanges.isEmpty {
        try writer.read(decision.head.sealStart..<own.size, of: own.file)
      }
      try writer.write()
      try copy.append(LogWriter.newline)
      try copy.sync()
      try require(readSet, own)
      try disk.rename(draft, to: path)
    } catch {
      try? disk.remove(draft)
      throw error
    }
  }

  /// Overwrites this writer's files such as `phone.torn-361` with spaces, because they may contain
  /// the redacted texts.
  private func blankTornEnds() throws(SystemError) {
    let prefix = "\(writer).torn-"
    for name in try disk.names(in: folder) where name.begins(with: prefix) {
      guard name.droppingBytes(prefix.utf8.count).utf8.allSatisfy({ $0.isDigit }) else {
        continue
      }
      let file = try File("\(folder)/\(name)", .rewrite, on: disk)
      let size = try file.size()
      for start in stride(from: 0, to: size, by: 1 << 20) {
        let blanks = [UInt8](repeating: UInt8(ascii: " "), count: min(1 << 20, size - start))
        try file.rewrite(blanks[...], at: start)
      }
      try file.sync()
    }
  }
}
