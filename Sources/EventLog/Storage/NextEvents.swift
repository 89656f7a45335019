import StreakDomain

/// A binary heap of the next event of each segment, ordered by (`recorded`, `id`).
///
/// As long as the earliest events come from one segment, each event costs one comparison.
struct NextEvents {
  private struct Entry {
    let recorded: Int64
    let segment: Int
  }

  private var heap: [Entry] = []
  private var items: [StreamItem]
  private(set) var comparisons = 0

  init(segments: Int) {
    items = Array(repeating: StreamItem(), count: segments)
  }

  var isEmpty: Bool { heap.isEmpty }

  mutating func put(_ item: StreamItem, _ names: SymbolTable) {
    items[item.segment] = item
    heap.append(NextEvents.entry(item))
    var place = heap.count - 1
    while place > 0, precedes(place, (place - 1) / 2, names) {
      heap.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  mutating func take(_ item: inout StreamItem, _ names: SymbolTable) -> Bool {
    guard let first = heap.first, let last = heap.popLast() else { return false }
    item = items[first.segment]
    if !heap.isEmpty {
      heap[0] = last
      sink(names)
    }
    return true
  }

  /// Inserts `item` and removes the earliest event, which may be the same.
  @inline(__always)
  mutating func exchange(_ item: inout StreamItem, _ names: SymbolTable) {
    guard let first = heap.first else { return }
    comparisons += 1
    guard first.recorded <= item.recorded.microseconds else { return }
    exchangeFirst(&item, first.segment, names)
  }

  private mutating func exchangeFirst(_ item: inout StreamItem, _ first: Int, _ names: SymbolTable) {
    guard NextEvents.precedes(items[first], item, names) else { return }
    let given = item
    item = items[first]
    items[given.segment] = given
    heap[0] = NextEvents.entry(given)
    sink(names)
  }

  private static func entry(_ item: StreamItem) -> Entry {
    Entry(recorded: item.recorded.microseconds, segment: item.segment)
  }

  private mutating func sink(_ names: SymbolTable) {
    var place = 0
    while 2 * place + 1 < heap.count {
      var child = 2 * place + 1
      if child + 1 < heap.count, precedes(child + 1, child, names) { child += 1 }
      guard precedes(child, place, names) else { return }
      heap.swapAt(child, place)
      place = child
    }
  }

  private mutating func precedes(_ a: Int, _ b: Int, _ names: SymbolTable) -> Bool {
    comparisons += 1
    let (one, other) = (heap[a], heap[b])
    guard one.recorded == other.recorded else { return one.recorded < other.recorded }
    return NextEvents.precedes(items[one.segment], items[other.segment], names)
  }

  private static func precedes(_ a: StreamItem, _ b: StreamItem, _ names: SymbolTable) -> Bool {
    guard a.recorded == b.recorded else { return a.recorded < b.recorded }
    guard a.id != b.id else { return a.segment < b.segment }
    if a.id.sortsAsText, b.id.sortsAsText { return a.id < b.id }
    return a.id.text(names).utf8.lexicographicallyPrecedes(b.id.text(names).utf8)
  }
}
