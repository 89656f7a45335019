package import StreakDomain

/// A line of a segment, which may not be a valid event.
package struct StoredLine: Sendable {
  /// The number of the line in its segment, from 1.
  package let number: Int
  package let offset: Int
  /// The bytes of the line, without its newline; of a line that is too long, the start.
  package let bytes: [UInt8]

  package var id: String? { EventDecoder.id(of: bytes) }

  package var event: Event? { try? EventDecoder.event(bytes) }
}

extension EventStream {
  /// Calls `body` with each line of a segment that isn't empty.
  ///
  /// The last line is the one before the offset `end`. Without `end`, all lines of the file are
  /// passed, also those of a torn end.
  package func eachLine(
    of segment: Text, upTo end: Int? = nil, _ body: (StoredLine) -> Void
  ) throws(Failure) {
    guard let reader = reader(of: segment) else { return }
    try Failure.converting { () throws(SystemError) in
      try reader.file().eachLine(0..<min(end ?? .max, reader.tail.size), body)
    }
  }

  /// Returns all events of `type`; fast for a rare type, because only lines that contain the type's
  /// name are decoded.
  package func storedEvents(ofType type: EventType) throws(Failure) -> [Event] {
    let mark = BytePattern("\"\(type.rawValue)\"")
    var events: [Event] = []
    for reader in readers {
      try eachLine(of: reader.name, upTo: reader.size) { line in
        guard mark.first(in: line.bytes) != nil, let event = line.event, event.payload.type == type
        else {
          return
        }
        events.append(event)
      }
    }
    return events
  }
}

extension File {
  /// Calls `body` with each line in `range` that isn't empty.
  ///
  /// The lines are numbered from 1, and empty lines are counted, too. `range` must begin at the
  /// start of a line. If a line exceeds the limit, `body` gets only its start, one byte more than
  /// the limit.
  func eachLine(_ range: Range<Int>, _ body: (StoredLine) -> Void) throws(SystemError) {
    var line: [UInt8] = []
    var number = 1
    var start = range.lowerBound

    for offset in stride(from: range.lowerBound, to: range.upperBound, by: 1 << 18) {
      let piece = try bytes(offset..<min(range.upperBound, offset + 1 << 18))
      var rest = 0
      while let index = piece.span.first(UInt8(ascii: "\n"), from: rest) {
        if index > rest { line += piece[rest..<index].prefix(LineLimits.bytes + 1 - line.count) }
        if !line.isEmpty {
          body(StoredLine(number: number, offset: start, bytes: line))
          line = []
        }
        number += 1
        rest = index + 1

        // There may be millions of empty lines.
        while rest < piece.count, piece[rest] == UInt8(ascii: "\n") {
          number += 1
          rest += 1
        }
        start = offset + rest
      }
      line += piece[rest...].prefix(LineLimits.bytes + 1 - line.count)
    }

    if !line.isEmpty { body(StoredLine(number: number, offset: start, bytes: line)) }
  }

  /// Returns the number of newlines in `range`.
  func newlineCount(in range: Range<Int>) throws(SystemError) -> Int {
    var count = 0
    for offset in stride(from: range.lowerBound, to: range.upperBound, by: 1 << 18) {
      let piece = try bytes(offset..<min(range.upperBound, offset + 1 << 18))
      count += piece.count { $0 == UInt8(ascii: "\n") }
    }
    return count
  }
}
