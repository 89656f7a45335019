import EventLog
import Inspection
import StreakDomain

package struct TimelineLines {
  private var text: [UInt8] = []
  private let filter: TimelineFilter
  private let isJSON: Bool
  private var forPeople: TimelineText

  init(_ invocation: Invocation, _ filter: TimelineFilter, of stream: EventStream) {
    self.filter = filter
    isJSON = invocation.isJSON
    forPeople = TimelineText(
      invocation.style, onlyChanges: !filter.isOpen,
      columns: invocation.context.columns, showsWriter: stream.segments.count > 1)
  }

  /// Adds the line unless the filter excludes it; `inout` avoids copies for each event.
  mutating func add(_ event: TimelineRow, _ difference: inout Difference, _ ledger: inout Ledger) {
    guard !filter.isOpen else { return write(event, difference, ledger) }
    if difference.isEmpty { return }
    filter.apply(to: &difference)
    if !difference.isEmpty { write(event, difference, ledger) }
  }

  private mutating func write(_ event: TimelineRow, _ difference: Difference, _ ledger: Ledger) {
    if isJSON {
      event.write(difference, ledger.names, into: &text)
    } else {
      forPeople.write(event, difference, ledger, into: &text)
    }
  }

  var isEnough: Bool { text.count >= 1 << 16 }

  var size: Int { text.count }

  package mutating func take() -> [UInt8]? {
    guard !text.isEmpty else { return nil }
    defer { text = [] }
    return text
  }

  mutating func flush(to output: ([UInt8]) -> Void) {
    if !text.isEmpty { output(text) }
    text.removeAll(keepingCapacity: true)
  }
}
