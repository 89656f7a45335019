/// The facts of a ledger other than entries, for a refold (`Ledger+Again.swift`).
struct Journal: Sendable {
  enum Fact: Sendable {
    case reached(Day, by: EventKey)
    case deleted(EventKey)
    /// An excuse of a date that a time zone skipped, with the `day.changed` of its batch.
    indirect case zoneExcused(Event, behind: EventKey)
    indirect case other(Event)
  }

  struct Record: Sendable {
    fileprivate(set) var position: UInt32
    fileprivate(set) var entries: Int
    fileprivate(set) var fact: Fact
  }

  fileprivate struct Celebration: Sendable {
    var key = ""
    var day = Day.first
    var position = 0
  }

  private(set) var records: [Record] = []
  var openChange: EventKey?
  private(set) var steps: [(position: Int, setter: EventKey?)] = []
  private var celebrations: [Celebration] = []
  private var corrections: [(to: Day, position: Int)] = []
  /// The events that corrections exclude from the determination of today.
  private(set) var moved: Set<EventKey> = []
  /// The states whose today was set by such an event, as disjoint ascending ranges.
  private(set) var misdated: [ClosedRange<Int>] = []
  /// The states that depend on an undone event, by habit.
  private(set) var undone: [Int: [ClosedRange<Int>]] = [:]

  init() {}

  mutating func note(_ fact: Fact, at position: Int, behind entries: Int) {
    records.append(Record(position: UInt32(position), entries: entries, fact: fact))
  }

  mutating func step(at position: Int, by setter: EventKey?) { steps.append((position, setter)) }

  /// Excludes events from the determination of today, and their states before `position` from `longest`.
  mutating func correct(_ events: [EventKey], before position: Int) {
    moved.formUnion(events)
    misdated = []
    for (place, step) in steps.enumerated() {
      let end = place + 1 < steps.count ? steps[place + 1].position : position
      guard let setter = step.setter, moved.contains(setter), step.position < end else { continue }
      misdated.append(step.position...end - 1)
    }
  }

  mutating func discount(_ habit: Int, _ states: ClosedRange<Int>) {
    var ranges = undone[habit] ?? []
    let first = ranges.partitioningIndex { $0.upperBound >= states.lowerBound - 1 }
    let end = ranges.partitioningIndex { $0.lowerBound > states.upperBound + 1 }
    let joined = ranges[first..<end].reduce(states) { one, other in
      min(one.lowerBound, other.lowerBound)...max(one.upperBound, other.upperBound)
    }
    ranges.replaceSubrange(first..<end, with: [joined])
    undone[habit] = ranges
  }

  mutating func see(_ celebration: String, on day: Day, at position: Int) {
    celebrations.append(Celebration(key: celebration, day: day, position: position))
  }
  mutating func correct(to day: Day, at position: Int) { corrections.append((day, position)) }

  func isSeen(_ day: Day, at position: Int) -> Bool {
    !corrections.contains { $0.to < day && $0.position > position }
  }

  var seenCelebrations: Set<String> {
    Set(celebrations.filter { isSeen($0.day, at: $0.position) }.map(\.key))
  }

  var isClean: Bool { misdated.isEmpty && undone.isEmpty }

  func counts(_ habit: Int, at position: Int) -> Bool {
    !misdated.has(position) && !(undone[habit]?.has(position) ?? false)
  }

  /// The positions at which excluded states begin, ascending; `habit` is `nil` for all habits.
  var boundaries: [(position: Int, habit: Int?)] {
    let all = misdated.map { (position: $0.lowerBound, habit: Int?.none) }
    let own = undone.flatMap { habit, ranges in
      ranges.map { (position: $0.lowerBound, habit: Optional(habit)) }
    }
    return (all + own).sorted { $0.position < $1.position }
  }

  var again: Journal {
    var again = self
    (again.records, again.steps) = ([], [])
    return again
  }

  func fact(at position: Int) -> Fact? {
    let place = records.partitioningIndex { $0.position >= position }
    return place < records.count && records[place].position == position ? records[place].fact : nil
  }
}

extension [ClosedRange<Int>] {
  fileprivate func has(_ number: Int) -> Bool {
    let place = partitioningIndex { $0.upperBound >= number }
    return place < count && self[place].contains(number)
  }
}
