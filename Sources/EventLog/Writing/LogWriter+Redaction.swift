import StreakDomain

/// The removal of texts from this writer's segment, the only change of written lines.
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
  func redact(_ texts: [Range<Int>], by decision: Decision) throws(Failure) {
    var readSet = ReadSet(segments: decision.head.stamps)
    let copy: File
    do throws(SystemError) {
      let segment = try prepare(
        &readSet, repeated: [:], decision.head, writes: !decision.batch.isEmpty)
      guard !decision.batch.isEmpty else {
        try require(readSet, segment)
        try? blankTornEnds()
        return
      }
      guard let segment else { throw .changedMeanwhile(path) }
      copy = try replace(segment, without: texts, adding: decision, readSet)
    } catch { throw .notWritten(error) }

    do throws(SystemError) {
      // A crash before the end of this sync leaves the old segment or the new one.
      try disk.syncFolder(folder)
      // Only now, because a segment that ends with a newline has its entry in the folder on the
      // disk. A crash before leaves the new segment without it, and the next append syncs the
      // folder.
      try? copy.append(LogWriter.newline)
      try requireNamed(nil)
    } catch { throw .outcomeUnknown(error) }

    try? blankTornEnds()
  }

  /// Replaces the segment by a copy without `texts`, and returns the copy.
  ///
  /// At its end, the copy has the batch of `decision`, but not the last newline. Before the rename,
  /// a crash leaves the old segment and maybe `.batch`, which the next append removes. After it, a
  /// crash leaves the old segment or the new one.
  private func replace(
    _ segment: OwnSegment, without texts: [Range<Int>], adding decision: Decision,
    _ readSet: ReadSet
  ) throws(SystemError) -> File {
    let copyPath = "\(folder)/\(LogWriter.copyName)"
    let copy = try File(copyPath, .create, on: disk)
    do throws(SystemError) {
      try append(segment, without: texts, to: copy)

      var writer = BatchWriter(decision.batch, to: copy)
      if !decision.batch.dayChanges.isEmpty {
        try writer.read(decision.head.sealStart..<segment.size, of: segment.file)
      }
      try writer.write()
      try copy.sync()

      try require(readSet, segment)
      try disk.rename(copyPath, to: path)
      return copy
    } catch {
      try? disk.remove(copyPath)
      throw error
    }
  }

  /// Appends the bytes of `segment` to `copy`, with a quote and spaces instead of each text.
  private func append(
    _ segment: OwnSegment, without texts: [Range<Int>], to copy: File
  ) throws(SystemError) {
    for start in stride(from: 0, to: segment.size, by: 1 << 20) {
      var piece = try segment.file.bytes(start..<min(segment.size, start + 1 << 20))
      for text in texts {
        for offset in text.clamped(to: start..<start + piece.count) {
          piece[offset - start] = UInt8(ascii: offset == text.lowerBound ? "\"" : " ")
        }
      }
      try copy.append(piece[...])
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
