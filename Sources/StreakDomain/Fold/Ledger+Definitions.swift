extension Ledger {
  mutating func define(_ definition: Habit, on day: Day, position: Int) {
    let habit = habitIndex(stream.names.intern(definition.id))
    let members = definition.rule.members.map { habitIndex(stream.names.intern($0)) }
    let made = CompiledDefinition(definition, names: &stream.names, members: members, idle: &work.idle)
    lookBefore(habit)
    let known = habits[habit].days.definitions
    let days = known.daysChanged(by: definition, on: day, position: UInt32(position), today: today)
    if known.isEmpty { roster.defined.append(habit) }
    let isRecounted = !known.tallies(alike: definition, over: days)
    // Only for limits and activities does the rule affect XP and achievements.
    let isSpecial = made.isLimit || made.test.traits.looksAtActivities
    let changesRewards =
      isSpecial || !known.traits.isDisjoint(with: [.limit, .activities]) || days.lowerBound == Day.first
    if made.isComposite || made.per != nil { countUncounted(habit) }
    if isRecounted, changesRewards { withdraw(habit, days) }
    let reframed = habits[habit].extent(
      ofDefinitionsOn: days.lowerBound...min(days.upperBound.next, Day.last), made)
    let before = takeDown(habit, reframed)
    habits[habit].days.definitions.insert(made, on: day, position: UInt32(position), today: today)
    habits[habit].entries.crowdedDays = [:]
    if today.map({ day > $0 }) ?? true { waiting.definitions.insert(habit) }
    link(habit, to: members)
    // Composites read the days of their descendants, so nothing there may stay uncounted.
    for below in habits[habit].links.below { countUncounted(below) }
    habits[habit].days.reframe(reframed)
    if isRecounted { countOrPutOff(habit, days, changesRewards: changesRewards) }
    habits[habit].days.start(at: firstDay(of: habit))
    if made.isComposite, let today {
      // The composite may be closed further than its new members, and its ancestors further than it.
      for member in members { close(member, before: today) }
      combineClosed(habit, days)
      close(habit, before: today)
    } else {
      combineClosed(habit, days)
    }
    noteFirstDay(habit)
    finish(habit, before, changed: reframed, isRedefined: true)
    note(outcomeOf: habit, reframed)
  }

  /// Recounts the entries, or defers that until a query.
  private mutating func countOrPutOff(_ habit: Int, _ days: ClosedRange<Day>, changesRewards: Bool) {
    let mayWait =
      !changesRewards && !changes.isWatched && days.lowerBound <= habits[habit].days.through
      && habits[habit].links.above.isEmpty
      && habits[habit].days.definitions.traits.isDisjoint(with: [.composite, .periodSum])
    if mayWait {
      habits[habit].entries.uncounted = habits[habit].entries.uncounted?.joined(days) ?? days
    } else {
      deposit(habit, days, changesRewards: changesRewards)
    }
  }

  mutating func combineClosed(_ habit: Int, _ days: ClosedRange<Day>) {
    guard habits[habit].days.definitions.traits.contains(.composite), let first = habits[habit].days.first
    else { return }
    let (low, high) = (max(first, days.lowerBound), min(habits[habit].days.through, days.upperBound))
    if low <= high { _ = combine(habit, low...high) }
  }

  /// Applies the `countsFrom` of definitions whose day comes now.
  mutating func reachDefinitions(on day: Day) {
    for habit in waiting.definitions.sorted() {
      let definitions = habits[habit].days.definitions
      if definitions.dated.last.map({ $0.day <= day }) ?? true { waiting.definitions.remove(habit) }
      let countsFrom = definitions.countsFrom(on: day)
      guard countsFrom != definitions.countsFrom else { continue }
      lookBefore(habit)
      let days = Day.first...Day.last
      countUncounted(habit)
      withdraw(habit, days)
      let before = takeDown(habit, days)
      habits[habit].days.definitions.setCountsFrom(countsFrom)
      habits[habit].entries.crowdedDays = [:]
      deposit(habit, days, changesRewards: true)
      habits[habit].days.start(at: firstDay(of: habit))
      combineClosed(habit, days)
      noteFirstDay(habit)
      finish(habit, before, changed: days, isRedefined: true)
      note(outcomeOf: habit, days)
    }
  }

  mutating func forgetName(in event: String) {
    guard let key = EventKey.find(event, names: names), let position = index.position(of: key) else { return }
    for habit in habits.indices {
      guard let dated = habits[habit].days.definitions.dated.first(where: { Int($0.position) == position })
      else {
        continue
      }
      let known = habits[habit].days.definitions.compiled[dated.place]
      var definition = known.source
      definition.name = nil
      habits[habit].days.definitions.rename(
        dated,
        to: CompiledDefinition(definition, names: &stream.names, members: known.members, idle: &work.idle))
      return
    }
  }

  mutating func retire(_ name: String, after day: Day, position: Int) {
    let habit = habitIndex(stream.names.intern(name))
    lookBefore(habit)
    let days = min(day.next, Day.last)...Day.last
    let before = takeDown(habit, days)
    habits[habit].days.definitions.retire(after: day, position: UInt32(position))
    habits[habit].days.reframe(days)
    finish(habit, before, changed: days)
    note(outcomeOf: habit, days)
  }

  private mutating func link(_ composite: Int, to members: [Int]) {
    guard !members.isEmpty else { return }
    let above = [composite] + habits[composite].links.above
    let below = Set(members + members.flatMap { habits[$0].links.below })
    for habit in below {
      habits[habit].links.above += above.filter { $0 != habit && !habits[habit].links.above.contains($0) }
      if above.contains(habit) { habits[habit].links.isInCircle = true }
    }
    for each in above {
      let known = Set(habits[each].links.below)
      habits[each].links.below += below.filter { $0 != each && !known.contains($0) }
    }
    raise(above)
    let heights = habits.map(\.links.height)
    func isLower(_ one: Int, _ other: Int) -> Bool { (heights[one], one) < (heights[other], other) }
    for habit in below { habits[habit].links.above.sort(by: isLower) }
    for habit in above { habits[habit].links.below.sort(by: isLower) }
  }

  private mutating func raise(_ composites: [Int]) {
    var isHigher = true
    while isHigher {
      isHigher = false
      for composite in composites {
        let members = habits[composite].days.definitions.members
        let height = min(habits.count, 1 + (members.map { habits[$0].links.height }.max() ?? 0))
        if height > habits[composite].links.height {
          habits[composite].links.height = height
          isHigher = true
        }
      }
    }
  }

  private mutating func withdraw(_ habit: Int, _ days: ClosedRange<Day>) {
    for slot in Array(habits[habit].entries.cells.slots(in: days)) where habits[habit].counts(slot.day) {
      let definition = habits[habit].definition(on: slot.day)
      eachStandingEntry(from: slot.value.head) { ledger, entry, _ in
        ledger.contribute(entry, of: habit, definition, sign: -1)
      }
    }
  }

  /// Recounts the entries of `days` under the definitions in force and sets the codes.
  private mutating func deposit(_ habit: Int, _ days: ClosedRange<Day>, changesRewards: Bool) {
    var cells = habits[habit].entries.cells
    habits[habit].entries.cells = DayMap()
    cells.update(in: days) { day, cell in
      let head = cell.head
      cell = DayCell()
      cell.head = head
      guard habits[habit].counts(day) else { return }
      let definition = habits[habit].definition(on: day)
      eachStandingEntry(from: head) { ledger, entry, place in
        if changesRewards { ledger.contribute(entry, of: habit, definition, sign: 1) }
        cell.entries += 1
        guard definition.test.considers(entry) else { return }
        definition.test.tally(entry, into: &cell)
        cell.consider(entry, at: place, in: ledger.entries, definition)
      }
    }
    habits[habit].entries.cells = cells
    if changesRewards { habits[habit].entries.findFirst(from: Day.first) }
    _ = habits[habit].setCodes(in: habits[habit].extent(ofDefinitionsOn: days))
  }

  mutating func countUncounted(_ habit: Int, on day: Day? = nil) {
    guard let days = habits[habit].entries.uncounted else { return }
    if let day {
      if days.contains(day) { deposit(habit, day...day, changesRewards: false) }
    } else {
      habits[habit].entries.uncounted = nil
      deposit(habit, days, changesRewards: false)
    }
  }

  mutating func eachStandingEntry(
    from head: EntryPlace, _ body: (inout Ledger, EntryFact, EntryPlace) -> Void
  ) {
    for (place, entry) in entries.chain(from: head) where !entry.isDeleted { body(&self, entry, place) }
  }
}
