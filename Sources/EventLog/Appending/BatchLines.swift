package import StreakDomain

/// The lines of a batch before they are written.
package struct BatchLines: Sendable {
  /// The greatest number of events in a batch.
  package static let limit = 200_000

  private var bytes: [UInt8] = []
  /// The end of each line, in bytes from the first byte of the batch.
  private var ends: [Int] = []
  /// Events that get their seal when they are written, each with its index in the batch.
  private(set) var dayChanges: [(place: Int, event: Event)] = []

  init() {}

  package var count: Int { ends.count }
  package var isEmpty: Bool { ends.isEmpty }
  /// The size in bytes.
  var size: Int { bytes.count }

  /// Adds the line of an event, with its newline.
  mutating func add(_ line: [UInt8], of event: Event) {
    if case .dayChanged = event.payload { dayChanges.append((count, event)) }
    bytes += line
    ends.append(bytes.count)
  }

  /// The bytes of the line at an index.
  func range(of place: Int) -> Range<Int> { (place == 0 ? 0 : ends[place - 1])..<ends[place] }

  subscript(range: Range<Int>) -> ArraySlice<UInt8> { bytes[range] }

  /// The event of the line at an index.
  func event(at place: Int) throws(Failure) -> Event {
    try EventDecoder.event(Array(bytes[range(of: place)].dropLast()))
  }

  /// Calls `body` with each event in order.
  package func each(_ body: (Event) -> Void) throws(Failure) {
    for place in ends.indices { body(try event(at: place)) }
  }
}
