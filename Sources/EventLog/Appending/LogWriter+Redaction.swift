package import StreakDomain

extension LogWriter {
  /// Takes texts out of lines of this writer's segment and appends what was decided under this lock, which says so:
  /// the one operation that rewrites a line (event-format.md, "Redaction").
  ///
  /// The segment is copied without the texts and with the batch, the copy is synced, and its rename is the commit: a
  /// reader and a crash find the one or the other. Where all was done before, only what a killed process left is
  /// cleared away.
  /// - Throws: `notWritten` where nothing is changed; `unknownOutcome` where the texts may be gone or not, or a torn
  ///   end may still hold some of them.
  package func redact(_ texts: [RedactedRange], by decision: Decision) throws(Failure) {
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
    _ own: Own, without texts: [RedactedRange], adding decision: Decision, _ readSet: ReadSet
  ) throws(SystemError) {
    let draft = "\(folder)/\(LogWriter.draft)"
    let copy = try File(draft, .create, on: disk)
    do throws(SystemError) {
      for start in stride(from: 0, to: own.size, by: 1 << 20) {
        var piece = try own.file.bytes(start..<min(own.size, start + 1 << 20))
        for text in texts { text.blank(&piece, at: start) }
        try copy.append(piece[...])
      }
      var writer = BatchWriter(decision.batch, isJoined: true, to: copy)
      // As it was: what this batch takes out of it is said behind the seal.
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

  /// Overwrites what crashes left of this writer's segment: any of it may be a part of what was taken out.
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

/// A text to be taken out of a segment, by where it is there.
package struct RedactedRange: Sendable {
  /// From the first byte between its quotes to behind the white space after them.
  private let range: Range<Int>

  /// A text of a line that begins at an offset.
  package init(_ text: TextPlaces.Found, ofLineAt offset: Int) {
    range = offset + text.range.lowerBound..<offset + text.space.upperBound
  }

  /// Leaves two quotes and as many spaces as there were bytes, in a piece of the segment that begins at an offset.
  func blank(_ piece: inout [UInt8], at start: Int) {
    for place in range.clamped(to: start..<start + piece.count) {
      piece[place - start] = UInt8(ascii: place == range.lowerBound ? "\"" : " ")
    }
  }
}
