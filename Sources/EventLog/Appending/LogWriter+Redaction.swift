package import StreakDomain

extension LogWriter {
  /// Removes texts from lines of this writer's segment and appends `decision`, which records the redaction.
  ///
  /// `texts` are the extents of the texts in the segment, each with its closing quote.
  ///
  /// No other operation changes a written line (event-format.md, "Redaction"). A synced copy replaces the
  /// segment, so the rename commits. An empty batch means that this was done earlier; then only leftovers are
  /// removed.
  ///
  /// - Throws: `notWritten` if nothing has changed; `unknownOutcome` if the texts or torn ends may remain.
  package func redact(_ texts: [Range<Int>], by decision: Decision) throws(Failure) {
    var readSet = ReadSet(segments: decision.head.stamps)
    do throws(SystemError) {
      let own = try prepare(&readSet, known: [:], decision.head, writes: !decision.batch.isEmpty)
      guard let own, !decision.batch.isEmpty else {
        try require(readSet, own)
        try blankTornEnds()
        return
      }
      try replace(own, without: texts, adding: decision, readSet)
    } catch { throw .notWritten(error) }
    do throws(SystemError) {
      try disk.syncFolder(folder)
      try requireStanding(nil)
      try blankTornEnds()
    } catch { throw .outcomeUnknown(error) }
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

  /// Overwrites the torn ends set aside for this writer, because they may contain the redacted texts.
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
