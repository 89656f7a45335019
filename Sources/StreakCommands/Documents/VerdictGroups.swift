import Inspection

/// The verdicts of a difference habit by habit, each habit's handed out once; habits come in the order of the changes.
struct VerdictGroups {
  private let verdicts: [VerdictChange]
  /// Where the first habit is that is neither taken nor passed over.
  private var place = 0
  private var passedOver: [Range<Int>] = []

  init(_ verdicts: [VerdictChange]) {
    self.verdicts = verdicts
  }

  /// Those of a habit; none where it has none.
  mutating func take(_ habit: String) -> ArraySlice<VerdictChange> {
    guard let start = verdicts[place...].firstIndex(where: { $0.habit == habit }) else { return [] }
    if place < start { passedOver.append(place..<start) }
    place = end(from: start)
    return verdicts[start..<place]
  }

  /// Those that nobody took, a habit after the other.
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

  /// Where the verdicts of the habit at a place end.
  private func end(from start: Int) -> Int {
    let habit = verdicts[start].habit
    return verdicts[start...].firstIndex { $0.habit != habit } ?? verdicts.count
  }
}
