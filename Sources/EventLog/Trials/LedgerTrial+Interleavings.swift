import StreakDomain

extension LedgerTrial {
  /// One line or batch of the stream as its bytes, which are never changed.
  private struct Piece {
    let recorded: ClosedRange<Instant>
    let bytes: [UInt8]
  }

  /// Deals the ledger's batches to several devices and brings their segments together again, some twice and some part
  /// by part: every subject's state must be what it is.
  package mutating func interleave(_ times: Int) throws(LogError) {
    var subjects: Set<String?> = [nil]
    try LedgerTrial.each(LedgerTrial.stream(on: disk(), wantsEvents: true)) { item, _ in
      subjects.insert(item.event?.subject)
    }
    let whole = try states(of: subjects, on: disk())
    let pieces = try pieces()
    for _ in 0..<times {
      interleavings += 1
      let disk = deal(pieces, to: 2 + Int.random(in: 0..<3, using: &random))
      do throws(LogError) {
        if try states(of: subjects, on: disk) != whole {
          failures.append("dealt to \(disk.contents.count) segments the ledger has another state")
        }
      } catch { failures.append("dealt to \(disk.contents.count) segments: \(error.message)") }
    }
  }

  /// The batches of all segments, by when they were recorded.
  private func pieces() throws(LogError) -> [Piece] {
    var pieces: [Piece] = []
    for segment in segments {
      var open: (recorded: Instant, start: Int)?
      var ends: [(recorded: ClosedRange<Instant>, start: Int)] = []
      try LedgerTrial.each(LedgerTrial.stream(on: disk([segment]), wantsEvents: true)) { item, _ in
        let piece = open ?? (item.recorded, item.offset)
        open = piece
        guard item.event?.more == nil else { return }
        ends.append((piece.recorded...item.recorded, piece.start))
        open = nil
      }
      for (index, piece) in ends.enumerated() {
        let end = index + 1 < ends.count ? ends[index + 1].start : segment.bytes.count
        var bytes = Array(segment.bytes[piece.start..<end])
        if bytes.last != UInt8(ascii: "\n") { bytes.append(UInt8(ascii: "\n")) }
        pieces.append(Piece(recorded: piece.recorded, bytes: bytes))
      }
    }
    return pieces.sorted { $0.recorded.lowerBound < $1.recorded.lowerBound }
  }

  /// Segments as devices would have them, each in order; one of them was copied under a second name, another in part.
  private mutating func deal(_ pieces: [Piece], to devices: Int) -> MemoryDisk {
    var dealt = [[Piece]](repeating: [], count: devices)
    for piece in pieces {
      // What other devices recorded meanwhile cannot follow on this one.
      let free = dealt.indices.filter { device in
        dealt[device].last.map { $0.recorded.upperBound < piece.recorded.lowerBound } ?? true
      }
      guard let device = free.randomElement(using: &random) else {
        dealt.append([piece])
        continue
      }
      dealt[device].append(piece)
    }
    var files = dealt.map { $0.flatMap(\.bytes) }
    files.append(files[0])
    files.append(dealt[1].prefix(dealt[1].count / 2).flatMap(\.bytes))
    let names = files.indices.map { "device\($0)" }.shuffled(using: &random)
    return disk(Array(zip(names, files)).map { (name: $0.0, bytes: $0.1) })
  }

  /// What there is to know of every subject.
  private func states(of subjects: Set<String?>, on disk: MemoryDisk) throws(LogError) -> [String] {
    var ledgers = SubjectLedgers(subjects)
    try LedgerTrial.each(LedgerTrial.stream(on: disk, wantsEvents: true)) { item, _ in
      if let event = item.event { ledgers.apply(event) }
    }
    return subjects.sorted { $0 ?? "" < $1 ?? "" }.map { subject in
      let ledger = ledgers.ledger(of: subject)
      let books = ledger.definedHabits.map { ledger.jokerBook(of: $0) }
      return "\(ledger.states()) \(books) \(ledger.achievements()) \(ledger.activity) \(ledger.earnedXP)"
    }
  }
}
