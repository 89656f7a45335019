/// A value for each day of a span that grows at both ends, O(1) amortized.
struct DayTable<Element: Sendable>: Sendable {
  private var storage: [Element] = []
  /// The number of the day at `storage[0]`.
  private var base: Int32 = 0
  private let blank: Element

  init(blank: Element) {
    self.blank = blank
  }

  /// The days of a range that have storage.
  func days(in range: ClosedRange<Day>) -> some Sequence<Day> {
    let low = max(range.lowerBound.number, base)
    let high = min(range.upperBound.number, base + Int32(storage.count) - 1)
    return (low..<max(low, high + 1)).lazy.map { Day(unchecked: $0) }
  }

  /// Reading outside the span gives the blank; writing makes room.
  subscript(day: Day) -> Element {
    get {
      let index = Int(day.number - base)
      return index >= 0 && index < storage.count ? storage[index] : blank
    }
    _modify {
      let index = Int(day.number - base)
      if index < 0 || index >= storage.count { makeRoom(for: day) }
      yield &storage[Int(day.number - base)]
    }
  }

  /// Gives a day storage, and so all days between it and those that have some.
  ///
  /// Apart, so that the loops that write a day at a time stay small.
  @inline(never)
  mutating func makeRoom(for day: Day) {
    if storage.isEmpty { base = day.number }
    let index = Int(day.number - base)
    if index < 0 {
      let added = max(-index, min(storage.count, 4096))
      storage.insert(contentsOf: repeatElement(blank, count: added), at: 0)
      base -= Int32(added)
    } else {
      if index >= storage.capacity {
        storage.reserveCapacity(max(index + 1 + index / 8, storage.capacity * DayTable.growth))
      }
      while storage.count <= index { storage.append(blank) }
    }
  }

  /// How many times as large a table that is full becomes.
  ///
  /// Pages that nothing touched cost nothing, and days copied to a larger table are pages touched twice.
  private static var growth: Int { 8 }
}
