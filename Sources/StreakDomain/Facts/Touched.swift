/// The changes of facts since the days were last folded, which determine the days to fold again.
///
/// New entries aren't listed, because the fold knows how many entries it has counted.
struct Touched: Sendable {
  /// The days on which definitions, retirements or excuses of a habit changed.
  private(set) var days = DaysByHabit()
  /// The habits whose entries must be counted again, because their definitions changed; a habit can
  /// occur several times.
  private(set) var redefinedHabits: [Int] = []
  /// The habits that were defined for the first time.
  private(set) var newHabits: [Int] = []
  /// The entries of earlier steps that were deleted or replaced.
  private(set) var removedEntries: [EntryOffset] = []
  /// Whether a definition may have changed the hierarchy of composites.
  private(set) var changesHierarchy = false
  /// Whether a `day.corrected` named events that were not ignored before.
  private(set) var correctsToday = false
  /// The index of the first new undo in `EventJournal.undos`, or `nil` if there is none.
  private(set) var firstNewUndo: Int?

  var isEmpty: Bool {
    days.isEmpty && removedEntries.isEmpty && firstNewUndo == nil && !correctsToday
  }

  mutating func add(_ days: ClosedRange<Day>, of habit: Int) { self.days.add(days, of: habit) }

  mutating func redefine(_ habit: Int, from day: Day, isFirst: Bool, isComposite: Bool) {
    days.add(day...Day.last, of: habit)
    redefinedHabits.append(habit)
    if isFirst { newHabits.append(habit) }
    if isComposite { changesHierarchy = true }
  }

  mutating func remove(_ entry: EntryOffset) { removedEntries.append(entry) }

  mutating func correctToday() { correctsToday = true }

  mutating func addUndo(_ undo: Int) { firstNewUndo = min(undo, firstNewUndo ?? undo) }

  /// Makes the fold consider all undos again.
  ///
  /// This is necessary after an undo if what the undone event removed, an entry or an excuse,
  /// arrives only now.
  mutating func addAllUndos() { firstNewUndo = 0 }

  mutating func removeAll() {
    days.removeAll()
    redefinedHabits.removeAll(keepingCapacity: true)
    newHabits.removeAll(keepingCapacity: true)
    removedEntries.removeAll(keepingCapacity: true)
    changesHierarchy = false
    correctsToday = false
    firstNewUndo = nil
  }
}

/// For each of several habits, a range of days.
struct DaysByHabit: Sendable {
  /// The habits with a range, without duplicates, in the order in which they were added.
  private(set) var habits: [Int] = []
  /// The range of days of each habit, or `nil` if it has none, by the habit's index.
  private var ranges: [ClosedRange<Day>?] = []

  var isEmpty: Bool { habits.isEmpty }

  subscript(habit: Int) -> ClosedRange<Day>? { habit < ranges.count ? ranges[habit] : nil }

  /// Extends the range of `habit` to contain `days`.
  mutating func add(_ days: ClosedRange<Day>, of habit: Int) {
    while ranges.count <= habit { ranges.append(nil) }
    if let range = ranges[habit] {
      ranges[habit] = range.joined(days)
    } else {
      ranges[habit] = days
      habits.append(habit)
    }
  }

  mutating func removeAll() {
    for habit in habits { ranges[habit] = nil }
    habits.removeAll(keepingCapacity: true)
  }
}
