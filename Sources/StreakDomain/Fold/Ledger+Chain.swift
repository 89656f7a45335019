/// An event that a number rests on, by its place in the stream.
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
  /// In the order of the stream, each event once, its role the first that fits.
  package var inStreamOrder: [ChainLink] {
    var last = 0
    return sorted { $0.position < $1.position }.filter { link in
      defer { last = link.position }
      return link.position != last
    }
  }
}

/// Which events the fold used for some days, and the ledger of nothing but those (time-travel.md, "An audit").
extension Ledger {
  /// The events behind a habit's days within some: definitions in force, retirements, excuses, and the entries that the
  /// rule looked at, of a composite those of all below it; `takesAll` all standing entries and definitions there are.
  package func links(of name: String, in days: ClosedRange<Day>, takesAll: Bool) -> [ChainLink] {
    guard let habit = habitIndex(named: name) else { return [] }
    return links(of: [habit] + below(habit), in: days, takesAll: takesAll)
  }

  /// The events behind XP and the activity state; `takesAll` those of every habit.
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

  /// The entries that the rule looked at, of a sum of a week or month whatever it decided.
  private func looked(at habit: Int, _ day: Day) -> [EntryFact] {
    let definition = habits[habit].definition(on: day)
    guard definition.per != nil else { return because(habit, day) }
    return standing(habit, day).filter { definition.test.considers($0) }
  }

  /// The members of a habit, in depth, by any of its definitions.
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

  /// The definitions in force on some days, and the latest, whose `countsFrom` holds for all.
  private func definitions(of habit: Int, in days: ClosedRange<Day>, takesAll: Bool) -> [UInt32] {
    let definitions = habits[habit].days.definitions
    guard !takesAll, definitions.retirements.isEmpty else { return definitions.dated.map(\.position) }
    let (low, high) = (definitions.regime(on: days.lowerBound), definitions.regime(on: days.upperBound))
    let inForce = Set(
      definitions.regimes[low...high].map(\.place) + [definitions.dated.last?.place ?? 0])
    return definitions.dated.filter { inForce.contains($0.place) }.map(\.position)
  }

  /// The events of the day on which the run before a chain ended, or, of a chain that begins within a run, of the day
  /// before it: the entries that the rule looked at.
  ///
  /// Where that day ended a run, also the deletions of others.
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

  /// The events that deleted entries of a day.
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

  /// The ledger of some of the events alone, in the order of the stream, seen from the same today.
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

/// Where the days begin that a number follows from.
extension Ledger {
  /// The verdict of each folded day of a habit from one on, and the run after it.
  package func runs(of name: String, from day: Day) -> [Day: (verdict: Verdict, run: Int)] {
    guard let habit = habitIndex(named: name) else { return [:] }
    var runs: [Day: (verdict: Verdict, run: Int)] = [:]
    for folded in foldedDays(habit, from: day) {
      runs[folded.day] = (folded.record.verdict, Int(folded.record.run))
    }
    return runs
  }

  /// What the run of a day counts.
  package func runUnit(of habit: String, endingOn day: Day) -> String {
    runUnit(of: habit, since: start(ofRunOf: habit, on: day), on: day)
  }

  /// The first day of the run of a day; nil without one.
  package func start(ofRunOf name: String, on day: Day) -> Day? {
    habitIndex(named: name).flatMap { record($0, on: day)?.start }
  }

  /// Whether a habit had a run at the end of a day.
  package func hasRun(_ name: String, on day: Day) -> Bool {
    habitIndex(named: name).map { record($0, through: day).run > 0 } ?? false
  }

  /// The first day of the run before a day, if there was one since the habit began.
  package func start(ofRunOf name: String, before day: Day) -> Day? {
    guard let habit = habitIndex(named: name), let today, let first = habits[habit].days.first,
      first < day
    else { return nil }
    return foldedDays(habit).last { $0.day < min(day, today.next) && $0.record.run > 0 }?.record.start
  }

  /// The first and the last day of the first of a habit's longest standing runs; nil while it has none.
  package func longestRun(of name: String) -> ClosedRange<Day>? {
    guard let habit = habitIndex(named: name) else { return nil }
    var most: (run: Int32, days: ClosedRange<Day>)?
    for day in foldedDays(habit) where day.record.run > most?.run ?? 0 {
      if let start = day.record.start { most = (day.record.run, start...day.day) }
    }
    return most?.days
  }

  /// The first day after one on which a habit has no run, or another one; today where it continues.
  package func end(ofRunOf name: String, after day: Day) -> Day? {
    guard let habit = habitIndex(named: name), let today else { return nil }
    let start = record(habit, on: day)?.start
    return foldedDays(habit, from: day.next).first { $0.record.start != start }?.day ?? today
  }
}
