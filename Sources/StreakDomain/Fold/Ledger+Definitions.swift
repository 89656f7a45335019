extension Ledger {
  /// Puts a definition in force from its day on and counts that span's entries anew.
  mutating func define(_ definition: Definition, on day: Day, position: Int) {
    let habit = habitIndex(names.intern(definition.habit))
    let members = definition.rule.members.map { habitIndex(names.intern($0)) }
    let terms = Terms(definition, names: &names, members: members)
    prepare(habit)
    lastTermsDay = max(lastTermsDay, day)
    let days = habits[habit].daysChanged(by: definition, on: day, position: UInt32(position))
    if !habits[habit].isDefined { defined.append(habit) }
    withdraw(habit, days)
    habits[habit].insert(definition, on: day, position: UInt32(position), terms: terms)
    deposit(habit, days)
    link(habit, to: members)
    doubt(habit, days)
  }

  mutating func retire(_ name: String, after day: Day, position: Int) {
    let habit = habitIndex(names.intern(name))
    prepare(habit)
    lastTermsDay = max(lastTermsDay, day.next)
    habits[habit].retire(after: day, position: UInt32(position))
    doubt(habit, day...Day.last)
  }

  mutating func excuse(_ span: ClosedRange<Day>, _ named: [String]?) {
    lastTermsDay = max(lastTermsDay, span.upperBound)
    guard let named else {
      for habit in habits.indices { prepare(habit) }
      excusedForAll.insert(span)
      for habit in habits.indices { doubt(habit, span) }
      return
    }
    for name in named {
      let habit = habitIndex(names.intern(name))
      prepare(habit)
      habits[habit].excused.insert(span)
      doubt(habit, span)
    }
  }

  /// Remembers that the composite is folded again whenever a member, in depth, changes.
  private mutating func link(_ composite: Int, to members: [Int]) {
    var pending = members
    var reached: Set<Int> = []
    let above = [composite] + habits[composite].dependents
    while let member = pending.popLast() {
      guard reached.insert(member).inserted else { continue }
      for each in above where each != member && !habits[member].dependents.contains(each) {
        habits[member].dependents.append(each)
      }
      for terms in habits[member].terms { pending += terms.members }
    }
  }

  /// Takes the contributions of every counting entry out, before the terms change.
  private mutating func withdraw(_ habit: Int, _ days: ClosedRange<Day>) {
    eachStandingEntry(habit, days) { ledger, entry, terms in
      ledger.contribute(entry, of: habit, terms, sign: -1)
    }
  }

  /// Counts every entry anew under the terms now in force.
  private mutating func deposit(_ habit: Int, _ days: ClosedRange<Day>) {
    for day in habits[habit].cells.days(in: days) {
      let old = habits[habit].cells[day]
      guard old.head != 0 else { continue }
      var cell = DayCell()
      cell.head = old.head
      habits[habit].cells[day] = cell
    }
    eachStandingEntry(habit, days) { ledger, entry, terms in
      let place = ledger.place(ofEntryAt: Int(entry.position)) ?? 0
      ledger.contribute(entry, of: habit, terms, sign: 1)
      var cell = ledger.habits[habit].cells[entry.day]
      cell.entries += 1
      if terms.considers(entry) {
        terms.tally(entry, into: &cell)
        cell.consider(entry, at: UInt32(place), in: ledger.entries, terms)
      }
      ledger.habits[habit].cells[entry.day] = cell
    }
    findFirstEntryDay(of: habit)
  }

  /// Looks for the habit's first entry anew, after entries were taken out or counted anew.
  mutating func findFirstEntryDay(of habit: Int) {
    let hadEntries = habits[habit].firstEntryDay != nil
    habits[habit].findFirstEntryDay()
    let hasEntries = habits[habit].firstEntryDay != nil
    if hasEntries != hadEntries { habitsWithEntries += hasEntries ? 1 : -1 }
  }

  private mutating func eachStandingEntry(
    _ habit: Int, _ days: ClosedRange<Day>, _ body: (inout Ledger, EntryFact, Terms) -> Void
  ) {
    for day in habits[habit].cells.days(in: days) {
      var place = habits[habit].cells[day].head
      guard place != 0, habits[habit].counts(day) else { continue }
      let terms = habits[habit].terms(on: day)
      while place != 0 {
        let entry = entries[Int(place) - 1]
        if !entry.isDeleted { body(&self, entry, terms) }
        place = entry.next
      }
    }
  }
}
