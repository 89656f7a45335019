/// An array that is indexed by day and can grow at both ends.
///
/// Days outside of the stored range have the value `empty`. The stored range has no gaps, so every
/// day in it takes memory.
struct DayRow<Value: Sendable>: Sendable {
  /// The values of consecutive days from `startNumber` on.
  private var values: [Value] = []
  /// The first stored day, as a `Day.number`.
  private var startNumber = Int(Day.first.number)
  private let empty: Value

  init(_ empty: Value) { self.empty = empty }

  /// Creates an array that stores `values` for consecutive days from `start` on.
  init(_ values: [Value], from start: Day, empty: Value) {
    self.values = values
    startNumber = Int(start.number)
    self.empty = empty
  }

  /// The first stored day, or `Day.first` if no day is stored.
  var start: Day { Day(unchecked: Int32(startNumber)) }
  /// The day after the last stored day; equal to `start` if no day is stored.
  var end: Day { start + values.count }
  var count: Int { values.count }

  @inline(__always)
  subscript(day: Day) -> Value {
    get {
      let offset = Int(day.number) - startNumber
      return values.indices.contains(offset) ? values[offset] : empty
    }
    _modify {
      if !values.indices.contains(Int(day.number) - startNumber) { grow(toInclude: day) }
      yield &values[Int(day.number) - startNumber]
    }
  }

  /// Returns the stored values within `days`, which can extend beyond the stored range.
  func slice(_ days: ClosedRange<Day>) -> ArraySlice<Value> {
    let low = min(max(0, Int(days.lowerBound.number) - startNumber), values.count)
    let high = min(max(low, Int(days.upperBound.number) + 1 - startNumber), values.count)
    return values[low..<high]
  }

  /// Sets the value of `day`, and returns the previous value.
  @inline(__always)
  mutating func exchange(_ value: Value, for day: Day) -> Value {
    if !values.indices.contains(Int(day.number) - startNumber) { grow(toInclude: day) }
    let old = values[Int(day.number) - startNumber]
    values[Int(day.number) - startNumber] = value
    return old
  }

  /// Sets all `days` to `empty`.
  mutating func removeAll(in days: ClosedRange<Day>) {
    for index in slice(days).indices { values[index] = empty }
  }

  private mutating func grow(toInclude day: Day) {
    if values.isEmpty { startNumber = Int(day.number) }
    let offset = Int(day.number) - startNumber
    if offset < 0 {
      // Grow by at least half of the current count. Otherwise, adding days from the newest to the
      // oldest would move all values each time.
      let added = min(
        max(-offset, values.count / 2), max(-offset, startNumber - Int(Day.first.number)))
      values.insert(contentsOf: repeatElement(empty, count: added), at: 0)
      startNumber -= added
    }
    while values.count <= offset { values.append(empty) }
  }
}

/// A set of days, stored as ranges of consecutive days.
package struct DaySpans: Sendable, Equatable {
  /// The ranges in ascending order, with at least one day between any two of them.
  package private(set) var spans: [ClosedRange<Day>] = []

  package init(_ spans: some Sequence<ClosedRange<Day>> = []) { for span in spans { insert(span) } }

  /// Returns whether the set contains `day`, and the last day up to which the answer stays the
  /// same.
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

extension RandomAccessCollection {
  /// Returns the index of the first element that satisfies `meets`, or `endIndex` if there is none,
  /// by binary search.
  ///
  /// All elements after the first match must satisfy `meets`, too.
  @inlinable package func partitioningIndex(where meets: (Element) throws -> Bool) rethrows -> Index
  {
    var low = startIndex
    var count = count
    while count > 0 {
      let half = count / 2
      let middle = index(low, offsetBy: half)
      if try meets(self[middle]) {
        count = half
      } else {
        low = index(after: middle)
        count -= half + 1
      }
    }
    return low
  }
}
