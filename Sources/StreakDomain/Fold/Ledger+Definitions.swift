extension Ledger {
  /// Puts a definition in force from its day on and counts that span's entries again.
  mutating func define(_ definition: Definition, on day: Day, position: Int) {
    let habit = habitIndex(names.intern(definition.habit))
    let members = definition.rule.members.map { habitIndex(names.intern($0)) }
    let terms = Terms(definition, names: &names, members: members)
    foldFrom(day)
    prepare(habit)
    let days = habits[habit].daysChanged(
      by: definition, on: day, position: UInt32(position), today: today)
    if !habits[habit].isDefined { defined.append(habit) }
    let isRecounted = !habits[habit].tallies(alike: definition, over: days)
    // Only activities and limits count by their rule for anything but their days.
    if terms.isComposite { recount(habit) }
    let wasSpecial = habits[habit].isEverLimit || habits[habit].isEverOfActivities
    let brings =
      wasSpecial || terms.isLimit || terms.test.traits.looksAtActivities || days.lowerBound == Day.first
    if isRecounted, brings { withdraw(habit, days) }
    habits[habit].insert(definition, on: day, position: UInt32(position), terms: terms, today: today)
    if today.map({ day > $0 }) ?? true { definedAhead.insert(habit) }
    if isRecounted {
      if brings || habits[habit].isEverComposite {
        deposit(habit, days, brings: brings)
      } else {
        habits[habit].uncounted = habits[habit].uncounted?.joined(days) ?? days
      }
    }
    if habits[habit].isEverComposite { foldOrder = nil }
    link(habit, to: members)
    countDone(habit)
    // The day after may now be the first of another schedule.
    let doubtful = days.lowerBound...min(days.upperBound.next, Day.last)
    doubt(habit, doubtful, isReframed: !isRecounted && !habits[habit].isEverComposite)
  }

  /// Has entries count from another day where a definition says so whose day comes now, before today moves there.
  mutating func reachDefinitions(on day: Day) {
    for habit in definedAhead.sorted() {
      if habits[habit].definitions.last.map({ $0.day <= day }) ?? true { definedAhead.remove(habit) }
      let countsFrom = habits[habit].countsFrom(on: day)
      guard countsFrom != habits[habit].countsFrom else { continue }
      prepare(habit)
      let days = Day.first...Day.last
      recount(habit)
      withdraw(habit, days)
      habits[habit].count(from: countsFrom)
      deposit(habit, days, brings: true)
      countDone(habit)
      doubt(habit, days)
    }
  }

  /// Takes the name out of the definition of an event: the copy that was read may still have it.
  mutating func forgetName(in event: String) {
    guard let key = EventKey.find(event, names: names), let position = index.position(of: key) else { return }
    for habit in habits.indices {
      guard let dated = habits[habit].definitions.first(where: { Int($0.position) == position }) else {
        continue
      }
      let terms = habits[habit].terms[dated.fact]
      var definition = terms.definition
      definition.name = nil
      habits[habit].rename(dated, to: Terms(definition, names: &names, members: terms.members))
      return
    }
  }

  mutating func retire(_ name: String, after day: Day, position: Int) {
    let habit = habitIndex(names.intern(name))
    prepare(habit)
    habits[habit].retire(after: day, position: UInt32(position))
    doubt(habit, day...Day.last, isReframed: !habits[habit].isEverComposite)
  }

  /// Remembers that the composite is folded again whenever a member, in depth, changes.
  private mutating func link(_ composite: Int, to members: [Int]) {
    var pending = members
    var reached: Set<Int> = []
    let above = [composite] + habits[composite].dependents
    while let member = pending.popLast() {
      guard reached.insert(member).inserted else { continue }
      habits[member].addDependents(above, but: member)
      for terms in habits[member].terms { pending += terms.members }
    }
  }

  /// Takes the contributions of every counting entry out, before the terms change.
  private mutating func withdraw(_ habit: Int, _ days: ClosedRange<Day>) {
    for slot in Array(habits[habit].cells.slots(in: days)) where habits[habit].counts(slot.day) {
      let terms = habits[habit].terms(on: slot.day)
      eachStandingEntry(from: slot.value.head) { ledger, entry, _ in
        ledger.contribute(entry, of: habit, terms, sign: -1)
      }
    }
  }

  /// Counts every entry again under the terms now in force; `brings` where that may change totals, XP and achievements.
  private mutating func deposit(_ habit: Int, _ days: ClosedRange<Day>, brings: Bool) {
    var cells = habits[habit].cells
    habits[habit].cells = DayMap()
    cells.update(in: days) { day, cell in
      let head = cell.head
      cell = DayCell()
      cell.head = head
      guard habits[habit].counts(day) else { return }
      let terms = habits[habit].terms(on: day)
      eachStandingEntry(from: head) { ledger, entry, place in
        if brings { ledger.contribute(entry, of: habit, terms, sign: 1) }
        cell.entries += 1
        guard terms.test.considers(entry) else { return }
        terms.test.tally(entry, into: &cell)
        cell.consider(entry, at: place, in: ledger.entries, terms)
      }
    }
    habits[habit].cells = cells
    if brings { habits[habit].findFirstEntryDay(from: Day.first) }
  }

  /// Counts what terms that came since have left uncounted, of all days or, for a caller that looks at one alone, of
  /// that.
  mutating func recount(_ habit: Int, on day: Day? = nil) {
    guard let days = habits[habit].uncounted else { return }
    if let day {
      if days.contains(day) { deposit(habit, day...day, brings: false) }
    } else {
      habits[habit].uncounted = nil
      deposit(habit, days, brings: false)
    }
  }

  /// Keeps count of the habits with an entry that is no slip of a limit.
  mutating func countDone(_ habit: Int) {
    let isDone = habits[habit].firstDoneDay != nil
    guard isDone != habits[habit].isDone else { return }
    habits[habit].isDone = isDone
    habitsDone += isDone ? 1 : -1
  }

  /// The standing entries of a day's chain, latest arrived first, each with its place.
  mutating func eachStandingEntry(
    from head: EntryPlace, _ body: (inout Ledger, EntryFact, EntryPlace) -> Void
  ) {
    for (place, entry) in entries.chain(from: head) where !entry.isDeleted { body(&self, entry, place) }
  }
}
