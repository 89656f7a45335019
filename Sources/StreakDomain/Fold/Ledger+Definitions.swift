extension Ledger {
  /// Puts a definition in force from its day on and counts that span's entries anew.
  mutating func define(_ definition: Definition, on day: Day, position: Int) {
    let habit = habitIndex(names.intern(definition.habit))
    let members = definition.rule.members.map { habitIndex(names.intern($0)) }
    let terms = Terms(definition, names: &names, members: members)
    prepare(habit)
    let days = habits[habit].daysChanged(by: definition, on: day, position: UInt32(position))
    if !habits[habit].isDefined { defined.append(habit) }
    let isRecounted = !habits[habit].tallies(alike: definition, over: days)
    // Only activities count by their rule for anything but their days.
    let isActivity = terms.test == .activity || habits[habit].terms.contains { $0.test == .activity }
    let brings = isActivity || days.lowerBound == Day.first
    if isRecounted, brings { withdraw(habit, days) }
    habits[habit].insert(definition, on: day, position: UInt32(position), terms: terms)
    if isRecounted { deposit(habit, days, brings: brings) }
    if habits[habit].isEverComposite { foldOrder = nil }
    link(habit, to: members)
    doubt(habit, days, isReframed: !isRecounted && !habits[habit].isEverComposite)
  }

  mutating func retire(_ name: String, after day: Day, position: Int) {
    let habit = habitIndex(names.intern(name))
    prepare(habit)
    habits[habit].retire(after: day, position: UInt32(position))
    doubt(habit, day...Day.last, isReframed: !habits[habit].isEverComposite)
  }

  mutating func excuse(_ span: ClosedRange<Day>, _ named: [String]?) {
    guard let named else {
      for habit in habits.indices { prepare(habit) }
      excusedForAll.insert(span)
      for habit in habits.indices { doubt(habit, span, isReframed: !habits[habit].isEverComposite) }
      return
    }
    for name in named {
      let habit = habitIndex(names.intern(name))
      prepare(habit)
      habits[habit].excused.insert(span)
      doubt(habit, span, isReframed: !habits[habit].isEverComposite)
    }
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

  /// Counts every entry anew under the terms now in force; `brings` where that may change totals, XP and achievements.
  private mutating func deposit(_ habit: Int, _ days: ClosedRange<Day>, brings: Bool) {
    for slot in Array(habits[habit].cells.slots(in: days)) {
      var cell = DayCell()
      cell.head = slot.value.head
      if habits[habit].counts(slot.day) {
        let terms = habits[habit].terms(on: slot.day)
        eachStandingEntry(from: cell.head) { ledger, entry, place in
          if brings { ledger.contribute(entry, of: habit, terms, sign: 1) }
          cell.entries += 1
          guard terms.considers(entry) else { return }
          terms.tally(entry, into: &cell)
          cell.consider(entry, at: place, in: ledger.entries, terms)
        }
      }
      habits[habit].cells[slot.day] = cell
    }
    if brings { findFirstEntryDay(of: habit, from: Day.first) }
  }

  /// Looks for the habit's first entry anew, where none is before a day.
  mutating func findFirstEntryDay(of habit: Int, from day: Day) {
    let hadEntries = habits[habit].firstEntryDay != nil
    habits[habit].findFirstEntryDay(from: day)
    let hasEntries = habits[habit].firstEntryDay != nil
    if hasEntries != hadEntries { habitsWithEntries += hasEntries ? 1 : -1 }
  }

  /// The standing entries of a day's chain, latest arrived first, each with its place in `entries`, from 1.
  mutating func eachStandingEntry(
    from head: UInt32, _ body: (inout Ledger, EntryFact, UInt32) -> Void
  ) {
    var place = head
    while place != 0 {
      let entry = entries[Int(place) - 1]
      if !entry.isDeleted { body(&self, entry, place) }
      place = entry.next
    }
  }
}
