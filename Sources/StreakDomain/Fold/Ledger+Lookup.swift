extension Ledger {
  package enum Fate: Sendable {
    case absent, standing, deleted
  }

  /// Returns whether an event with this id exists, and whether it was deleted or withdrawn.
  package func fate(of id: String) -> Fate {
    EventKey.find(id, names: names).map { fate(of: $0) } ?? .absent
  }

  package func fate(of key: EventKey) -> Fate {
    guard let position = index.position(of: key) else { return .absent }
    if let excuse = excuses.byEvent[key] { return excuse.isWithdrawn ? .deleted : .standing }
    guard let place = place(ofEntryAt: position) else { return .standing }
    return entries[place].isDeleted ? .deleted : .standing
  }

  /// Returns the entries of a habit, or of all, by day and time, including deleted ones; O(entries).
  package func entries(
    of habit: String?, in days: ClosedRange<Day>
  ) -> [(position: Int, isDeleted: Bool)] {
    let symbol = habit.flatMap { names.find($0) }
    if habit != nil, symbol == nil { return [] }
    return entries.filter { days.contains($0.day) && (symbol == nil || $0.habit == symbol) }
      .sorted { $0.day != $1.day ? $0.day < $1.day : $0.precedes($1) }
      .map { (Int($0.position), $0.isDeleted) }
  }

  package func definingEvents(of habit: String) -> [Event] {
    journal.records.compactMap { record in
      guard case .other(let event) = record.fact else { return nil }
      return switch event.payload {
      case .habitDefined(let definition) where definition.id == habit: event
      case .habitRetired(let retired) where retired == habit: event
      default: nil
      }
    }
  }

  package func entryPositions(of days: ClosedRange<Day>) -> [Int] {
    entries.filter { days.contains($0.day) }.map { Int($0.position) }
  }

  package func countsFrom(of habit: String) -> Day? {
    habitIndex(named: habit).flatMap { habits[$0].isDefined ? habits[$0].days.definitions.countsFrom : nil }
  }

  /// Returns the sum of a day, or of its week or month so far, under a `sum` rule; otherwise `nil`.
  package func sum(of habit: String, on day: Day) -> (sum: Thousandths, rule: Sum)? {
    guard let index = habitIndex(named: habit), habits[index].isDefined,
      let rule = habits[index].definition(on: day).source.rule.sum
    else { return nil }
    return (habits[index].sumSoFar(on: day), rule)
  }

  /// Returns the sum to display: that of a `sum` rule, or minutes that don't reach their rule yet.
  package func shownSum(of habit: String, on day: Day) -> (sum: Thousandths, rule: Sum)? {
    if let found = sum(of: habit, on: day) { return found }
    guard let index = habitIndex(named: habit), habits[index].isDefined,
      case .minutes(let atLeast) = habits[index].definition(on: day).source.rule.kind
    else { return nil }
    var minutes: Int64 = 0
    for slot in habits[index].entries.cells.slots(in: day...day) {
      for (_, fact) in entries.chain(from: slot.value.head) where !fact.isDeleted {
        minutes += fact[.minutes]
      }
    }
    guard minutes > 0, (minutes + 500) / 1000 * 1000 < atLeast.count else { return nil }
    return (Thousandths(count: minutes), Sum(of: .minutes, atLeast: atLeast))
  }

  /// Returns the unit of a run: `day`, `week` or `month`; `day` if the unit changed since `start`.
  package func runUnit(of habit: String, since start: Day? = nil, on day: Day? = nil) -> String {
    guard let day = day ?? today, let per = definition(of: habit, on: day)?.rule.sum?.per,
      start.map({ definition(of: habit, on: $0)?.rule.sum?.per == per }) ?? true
    else { return "day" }
    return per.rawValue
  }

  package func runWords(of state: Streak) -> String {
    counted(state.current, runUnit(of: state.habit, since: state.start))
  }

  package func largest(_ measure: Measure, of habit: String) -> Thousandths {
    var largest: Int64 = 0
    guard let index = habitIndex(named: habit) else { return .zero }
    for slot in habits[index].entries.cells.slots(in: Day.first...Day.last) {
      for (_, fact) in entries.chain(from: slot.value.head) where !fact.isDeleted {
        largest = max(largest, fact[measure])
      }
    }
    return Thousandths(count: largest)
  }

  package struct Defined: Sendable {
    package let definition: Habit
    package let day: Day
    package let event: String
  }

  /// Returns the definition that a new one of `day` modifies: the last of that day, the latest before it, or
  /// the first.
  package func base(of habit: String, on day: Day) -> Defined? {
    guard let index = habitIndex(named: habit), let first = habits[index].days.definitions.first else {
      return nil
    }
    return defined(habits[index].days.definitions.dated.last { $0.day <= day } ?? first, of: index)
  }

  /// Returns the first definition after `day`; among several on one day, the last.
  package func definition(of habit: String, after day: Day) -> Defined? {
    guard let index = habitIndex(named: habit), case let dated = habits[index].days.definitions.dated,
      let first = dated.first(where: { $0.day > day }), let next = dated.last(where: { $0.day == first.day })
    else { return nil }
    return defined(next, of: index)
  }

  /// Returns the later definitions that repeat `definition`, as `undo` leaves them.
  package func repeats(of definition: Habit?, _ habit: String, after day: Day) -> [Defined] {
    var found: [Defined] = []
    while let next = self.definition(of: habit, after: found.last?.day ?? day),
      next.definition == definition, retirement(of: habit, on: next.day) == nil,
      retirement(of: habit, on: next.day.previous) == nil
    {
      found.append(next)
    }
    return found
  }

  /// Returns the required days of the quota's week or month, fewer if days are excused or before the habit
  /// began.
  package func asked(by quota: Quota, of habit: String) -> Int {
    guard let today, let index = habitIndex(named: habit) else { return quota.times }
    let span = quota.period.days(around: today)
    let excused = habits[index].days.definitions.excused
    let known = verdicts(of: habit, in: span.lowerBound...today)
    let next = known.last?.day.next ?? today
    let ahead = (0..<max(0, quota.through - next + 1)).count { !excused.contains(next + $0) }
    let days = known.count { $0.verdict != .excused } + ahead
    return min(quota.times, max(0, days - (span.count - quota.times)))
  }

  private func defined(_ dated: Definitions.Dated, of habit: Int) -> Defined {
    Defined(
      definition: habits[habit].days.definitions.compiled[dated.place].source, day: dated.day,
      event: index.key(at: Int(dated.position)).text(names))
  }

  package func definition(of habit: String, by event: String) -> Defined? {
    guard let index = habitIndex(named: habit), let key = EventKey.find(event, names: names),
      let position = self.index.position(of: key),
      let dated = habits[index].days.definitions.dated.first(where: { Int($0.position) == position })
    else { return nil }
    return defined(dated, of: index)
  }

  /// Returns the last day before the retirement in force on `day`, or `nil`.
  package func retirement(of habit: String, on day: Day) -> Day? {
    guard let index = habitIndex(named: habit), habits[index].isDefined, habits[index].isRetired(on: day)
    else { return nil }
    let definitions = habits[index].days.definitions
    var place = definitions.regime(on: day)
    while place > 0, definitions.regimes[place - 1].isRetired { place -= 1 }
    return definitions.regimes[place].from.previous
  }

  package func composites(above habit: String) -> [String] {
    guard let index = habitIndex(named: habit) else { return [] }
    let above = Set(habits[index].links.above)
    return roster.defined.filter(above.contains).map { names.text(habits[$0].name) }
  }

  package func definition(of habit: String, on day: Day) -> Habit? {
    guard let index = habitIndex(named: habit), habits[index].isDefined else { return nil }
    return habits[index].definition(on: day).source
  }
}

extension Ledger {
  package func entry(of event: String) -> (entry: Entry, day: Day)? {
    guard let key = EventKey.find(event, names: names), let position = index.position(of: key),
      let fact = fact(ofEntryAt: position)
    else { return nil }
    return (Entry(fact, names), fact.day)
  }

  package func ids(ofEntriesOn days: Set<Day>) -> [String] {
    ids(of: entries.filter { !$0.isDeleted && days.contains($0.day) })
  }

  package func fact(ofEntryAt position: Int) -> EntryFact? {
    place(ofEntryAt: position).map { entries[$0] }
  }
}

extension Entry {
  package init(_ fact: EntryFact, _ names: SymbolTable) {
    self.init(habit: names.text(fact.habit))
    (minutes, km) = (fact.measures.minutes, fact.measures.km)
    sets = fact.sets < 0 ? nil : Int(fact.sets)
    drinks = fact.drinks < 0 ? nil : Int(fact.drinks)
    amount = fact.amount < 0 ? nil : Thousandths(count: Int64(fact.amount))
    completed = fact.completed < 0 ? nil : fact.completed == 1
    level = fact.level == 0 ? nil : Text(names.text(Symbol(fact.level - 1)))
    activity = fact.activity == 0 ? nil : Text(names.text(Symbol(fact.activity - 1)))
  }
}
