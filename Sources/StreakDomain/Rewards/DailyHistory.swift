/// The days of all habits merged, with intermediate states saved, so that a query after each event recomputes
/// only a few days.
///
/// A state is saved before each week with entries. A change makes the states of later weeks stale; they are
/// recomputed until one equals the saved state, usually that of the following week.
struct DailyHistory: Sendable {
  private(set) var days = DayMap<DailyActivity>()
  private(set) var sums = DailySums()
  /// The states before each week, by its Monday.
  private var states = DayMap<DailyGrounds>()
  /// The range of days changed since the states were last updated.
  private var changed: ClosedRange<Day>?

  /// Adds a contribution to a day; a negated one subtracts it.
  ///
  /// - Returns: Whether achievements may have changed although no outcome did.
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

  /// The state after all days, in O(days of a week) if the states are up to date, otherwise O(days since the
  /// first change).
  var grounds: DailyGrounds {
    var (from, state) = sound(through: changed?.lowerBound ?? Day.last)
    for slot in days.slots(in: from...Day.last) { state.pass(slot.day, slot.value) }
    return state
  }

  /// Returns the achievements and tiers reached from `start` on, as indexes into `DailyGrounds.counts`, with
  /// their days.
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
        // A month counts for its last day, which may have no entries.
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

  private func sound(through day: Day) -> (from: Day, state: DailyGrounds) {
    guard let place = states.position(through: day) else { return (Day.first, DailyGrounds()) }
    return (states[place].day, states[place].value)
  }
}

extension Ledger {
  /// Moves the habit's contribution to `DailyActivity.firsts` to its current first day.
  mutating func noteFirstDay(_ habit: Int) {
    let (old, new) = (habits[habit].entries.countedFirst, habits[habit].firstDoneDay)
    guard old != new else { return }
    let first = DailyActivity(firsts: 1)
    if let old { rewards.daily.add(-first, on: old) }
    if let new { rewards.daily.add(first, on: new) }
    habits[habit].entries.countedFirst = new
  }
}
