@testable package import StreakDomain

/// A set of days, stored as spans.
package struct DaySpans: Sendable, Equatable {
  /// The spans in ascending order, with at least one day between two of them.
  package private(set) var spans: [ClosedRange<Day>] = []

  package init(_ spans: some Sequence<ClosedRange<Day>> = []) { for span in spans { insert(span) } }

  package func contains(_ day: Day) -> Bool { coverage(from: day).isCovered }

  /// Returns whether the set contains `day`, and the last day up to which the answer stays the same.
  package func coverage(from day: Day) -> (isCovered: Bool, until: Day) {
    let next = spans.partitioningIndex { $0.lowerBound > day }
    if let span = spans[..<next].last, span.upperBound >= day { return (true, span.upperBound) }
    return (false, next < spans.count ? spans[next].lowerBound.previous : Day.last)
  }

  package mutating func insert(_ span: ClosedRange<Day>) {
    let low = spans.partitioningIndex { $0.upperBound.next >= span.lowerBound }
    let high = spans.partitioningIndex { $0.lowerBound > span.upperBound.next }
    guard low < high else { return spans.insert(span, at: low) }
    spans.replaceSubrange(low..<high, with: [span.joined(spans[low]).joined(spans[high - 1])])
  }
}
