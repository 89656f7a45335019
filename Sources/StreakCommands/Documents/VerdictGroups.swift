import Inspection

/// The verdict changes of a difference by habit, taken in the order of the field changes.
struct VerdictGroups {
  private let verdicts: [VerdictChange]
  private var place = 0
  private var passedOver: [Range<Int>] = []

  init(_ verdicts: [VerdictChange]) {
    self.verdicts = verdicts
  }

  /// Returns the changes of `habit`, which can't be taken again.
  mutating func take(_ habit: String) -> ArraySlice<VerdictChange> {
    guard let start = verdicts[place...].firstIndex(where: { $0.habit == habit }) else { return [] }
    if place < start { passedOver.append(place..<start) }
    place = end(from: start)
    return verdicts[start..<place]
  }

  func eachLeft(_ body: (ArraySlice<VerdictChange>) -> Void) {
    for range in passedOver { each(in: range, body) }
    each(in: place..<verdicts.count, body)
  }

  private func each(in range: Range<Int>, _ body: (ArraySlice<VerdictChange>) -> Void) {
    var start = range.lowerBound
    while start < range.upperBound {
      let end = end(from: start)
      body(verdicts[start..<end])
      start = end
    }
  }

  private func end(from start: Int) -> Int {
    let habit = verdicts[start].habit
    return verdicts[start...].firstIndex { $0.habit != habit } ?? verdicts.count
  }
}
