/// A ledger as it is stored: all but what is made again when it is looked at next.
extension Ledger {
  mutating func pass(_ coder: inout StateCoder) {
    coder.part(&stream)
    coder.value(&clock)
    coder.list(&entries)
    coder.list(&roster.ofName)
    coder.list(&roster.defined)
    coder.part(&excuses)
    coder.part(&waiting)
    coder.part(&journal)
    coder.part(&rewards)
    coder.part(&work.idle)
    coder.value(&work.settledOn)
    coder.list(&work.unsettled)
    var count = habits.count
    coder.value(&count)
    guard coder.isReading else {
      for habit in habits {
        var habit = habit
        pass(&habit, &coder)
      }
      return
    }
    while habits.count < count, !coder.isBroken {
      var habit = HabitFold(name: Symbol(0), excused: DaySpans())
      pass(&habit, &coder)
      habits.append(habit)
    }
  }

  private mutating func pass(_ habit: inout HabitFold, _ coder: inout StateCoder) {
    var definitions = habit.definitions.compiled.enumerated().map { place, made in
      let position = habit.definitions.dated.first { $0.place == place }?.position ?? 0
      return StoredDefinition(made, as: definition(at: position), at: position)
    }
    coder.parts(&definitions)
    let made = coder.isReading ? definitions.compactMap { compiled($0, &coder) } : []
    habit.pass(&coder, made, excuses)
  }

  /// The definition that an event of a position says; nil where none does.
  private func definition(at position: UInt32) -> Habit? {
    guard case .other(let event)? = journal.fact(at: Int(position)),
      case .habitDefined(let definition) = event.payload
    else { return nil }
    return definition
  }

  private mutating func compiled(
    _ stored: StoredDefinition, _ coder: inout StateCoder
  ) -> CompiledDefinition? {
    guard let definition = stored.source ?? definition(at: stored.position) else {
      coder.fail()
      return nil
    }
    return CompiledDefinition(definition, names: &stream.names, members: stored.members, idle: &work.idle)
  }
}

/// A definition of a habit: the event that says it, or itself where its name was taken out.
private struct StoredDefinition: StoredPart {
  var position: UInt32 = 0
  var members: [Int] = []
  var source: Habit?

  init() {}

  init(_ made: CompiledDefinition, as said: Habit?, at position: UInt32) {
    self.position = position
    members = made.members
    source = said == made.source ? nil : made.source
  }

  mutating func pass(_ coder: inout StateCoder) {
    coder.value(&position)
    coder.list(&members)
    var isOther = source != nil
    coder.value(&isOther)
    guard isOther else { return }
    var event = source.map { Event.stating($0) }
    coder.event(&event)
    if case .habitDefined(let definition)? = event?.payload { source = definition }
  }
}

extension Event {
  /// An event for the sake of the definition in it.
  fileprivate static func stating(_ definition: Habit) -> Event {
    Event(
      id: "0", at: Timestamp(instant: Instant(microseconds: 0), offset: 0),
      recorded: Instant(microseconds: 0), day: Day(unchecked: 0), zone: "UTC",
      payload: .habitDefined(definition))
  }
}

extension HabitFold {
  fileprivate mutating func pass(
    _ coder: inout StateCoder, _ definitions: [CompiledDefinition], _ excuses: Excuses
  ) {
    coder.value(&name)
    coder.part(&entries)
    days.definitions.pass(&coder, definitions, all: excuses.forAll)
    coder.part(&days)
    coder.list(&links.above)
    coder.list(&links.below)
    coder.value(&links.height)
    coder.value(&links.isInCircle)
    coder.part(&records)
    coder.value(&judged)
    coder.value(&isUnsettled)
  }
}

extension HabitEntries: StoredPart {
  mutating func pass(_ coder: inout StateCoder) {
    cells.pass(&coder)
    coder.value(&totals)
    coder.value(&first)
    coder.value(&countedFirst)
    coder.value(&uncounted)
    var crowds = crowdedDays.mapValues { Crowd(places: $0) }
    coder.parts(&crowds)
    crowdedDays = crowds.mapValues(\.places)
  }

  private struct Crowd: StoredPart {
    var places: [EntryPlace] = []
    mutating func pass(_ coder: inout StateCoder) { coder.list(&places) }
  }
}

extension Excuses: StoredPart {
  mutating func pass(_ coder: inout StateCoder) {
    coder.part(&forAll)
    coder.parts(&byEvent)
  }
}

extension Excuse: StoredPart {
  init() { self.init(span: Day.first...Day.first, habits: nil, reason: nil, isOfZone: false) }

  mutating func pass(_ coder: inout StateCoder) {
    coder.value(&span)
    var (isForAll, named) = (habits == nil, habits ?? [])
    coder.value(&isForAll)
    coder.list(&named)
    habits = isForAll ? nil : named
    coder.part(&reason)
    coder.value(&isOfZone)
    coder.value(&isWithdrawn)
  }
}

extension Waiting: StoredPart {
  mutating func pass(_ coder: inout StateCoder) {
    coder.set(&deletions)
    coder.set(&withdrawals)
    coder.list(&entries)
    coder.set(&definitions)
    coder.parts(&unclaimed)
  }
}

extension Waiting.Unclaimed: StoredPart {
  init() {
    self.init(subject: nil, position: 0, content: .entry(EntryFact(), id: EventKey(high: 0, low: 0)))
  }

  mutating func pass(_ coder: inout StateCoder) {
    coder.part(&subject)
    coder.value(&position)
    var (event, dayStart) = (Event?.none, ClockTime.midnight)
    var (fact, id) = (EntryFact(), EventKey(high: 0, low: 0))
    switch content {
    case .event(let whole, let start): (event, dayStart) = (whole, start)
    case .entry(let entry, let key): (fact, id) = (entry, key)
    }
    var isEvent = event != nil
    coder.value(&isEvent)
    if isEvent {
      coder.event(&event)
      coder.value(&dayStart)
      if let event { content = .event(event, dayStart: dayStart) }
    } else {
      coder.value(&fact)
      coder.value(&id)
      content = .entry(fact, id: id)
    }
  }
}

extension Rewards: StoredPart {
  init() { self.init(yoga: Symbol(0)) }

  mutating func pass(_ coder: inout StateCoder) {
    coder.part(&daily)
    coder.value(&earnedXP)
    coder.parts(&reminders)
    var seen = Array(seenCelebrations)
    coder.parts(&seen)
    if coder.isReading { seenCelebrations = Set(seen) }
    coder.value(&yoga)
  }
}

extension Reminder: StoredPart {
  package init() { self.init(time: .midnight, isEnabled: false) }
}
extension Day: StoredPart {
  package init() { self = Day.first }
}
extension EventKey: StoredPart {
  package init() { self.init(high: 0, low: 0) }
}
extension Int: StoredPart {}
