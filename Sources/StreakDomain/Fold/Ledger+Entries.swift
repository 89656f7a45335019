extension Ledger {
  /// Folds one logged entry in: O(1), but where it changes the outcome of a day that is folded already.
  mutating func log(_ logged: EntryFact, id: EventKey, position: Int) {
    let isPastCutoff = cutoff.map { logged.day > $0 } ?? false
    if !isPastCutoff, awaited.isEmpty || awaited.remove(id) == nil {
      var entry = logged
      entry.position = UInt32(position)
      insert(entry)
    }
    reach(logged.day)
  }

  private mutating func insert(_ logged: EntryFact) {
    var entry = logged
    let habit = habitIndex(entry.habit)
    let place = UInt32(entries.count + 1)
    let (cell, terms, changed, wasQuiet) = habits[habit].weigh(entry, at: place, in: entries)
    if changed, let today, entry.day <= today { prepare(habit, isRising: entry.day == today && wasQuiet) }
    entry.next = cell.head
    entries.append(entry)
    let isFirst = habits[habit].accept(cell, entry, at: place, isCounted: terms != nil)
    guard let terms else { return }
    if isFirst { habitsWithEntries += 1 }
    standingEntries += 1
    let ground = terms.group == .other ? DailyActivity() : daily[entry.day]
    earnedXP += terms.contribute(entry, to: &daily[entry.day], yoga: yoga)
    grounds.forget(entry.day)
    noteForGrounds(terms, ground, entry.day)
    if changed {
      doubt(habit, entry.day...entry.day)
    } else {
      touch(habit, entry.day, isOutcome: false)
    }
  }

  /// Counts an entry that may bring an achievement though no outcome changed.
  @inline(__always)
  private mutating func noteForGrounds(_ terms: Terms, _ before: DailyActivity, _ day: Day) {
    if standingEntries <= EntryTiers.mostEntries { return groundsRevision += 1 }
    guard terms.group != .other else { return }
    let after = daily[day]
    let isOpen = grounds.cardioKing.on == nil && after.cardio != before.cardio
    if isOpen || !after.isAlike(before) { groundsRevision += 1 }
  }

  /// Takes a standing entry out; O(1) unless it was the day's latest, which costs O(entries of that day).
  mutating func delete(_ key: EventKey) {
    guard let position = index.position(of: key), let place = place(ofEntryAt: position) else {
      awaited.insert(key)
      return
    }
    let entry = entries[place - 1]
    guard !entry.isDeleted else { return }
    let habit = habitIndex(entry.habit)
    let counts = habits[habit].counts(entry.day)
    if counts { prepare(habit) }
    entries[place - 1].isDeleted = true
    guard counts else { return }
    let regime = habits[habit].regimeIndex(on: entry.day)
    let terms = habits[habit].terms[habits[habit].regimes[regime].terms]
    contribute(entry, of: habit, terms, sign: -1)
    habits[habit].cells[entry.day].entries -= 1
    if terms.considers(entry) {
      terms.tally(entry, into: &habits[habit].cells[entry.day], sign: -1)
      if habits[habit].cells[entry.day].latest == UInt32(place) { findLatest(habit, entry.day, terms) }
    }
    if habits[habit].firstEntryDay == entry.day { findFirstEntryDay(of: habit) }
    doubt(habit, entry.day...entry.day)
  }

  /// The day's latest considered entry, by `at`, then by stream.
  private mutating func findLatest(_ habit: Int, _ day: Day, _ terms: Terms) {
    var cell = habits[habit].cells[day]
    cell.forgetLatest()
    var place = cell.head
    while place != 0 {
      let entry = entries[Int(place) - 1]
      if !entry.isDeleted, terms.considers(entry) { cell.consider(entry, at: place, in: entries, terms) }
      place = entry.next
    }
    habits[habit].cells[day] = cell
  }

  /// 1 + the index of the entry recorded at a position, deleted or not; nil where the event is no entry of ours.
  func place(ofEntryAt position: Int) -> Int? {
    guard !isOutOfOrder else { return entries.firstIndex { $0.position == position }.map { $0 + 1 } }
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if Int(entries[middle].position) < position { low = middle + 1 } else { high = middle }
    }
    return low < entries.count && Int(entries[low].position) == position ? low + 1 : nil
  }

  /// Adds what an entry brings to totals, XP and the day's activity; `sign` -1 takes it out again.
  mutating func contribute(_ entry: EntryFact, of habit: Int, _ terms: Terms, sign: Int32) {
    habits[habit].totals.add(entry, sign: Int(sign))
    standingEntries += Int(sign)
    groundsRevision += 1
    earnedXP += terms.contribute(entry, to: &daily[entry.day], yoga: yoga, sign: sign)
    grounds.forget(entry.day)
  }

  /// The id of the standing entry that was recorded last.
  package var lastStandingEntry: String? {
    entries.last { !$0.isDeleted }.map { index.key(at: Int($0.position)).text(names) }
  }

  /// The standing entries of a habit's day that count, in order.
  func standing(_ habit: Int, _ day: Day) -> [EntryFact] {
    guard habits[habit].counts(day) else { return [] }
    var found: [EntryFact] = []
    var place = habits[habit].cells[day].head
    while place != 0 {
      let entry = entries[Int(place) - 1]
      if !entry.isDeleted { found.append(entry) }
      place = entry.next
    }
    return found.sorted { $0.precedes($1) }
  }

  /// The habit of a name, made on its first mention.
  mutating func habitIndex(_ name: NameIndex) -> Int {
    let value = Int(name.value)
    if value < habitOfName.count, habitOfName[value] != 0 { return Int(habitOfName[value]) - 1 }
    while habitOfName.count <= value { habitOfName.append(0) }
    habits.append(HabitHistory(name: name))
    habitOfName[value] = Int32(habits.count)
    return habits.count - 1
  }

  func habitIndex(named name: String) -> Int? {
    guard let index = names.find(name), Int(index.value) < habitOfName.count,
      habitOfName[Int(index.value)] != 0
    else { return nil }
    return Int(habitOfName[Int(index.value)]) - 1
  }
}
