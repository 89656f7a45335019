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
