/// Refolding after an undo or a `day.corrected`, because their effect on earlier states is known only
/// afterwards.
extension Ledger {
  /// Excludes the states from the undone event `cause` up to `position` from `longest`.
  mutating func discount(_ cause: String, before position: Int) {
    guard let key = EventKey.find(cause, names: names), let from = index.position(of: key), from < position
    else { return }
    var unknown: [Int] = []
    for habit in habitsConcerned(byEventAt: from) {
      for each in [habit] + habits[habit].links.above {
        journal.discount(each, from...position - 1)
        let dropped = habits[each].records.drop(from...position - 1)
        if dropped.any, dropped.isUncertain || !wasConcerned(each, byEventAt: from) { unknown.append(each) }
        if let today { touch(each, today...today, isOutcome: true) }
      }
    }
    guard !unknown.isEmpty, !isCutOff else { return }
    var again = foldedAgain()
    again.settle()
    for habit in unknown { habits[habit].records = again.habits[habit].records }
  }

  private func wasConcerned(_ habit: Int, byEventAt position: Int) -> Bool {
    switch journal.fact(at: position) {
    case .deleted(let entry): if index.position(of: entry).map({ $0 > position }) ?? true { return false }
    case .other(let event):
      guard case .excuseWithdrawn(let excuse, _) = event.payload else { break }
      let known = EventKey.find(excuse, names: names).flatMap { index.position(of: $0) }
      if known.map({ $0 > position }) ?? true { return false }
    case .zoneExcused: return false
    case nil, .reached: break
    }
    guard habits[habit].days.definitions.traits.contains(.composite) else { return true }
    return composites(below: habit).allSatisfy { composite in
      habits[composite].days.definitions.dated.allSatisfy { $0.position <= position }
    }
  }

  private func habitsConcerned(byEventAt position: Int) -> [Int] {
    if let place = place(ofEntryAt: position) { return [habitIndex(of: entries[place])].compactMap(\.self) }
    switch journal.fact(at: position) {
    case nil, .reached: return []
    case .deleted(let entry):
      guard let position = index.position(of: entry), let place = place(ofEntryAt: position) else {
        return []
      }
      return [habitIndex(of: entries[place])].compactMap(\.self)
    case .zoneExcused: return Array(habits.indices)
    case .other(let event):
      switch event.payload {
      case .habitDefined(let definition): return habitIndex(named: definition.id).map { [$0] } ?? []
      case .habitRetired(let habit): return habitIndex(named: habit).map { [$0] } ?? []
      case .daysExcused(_, _, let named, _):
        return named?.compactMap { habitIndex(named: $0) } ?? Array(habits.indices)
      case .excuseWithdrawn(let excuse, _):
        guard let excuse = EventKey.find(excuse, names: names).flatMap({ excuses.byEvent[$0] }) else {
          return []
        }
        return excuse.habits ?? Array(habits.indices)
      default: return []
      }
    }
  }

  private func habitIndex(of entry: EntryFact) -> Int? {
    let name = Int(entry.habit.value)
    return name < roster.ofName.count && roster.ofName[name] != 0 ? Int(roster.ofName[name]) - 1 : nil
  }

  /// Excludes events from the determination of today, and refolds all days.
  mutating func correct(_ events: [String], to day: Day, by key: EventKey, at position: Int) {
    let keys = events.map { EventKey($0, names: &stream.names) }
    journal.correct(to: day, at: position)
    rewards.seenCelebrations = journal.seenCelebrations
    let moves = keys.contains { !journal.moved.contains($0) && index.position(of: $0) != nil }
    journal.correct(keys, before: self.position)
    guard moves else { return reach(day, by: key) }
    var again = foldedAgain()
    for habit in again.habits.indices { again.habits[habit].goOn(after: habits[habit]) }
    again.changes.groundsRevision += groundsRevision + 1
    again.changes.isWatched = changes.isWatched
    again.changes.generation = generation + 1
    again.journal = journal
    again.journal.step(at: self.position, by: again.clock.setter)
    self = again
  }

  /// Returns the ids of the events that move today past `day`, in stream order.
  package func movers(beyond day: Day) -> [String] {
    var found: [Int] = []
    for entry in entries where entry.day > day { found.append(Int(entry.position)) }
    for record in journal.records {
      if case .reached(let reached, _) = record.fact, reached > day { found.append(Int(record.position)) }
    }
    return found.sorted().map { index.key(at: $0) }.filter { !journal.moved.contains($0) }.map {
      $0.text(names)
    }
  }

  /// The event that set the ledger's own today.
  package var todaysEvent: String? { clock.setter?.text(names) }

  package var todaysPosition: Int? { clock.setter.flatMap { index.position(of: $0) } }

  func refusal(ofCorrecting moved: [String], to day: Day) -> Failure? {
    let remedy = "leave \"moved\" out: the store finds the events"
    for id in moved {
      guard let key = EventKey.find(id, names: names), let position = index.position(of: key),
        let reached = place(ofEntryAt: position).map({ entries[$0].day }) ?? dayReached(at: position)
      else {
        return Failure(
          .untimely, "\"moved\" names \(quoted(id)), which is no event that moves today",
          remedy: remedy)
      }
      if reached <= day || journal.moved.contains(key) {
        return Failure(
          .untimely, "\"moved\" names \(quoted(id)), which does not move today beyond \(day)",
          remedy: remedy)
      }
    }
    return nil
  }

  private func dayReached(at position: Int) -> Day? {
    guard case .reached(let day, _)? = journal.fact(at: position) else { return nil }
    return day
  }

  /// Returns an unsettled ledger of the same facts, in which the exclusions are known from the start.
  private func foldedAgain() -> Ledger {
    var again = Ledger(cutoff: cutoff)
    (again.stream, again.journal) = (stream, journal.again)
    again.rewards.reminders = reminders
    again.rewards.seenCelebrations = seenCelebrations
    again.work.idle = work.idle
    again.entries.reserveCapacity(entries.count)
    var boundaries = journal.boundaries[...]
    var next = 0
    for record in journal.records {
      while next < record.entries {
        again.foldAgain(entries[next], &boundaries)
        next += 1
      }
      again.foldAgain(record, &boundaries)
    }
    for entry in entries[next...] { again.foldAgain(entry, &boundaries) }
    again.work.replayed = nil
    if let today = again.today {
      for habit in again.habits.indices { again.noteAgain(habit, on: today, at: again.position) }
    }
    return again
  }

  private mutating func foldAgain(
    _ entry: EntryFact, _ boundaries: inout ArraySlice<(position: Int, habit: Int?)>
  ) {
    let position = Int(entry.position)
    look(before: position, &boundaries)
    var fact = entry
    (fact.isDeleted, fact.next) = (false, .end)
    log(fact, id: index.key(at: position), position: position)
    work.replayed = position
  }

  private mutating func foldAgain(
    _ record: Journal.Record, _ boundaries: inout ArraySlice<(position: Int, habit: Int?)>
  ) {
    let position = Int(record.position)
    look(before: position, &boundaries)
    switch record.fact {
    case .reached(let day, let key): reach(day, by: key)
    case .deleted(let entry): delete(entry)
    case .zoneExcused(let event, let change):
      if !journal.moved.contains(change) { fold(event, position: position, dayStart) }
    case .other(let event): fold(event, position: position, dayStart)
    }
    work.replayed = position
  }

  private mutating func look(
    before position: Int, _ boundaries: inout ArraySlice<(position: Int, habit: Int?)>
  ) {
    while let boundary = boundaries.first, boundary.position <= position {
      boundaries.removeFirst()
      work.replayed = boundary.position - 1
      guard let today else { continue }
      for habit in boundary.habit.map({ [$0] }) ?? Array(habits.indices) where habit < habits.count {
        settle(habit, on: today)
      }
    }
    work.replayed = position - 1
  }
}
