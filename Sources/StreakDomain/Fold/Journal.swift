/// What a ledger keeps of its past beside its entries, so that its facts can be folded again in their order
/// (`Ledger+Again.swift`).
struct Journal: Sendable {
  /// A fact that is no entry.
  enum Fact: Sendable {
    case reached(Day, by: EventKey)
    case deleted(EventKey)
    /// A date that the zone left out, behind the `day.changed` of its batch.
    indirect case zoneExcused(Event, behind: EventKey)
    indirect case other(Event)
  }

  struct Record: Sendable {
    fileprivate(set) var position: UInt32
    /// How many entries came before it.
    fileprivate(set) var entries: Int
    fileprivate(set) var fact: Fact
  }

  /// A celebration that was seen.
  fileprivate struct Celebration: Sendable {
    var key = ""
    var day = Day.first
    var position = 0
  }

  /// In the order in which they joined the ledger.
  private(set) var records: [Record] = []
  /// The `day.changed` directly before, whose batch goes on.
  var openChange: EventKey?
  /// From which position on today was what an event made it.
  private(set) var steps: [(position: Int, setter: EventKey?)] = []
  private var celebrations: [Celebration] = []
  private var corrections: [(to: Day, position: Int)] = []
  /// The events that move today no more, wherever in the stream they are.
  private(set) var moved: Set<EventKey> = []
  /// The states whose today such an event had set; ascending and apart, here and below.
  private(set) var misdated: [ClosedRange<Int>] = []
  /// By habit, the states that rest on an event which was undone.
  private(set) var undone: [Int: [ClosedRange<Int>]] = [:]

  init() {}

  /// Notes a fact that joins behind so many entries.
  mutating func note(_ fact: Fact, at position: Int, behind entries: Int) {
    records.append(Record(position: UInt32(position), entries: entries, fact: fact))
  }

  /// Notes that an event sets today.
  mutating func step(at position: Int, by setter: EventKey?) { steps.append((position, setter)) }

  /// Takes events out of what moves today; states before a position that they dated set no record.
  mutating func correct(_ events: [EventKey], before position: Int) {
    moved.formUnion(events)
    misdated = []
    for (place, step) in steps.enumerated() {
      let end = place + 1 < steps.count ? steps[place + 1].position : position
      guard let setter = step.setter, moved.contains(setter), step.position < end else { continue }
      misdated.append(step.position...end - 1)
    }
  }

  /// Discounts the states of a habit from one on, up to the last before an undo.
  mutating func discount(_ habit: Int, _ states: ClosedRange<Int>) {
    var ranges = undone[habit] ?? []
    // Nearly always it is behind all others, or goes on to the end of the last.
    let first = ranges.partitioningIndex { $0.upperBound >= states.lowerBound - 1 }
    let end = ranges.partitioningIndex { $0.lowerBound > states.upperBound + 1 }
    let joined = ranges[first..<end].reduce(states) { one, other in
      min(one.lowerBound, other.lowerBound)...max(one.upperBound, other.upperBound)
    }
    ranges.replaceSubrange(first..<end, with: [joined])
    undone[habit] = ranges
  }

  /// Notes a celebration that was seen, or a correction by which those of later days before it count no more.
  mutating func see(_ celebration: String, on day: Day, at position: Int) {
    celebrations.append(Celebration(key: celebration, day: day, position: position))
  }
  mutating func correct(to day: Day, at position: Int) { corrections.append((day, position)) }

  /// Whether what was seen on a day, by the event of a position, was not taken back by a correction.
  func isSeen(_ day: Day, at position: Int) -> Bool {
    !corrections.contains { $0.to < day && $0.position > position }
  }

  /// The celebrations that were seen.
  var seenCelebrations: Set<String> {
    Set(celebrations.filter { isSeen($0.day, at: $0.position) }.map(\.key))
  }

  /// Whether all states count.
  var isClean: Bool { misdated.isEmpty && undone.isEmpty }

  /// Whether the state at a position may set a record of a habit.
  func counts(_ habit: Int, at position: Int) -> Bool {
    !misdated.has(position) && !(undone[habit]?.has(position) ?? false)
  }

  /// Where states that set no record begin, of one habit or of all, ascending: the one before is looked at.
  var boundaries: [(position: Int, habit: Int?)] {
    let all = misdated.map { (position: $0.lowerBound, habit: Int?.none) }
    let own = undone.flatMap { habit, ranges in
      ranges.map { (position: $0.lowerBound, habit: Optional(habit)) }
    }
    return (all + own).sorted { $0.position < $1.position }
  }

  /// The journal of a ledger that folds its facts again: it knows what does not count, and has no records yet.
  var again: Journal {
    var again = self
    (again.records, again.steps) = ([], [])
    return again
  }

  /// The fact at `position`, or `nil` if that event is an entry.
  func fact(at position: Int) -> Fact? {
    let place = records.partitioningIndex { $0.position >= position }
    return place < records.count && records[place].position == position ? records[place].fact : nil
  }
}

extension [ClosedRange<Int>] {
  /// Whether one of them, which ascend, has a number.
  fileprivate func has(_ number: Int) -> Bool {
    let place = partitioningIndex { $0.upperBound >= number }
    return place < count && self[place].contains(number)
  }
}
