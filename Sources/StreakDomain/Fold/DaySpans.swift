/// A set of days kept as disjoint ascending spans.
struct DaySpans: Sendable, Equatable {
  private(set) var spans: [ClosedRange<Day>] = []

  func contains(_ day: Day) -> Bool {
    guard let span = spans[..<upperBound(day)].last else { return false }
    return span.upperBound >= day
  }

  /// Whether a day is in the set, and the last day from it on up to which that stays so.
  func look(at day: Day) -> (isIn: Bool, until: Day) {
    let after = upperBound(day)
    if let span = spans[..<after].last, span.upperBound >= day { return (true, span.upperBound) }
    return (false, after < spans.count ? spans[after].lowerBound.previous : Day.last)
  }

  /// Adds a span, joining those it touches; O(number of spans).
  mutating func insert(_ span: ClosedRange<Day>) {
    let start =
      spans[..<upperBound(span.lowerBound)].last.map { $0.upperBound.next >= span.lowerBound } ?? false
    let low = upperBound(span.lowerBound) - (start ? 1 : 0)
    let high = upperBound(span.upperBound.next)
    guard low < high else { return spans.insert(span, at: low) }
    let joined =
      min(spans[low].lowerBound, span.lowerBound)...max(spans[high - 1].upperBound, span.upperBound)
    spans.replaceSubrange(low..<high, with: [joined])
  }

  /// How many spans begin on or before the day.
  private func upperBound(_ day: Day) -> Int {
    var low = 0
    var high = spans.count
    while low < high {
      let middle = (low + high) / 2
      if spans[middle].lowerBound <= day { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
