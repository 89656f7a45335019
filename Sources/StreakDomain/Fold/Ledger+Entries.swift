extension Ledger {
  mutating func log(_ logged: EntryFact, id: EventKey, position: Int) {
    if let cutoff, logged.day > cutoff {
      journal.note(.reached(logged.day, by: id), at: position, behind: entries.count)
    } else {
      var entry = logged
      entry.position = UInt32(position)
      if !waiting.deletions.isEmpty, waiting.deletions.remove(id) != nil { entry.isDeleted = true }
      insert(entry, isHeld: !journal.moved.isEmpty && isAhead(entry.day) && journal.moved.contains(id))
    }
    reach(logged.day, by: id)
  }

  private func isAhead(_ day: Day) -> Bool { today.map { day > $0 } ?? true }

  mutating func release(through day: Day) {
    let places = waiting.entries
    waiting.entries = places.filter { entries[$0].day > day }
    for place in places where entries[place].day <= day {
      if entries[place].isDeleted { keepDeleted(place) } else { take(place) }
    }
  }

  private mutating func insert(_ entry: EntryFact, isHeld: Bool) {
    let place = entries.endPlace
    entries.append(entry)
    // An undo of the event needs the state before it, even if the event changes nothing.
    if isHeld || entry.isDeleted { lookBefore(habitIndex(entry.habit)) }
    if isHeld {
      waiting.entries.append(place)
    } else if entry.isDeleted {
      keepDeleted(place)
    } else {
      take(place)
    }
  }

  private mutating func keepDeleted(_ place: EntryPlace) {
    let entry = entries[place]
    let habit = habitIndex(entry.habit)
    var cell = habits[habit].entries.cells[entry.day] ?? DayCell()
    entries[place].next = cell.head
    cell.head = place
    habits[habit].entries.cells.put(cell, on: entry.day)
  }

  private mutating func take(_ place: EntryPlace) {
    let entry = entries[place]
    let (habit, day) = (habitIndex(entry.habit), entry.day)
    countUncounted(habit, on: day)
    var cell = habits[habit].entries.cells[day] ?? DayCell()
    entries[place].next = cell.head
    cell.head = place
    guard habits[habit].counts(day) else {
      lookBefore(habit, isRising: true)
      habits[habit].entries.cells.put(cell, on: day)
      return
    }
    let definition = habits[habit].definition(on: day)
    cell.entries += 1
    let isConsidered = definition.test.considers(entry)
    if isConsidered {
      definition.test.tally(entry, into: &cell)
      cell.consider(entry, at: place, in: entries, definition)
    }
    let isOutcome = put(cell, habit, day, entry, definition, isConsidered: isConsidered)
    if !habits[habit].entries.crowdedDays.isEmpty, isConsidered { join(entry, at: place, crowdOf: habit) }
    let (brought, xp) = definition.contribution(of: entry, yoga: rewards.yoga)
    rewards.earnedXP += xp
    if rewards.daily.add(brought, on: day) { changes.groundsRevision += 1 }
    if habits[habit].entries.countedFirst.map({ day < $0 }) ?? true { noteFirstDay(habit) }
    if isOutcome { changes.groundsRevision += 1 }
    touch(habit, isOutcome ? habits[habit].extent(ofEntryOn: day) : day...day, isOutcome: isOutcome)
  }

  /// Stores a cell with one more entry; returns whether an outcome or the habit's first day may have changed.
  @inline(__always)
  private mutating func put(
    _ cell: DayCell, _ habit: Int, _ day: Day, _ entry: EntryFact, _ definition: CompiledDefinition,
    isConsidered: Bool
  ) -> Bool {
    let old = habits[habit].days.tree[day]
    let hasOwnCode = !definition.isComposite && definition.per == nil
    let new = hasOwnCode ? definition.code(of: cell) : old
    let movesFirst = habits[habit].entries.first.map { day < $0 } ?? true
    let isOutcome = new != old || movesFirst || definition.per != nil && isConsidered
    let isOpen = day == today && definition.isQuiet(old.outcome ?? definition.emptyOutcome)
    let isRising =
      !isOutcome || today.map { day > $0 } ?? true || isOpen && new.outcome == .good
    lookBefore(habit, isRising: isRising)
    habits[habit].entries.cells.put(cell, on: day)
    habits[habit].entries.totals.add(entry)
    if movesFirst { habits[habit].entries.first = day }
    if isOutcome { bring(habit, day, new, movesFirst: movesFirst) }
    return isOutcome
  }

  private mutating func bring(_ habit: Int, _ day: Day, _ code: DayCode, movesFirst: Bool) {
    let before = takeDown(habit, habits[habit].extent(ofEntryOn: day))
    let definition = habits[habit].definition(on: day)
    var changed: ClosedRange<Day>?
    if let per = definition.per {
      changed = habits[habit].setCodes(of: per, around: day)
    } else if !definition.isComposite, habits[habit].days.set(day, code) {
      changed = day...day
    }
    if movesFirst {
      let old = habits[habit].days.first ?? Day.last
      habits[habit].days.start(at: firstDay(of: habit))
      // Days before the first day haven't been combined if a later definition makes the habit a composite.
      if let new = habits[habit].days.first, new < old { combineClosed(habit, new...old) }
    }
    finish(habit, before, changed: changed)
  }

  /// Deletes an entry in O(1), or in O(entries of the day) if it was the latest.
  mutating func delete(_ key: EventKey) {
    guard let position = index.position(of: key), let place = place(ofEntryAt: position) else {
      waiting.deletions.insert(key)
      return
    }
    let entry = entries[place]
    let (habit, day) = (habitIndex(entry.habit), entry.day)
    lookBefore(habit)
    guard !entry.isDeleted else { return }
    // Recount before the entry is marked as deleted, so that the tally contains it.
    countUncounted(habit, on: day)
    entries[place].isDeleted = true
    guard habits[habit].counts(day), !isAhead(day) else { return }
    let definition = habits[habit].definition(on: day)
    contribute(entry, of: habit, definition, sign: -1)
    var cell = habits[habit].entries.cells[day] ?? DayCell()
    cell.entries -= 1
    if definition.test.considers(entry) {
      definition.test.tally(entry, into: &cell, sign: -1)
      if cell.latest == place { findLatest(habit, day, &cell, definition) }
    }
    habits[habit].entries.cells.put(cell, on: day)
    let movesFirst = cell.entries == 0 && habits[habit].entries.first == day
    if movesFirst { habits[habit].entries.findFirst(from: day) }
    noteFirstDay(habit)
    let code = definition.isComposite ? habits[habit].days.tree[day] : definition.code(of: cell)
    bring(habit, day, code, movesFirst: movesFirst)
    note(outcomeOf: habit, habits[habit].extent(ofEntryOn: day))
  }

  /// Finds the latest remaining entry of `day` that the rule considers, and stores it in `cell`.
  ///
  /// The sorted list of more than 16 entries is cached, so that deleting them one by one is not quadratic.
  private mutating func findLatest(
    _ habit: Int, _ day: Day, _ cell: inout DayCell, _ definition: CompiledDefinition
  ) {
    cell.forgetLatest()
    if var crowd = habits[habit].entries.crowdedDays.removeValue(forKey: day) {
      while let last = crowd.last, entries[last].isDeleted { crowd.removeLast() }
      if let last = crowd.last { cell.consider(entries[last], at: last, in: entries, definition) }
      habits[habit].entries.crowdedDays[day] = crowd
      return
    }
    var crowd: [EntryPlace] = []
    eachStandingEntry(from: cell.head) { ledger, entry, place in
      guard definition.test.considers(entry) else { return }
      crowd.append(place)
      cell.consider(entry, at: place, in: ledger.entries, definition)
    }
    guard crowd.count > Ledger.crowd else { return }
    crowd.sort { entries[$0].precedes(entries[$1]) }
    habits[habit].entries.crowdedDays[day] = crowd
  }

  private static var crowd: Int { 16 }

  private mutating func join(_ entry: EntryFact, at place: EntryPlace, crowdOf habit: Int) {
    guard var crowd = habits[habit].entries.crowdedDays.removeValue(forKey: entry.day) else { return }
    crowd.insert(place, at: crowd.partitioningIndex { !entries[$0].precedes(entry) })
    habits[habit].entries.crowdedDays[entry.day] = crowd
  }

  func place(ofEntryAt position: Int) -> EntryPlace? {
    let index = entries.partitioningIndex { $0.position >= position }
    return index < entries.count && entries[index].position == position ? EntryPlace(index: index) : nil
  }

  /// Adds the entry to totals, XP and activity; a `sign` of -1 subtracts it.
  mutating func contribute(_ entry: EntryFact, of habit: Int, _ definition: CompiledDefinition, sign: Int32) {
    habits[habit].entries.totals.add(entry, sign: Int(sign))
    let (brought, xp) = definition.contribution(of: entry, yoga: rewards.yoga)
    rewards.earnedXP += xp * Int(sign)
    rewards.daily.add(sign > 0 ? brought : -brought, on: entry.day)
    changes.groundsRevision += 1
  }

  package var lastStandingEntry: String? {
    entries.last { !$0.isDeleted }.map { index.key(at: Int($0.position)).text(names) }
  }

  /// Returns the counted entries of a day in order, excluding deleted ones.
  func standing(_ habit: Int, _ day: Day) -> [EntryFact] {
    guard habits[habit].counts(day) else { return [] }
    return standing(from: habits[habit].entries.cells[day]?.head ?? .end).sorted { $0.precedes($1) }
  }

  func standing(from head: EntryPlace) -> [EntryFact] {
    entries.chain(from: head).map(\.entry).filter { !$0.isDeleted }
  }

  mutating func habitIndex(_ name: Symbol) -> Int {
    let value = Int(name.value)
    if value < roster.ofName.count, roster.ofName[value] != 0 { return Int(roster.ofName[value]) - 1 }
    while roster.ofName.count <= value { roster.ofName.append(0) }
    habits.append(HabitFold(name: name, excused: excuses.forAll))
    roster.ofName[value] = Int32(habits.count)
    return habits.count - 1
  }

  func habitIndex(named name: String) -> Int? {
    guard let index = names.find(name), Int(index.value) < roster.ofName.count,
      roster.ofName[Int(index.value)] != 0
    else { return nil }
    return Int(roster.ofName[Int(index.value)]) - 1
  }
}
