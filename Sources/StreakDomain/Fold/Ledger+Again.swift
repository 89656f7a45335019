/// Folding the facts again, where a later event says that an earlier one does not count (domain.md, "Time", and
/// `longest` in "A habit's state").
///
/// A slip of the hand sets no record, and a wrong clock sets neither a day nor a record:
///
///     log gym --on fri, then undo     longest is what it was before the log
///     log with the clock at 12-23     today is 12-23, longest of a limit 31; corrected: both are what they were
///
/// Which states count is known only afterwards, so the facts are folded once more from the first, with that known.
extension Ledger {
  /// Drops the records of states that rest on an undone event, `cause`; the undo is at `position`.
  ///
  /// A habit is looked at before each event that concerns it, so what was noted before the undone one stays. Where that
  /// did not concern the habit when it came, nobody looked, and the facts are folded again.
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
    work.judgements += again.work.judgements
    work.idle.closings = again.work.idle.closings
    for habit in unknown { habits[habit].records = again.habits[habit].records }
  }

  /// Whether the event of a position concerned a habit when it came, so that the habit was looked at before.
  private func wasConcerned(_ habit: Int, byEventAt position: Int) -> Bool {
    switch journal.fact(at: position) {
    case .deleted(let entry): if index.position(of: entry).map({ $0 > position }) ?? true { return false }
    case .other(let event):
      guard case .excuseWithdrawn(let excuse, _) = event.payload else { break }
      let known = EventKey.find(excuse, names: names).flatMap { index.position(of: $0) }
      if known.map({ $0 > position }) ?? true { return false }
    // One of a mistaken day was not folded at all.
    case .zoneExcused: return false
    case nil, .reached: break
    }
    guard habits[habit].days.definitions.traits.contains(.composite) else { return true }
    return composites(below: habit).allSatisfy { composite in
      habits[composite].days.definitions.dated.allSatisfy { $0.position <= position }
    }
  }

  /// The habits whose runs the event of a position is about.
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

  /// Takes events out of what moves today, and folds all days again.
  mutating func correct(_ events: [String], to day: Day, by key: EventKey, at position: Int) {
    let keys = events.map { EventKey($0, names: &stream.names) }
    journal.correct(to: day, at: position)
    rewards.seenCelebrations = journal.seenCelebrations
    // What has not come yet, or moves nothing any more, changes no day that is folded.
    let moves = keys.contains { !journal.moved.contains($0) && index.position(of: $0) != nil }
    journal.correct(keys, before: self.position)
    guard moves else { return reach(day, by: key) }
    var again = foldedAgain()
    for habit in again.habits.indices { again.habits[habit].goOn(after: habits[habit]) }
    again.changes.groundsRevision += groundsRevision + 1
    again.work.judgements += work.judgements
    again.changes.isWatched = changes.isWatched
    again.changes.generation = generation + 1
    again.journal = journal
    again.journal.step(at: self.position, by: again.clock.setter)
    self = again
  }

  /// The events that move today beyond a day, in the order of the stream.
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

  /// Its place in the stream.
  package var todaysPosition: Int? { clock.setter.flatMap { index.position(of: $0) } }

  /// Why the events that a correction names cannot be taken out of what moves today, or nil.
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

  /// The ledger of the same facts, with what does not count known from the first on; its days are not folded.
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

  /// Notes the records of the last states that count before those that do not.
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
