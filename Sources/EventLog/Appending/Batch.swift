package import StreakDomain

package struct BatchLines: Sendable {
  /// The maximum number of events in a batch.
  package static let limit = 200_000

  private var bytes: [UInt8] = []
  private var ends: [Int] = []
  /// The `day.changed` events, whose seals are computed during writing, with their indexes in the batch.
  private(set) var dayChanges: [(place: Int, event: Event)] = []

  init() {}

  package var count: Int { ends.count }
  package var isEmpty: Bool { ends.isEmpty }
  var size: Int { bytes.count }

  mutating func add(_ line: [UInt8], of event: Event) {
    if case .dayChanged = event.payload { dayChanges.append((count, event)) }
    bytes += line
    ends.append(bytes.count)
  }

  func range(of place: Int) -> Range<Int> { (place == 0 ? 0 : ends[place - 1])..<ends[place] }

  subscript(range: Range<Int>) -> ArraySlice<UInt8> { bytes[range] }

  func event(at place: Int) throws(Failure) -> Event {
    try EventDecoder.event(Array(bytes[range(of: place)].dropLast()))
  }

  package func each(_ body: (Event) -> Void) throws(Failure) {
    for place in ends.indices { body(try event(at: place)) }
  }
}

/// Writes the lines of a batch to the end of a segment, and computes the seal of each `day.changed`.
struct BatchWriter {
  private let batch: BatchLines
  private let segment: File
  /// The digest of the lines since the last sealed line.
  private var span = SHA256()
  private var cutter = LineCutter()
  private var isSealing: Bool
  private(set) var written = 0
  private var waiting: [UInt8] = []
  private static let piece = 1 << 20

  init(_ batch: BatchLines, to segment: File) {
    self.batch = batch
    self.segment = segment
    isSealing = !batch.dayChanges.isEmpty
  }

  /// Includes the `unsealed` lines of the segment in the next seal.
  mutating func read(_ unsealed: Range<Int>, of file: File) throws(SystemError) {
    for start in stride(from: unsealed.lowerBound, to: unsealed.upperBound, by: BatchWriter.piece) {
      seal(try file.bytes(start..<min(unsealed.upperBound, start + BatchWriter.piece)))
    }
  }

  private mutating func seal(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while let line = cutter.next(&rest) { span.update(line.digest) }
  }

  /// Writes everything except the newline of the last line.
  mutating func write() throws(SystemError) {
    let last = batch.count - 1
    var start = 0
    for (index, change) in batch.dayChanges.enumerated() {
      let range = batch.range(of: change.place)
      try copy(start..<range.lowerBound)
      var event = change.event
      guard case .dayChanged(let to, _, let seen) = event.payload else { continue }
      event.payload = .dayChanged(to: to, seal: span.digest(), seen: seen)
      span = SHA256()
      isSealing = index + 1 < batch.dayChanges.count
      try put(EventEncoder.line(event, more: change.place != last))
      start = range.upperBound
    }
    if start < batch.size {
      let range = batch.range(of: last)
      try copy(start..<range.lowerBound)
      try put(EventEncoder.lastLine(of: Array(batch[range])))
    }
    waiting.removeLast()
    try flush(waiting[...])
  }

  private mutating func flush(_ bytes: ArraySlice<UInt8>) throws(SystemError) {
    try segment.append(bytes)
    written += bytes.count
  }

  private mutating func copy(_ range: Range<Int>) throws(SystemError) {
    for start in stride(from: range.lowerBound, to: range.upperBound, by: BatchWriter.piece) {
      try put(Array(batch[start..<min(range.upperBound, start + BatchWriter.piece)]))
    }
  }

  private mutating func put(_ bytes: [UInt8]) throws(SystemError) {
    if isSealing { seal(bytes) }
    waiting += bytes
    guard waiting.count > BatchWriter.piece else { return }
    // Keeps the last byte, because it may be the final newline, which must not be written yet.
    try flush(waiting.dropLast())
    waiting.removeFirst(waiting.count - 1)
  }
}
