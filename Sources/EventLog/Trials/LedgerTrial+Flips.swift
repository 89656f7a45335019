import StreakDomain

extension LedgerTrial {
  /// Flips every bit of the days sealed last, one at a time: the seals must show each.
  package mutating func flip() throws(LogError) {
    for segment in segments {
      var rest = reach
      for span in try sealedSpans(of: segment).reversed() where rest > 0 {
        // Each flip has the whole span hashed.
        let most = max(1, LedgerTrial.hashed / 8 / (span.end - span.start))
        flip(span, of: segment, bytes: min(rest, span.seal - span.start, most))
        rest -= max(reach / 16, span.seal - span.start)
      }
    }
  }

  /// At most so many bytes are hashed for a span, so that a day of many thousand entries takes seconds.
  private static let hashed = 64 << 20

  /// What each seal seals: from the line of the seal before it, or the start, to its own line.
  private struct SealedSpan {
    let start: Int
    /// Where the sealing line begins.
    let seal: Int
    /// The offset after its newline.
    let end: Int
  }

  private func sealedSpans(
    of segment: (name: String, bytes: [UInt8])
  ) throws(LogError) -> [SealedSpan] {
    var seals: [Int] = []
    try LedgerTrial.each(LedgerTrial.stream(on: disk([segment]), wantsEvents: true)) { item, _ in
      if case .dayChanged(_, .some, _)? = item.event?.payload { seals.append(item.offset) }
    }
    return seals.indices.map { index in
      let seal = seals[index]
      let newline = segment.bytes[seal...].firstIndex(of: UInt8(ascii: "\n")) ?? segment.bytes.count - 1
      return SealedSpan(start: index > 0 ? seals[index - 1] : 0, seal: seal, end: newline + 1)
    }
  }

  private mutating func flip(
    _ span: SealedSpan, of segment: (name: String, bytes: [UInt8]), bytes count: Int
  ) {
    var bytes = Array(segment.bytes[span.start..<span.end])
    // What was taken out of a line is said further on.
    let behind = Redactions(in: Array(segment.bytes[span.end...]))
    let sound = findings(in: bytes, behind, isWithoutBeginning: span.start > 0)
    let first = span.seal - span.start - count
    for place in first..<first + count {
      for bit in 0..<8 {
        bytes[place] ^= 1 << UInt8(bit)
        if findings(in: bytes, behind, isWithoutBeginning: span.start > 0) == sound, isReadable(bytes) {
          failures.append(
            "\(segment.name): bit \(bit) of byte \(span.start + place) was flipped and nothing shows it")
        }
        bytes[place] ^= 1 << UInt8(bit)
        flips += 1
      }
    }
  }

  /// What the seals of a span show.
  private func findings(in bytes: [UInt8], _ behind: Redactions, isWithoutBeginning: Bool) -> [Finding] {
    var redactions = Redactions(in: bytes)
    redactions.add(behind)
    var check = SealCheck("", redactions, all: redactions, isWithoutBeginning: isWithoutBeginning)
    check.update(bytes[...])
    return check.finish().findings
  }

  /// Whether each line is an event: a newline flipped away takes the seal's own line with it.
  private func isReadable(_ bytes: [UInt8]) -> Bool {
    let disk = MemoryDisk([LedgerTrial.path("flipped").spelling: bytes])
    do throws(LogError) {
      try LedgerTrial.each(LedgerTrial.stream(on: disk)) { _, _ in }
      return true
    } catch { return false }
  }
}
