/// The days of all habits together, and states of the pass over them, so that few days are passed when somebody asks
/// after each event.
///
/// There is a state before each week with entries. A fact of a day puts those of later weeks in doubt, and days are
/// passed again up to a state that is as it was: mostly that of the week after.
struct DailyHistory: Sendable {
  /// All days with an entry that counts.
  private(set) var days = DayMap<DailyActivity>()
  /// What they add up to.
  private(set) var sums = DailySums()
  /// The states before weeks, by Monday.
  private var states = DayMap<DailyGrounds>()
  /// From the first to the last day that changed since the states were brought up to date.
  private var changed: ClosedRange<Day>?

  /// Adds to what a day brought; what was negated is taken out again.
  ///
  /// - Returns: whether it may bring an achievement though no outcome changes.
  @discardableResult
  @inline(__always)
  mutating func add(_ brought: DailyActivity, on day: Day) -> Bool {
    let before = days[day] ?? DailyActivity()
    let after = before + brought
    days.put(after, on: day)
    sums.replace(before, with: after)
    changed = changed?.joined(day...day) ?? day...day
    return brought.isQualifying || sums.entries <= Tier.mostEntries
  }

  /// The state after all days: O(days of a week) where the states are up to date, else O(days since the first change).
  var grounds: DailyGrounds {
    var (from, state) = sound(through: changed?.lowerBound ?? Day.last)
    for slot in days.slots(in: from...Day.last) { state.pass(slot.day, slot.value) }
    return state
  }

  /// Which achievements, by their places in `DailyGrounds.counts`, and which tiers of them were complete on which day,
  /// from a day on; O(days from there on) where the states are up to date.
  func reached(from start: Day, on today: Day) -> [(place: Int, tier: Int, on: Day)] {
    var (from, state) = sound(through: min(start, changed?.lowerBound ?? start))
    for slot in days.slots(in: from...start) where slot.day < start { state.pass(slot.day, slot.value) }
    var sums = sums
    for slot in days.slots(in: start...Day.last) { sums.replace(slot.value, with: DailyActivity()) }
    var known = state.counts(sums, on: start)
    var found: [(place: Int, tier: Int, on: Day)] = []
    func look(on day: Day) {
      let counts = state.counts(sums, on: day)
      for place in counts.indices where counts[place] > known[place] {
        // A month is complete with its last day, which may have brought nothing.
        let on = place == DailyGrounds.balancedPlace ? state.balancedWarrior.lastDay : day
        found += (Int(known[place])..<Int(counts[place])).map { (place: place, tier: $0, on: on) }
      }
      known = counts
    }
    for slot in days.slots(in: start...Day.last) {
      look(on: slot.day)
      state.pass(slot.day, slot.value)
      sums.replace(DailyActivity(), with: slot.value)
      look(on: slot.day)
    }
    look(on: today)
    return found
  }

  /// Passes again what is in doubt.
  mutating func bringUpToDate() {
    guard let changed else { return }
    self.changed = nil
    var (monday, state) = sound(through: changed.lowerBound)
    for slot in days.slots(in: monday...Day.last) {
      if slot.day.monday != monday {
        monday = slot.day.monday
        if monday > changed.upperBound, states[monday] == state { return }
        states.put(state, on: monday)
      }
      state.pass(slot.day, slot.value)
    }
  }

  /// The last state that rests on no day from one on, and the day to pass on from.
  private func sound(through day: Day) -> (from: Day, state: DailyGrounds) {
    guard let place = states.position(through: day) else { return (Day.first, DailyGrounds()) }
    return (states[place].day, states[place].value)
  }
}

extension Ledger {
  /// Counts a habit on its first done day (`DailyActivity.firsts`), and no more on the one before.
  mutating func noteFirstDay(_ habit: Int) {
    let (old, new) = (habits[habit].entries.countedFirst, habits[habit].firstDoneDay)
    guard old != new else { return }
    let first = DailyActivity(firsts: 1)
    if let old { rewards.daily.add(-first, on: old) }
    if let new { rewards.daily.add(first, on: new) }
    habits[habit].entries.countedFirst = new
  }
}
