/// An event on which a number depends, by its position in the stream.
package struct ChainLink: Sendable, Hashable {
  package let position: Int
  package let role: Role

  package enum Role: String, Sendable, CaseIterable {
    case opening, definition, retirement, excuse, day, `break`, deletion, today
  }

  package init(position: Int, role: Role) {
    self.position = position
    self.role = role
  }
}

extension [ChainLink] {
  package var inStreamOrder: [ChainLink] {
    var last = 0
    return sorted { $0.position < $1.position }.filter { link in
      defer { last = link.position }
      return link.position != last
    }
  }
}

extension Ledger {
  /// Returns the events on which the habit's days depend; `takesAll` adds unused definitions and entries.
  package func links(of name: String, in days: ClosedRange<Day>, takesAll: Bool) -> [ChainLink] {
    guard let habit = habitIndex(named: name) else { return [] }
    return links(of: [habit] + below(habit), in: days, takesAll: takesAll)
  }

  /// Returns the events on which XP and the activity state depend; `takesAll` includes every habit.
  package func activityLinks(takesAll: Bool) -> [ChainLink] {
    let active = roster.defined.filter { habit in
      takesAll
        || habits[habit].days.definitions.compiled.contains { definition in
          if case .other = definition.group { definition.source.xp != nil } else { true }
        }
    }
    return links(of: active, in: Day.first...Day.last, takesAll: true)
  }

  private func links(of habits: [Int], in days: ClosedRange<Day>, takesAll: Bool) -> [ChainLink] {
    var links: [ChainLink] = []
    for habit in habits where self.habits[habit].isDefined {
      let days = self.habits[habit].daysAdded(to: days)
      for position in definitions(of: habit, in: days, takesAll: takesAll) {
        links.append(ChainLink(position: Int(position), role: .definition))
      }
      for retirement in self.habits[habit].days.definitions.retirements {
        links.append(ChainLink(position: Int(retirement.position), role: .retirement))
      }
      for slot in self.habits[habit].entries.cells.slots(in: days) {
        for entry in takesAll ? standing(habit, slot.day) : looked(at: habit, slot.day) {
          links.append(ChainLink(position: Int(entry.position), role: .day))
        }
      }
    }
    for (key, excuse) in excuses.byEvent where !excuse.isWithdrawn && excuse.span.overlaps(days) {
      guard excuse.habits?.contains(where: habits.contains) ?? true, let position = index.position(of: key)
      else { continue }
      links.append(ChainLink(position: position, role: .excuse))
    }
    return links.inStreamOrder
  }

  private func looked(at habit: Int, _ day: Day) -> [EntryFact] {
    let definition = habits[habit].definition(on: day)
    guard definition.per != nil else { return because(habit, day) }
    return standing(habit, day).filter { definition.test.considers($0) }
  }

  private func below(_ habit: Int) -> [Int] {
    var seen: Set<Int> = [habit]
    var pending = [habit]
    var found: [Int] = []
    while let next = pending.popLast() {
      for member in habits[next].days.definitions.members where seen.insert(member).inserted {
        found.append(member)
        pending.append(member)
      }
    }
    return found
  }

  private func definitions(of habit: Int, in days: ClosedRange<Day>, takesAll: Bool) -> [UInt32] {
    let definitions = habits[habit].days.definitions
    guard !takesAll, definitions.retirements.isEmpty else { return definitions.dated.map(\.position) }
    let (low, high) = (definitions.regime(on: days.lowerBound), definitions.regime(on: days.upperBound))
    let inForce = Set(
      definitions.regimes[low...high].map(\.place) + [definitions.dated.last?.place ?? 0])
    return definitions.dated.filter { inForce.contains($0.place) }.map(\.position)
  }

  /// Returns the considered entries of the day before a chain and, if a run ended on it, its deletions.
  package func breakLinks(of name: String, on day: Day, isBreak: Bool) -> [ChainLink] {
    guard let habit = habitIndex(named: name), habits[habit].isDefined else { return [] }
    let role: ChainLink.Role = isBreak ? .break : .day
    let summed = ([habit] + below(habit)).flatMap { each in
      habits[each].isDefined && habits[each].definition(on: day).per != nil
        ? habits[each].entries.cells.slots(in: habits[each].daysAdded(to: day...day))
          .flatMap { looked(at: each, $0.day) } : []
    }
    let links = (because(habit, day) + summed).map { ChainLink(position: Int($0.position), role: role) }
    return role == .break ? links + deletions(on: day, of: [habit] + below(habit)) : links
  }

  private func deletions(on day: Day, of habits: [Int]) -> [ChainLink] {
    let deleted = habits.flatMap {
      self.entries.chain(from: self.habits[$0].entries.cells[day]?.head ?? .end)
    }
    .filter(\.entry.isDeleted)
    let keys = Set(deleted.map { index.key(at: Int($0.entry.position)) })
    guard !keys.isEmpty else { return [] }
    return journal.records.compactMap { record in
      guard case .deleted(let entry) = record.fact, keys.contains(entry) else { return nil }
      return ChainLink(position: Int(record.position), role: .deletion)
    }
  }

  /// Returns a ledger of the given events alone, with the same today.
  package func rebuilt(of links: [ChainLink]) -> Ledger {
    var ledger = Ledger(cutoff: cutoff)
    ledger.stream = stream
    ledger.clock.isCutOff = isCutOff
    let definitions = Dictionary(
      uniqueKeysWithValues: habits.flatMap { habit in
        habit.definitions.dated.map { (Int($0.position), (habit, $0)) }
      })
    let retirements = Dictionary(
      uniqueKeysWithValues: habits.flatMap { habit in
        habit.definitions.retirements.map { (Int($0.position), (habit, $0)) }
      })
    for position in links.map(\.position) {
      let key = index.key(at: position)
      if let place = place(ofEntryAt: position) {
        ledger.log(entries[place], id: key, position: position)
      } else if let (habit, dated) = definitions[position] {
        ledger.define(habit.definitions.compiled[dated.place].source, on: dated.day, position: position)
      } else if let (habit, dated) = retirements[position] {
        ledger.retire(names.text(habit.name), after: dated.day, position: position)
      } else if let excuse = excuses.byEvent[key] {
        let named = excuse.habits?.map { names.text(habits[$0].name) }
        ledger.excuse(excuse.span, named, reason: excuse.isOfZone ? "zone" : nil, key)
      }
    }
    if let today { ledger.advance(to: today) }
    return ledger
  }
}

extension Ledger {
  package func runs(of name: String, from day: Day) -> [Day: (verdict: Verdict, run: Int)] {
    guard let habit = habitIndex(named: name) else { return [:] }
    var runs: [Day: (verdict: Verdict, run: Int)] = [:]
    for folded in foldedDays(habit, from: day) {
      runs[folded.day] = (folded.record.verdict, Int(folded.record.run))
    }
    return runs
  }

  package func runUnit(of habit: String, endingOn day: Day) -> String {
    runUnit(of: habit, since: start(ofRunOf: habit, on: day), on: day)
  }

  package func start(ofRunOf name: String, on day: Day) -> Day? {
    habitIndex(named: name).flatMap { record($0, on: day)?.start }
  }

  package func hasRun(_ name: String, on day: Day) -> Bool {
    habitIndex(named: name).map { record($0, through: day).run > 0 } ?? false
  }

  /// Returns the first day of the last run before `day`.
  package func start(ofRunOf name: String, before day: Day) -> Day? {
    guard let habit = habitIndex(named: name), let today, let first = habits[habit].days.first,
      first < day
    else { return nil }
    return foldedDays(habit).last { $0.day < min(day, today.next) && $0.record.run > 0 }?.record.start
  }

  /// Returns the days of the first of the habit's longest runs.
  package func longestRun(of name: String) -> ClosedRange<Day>? {
    guard let habit = habitIndex(named: name) else { return nil }
    var most: (run: Int32, days: ClosedRange<Day>)?
    for day in foldedDays(habit) where day.record.run > most?.run ?? 0 {
      if let start = day.record.start { most = (day.record.run, start...day.day) }
    }
    return most?.days
  }

  /// Returns the first day after `day` without the same run, or today if the run continues.
  package func end(ofRunOf name: String, after day: Day) -> Day? {
    guard let habit = habitIndex(named: name), let today else { return nil }
    let start = record(habit, on: day)?.start
    return foldedDays(habit, from: day.next).first { $0.record.start != start }?.day ?? today
  }
}
