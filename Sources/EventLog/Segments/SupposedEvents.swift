package import StreakDomain

/// A hypothetical event that the reader merges into the stream, although no segment contains it.
package struct SupposedEvent: Sendable {
  package fileprivate(set) var event: Event
  package let place: Place
  /// Whether the event comes after all stored events, because its line gives no `recorded`.
  package let isLast: Bool
  /// Whether the event is the first one of its batch.
  fileprivate(set) var beginsStep = true

  package init(_ event: Event) {
    self.init(event, place: Place(file: "event", line: 0, column: 0), isLast: false)
  }

  package init(_ event: Event, place: Place, isLast: Bool) {
    self.event = event
    self.place = place
    self.isLast = isLast
  }

  fileprivate static func precedes(_ a: SupposedEvent, _ b: SupposedEvent) -> Bool {
    guard !a.isLast, !b.isLast else { return !a.isLast && b.isLast }
    return (a.event.recorded, a.event.id) < (b.event.recorded, b.event.id)
  }
}

/// The hypothetical events of a stream in stream order, and how many of them have been read.
///
/// The stream gives their items the offset in this list, because they have no offset in a segment.
struct SupposedEvents {
  private var events: [SupposedEvent]
  private var readCount = 0

  init(_ events: [SupposedEvent]) {
    var batches: [[SupposedEvent]] = []
    var isContinued = false
    for var event in events {
      event.beginsStep = !isContinued
      isContinued = event.event.more

      if event.beginsStep { batches.append([]) }
      batches[batches.count - 1].append(event)
    }

    self.events = batches.enumerated().sorted { a, b in
      SupposedEvent.precedes(a.element[0], b.element[0])
        || !SupposedEvent.precedes(b.element[0], a.element[0]) && a.offset < b.offset
    }.flatMap(\.element)
  }

  subscript(offset: Int) -> SupposedEvent { events[offset] }

  /// Reads the next event into `item`, or returns false if there is none.
  ///
  /// Events without `recorded` come after all stored events, so they are read only once
  /// `isEndOfSegments` is true. `newest` is the largest `recorded` of the events read so far.
  mutating func next(
    _ item: inout StreamItem, _ names: inout SymbolTable, isEndOfSegments: Bool, newest: Instant
  ) -> Bool {
    guard readCount < events.count else { return false }
    if events[readCount].isLast {
      guard isEndOfSegments || !events[readCount].beginsStep else { return false }
      events[readCount].event.recorded = newest + 1
    }

    let next = events[readCount]
    item.boxed = StreamItem.Box(next.event)
    item.isContinued = next.event.more
    item.beginsStep = next.beginsStep
    item.id = EventKey(next.event.id, names: &names)
    item.recorded = next.event.recorded
    item.offset = readCount
    item.line = next.place.line
    readCount += 1
    return true
  }
}
