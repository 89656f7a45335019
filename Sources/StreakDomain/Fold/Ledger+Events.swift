/// The effects of single events: an event changes the facts, then the days that depend on these
/// facts are refolded.
extension Ledger {
  /// Moves today to the day of `entry`, and adds the entry.
  ///
  /// If the day is after the cutoff, the entry isn't added. Only its day is recorded.
  mutating func log(_ entry: EntryFact, key: EventKey, at position: Int) {
    moveToday(to: entry.day, by: key, at: position)
    var entry = entry
    entry.position = UInt32(position)
    if let cutoff, entry.day > cutoff {
      journal.todayCandidates.append((position, entry.day, key))
    } else {
      add(entry, key: key)
    }
  }

  /// Adds an entry whose day isn't after the cutoff.
  ///
  /// An entry that is earlier than all others of its habit can change the habit's first day, so the
  /// habit is refolded. Any other entry needs nothing if the outcome of its day stays the same, and
  /// no refold if its day is today.
  private mutating func add(_ entry: EntryFact, key: EventKey) {
    var entry = entry
    let (habit, day, offset) = (habitIndex(adding: entry.habit), entry.day, entries.nextOffset)
    if !pending.deletions.isEmpty, pending.deletions.remove(key) != nil {
      entry.isDeleted = true
      journal.processUndosAgain()
    }
    entry.next = habits[habit].cells[day].head
    entries.append(entry)
    habits[habit].cells[day].head = offset
    guard !entry.isDeleted, let today, day <= today,
      habits[habit].definitions.countsEntries(on: day)
    else {
      return
    }
    let isFirst = habits[habit].firstEntryDay.map { day < $0 } ?? true
    let definition = habits[habit].definition(on: day)
    let oldCode = definition.code(of: habits[habit].cells[day])
    habits[habit].add(offset, of: entries, under: definition)
    countActivity(of: entry, under: definition)
    noteChange(of: habit, on: day)
    if !isFirst {
      if definition.sumPeriod == nil, definition.code(of: habits[habit].cells[day]) == oldCode {
        return
      }
      if day == today { return markTodayStale(of: habit) }
    }
    refold(habit, days: habits[habit].daysAffected(byEntryOn: day))
  }

  mutating func delete(_ key: EventKey, at position: Int) {
    journal.setTarget(.entry(key), ofEventAt: position)
    guard let offset = index.position(of: key).flatMap({ entryOffset(at: $0) }) else {
      pending.deletions.insert(key)
      return
    }
    let entry = entries[offset]
    guard !entry.isDeleted else { return }
    entries[offset].isDeleted = true
    let habit = habitIndex(of: entry)
    guard let today, entry.day <= today, habits[habit].definitions.countsEntries(on: entry.day)
    else {
      return
    }
    habits[habit].remove(entry, of: entries)
    countActivity(of: entry, under: habits[habit].definition(on: entry.day), sign: -1)
    noteChange(of: habit, on: entry.day)
    refold(habit, days: habits[habit].daysAffected(byEntryOn: entry.day))
  }

  mutating func define(_ definition: Habit, on day: Day, at position: Int) {
    let habit = habitIndex(adding: stream.names.intern(definition.id))
    let members = definition.rule.members.map { habitIndex(adding: stream.names.intern($0)) }
    let compiled = CompiledDefinition(definition, names: &stream.names, members: members)
    journal.setTarget(.habit(habit), ofEventAt: position)
    let isEarliest = habits[habit].definitions.earliest.map { day <= $0.day } ?? true
    let oldCountsFrom = habits[habit].definitions.countsFrom
    countActivity(of: habit, sign: -1)
    if !habits[habit].isDefined { order.add(habit) }
    habits[habit].definitions.insert(compiled, on: day, position: position)
    recount(habit)
    let changesAll = isEarliest || habits[habit].definitions.countsFrom != oldCountsFrom
    noteChange(of: habit, on: changesAll ? Day.first : day)
    if habits[habit].definitions.isEverComposite, updateHierarchy() { return foldAllDays() }
    refold(habit, days: (changesAll ? Day.first : day)...Day.last, isRedefined: true)
  }

  mutating func retire(_ name: String, after day: Day, at position: Int) {
    let habit = habitIndex(adding: stream.names.intern(name))
    journal.setTarget(.habit(habit), ofEventAt: position)
    habits[habit].definitions.retire(after: day, position: position)
    refold(habit, days: min(day.next, Day.last)...Day.last)
  }

  /// Excuses `days` for the habits with the ids in `named`, or for all habits if `named` is `nil`.
  ///
  /// `dayChange` is the `day.changed` of the same batch if a change of time zone skipped `days`,
  /// otherwise `nil`.
  mutating func excuse(
    _ days: ClosedRange<Day>, _ named: [String]?, reason: Text?, key: EventKey, at position: Int,
    dayChange: EventKey?
  ) {
    var excuse = Excuse(
      key: key, position: position, span: days,
      habits: named.map { $0.map { habitIndex(adding: stream.names.intern($0)) } }, reason: reason,
      dayChange: dayChange)
    journal.setTarget(.excuse(key), ofEventAt: position)
    if pending.withdrawals.remove(key) != nil {
      excuse.isWithdrawn = !excuse.isOfZone
      journal.processUndosAgain()
    }
    excuses.append(excuse)
    guard isInForce(excuse) else { return }
    for habit in excuse.habits ?? Array(habits.indices) {
      habits[habit].definitions.excusedDays.insert(excuse.span)
      refold(habit, days: excuse.span)
    }
  }

  /// Withdraws the excuse with the key `key`, unless it is for days that a change of time zone
  /// skipped.
  mutating func withdraw(_ key: EventKey, at position: Int) {
    journal.setTarget(.excuse(key), ofEventAt: position)
    guard let index = excuses.firstIndex(where: { $0.key == key }) else {
      pending.withdrawals.insert(key)
      return
    }
    guard isInForce(excuses[index]), !excuses[index].isOfZone else { return }
    excuses[index].isWithdrawn = true
    for habit in excuses[index].habits ?? Array(habits.indices) {
      habits[habit].definitions.excusedDays = excusedDays(of: habit)
      refold(habit, days: excuses[index].span)
    }
  }

  func isInForce(_ excuse: Excuse) -> Bool {
    !excuse.isWithdrawn && (excuse.dayChange.map { !journal.ignoredEvents.contains($0) } ?? true)
  }

  /// Returns the days of all excuses for `habit` that are in force.
  ///
  /// If `habit` is `nil`, only excuses for all habits are considered.
  func excusedDays(of habit: Int?) -> DaySpans {
    DaySpans(
      excuses.lazy.filter { excuse in
        isInForce(excuse) && (excuse.habits.map { habit.map($0.contains) ?? false } ?? true)
      }.map(\.span))
  }

  /// Removes the display name from the definition made by the event `eventID`, because the name was
  /// redacted.
  mutating func removeName(in eventID: String) {
    guard let key = EventKey.find(eventID, names: names), let position = index.position(of: key),
      case .habit(let habit)? = journal.target(ofEventAt: position),
      let old = habits[habit].definitions.dated.first(where: { $0.position == position })?
        .definition
    else { return }
    var definition = old.source
    definition.name = nil
    habits[habit].definitions.replaceDefinition(
      at: position, with: CompiledDefinition(definition, names: &stream.names, members: old.members)
    )
    changes.note(habit)
  }

  // MARK: Recounting

  /// Recounts all entries of `habit` after its definitions or today have changed, and adds their
  /// activity again.
  ///
  /// Before that change, the caller must subtract the habit's activity, or clear `activityHistory`.
  mutating func recount(_ habit: Int) {
    habits[habit].definitions.updateCountsFrom(today: today)
    habits[habit].recount(of: entries, through: today)
    countActivity(of: habit)
  }

  /// Adds the activity of all counted entries of `habit` to `activityHistory`, or subtracts it if
  /// `sign` is -1.
  mutating func countActivity(of habit: Int, sign: Int32 = 1) {
    guard let today, habits[habit].isDefined else { return }
    for cell in habits[habit].cells.slice(Day.first...today) where cell.entries > 0 {
      for (_, entry) in entries.chain(from: cell.head) where !entry.isDeleted {
        countActivity(of: entry, under: habits[habit].definition(on: entry.day), sign: sign)
      }
    }
  }

  @inline(__always)
  private mutating func countActivity(
    of entry: EntryFact, under definition: CompiledDefinition, sign: Int32 = 1
  ) {
    activityHistory.add(definition.activity(of: entry), on: entry.day, sign: sign)
  }

  /// Records that `day` changed for `habit` and the composites that contain it.
  @inline(__always)
  mutating func noteChange(of habit: Int, on day: Day) {
    guard changes.isRecorded else { return }
    for changed in [habit] + habits[habit].hierarchy.ancestors {
      habits[changed].noteChange(on: day)
      changes.note(changed)
    }
  }

  // MARK: Lookup

  /// Returns the offset of the entry logged at `position`, or `nil` if that event isn't an entry.
  func entryOffset(at position: Int) -> EntryOffset? {
    let found = entries.partitioningIndex { $0.position >= position }
    return found < entries.count && entries[found].position == position ? EntryOffset(found) : nil
  }

  func habitIndex(of entry: EntryFact) -> Int {
    guard let habit = order.index(of: entry.habit) else {
      preconditionFailure("an entry of an unknown habit")
    }
    return habit
  }

  /// Returns the index of the habit named `name`, and adds the habit if this is its first mention.
  mutating func habitIndex(adding name: Symbol) -> Int {
    if let known = order.index(of: name) { return known }
    var habit = HabitState(id: name, excusedDays: excusedDays(of: nil))
    if changes.isRecorded { habit.recordChanges() }
    habits.append(habit)
    order.setIndex(habits.count - 1, of: name)
    return habits.count - 1
  }

  func habitIndex(named name: String) -> Int? { names.find(name).flatMap { order.index(of: $0) } }
}
