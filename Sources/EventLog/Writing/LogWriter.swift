package import StreakDomain

/// A log opened for writing; it is locked as long as this value exists (`WriterLock`).
///
/// An append checks that no file has changed since it was read, repairs the end of the writer's
/// segment after a crash, and appends the lines without the last newline. It syncs, appends the
/// newline, and checks before it reports success that nobody replaced the lock, this segment, or a
/// segment with an event that is answered with `exists`. The checks detect programs that ignore the
/// locks.
///
/// A crash leaves on the disk, depending on the step:
///
///     lock, read, decide    `.lock`, and the folder if it was missing
///     repair                the same events as before; maybe `phone.torn-361`, see `setAside`
///     create a segment      an empty segment, or none
///     write the lines       nothing, or a torn end, which readers skip and this writer's next
///                           append sets aside; with all lines, a batch without its newline, which
///                           counts
///     sync                  the same, until it returns; then the batch counts
///     the last newline      the batch, with or without its newline
///
/// A batch therefore happens completely or not at all. After any crash the same command can be
/// repeated with the same ids: it answers `exists` if the batch counts. An empty first segment
/// looks like one that a sync program evicted, so a repeated `init` needs `--force`.
package struct LogWriter: ~Copyable {
  package let folder: String
  package let writer: String
  let disk: any Disk
  let lock: WriterLock
  private let makesFolder: Bool

  package var path: String { "\(folder)/\(writer).jsonl" }

  package init(
    folder: String, writer: String, wait: Double, makesFolder: Bool,
    on disk: any Disk = SystemDisk()
  ) throws(Failure) {
    guard Syntax.isWriter(writer) else { throw .badWriter(writer) }
    // Without a ledger, no lock may be left in the folder.
    if !makesFolder, (try? disk.stamp(of: folder + "/.lock")) == nil {
      try EventStream.requireLedger(in: folder, on: disk)
    }

    lock = try WriterLock(folder, wait: wait, makesFolder: makesFolder, on: disk)
    self.makesFolder = makesFolder
    self.disk = disk
    self.folder = folder
    self.writer = writer
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
      ) { (log: inout FoldedLog) throws(Failure) -> Decision? in
        // A crash while the log is read and the batch is decided leaves the events as they were.
        guard let drafts = try drafts(log) else { return nil }
        let taken = options.isOneOfMany ? log.take() : log
        return try append(drafts, to: consume taken, if: options, random: random)
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
    _ drafts: Drafts, to log: consuming FoldedLog, if options: AppendOptions,
    random: any RandomNumberGenerator = SystemRandomNumberGenerator()
  ) throws(Failure) -> Decision {
    let decision = try Transaction.decide(
      drafts, on: consume log, options: options, random: random)
    try write(decision)
    return decision
  }

  /// Syncs the last batch of each segment that ends without a newline, and repairs the end of this
  /// writer's own.
  package func confirm(_ log: FoldedLog) throws(Failure) {
    try write(BatchLines(), repeated: [:], head: log.head)
  }

  /// Removes a folder that was created for this append, unless somebody else uses it by now.
  private func discardFolder() {
    guard lock.madeFolder, (try? lock.isNamed()) == true, let files = try? disk.names(in: folder)
    else {
      return
    }
    let names = Set(files).subtracting([".", "..", ".lock"])
    let isEmpty = (try? disk.stamp(of: path))??.size == 0
    guard names.isEmpty || names == ["\(writer).jsonl"] && isEmpty else { return }

    for path in names.map({ "\(folder)/\($0)" }) + [folder + "/.lock", folder] {
      try? disk.remove(path)
    }
  }

  /// Writes and syncs `decision`, which was made under this lock, and syncs the events answered
  /// with `exists`.
  ///
  /// - Throws: `notWritten` if no line of this batch was written, `outcomeUnknown` if a sync failed
  ///   or a segment has changed after that, or `refused` if there are too many events.
  private func write(_ decision: Decision) throws(Failure) {
    if let texts = decision.removedTexts { return try redact(texts, by: decision) }
    guard decision.results.count <= BatchLines.limit else {
      throw .tooManyEvents(decision.results.count)
    }
    try write(decision.batch, repeated: decision.repeatedOffsets, head: decision.head)
  }

  /// Writes and syncs `batch`, or only syncs if it is empty.
  ///
  /// `repeated` has the offset of the last event in each segment that must be on the disk before
  /// `exists` is answered.
  private func write(
    _ batch: BatchLines, repeated: [Text: Int], head: LogHead
  ) throws(Failure) {
    var readSet = ReadSet(segments: head.stamps, repeated: Set(repeated.keys))
    let segment: OwnSegment?
    do throws(SystemError) {
      segment = try prepare(&readSet, repeated: repeated, head, writes: !batch.isEmpty)
      guard !batch.isEmpty else {
        try require(readSet, segment)
        return
      }
    } catch { throw .notWritten(error, path, on: disk) }

    try commit(batch, to: segment, readSet, sealStart: head.sealStart)
  }

  /// Writes and syncs `batch`, then writes its final newline: a segment that ends with a newline is
  /// complete on disk.
  private func commit(
    _ batch: BatchLines, to existing: OwnSegment?, _ readSet: ReadSet, sealStart: Int
  ) throws(Failure) {
    var segment = if let existing { existing } else { try created() }
    let written = try writeLines(of: batch, to: segment, readSet, sealStart: sealStart)

    do throws(SystemError) {
      // A crash up to the end of this sync leaves any part of the lines. Without its last byte the
      // batch is torn, and so it is with a lost disk block, which reads as zeros (`SegmentTail`).
      try segment.file.sync()
      // A final newline also means that the folder's entry of the file is on the disk (see
      // `redact`, too). A crash before this sync may leave no segment.
      if segment.size == 0 { try disk.syncFolder(folder) }
      segment.size += written

      // The batch is recorded now, and a crash leaves it without its newline or with it; if writing
      // the newline fails, the next append writes it.
      if (try? segment.file.append(LogWriter.newline)) != nil { segment.size += 1 }

      // Nobody has replaced the segment, or a segment with an event that is answered with `exists`.
      try requireNamed(segment)
      for other in readSet.repeated where other != Text(path) {
        try require(other, readSet.segments[other])
      }
    } catch { throw .outcomeUnknown(error) }
  }

  /// Creates this writer's segment; a crash leaves an empty segment, which has no events.
  private func created() throws(Failure) -> OwnSegment {
    do throws(SystemError) {
      return OwnSegment(file: try File(path, .create, on: disk), size: 0)
    } catch {
      throw .notWritten(error.isExisting ? .changedMeanwhile(path) : error)
    }
  }

  /// Writes the lines of `batch` without the last newline, and returns the number of their bytes.
  private func writeLines(
    of batch: BatchLines, to segment: OwnSegment, _ readSet: ReadSet, sealStart: Int
  ) throws(Failure) -> Int {
    var writer = BatchWriter(batch, to: segment.file)
    var isBegun = false
    do throws(SystemError) {
      if !batch.dayChanges.isEmpty { try writer.read(sealStart..<segment.size, of: segment.file) }

      // The previous newline was never synced. If it isn't in the same disk block as the new lines,
      // it is written again, because the system may have discarded it after a failed sync.
      if segment.size > 0, segment.size % SegmentTail.blockSize == 0 {
        try reopen(segment.file, for: .rewrite).rewrite(LogWriter.newline, at: segment.size - 1)
      }

      // Up to here, a crash leaves the events as they were. From here on, it leaves nothing, a torn
      // end, or the batch, which counts with the last byte of its last line.
      try require(readSet, segment)
      isBegun = true
      try writer.write()
      return writer.written
    } catch {
      // An unfinished batch isn't valid, so it is cut off if possible. A new segment stays, because
      // its path may lead to another program's file by now.
      if isBegun { try? segment.file.truncate(to: segment.size) }
      throw .notWritten(error)
    }
  }

  static let newline = [UInt8(ascii: "\n")][...]
}
