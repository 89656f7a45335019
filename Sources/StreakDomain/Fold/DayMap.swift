protocol DayValue: Sendable {
  var weight: Int32 { get }
}

extension DayValue {
  var weight: Int32 { 0 }
}

/// An ordered map from days to values in sorted chunks, with O(1) access to the newest day and O(log n) to
/// others.
///
/// Inserting a day invalidates positions.
struct DayMap<Value: DayValue>: Sendable {
  struct Slot: Sendable {
    let day: Day
    var value: Value
  }

  struct Position: Equatable, Sendable {
    fileprivate var chunk: Int
    fileprivate var slot: Int
  }

  private struct Chunk: Sendable {
    var slots: [Slot]
    var heaviest: Int32 = 0
    var newest: Day

    init(_ slots: [Slot]) {
      self.slots = slots
      newest = slots[slots.count - 1].day
      weigh()
    }

    mutating func weigh() {
      heaviest = 0
      for slot in slots { heaviest = max(heaviest, slot.value.weight) }
    }
  }

  private var chunks: [Chunk] = []
  private var newest = Day.first.previous

  private static var most: Int { 128 }

  var isEmpty: Bool { chunks.isEmpty }

  var start: Position { Position(chunk: 0, slot: 0) }

  var end: Position { Position(chunk: chunks.count, slot: 0) }

  var last: Slot? { isEmpty ? nil : self[lastPosition] }

  subscript(position: Position) -> Slot { chunks[position.chunk].slots[position.slot] }

  func position(after position: Position) -> Position {
    position.slot + 1 < chunks[position.chunk].slots.count
      ? Position(chunk: position.chunk, slot: position.slot + 1)
      : Position(chunk: position.chunk + 1, slot: 0)
  }

  func position(before position: Position) -> Position {
    position.slot > 0
      ? Position(chunk: position.chunk, slot: position.slot - 1)
      : Position(chunk: position.chunk - 1, slot: chunks[position.chunk - 1].slots.count - 1)
  }

  func position(from day: Day) -> Position {
    if newest <= day || isEmpty { return newest == day && !isEmpty ? lastPosition : end }
    let chunk = chunks.partitioningIndex { $0.newest >= day }
    return Position(chunk: chunk, slot: chunks[chunk].slots.partitioningIndex { $0.day >= day })
  }

  func position(through day: Day) -> Position? {
    if newest <= day || isEmpty { return isEmpty ? nil : lastPosition }
    let found = position(from: day)
    if self[found].day == day { return found }
    return found == start ? nil : position(before: found)
  }

  private var lastPosition: Position {
    Position(chunk: chunks.count - 1, slot: chunks[chunks.count - 1].slots.count - 1)
  }

  subscript(day: Day) -> Value? {
    guard day <= newest else { return nil }
    let found = self[position(from: day)]
    return found.day == day ? found.value : nil
  }

  mutating func put(_ value: Value, on day: Day) {
    let slot = Slot(day: day, value: value)
    guard day <= newest else { return append(slot) }
    let found = position(from: day)
    if self[found].day == day { return update(at: found) { $0 = value } }
    chunks[found.chunk].slots.insert(slot, at: found.slot)
    chunks[found.chunk].heaviest = max(chunks[found.chunk].heaviest, value.weight)
    let slots = chunks[found.chunk].slots
    guard slots.count > DayMap.most else { return }
    let halves = [Chunk(Array(slots[..<(slots.count / 2)])), Chunk(Array(slots[(slots.count / 2)...]))]
    chunks.replaceSubrange(found.chunk...found.chunk, with: halves)
  }

  mutating func update(at position: Position, _ change: (inout Value) -> Void) {
    let old = chunks[position.chunk].slots[position.slot].value.weight
    change(&chunks[position.chunk].slots[position.slot].value)
    let new = chunks[position.chunk].slots[position.slot].value.weight
    if new >= chunks[position.chunk].heaviest {
      chunks[position.chunk].heaviest = new
    } else if old == chunks[position.chunk].heaviest {
      chunks[position.chunk].weigh()
    }
  }

  mutating func update(in span: ClosedRange<Day>, _ change: (Day, inout Value) -> Void) {
    var place = position(from: span.lowerBound)
    while place != end, self[place].day <= span.upperBound {
      let day = self[place].day
      update(at: place) { change(day, &$0) }
      place = position(after: place)
    }
  }

  private mutating func append(_ slot: Slot) {
    newest = slot.day
    let last = chunks.count - 1
    guard last >= 0, chunks[last].slots.count < DayMap.most else { return chunks.append(Chunk([slot])) }
    chunks[last].slots.append(slot)
    chunks[last].newest = slot.day
    chunks[last].heaviest = max(chunks[last].heaviest, slot.value.weight)
  }

  func firstWeighted(from day: Day) -> Day? {
    var place = position(from: day)
    while place != end {
      if chunks[place.chunk].heaviest == 0 {
        place = Position(chunk: place.chunk + 1, slot: 0)
      } else if self[place].value.weight > 0 {
        return self[place].day
      } else {
        place = position(after: place)
      }
    }
    return nil
  }

  func slots(in span: ClosedRange<Day>) -> some Sequence<Slot> {
    sequence(state: position(from: span.lowerBound)) { position -> Slot? in
      guard position != end, self[position].day <= span.upperBound else { return nil }
      defer { position = self.position(after: position) }
      return self[position]
    }
  }
}

extension DayMap.Slot: BitwiseCopyable where Value: BitwiseCopyable {}
