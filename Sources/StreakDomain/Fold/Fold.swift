/// The folded days of all habits, up to today.
///
/// `refold` is the only writer of days. It is called at the end of each step, with the facts that
/// the step touched, and takes these steps:
///
/// 1. It counts the new entries, and all entries of a habit that was redefined.
/// 2. It judges the touched days again, composites after their members, and the days after them up
///    to the first one whose record comes out equal. If today moved, it closes the days before.
/// 3. It judges today, and stores the best run of each changed habit for `longest`.
struct Fold: Sendable {
  /// Today, the last day that is folded.
  ///
  /// The value is `nil` before the first event that sets it.
  private(set) var today: Day?
  /// The folded days of each habit, by the habit's index in `Facts.habits`.
  private(set) var habits: [HabitFold] = []
  private(set) var hierarchy = Hierarchy()
  /// The activity of each day, from which achievements and XP are computed.
  private(set) var activity = ActivityHistory()
  private var changes = LedgerChanges()
  /// The number of entries that were counted, or skipped because they don't count.
  private var countedEntries = 0
  /// The days to judge again, while `refold` runs.
  private var staleDays = DaysByHabit()
  /// The habits for which today must be judged again, while `refold` runs.
  private var staleHabits: [Int] = []

  /// Folds the days again after a step that only logged entries, as most steps do.
  ///
  /// `entries` and `order` are those of the facts; passing all facts would copy them.
  mutating func refold(after entries: [EntryFact], _ order: HabitOrder, at position: Int) {
    count(entries, order)
    if !staleDays.isEmpty { closeDays(since: today, foldsAll: false) }
    if !staleHabits.isEmpty { judgeStaleHabits(at: position) }
  }

  /// Folds the days again that depend on the `touched` facts.
  mutating func refold(_ touched: Touched, of facts: Facts) {
    addHabits(of: facts)
    let oldToday = today
    today = facts.today
    activity.weekStart = facts.weekStart

    let hasNewCircle = copyDefinitions(touched, of: facts)
    count(facts.entries, facts.order)
    subtract(touched.removedEntries, of: facts)
    recount(touched, since: oldToday, of: facts)
    closeDays(since: oldToday, foldsAll: hasNewCircle || touched.correctsToday)

    judgeStaleHabits(at: facts.position)
    excludeRevokedStates(touched, of: facts)
  }

  // MARK: Facts

  private mutating func addHabits(of facts: Facts) {
    while habits.count < facts.habits.count {
      habits.append(HabitFold())
      if changes.isRecorded { _ = habits[habits.count - 1].takeChanges() }
    }
  }

  /// Copies the touched definitions and excuses, and marks their days as stale.
  ///
  /// - Returns: Whether circles of composites appeared or disappeared, so that all days are stale.
  private mutating func copyDefinitions(_ touched: Touched, of facts: Facts) -> Bool {
    for habit in touched.days.habits {
      habits[habit].setDefinitions(facts.habits[habit].definitions)
      guard habits[habit].isDefined, let days = touched.days[habit] else { continue }
      staleDays.add(days, of: habit)
      noteChange(of: habit, on: days.lowerBound)
    }
    if touched.correctsToday {
      for habit in habits.indices {
        habits[habit].setDefinitions(facts.habits[habit].definitions)
        habits[habit].removeFoldedDays()
      }
    }

    for habit in touched.newHabits { hierarchy.addLeaf(habit) }
    guard touched.changesHierarchy else { return false }
    let hasNewCircle = hierarchy.update(habits)
    excludeUndoneStatesOfMembers()
    return hasNewCircle
  }

  // MARK: Counting

  /// Counts the entries that weren't counted yet.
  @inline(__always)
  private mutating func count(_ entries: [EntryFact], _ order: HabitOrder) {
    while countedEntries < entries.count {
      add(EntryOffset(countedEntries), of: entries, order)
      countedEntries += 1
    }
  }

  /// Counts a new entry.
  ///
  /// An entry that is earlier than all others of its habit can change the habit's first day, so the
  /// habit is refolded. Any other entry needs nothing if the outcome of its day stays the same, and
  /// no refold if its day is today.
  @inline(__always)
  private mutating func add(
    _ offset: EntryOffset, of entries: [EntryFact], _ order: HabitOrder
  ) {
    let entry = entries[offset]
    guard entry.isStanding else { return }
    let habit = order.index(of: entry)
    guard let today, entry.day <= today else { return habits[habit].leaveUncounted() }
    guard habits[habit].countsEntries(on: entry.day) else { return }
    activity.markStale(entry.day...entry.day)
    noteChange(of: habit, on: entry.day)

    let oldFirst = habits[habit].firstEntryDay
    guard habits[habit].add(entry, at: offset, of: entries) else { return }
    if entry.day == today, habits[habit].firstEntryDay == oldFirst {
      markTodayStale(of: habit)
    } else {
      staleDays.add(habits[habit].daysAffected(byEntryOn: entry.day), of: habit)
    }
  }

  /// Subtracts entries that were counted, and have been deleted or replaced since.
  private mutating func subtract(_ removed: [EntryOffset], of facts: Facts) {
    // Each day is counted again only once, because a step can remove thousands of its entries.
    var countedDays: Set<EntryDay> = []
    for offset in removed {
      let entry = facts.entries[offset]
      guard let today, entry.day <= today else { continue }
      let habit = facts.habitIndex(of: entry)
      guard habits[habit].countsEntries(on: entry.day) else { continue }

      habits[habit].subtract(entry)
      if countedDays.insert(EntryDay(habit: habit, day: entry.day)).inserted {
        habits[habit].recountRemoved(entry.day, of: facts.habits[habit], facts.entries)
      }
      activity.markStale(entry.day...entry.day)
      noteChange(of: habit, on: entry.day)
      staleDays.add(habits[habit].daysAffected(byEntryOn: entry.day), of: habit)
    }
  }

  /// A day of a habit.
  private struct EntryDay: Hashable {
    let habit: Int
    let day: Day
  }

  /// Counts all entries again of the habits that were redefined, and of the habits for which the
  /// new today changes which entries count.
  private mutating func recount(_ touched: Touched, since oldToday: Day?, of facts: Facts) {
    let redefined = Set(touched.redefinedHabits)
    for habit in habits.indices where habits[habit].isDefined {
      // A definition that takes effect by the new today can change `countsFrom`. After a
      // `day.corrected`, there can be entries of days after the old today, which weren't counted.
      let oldCountsFrom = habits[habit].countsFrom
      let countsFrom = habits[habit].definitions.countsFrom(on: today)
      let countsOthers = countsFrom != oldCountsFrom || touched.correctsToday
      let reachesEntries = today != oldToday && habits[habit].hasUncountedEntries
      guard countsOthers || reachesEntries || redefined.contains(habit) else { continue }

      habits[habit].recount(of: facts.habits[habit], facts.entries, through: today)
      activity.markStale(Day.first...Day.last)
      guard countsOthers || reachesEntries else { continue }
      staleDays.add(Day.first...Day.last, of: habit)
      noteChange(of: habit, on: Day.first)
    }
  }

  // MARK: Closed days

  /// Judges the stale days again, and all days from the old today on if today has changed.
  ///
  /// If `foldsAll` is true, all days are judged again. A habit with stale days first discards its
  /// stored result for the old today. The other habits use that result to close the old today, and
  /// discard it afterwards.
  private mutating func closeDays(since oldToday: Day?, foldsAll: Bool) {
    for habit in staleDays.habits { markTodayStale(of: habit) }

    let foldsAll = foldsAll || oldToday == nil && today != nil
    if foldsAll || today != oldToday {
      let first = foldsAll ? Day.first : oldToday ?? Day.first
      for habit in hierarchy.membersFirst { staleDays.add(first...Day.last, of: habit) }
    }
    foldStaleDays()
    if foldsAll || today != oldToday {
      for habit in hierarchy.membersFirst { markTodayStale(ofOnly: habit) }
    }
  }

  /// Judges the stale days again, with all days that depend on them.
  private mutating func foldStaleDays() {
    guard !staleDays.isEmpty else { return }
    defer { staleDays.removeAll() }
    guard let yesterday = today?.previous else { return }

    for habit in habitsToFold where habits[habit].isDefined {
      if let moved = habits[habit].setFirstDay(firstDay(of: habit)) {
        staleDays.add(moved, of: habit)
      }
      guard let days = staleDays[habit] else { continue }
      guard let changed = foldDays(days, of: habit, through: yesterday) else { continue }

      // The composites that contain the habit read its verdicts on these days.
      for composite in hierarchy.ancestors(of: habit)
      where habits[composite].definitions.members.contains(habit) {
        staleDays.add(changed, of: composite)
      }
    }
  }

  /// The habits with stale days and the composites that contain them, in the order of the fold.
  private var habitsToFold: [Int] {
    let isOfAll = staleDays.habits.count >= hierarchy.membersFirst.count
    if isOfAll { return hierarchy.membersFirst }

    let ancestors = staleDays.habits.flatMap { hierarchy.ancestors(of: $0) }
    return hierarchy.sorted(staleDays.habits + ancestors)
  }

  /// Judges `days` of `habit` again, whose members must already be folded.
  ///
  /// - Returns: The days whose verdicts may have changed, or `nil` if no verdict changed.
  private mutating func foldDays(
    _ days: ClosedRange<Day>, of habit: Int, through yesterday: Day
  ) -> ClosedRange<Day>? {
    let firstDay = habits[habit].firstDay ?? Day.last.next
    let first = max(days.lowerBound, firstDay)
    let last = min(days.upperBound, yesterday)
    var codes: DayRow<DayCode>?
    if habits[habit].definitions.isEverComposite, first <= last {
      codes = self.codes(of: habit, on: first...last)
    }

    let changedVerdicts = habits[habit].refold(days, through: yesterday, codes: codes)
    guard days.lowerBound < firstDay else { return changedVerdicts }

    // Composites also read days before the habit's first day, for which no verdict is stored.
    let unfolded = days.lowerBound...min(days.upperBound, firstDay.previous)
    return changedVerdicts?.joined(unfolded) ?? unfolded
  }

  // MARK: First days

  /// Returns the first day of `habit` according to its earliest definition, or `nil` if the habit
  /// hasn't begun.
  private func firstDay(of habit: Int) -> Day? {
    guard let earliest = habits[habit].definitions.earliest else { return nil }
    // A limit begins on the day of its definition, or on the day `countsFrom` if that is later.
    if earliest.definition.isLimit {
      return max(earliest.day, habits[habit].countsFrom ?? earliest.day)
    }
    guard earliest.definition.isComposite else { return habits[habit].firstEntryDay }

    // Other composites among the members are reached by themselves.
    let members = habitsReached(from: [habit]) {
      habits[$0].definitions.earliest?.definition.members ?? []
    }
    let leaves = members.filter { habits[$0].definitions.earliest?.definition.isComposite == false }
    let first = leaves.compactMap { firstDay(of: $0) }.min()
    return first.map { max($0, habits[habit].countsFrom ?? $0) }
  }

  // MARK: Today

  /// Marks today as stale for `habit` and the composites that contain it.
  @inline(__always)
  private mutating func markTodayStale(of habit: Int) {
    markTodayStale(ofOnly: habit)
    for composite in hierarchy.ancestors(of: habit) { markTodayStale(ofOnly: composite) }
  }

  private mutating func markTodayStale(ofOnly habit: Int) {
    if habits[habit].markTodayStale() { staleHabits.append(habit) }
  }

  /// Judges today for all habits in `staleHabits`, and stores their best runs.
  ///
  /// A day that stays open doesn't change the run. So it is judged only on request, unless the
  /// changes are recorded.
  private mutating func judgeStaleHabits(at position: Int) {
    for habit in staleHabits {
      var run: Int32 = 0
      if let today, changes.isRecorded || !habits[habit].staysOpen(today) {
        run = judgeToday(today, of: habit).record.run
      }
      habits[habit].closeStep(at: position, run: run)
      changes.note(habit)
    }
    staleHabits.removeAll(keepingCapacity: true)
  }

  /// Judges today for `habit`, and returns the result.
  ///
  /// The members are judged first. What was judged before isn't judged again.
  private mutating func judgeToday(_ today: Day, of habit: Int) -> HabitFold.Today {
    if let state = habits[habit].todayState { return state }
    let definition = habits[habit].definition(on: today)
    guard definition.isComposite else {
      return habits[habit].judgeToday(today, memberCodes: nil)
    }

    var soFar = MemberSummary()
    var atEnd = MemberSummary()
    for member in definition.members {
      if isUndefinedOrCircular(member, in: habit) {
        soFar.add(.notGood)
        atEnd.add(.notGood)
      } else {
        let state = judgeToday(today, of: member)
        soFar.add(MemberVerdict(state.input, verdictAtEnd: state.verdictAtEnd))
        atEnd.add(MemberVerdict(state.verdictAtEnd))
      }
    }
    let codes = (soFar: soFar.code(under: definition), atEnd: atEnd.code(under: definition))
    return habits[habit].judgeToday(today, memberCodes: codes)
  }

  // MARK: States that don't count for `longest`

  /// Excludes states that don't count for `longest`.
  ///
  /// These are the states between an event and its undo, and the states whose today came from a
  /// wrong clock.
  private mutating func excludeRevokedStates(_ touched: Touched, of facts: Facts) {
    if touched.correctsToday {
      for positions in facts.clock.revokedPositions(upTo: facts.position) {
        for habit in habits.indices { habits[habit].excludeBestRuns(at: positions) }
      }
    }

    guard let firstUndo = touched.firstNewUndo else { return }
    for undo in facts.journal.undos[firstUndo...] {
      let end = undo.stepEnd
      guard let start = facts.position(of: undo.cause), start < end else { continue }
      for habit in facts.habits(targetedByEventAt: start) {
        habits[habit].excludeBestRuns(at: start..<end, isOwnUndo: true)
        changes.note(habit)
        for composite in hierarchy.ancestors(of: habit) {
          habits[composite].excludeBestRuns(at: start..<end)
          changes.note(composite)
        }
      }
    }
  }

  /// Excludes the states that an undo revoked from the `longest` of composites.
  ///
  /// An undo of a member's event does this for the composites that exist by then. A composite that
  /// is defined later needs it here.
  private mutating func excludeUndoneStatesOfMembers() {
    for habit in habits.indices {
      for positions in habits[habit].bestRunHistory.undoneStates {
        for composite in hierarchy.ancestors(of: habit) {
          habits[composite].excludeBestRuns(at: positions)
        }
      }
    }
  }

  // MARK: Activity

  /// Stores the activity of all days, so that the following requests take less time, and returns
  /// it.
  mutating func updateActivity() -> ActivitySnapshot {
    activity.update(habits)
    return ActivitySnapshot(activity, on: today)
  }

  // MARK: Changes

  /// Records that `day` changed for `habit` and the composites that contain it.
  @inline(__always)
  private mutating func noteChange(of habit: Int, on day: Day) {
    guard changes.isRecorded else { return }
    for changed in [habit] + hierarchy.ancestors(of: habit) {
      habits[changed].noteChange(on: day)
      changes.note(changed)
    }
  }

  /// Returns the changes since the last call; the first call returns an empty array and starts the
  /// recording.
  mutating func takeChanges() -> [HabitChange] {
    defer { changes.reset() }
    guard changes.isRecorded else {
      for habit in habits.indices { _ = habits[habit].takeChanges() }
      return []
    }
    return changes.habits.map { habit in
      let (firstDay, rewritten) = habits[habit].takeChanges()
      return HabitChange(
        habit: HabitHandle(index: habit), firstDay: firstDay,
        rewrittenDays: rewritten.map { ($0.day, $0.old.isFolded ? $0.old.record.verdict : nil) })
    }
  }
}
