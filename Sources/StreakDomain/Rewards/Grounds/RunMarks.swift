/// The days on which a habit's run reached a length that is looked out for: a milestone, or a tier of streak-master.
struct RunMarks: Sendable {
  /// Ascending by day, of closed days only.
  private(set) var marks: [Mark] = []
  /// The first of each length, and the first that is a milestone.
  private(set) var firsts: [Mark] = []
  /// Changes whenever those do.
  private(set) var revision = 0

  struct Mark: Sendable, Equatable {
    let day: Day
    let run: Int
    /// The first day of the run.
    let start: Day
    let isMilestone: Bool
  }

  /// Looks at days again that were folded; O(those days), and where their marks changed, O(marks).
  mutating func revisit(_ days: ClosedRange<Day>, in history: HabitHistory) {
    var found: [Mark] = []
    var previous = history.folded[days.lowerBound.previous]
    for number in days.lowerBound.number...days.upperBound.number {
      let day = Day(unchecked: number)
      let record = history.folded[day]
      if let mark = RunMarks.mark(record, after: previous, day, history) { found.append(mark) }
      previous = record
    }
    replace(days, by: found)
  }

  /// Forgets all marks, as no day is folded any more.
  mutating func removeAll() {
    if !firsts.isEmpty { revision += 1 }
    (marks, firsts) = ([], [])
  }

  /// Forgets the marks of days that are not folded any more.
  mutating func forget(before first: Day) {
    if let earliest = marks.first, earliest.day < first { replace(earliest.day...first.previous, by: []) }
  }

  private mutating func replace(_ days: ClosedRange<Day>, by found: [Mark]) {
    let low = (marks.lastIndex { $0.day < days.lowerBound } ?? -1) + 1
    let high = marks[low...].firstIndex { $0.day > days.upperBound } ?? marks.count
    guard marks[low..<high] != found[...] else { return }
    let isNewest = low == marks.count
    marks.replaceSubrange(low..<high, with: found)
    if !isNewest {
      firsts = []
      revision += 1
    }
    for mark in isNewest ? found : marks { noteFirst(mark) }
  }

  private mutating func noteFirst(_ mark: Mark) {
    guard !knows(mark) else { return }
    firsts.append(mark)
    revision += 1
  }

  /// Whether a length was reached before, and as a milestone if it is one.
  func knows(_ mark: Mark) -> Bool {
    firsts.contains { $0.run == mark.run && ($0.isMilestone || !mark.isMilestone) }
  }

  /// The mark of a day whose run grew to a length that matters.
  static func mark(
    _ record: DayRecord, after previous: DayRecord, _ day: Day, _ history: HabitHistory
  ) -> Mark? {
    guard let start = record.start, record.run > previous.run || start == day else { return nil }
    let run = Int(record.run)
    let isMilestone = history.terms(on: day).milestones.contains(run)
    guard isMilestone || Ledger.streakTiers.contains(run) else { return nil }
    return Mark(day: day, run: run, start: start, isMilestone: isMilestone)
  }
}
