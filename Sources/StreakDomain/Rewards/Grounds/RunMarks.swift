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

  /// Looks at the days from one on again; O(those days).
  mutating func revisit(from day: Day, in history: HabitHistory) {
    guard let first = history.folded.first, let through = history.folded.through else {
      if !firsts.isEmpty { revision += 1 }
      (marks, firsts) = ([], [])
      return
    }
    let isCut = marks.contains { $0.day >= day || $0.day < first }
    if isCut {
      marks.removeAll { $0.day >= day || $0.day < first }
      firsts = []
      revision += 1
      for mark in marks { noteFirst(mark) }
    }
    guard day <= through else { return }
    for number in day.number...through.number {
      let day = Day(unchecked: number)
      if let mark = RunMarks.mark(history.folded[day], after: history.folded[day.previous], day, history) {
        marks.append(mark)
        noteFirst(mark)
      }
    }
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
