package import EventLog
package import StreakDomain

/// The events that a writer had surely seen: its own, and the lines of other segments that its
/// `day.changed` events name (event-format.md, "What another writer saw").
package struct WriterView {
  /// The last `day.changed` of the writer, or `nil` if it has none.
  package private(set) var lastDayChange: (position: Int, event: Event)?
  /// Whether the writer has any event.
  package private(set) var hasEvents = false
  private let writer: Text
  private var seen: [Text: Int] = [:]
  private var others: [(id: EventKey, segment: Text, line: Int)] = []

  package init(of writer: Text) {
    self.writer = writer
  }

  /// Adds the event at `position`; the events must come in stream order.
  package mutating func note(_ item: StreamItem, at position: Int, in segments: [Text]) {
    let segment = segments[item.segment]
    guard segment == writer else { return others.append((item.id, segment, item.line)) }

    hasEvents = true
    guard let event = item.event, case .dayChanged(_, _, let lengths) = event.payload else {
      return
    }
    lastDayChange = (position, event)
    for length in lengths {
      seen[length.segment] = max(seen[length.segment] ?? 0, length.lines)
    }
  }

  /// Returns the ids of the events that the writer may not have seen.
  package func unseen(_ names: SymbolTable) -> Set<String> {
    let unseen = others.filter { $0.line > seen[$0.segment] ?? 0 }
    return Set(unseen.map { $0.id.text(names) })
  }
}
