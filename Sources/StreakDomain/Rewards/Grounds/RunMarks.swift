/// The days on which a habit's run reached a length that is looked out for: a milestone, or a tier of streak-master.
struct RunMarks: Sendable {
  /// Ascending by day, of closed days only.
  private(set) var marks: [Mark] = []
  /// The first of each length, and the first that is a milestone.
  private(set) var firsts: [Mark] = []

  struct Mark: Sendable {
    let day: Day
    let run: Int
    /// The first day of the run.
    let start: Day
    let isMilestone: Bool
  }

  /// Looks at the days from one on again; O(those days).
  mutating func revisit(from day: Day, _ days: FoldedDays, in history: HabitHistory) {
    guard let first = days.first, let through = days.through else {
      (marks, firsts) = ([], [])
      return
    }
    let isCut = marks.contains { $0.day >= day || $0.day < first }
    if isCut {
      marks.removeAll { $0.day >= day || $0.day < first }
      firsts = []
      for mark in marks { noteFirst(mark) }
    }
    guard day <= through else { return }
    for number in day.number...through.number {
      let day = Day(unchecked: number)
      if let mark = RunMarks.mark(days[day], after: days[day.previous], day, history) {
        marks.append(mark)
        noteFirst(mark)
      }
    }
  }

  private mutating func noteFirst(_ mark: Mark) {
    let isKnown = firsts.contains { $0.run == mark.run && ($0.isMilestone || !mark.isMilestone) }
    if !isKnown { firsts.append(mark) }
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
