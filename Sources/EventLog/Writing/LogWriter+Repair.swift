import StreakDomain

/// This writer's segment during an append.
struct OwnSegment {
  let file: File
  /// The number of bytes that the file must have, unless another program changed it.
  var size: Int
}

/// The files that must stay unchanged during an append.
struct ReadSet {
  /// The stamps of the segments that the decision is based on, by the path of the segment.
  ///
  /// `prepare` removes the stamp of this writer's own segment when it opens that segment for
  /// writing.
  var segments: [Text: FileStamp]
  /// The paths of the segments with events that are answered with `exists`.
  var repeated: Set<Text> = []
}

/// The checks that no file has changed since it was read.
extension LogWriter {
  /// Throws if another program changed a file that was read; returns the names of all files in the
  /// folder.
  @discardableResult
  func require(_ readSet: ReadSet, _ segment: OwnSegment?) throws(SystemError) -> [String] {
    try requireNamed(segment)

    let names = try disk.names(in: folder)
    let segments = names.filter(EventStream.isSegment).map { Text("\(folder)/\($0)") }
    for other in Set(segments).symmetricDifference(readSet.segments.keys) where other != Text(path)
    {
      throw .changedMeanwhile(other.string)
    }
    for (segment, stamp) in readSet.segments { try require(segment, stamp) }
    return names
  }

  func require(_ segment: Text, _ stamp: FileStamp?) throws(SystemError) {
    guard try disk.stamp(of: segment.string) == stamp else {
      throw .changedMeanwhile(segment.string)
    }
  }

  /// Throws if another program removed or replaced `.lock` or this writer's segment.
  func requireNamed(_ segment: OwnSegment?) throws(SystemError) {
    guard try lock.isNamed() else { throw .changedMeanwhile(lock.path) }
    guard let segment else { return }
    guard try segment.file.isNamed(), try segment.file.size() == segment.size else {
      throw .changedMeanwhile(path)
    }
  }

  /// Opens this writer's segment again in another mode.
  func reopen(_ segment: File, for mode: FileMode) throws(SystemError) -> File {
    let file = try File(path, mode, on: disk)
    guard try file.stamp().isSameFile(as: segment.stamp()) else { throw .changedMeanwhile(path) }
    return file
  }
}

/// The repair of what a crash left incomplete, before a new batch is written.
///
/// Readers skip a torn end and count a complete batch without its newline, so they see the same
/// events before the repair, after it, and after a crash in it.
extension LogWriter {
  /// The name of the copy of a segment that `redact` writes.
  static let copyName = ".batch"

  /// Checks that no file has changed since `head` was read, and repairs the files that a crash left
  /// incomplete.
  ///
  /// - Returns: This writer's segment, opened for writing, or `nil` if it doesn't exist or nothing
  ///   is to be written.
  func prepare(
    _ readSet: inout ReadSet, repeated: [Text: Int], _ head: LogHead, writes: Bool
  ) throws(SystemError) -> OwnSegment? {
    let names = try require(readSet, nil)
    // A killed process may have left a temporary file, possibly a copy of a whole segment.
    if names.contains(LogWriter.copyName) { try disk.remove("\(folder)/\(LogWriter.copyName)") }

    for (other, lines) in head.unended where other != Text(path) {
      let isRepeated = repeated[other].map { $0 >= lines.lowerBound } ?? false
      // With no lines to write and no `exists` to answer, the caller wants only this sync.
      let isOnlySync = !writes && repeated.isEmpty
      readSet.segments[other] = try confirm(
        other.string, lines, isRepeated: isRepeated, throwsErrors: isOnlySync,
        readSet.segments[other])
    }

    guard let tail = head.tail, let stamp = readSet.segments[Text(path)], tail.isUnended || writes
    else {
      return nil
    }
    readSet.segments[Text(path)] = nil
    return try repaired(stamp, tail)
  }

  /// Makes sure that the last batch of another writer is on the disk, if its segment ends without a
  /// newline.
  ///
  /// The file keeps its bytes, so a crash changes nothing.
  /// If `isRepeated` is true, the caller will answer `exists` for events of `batch`. Then all
  /// errors are thrown, and the batch is rewritten if the file is writable, because the system may
  /// have discarded bytes after a failed sync. Otherwise the segment is only synced, and errors are
  /// thrown only if `throwsErrors` is true.
  ///
  /// - Returns: The segment's stamp afterwards.
  private func confirm(
    _ segment: String, _ batch: Range<Int>, isRepeated: Bool, throwsErrors: Bool,
    _ stamp: FileStamp?
  ) throws(SystemError) -> FileStamp? {
    guard isRepeated else {
      do throws(SystemError) { try sync(segment) } catch { if throwsErrors { throw error } }
      return stamp
    }

    let file: File
    do throws(SystemError) { file = try File(segment, .rewrite, on: disk) } catch
      where error.isForbidden
    {
      try sync(segment)
      return stamp
    }
    guard try file.stamp() == stamp else { throw .changedMeanwhile(segment) }
    try rewrite(batch, in: file)
    return try file.stamp()
  }

  /// Syncs a segment that this writer can only read, and the segment's entry in the folder.
  private func sync(_ segment: String) throws(SystemError) {
    try File(segment, .read, on: disk).sync()
    try disk.syncFolder(folder)
  }

  /// Opens this writer's segment, and completes its end.
  ///
  /// A last batch without a newline is written again and synced. A torn end is moved to another
  /// file. Then the newline is added. The batch is written again because, after a failed sync, the
  /// system may treat lost bytes as written.
  private func repaired(_ stamp: FileStamp, _ tail: SegmentTail) throws(SystemError) -> OwnSegment {
    let file = try File(path, .extend, on: disk)
    guard try file.stamp() == stamp else { throw .changedMeanwhile(path) }

    // Writes the same bytes, so a crash loses nothing that was on the disk.
    if let start = tail.unendedFrom {
      try rewrite(start..<tail.validEnd, in: reopen(file, for: .rewrite))
    }
    if tail.isTorn { try setAside(tail.validEnd..<tail.size, of: file) }

    guard tail.isUnended else { return OwnSegment(file: file, size: tail.validEnd) }
    // A crash leaves the batch with or without this newline, and it counts either way.
    try file.append(LogWriter.newline)
    return OwnSegment(file: file, size: tail.validEnd + 1)
  }

  /// Writes the bytes of `batch` again, with the newline before them, and syncs them.
  private func rewrite(_ batch: Range<Int>, in segment: File) throws(SystemError) {
    let start = max(0, batch.lowerBound - 1)
    try segment.rewrite(try segment.bytes(start..<batch.upperBound)[...], at: start)
    try segment.sync()
    try disk.syncFolder(folder)
  }

  /// Moves the bytes `torn` of `segment` to a file such as `phone.torn-361`, and cuts them off from
  /// the segment.
  private func setAside(_ torn: Range<Int>, of segment: File) throws(SystemError) {
    let name = "\(folder)/\(writer).torn-\(torn.lowerBound)"
    // After a crash in an earlier attempt, the file may already contain these bytes or a part of
    // them. If it contains others, of an end that was set aside before, these bytes follow them.
    let oldSize = try File(name, .append, on: disk).size()
    let aside = try File(name, .rewrite, on: disk)
    var isBegun = oldSize <= torn.count
    if isBegun { isBegun = try aside.begins(with: torn.prefix(oldSize), of: segment) }

    // All bytes are written again: after a failed sync, bytes that can be read may exist only in
    // the system's cache.
    if !isBegun { try aside.rewrite(0..<oldSize, of: aside, at: 0) }
    try aside.rewrite(torn, of: segment, at: isBegun ? 0 : oldSize)

    // Up to here, a crash leaves the torn end in the segment, and a part of it in the other file.
    try aside.sync()
    try disk.syncFolder(folder)
    // From here on, a crash leaves the torn end in both files, or only in the other one.
    try segment.truncate(to: torn.lowerBound)
    try segment.sync()
  }
}
