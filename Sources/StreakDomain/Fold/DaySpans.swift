/// A set of days formed by overlapping spans, each of which can be removed again.
package struct DaySpans: Sendable, Equatable {
  /// The covered days as disjoint, non-adjacent spans in ascending order.
  package private(set) var spans: [ClosedRange<Day>] = []
  private var edges: [Edge] = []

  private struct Edge: Sendable, Equatable {
    let day: Day
    var change: Int32
  }

  package init() {}

  package func contains(_ day: Day) -> Bool { look(at: day).isIn }

  /// Returns whether the day is covered, and the last day up to which that stays the same; O(log spans).
  package func look(at day: Day) -> (isIn: Bool, until: Day) {
    let after = spans.partitioningIndex { $0.lowerBound > day }
    if let span = spans[..<after].last, span.upperBound >= day { return (true, span.upperBound) }
    return (false, after < spans.count ? spans[after].lowerBound.previous : Day.last)
  }

  package mutating func insert(_ span: ClosedRange<Day>) {
    change(span, by: 1)
    let low = spans.partitioningIndex { $0.upperBound.next >= span.lowerBound }
    let high = spans.partitioningIndex { $0.lowerBound > span.upperBound.next }
    guard low < high else { return spans.insert(span, at: low) }
    spans.replaceSubrange(low..<high, with: [span.joined(spans[low]).joined(spans[high - 1])])
  }

  package mutating func remove(_ span: ClosedRange<Day>) {
    change(span, by: -1)
    let place = spans.partitioningIndex { $0.upperBound >= span.lowerBound }
    let whole = spans[place]
    var parts: [ClosedRange<Day>] = []
    var depth: Int32 = 0
    var start = whole.lowerBound
    for edge in edges[edges.partitioningIndex { $0.day >= whole.lowerBound }...] {
      guard edge.day <= whole.upperBound.next else { break }
      if depth == 0 { start = edge.day }
      depth += edge.change
      if depth == 0 { parts.append(start...edge.day.previous) }
    }
    spans.replaceSubrange(place...place, with: parts)
  }

  private mutating func change(_ span: ClosedRange<Day>, by count: Int32) {
    for (day, change) in [(span.lowerBound, count), (span.upperBound.next, -count)] {
      let place = edges.partitioningIndex { $0.day >= day }
      if place < edges.count, edges[place].day == day {
        edges[place].change += change
        if edges[place].change == 0 { edges.remove(at: place) }
      } else {
        edges.insert(Edge(day: day, change: change), at: place)
      }
    }
  }
}
