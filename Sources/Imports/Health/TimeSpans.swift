import StreakDomain

/// A set of time spans, stored without overlaps and in order.
struct TimeSpans {
  private var spans: [Range<Int64>] = []

  /// Adds the span from `start` to `end`; returns the number of its microseconds that weren't covered before.
  @discardableResult
  mutating func cover(_ start: Instant, _ end: Instant) -> Int64 {
    guard start < end else { return 0 }
    let first = spans.partitioningIndex { $0.upperBound >= start.microseconds }
    var last = first
    var joined = start.microseconds..<end.microseconds
    var fresh = end.microseconds - start.microseconds
    while last < spans.count, spans[last].lowerBound <= end.microseconds {
      fresh -= Int64(spans[last].clamped(to: start.microseconds..<end.microseconds).count)
      joined =
        min(joined.lowerBound, spans[last].lowerBound)..<max(joined.upperBound, spans[last].upperBound)
      last += 1
    }
    spans.replaceSubrange(first..<last, with: [joined])
    return fresh
  }
}

/// The drinks of one day: the sum of all counts, plus the latest level of each source that records levels.
struct DayOfDrinks {
  private var counted: Int64 = 0
  private var levels: [Text: (at: Instant, count: Int64)] = [:]
  /// The start of the latest record that was imported earlier.
  private(set) var lastKnown: Timestamp?

  mutating func add(_ record: HealthRecord, isLevel: Bool, isKnown: Bool) {
    let count = record.number.map { Thousandths($0).count } ?? 0
    if isLevel {
      if levels[record.source].map({ $0.at <= record.start.instant }) ?? true {
        levels[record.source] = (record.start.instant, count)
      }
    } else {
      counted += count
    }
    guard isKnown, lastKnown.map({ $0.instant < record.start.instant }) ?? true else { return }
    lastKnown = record.start
  }

  var total: Int {
    Int(Thousandths(count: levels.values.reduce(counted) { $0 + $1.count }).rounded)
  }
}
