package import StreakDomain

/// The lines of a batch, each ending with `"more":true}` and a newline; `BatchWriter` removes the
/// last line's `more`.
package struct BatchLines: Sendable {
  /// The maximum number of events in a batch.
  package static let limit = 200_000

  /// The lines in a row, in pieces of about a megabyte.
  ///
  /// An array for each line would take twice the memory. One array for all of them would be copied
  /// when it grows.
  private var pieces: [[UInt8]] = []
  /// The piece of each line, and the line's range in it.
  private var ranges: [(piece: Int32, start: Int32, end: Int32)] = []
  private static let pieceSize = 1 << 20
  package private(set) var count = 0
  /// Whether the lines are kept, and not only counted.
  let keepsLines: Bool
  /// The `day.changed` events by the index of the line; their seals are computed when the batch is
  /// written.
  private(set) var dayChanges: [Int: Event] = [:]

  init(keepsLines: Bool = true) { self.keepsLines = keepsLines }

  package var isEmpty: Bool { count == 0 }

  /// The number of lines that are kept.
  fileprivate var keptCount: Int { ranges.count }

  mutating func add(_ line: [UInt8], of event: Event) {
    defer { count += 1 }
    guard keepsLines else { return }
    if case .dayChanged = event.payload { dayChanges[count] = event }

    let filled = pieces.last?.count ?? BatchLines.pieceSize
    if filled + line.count > BatchLines.pieceSize {
      pieces.append([])
      // The first piece grows with the batch, which has one line most of the time.
      if pieces.count > 1 { pieces[pieces.count - 1].reserveCapacity(BatchLines.pieceSize) }
    }
    let piece = pieces.count - 1
    let start = pieces[piece].count
    pieces[piece] += line
    ranges.append((Int32(piece), Int32(start), Int32(start + line.count)))
  }

  /// Returns a line with its newline; the batch must keep its lines.
  fileprivate func line(at index: Int) -> [UInt8] {
    let range = ranges[index]
    return Array(pieces[Int(range.piece)][Int(range.start)..<Int(range.end)])
  }

  func event(at index: Int) throws(Failure) -> Event {
    try EventDecoder.event(Array(line(at: index).dropLast()))
  }

  /// Calls `body` with each event of the complete batch, of which the last one ends the step.
  package func each(_ body: (Event) -> Void) throws(Failure) {
    for index in ranges.indices {
      var event = try event(at: index)
      event.more = index + 1 < ranges.count
      body(event)
    }
  }
}

/// A writer that appends the lines of a batch to a segment, and computes the seal of each
/// `day.changed`.
///
/// The bytes are written in pieces of a megabyte, so that a large batch isn't copied at once. Until
/// the last byte before the last newline is on the disk, a crash leaves a torn end or nothing.
struct BatchWriter {
  private let batch: BatchLines
  private let segment: File
  /// The hash for the next seal, over the digests of the line with the last seal and of all lines
  /// after it.
  private var sealHash = SHA256()
  /// The number of bytes written.
  private(set) var written = 0
  private var waiting: [UInt8] = []

  init(_ batch: BatchLines, to segment: File) {
    self.batch = batch
    self.segment = segment
  }

  /// Adds lines that no seal covers yet to the hash for the next seal; `unsealed` is their byte
  /// range in `file`.
  mutating func read(_ unsealed: Range<Int>, of file: File) throws(SystemError) {
    try file.eachLine(unsealed) { sealHash.update(RedactableTexts.digest(of: $0.bytes)) }
  }

  /// Writes all lines of the batch, but not yet the newline of the last line.
  mutating func write() throws(SystemError) {
    let lastSealed = batch.dayChanges.keys.max() ?? -1
    for index in 0..<batch.keptCount {
      let line = sealedLine(at: index)
      // The next append hashes the lines from the batch's last seal on.
      if index < lastSealed { sealHash.update(RedactableTexts.digest(of: Array(line.dropLast()))) }
      waiting += line

      // The last byte may be the final newline, which must not be written yet.
      if waiting.count > 1 << 20 {
        try flush(waiting.dropLast())
        waiting.removeFirst(waiting.count - 1)
      }
    }
    try flush(waiting.dropLast())
  }

  /// Returns the line as it is written.
  ///
  /// A `day.changed` gets its seal, and the last line loses `more`.
  private mutating func sealedLine(at index: Int) -> [UInt8] {
    let isLast = index + 1 == batch.count
    guard var event = batch.dayChanges[index],
      case .dayChanged(let to, _, let seen) = event.payload
    else {
      let line = batch.line(at: index)
      return isLast ? EventEncoder.lastLine(of: line) : line
    }

    event.payload = .dayChanged(to: to, seal: sealHash.digest(), seen: seen)
    sealHash = SHA256()
    return EventEncoder.line(event, more: !isLast)
  }

  private mutating func flush(_ bytes: ArraySlice<UInt8>) throws(SystemError) {
    try segment.append(bytes)
    written += bytes.count
  }
}
