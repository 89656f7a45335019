extension Ledger {
  /// Folds one logged entry in: O(1), but where it changes the outcome of a day that is folded already.
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

  /// Whether a day is after today.
  private func isAhead(_ day: Day) -> Bool { today.map { day > $0 } ?? true }

  /// Counts the entries of days that begin now, before today moves there.
  mutating func release(through day: Day) {
    let places = waiting.entries
    waiting.entries = places.filter { entries[$0].day > day }
    for place in places where entries[place].day <= day {
      if entries[place].isDeleted { keepDeleted(place) } else { take(place) }
    }
  }

  /// Adds an entry; where it `isHeld`, it counts once its day has come.
  private mutating func insert(_ entry: EntryFact, isHeld: Bool) {
    let place = entries.endPlace
    entries.append(entry)
    // An undo of its event relies on a look before it, also where it changes nothing.
    if isHeld || entry.isDeleted { lookBefore(habitIndex(entry.habit)) }
    if isHeld {
      waiting.entries.append(place)
    } else if entry.isDeleted {
      keepDeleted(place)
    } else {
      take(place)
    }
  }

  /// Keeps a deleted entry, to show what was logged for its day.
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

  /// Stores a day's tally that has one more entry, and sets its code.
  ///
  /// - Returns: whether the day's outcome may be another, or the habit has another first day.
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
    // A today that becomes good takes no run away; nor does a day to come.
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

  /// Sets a day's code, of a sum of a week or month those of all its days; or moves the habit's first day.
  private mutating func bring(_ habit: Int, _ day: Day, _ code: DayCode, movesFirst: Bool) {
    let before = takeDown(habit, habits[habit].extent(ofEntryOn: day))
    let definition = habits[habit].definition(on: day)
    var changed: ClosedRange<Day>?
    if let per = definition.per {
      changed = habits[habit].setCodes(of: per, around: day)
    } else if !definition.isComposite, habits[habit].days.set(day, code) {
      // A composite's day brings what its members say, which are combined when it is looked at.
      changed = day...day
    }
    if movesFirst {
      let old = habits[habit].days.first ?? Day.last
      habits[habit].days.start(at: firstDay(of: habit))
      // Before its first day nothing was combined where a later definition makes it a composite.
      if let new = habits[habit].days.first, new < old { combineClosed(habit, new...old) }
    }
    finish(habit, before, changed: changed)
  }

  /// Takes a standing entry out; O(1) unless it was the day's latest, which costs O(entries of that day).
  mutating func delete(_ key: EventKey) {
    guard let position = index.position(of: key), let place = place(ofEntryAt: position) else {
      waiting.deletions.insert(key)
      return
    }
    let entry = entries[place]
    let (habit, day) = (habitIndex(entry.habit), entry.day)
    lookBefore(habit)
    guard !entry.isDeleted else { return }
    // Before the entry is marked as deleted: the tally it is taken out of below has to have it.
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

  /// The day's latest considered entry, by `at`, then by stream.
  ///
  /// Many are sorted once, so that deleting them one by one, latest first, does not go over all of them each time.
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

  /// From so many entries on a day's are kept sorted once its latest was deleted.
  private static var crowd: Int { 16 }

  /// Puts an entry among those of a day that are kept sorted.
  private mutating func join(_ entry: EntryFact, at place: EntryPlace, crowdOf habit: Int) {
    guard var crowd = habits[habit].entries.crowdedDays.removeValue(forKey: entry.day) else { return }
    crowd.insert(place, at: crowd.partitioningIndex { !entries[$0].precedes(entry) })
    habits[habit].entries.crowdedDays[entry.day] = crowd
  }

  /// The place of the entry recorded at `position`, deleted or not; `nil` if that event is no entry.
  func place(ofEntryAt position: Int) -> EntryPlace? {
    let index = entries.partitioningIndex { $0.position >= position }
    return index < entries.count && entries[index].position == position ? EntryPlace(index: index) : nil
  }

  /// Adds what an entry brings to totals, XP and the day's activity; `sign` -1 takes it out again.
  mutating func contribute(_ entry: EntryFact, of habit: Int, _ definition: CompiledDefinition, sign: Int32) {
    habits[habit].entries.totals.add(entry, sign: Int(sign))
    let (brought, xp) = definition.contribution(of: entry, yoga: rewards.yoga)
    rewards.earnedXP += xp * Int(sign)
    rewards.daily.add(sign > 0 ? brought : -brought, on: entry.day)
    changes.groundsRevision += 1
  }

  /// The id of the standing entry that was recorded last.
  package var lastStandingEntry: String? {
    entries.last { !$0.isDeleted }.map { index.key(at: Int($0.position)).text(names) }
  }

  /// The standing entries of a habit's day that count, in order.
  func standing(_ habit: Int, _ day: Day) -> [EntryFact] {
    guard habits[habit].counts(day) else { return [] }
    return standing(from: habits[habit].entries.cells[day]?.head ?? .end).sorted { $0.precedes($1) }
  }

  /// The standing entries of a day's chain.
  func standing(from head: EntryPlace) -> [EntryFact] {
    entries.chain(from: head).map(\.entry).filter { !$0.isDeleted }
  }

  /// The habit of a name, made on its first mention.
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
