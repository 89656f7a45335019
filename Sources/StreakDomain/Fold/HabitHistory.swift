/// Everything the fold keeps of one habit: its definitions, its days' entries, and the folded days.
struct HabitHistory: Sendable {
  let name: NameIndex
  /// Every definition compiled, in order of arrival.
  private(set) var terms: [Terms] = []
  /// Indexes into `terms`, by day, then by stream.
  private(set) var definitions: [Dated<Int>] = []
  private(set) var retirements: [Dated<Bool>] = []
  /// The composites whose definitions have ever named this one, in depth: they are folded again with it.
  private(set) var dependents: [Int] = []
  private var isDependent: Set<Int> = []
  /// Whether a definition of it was ever `all` or `either`.
  private(set) var isEverComposite = false
  /// Whether a definition of it ever had a schedule: then a day may come to rest, or rest no longer, by earlier days.
  private(set) var isEverScheduled = false
  /// Whether a definition of it was ever a limit, or asked for activities.
  private(set) var isEverLimit = false
  private(set) var isEverOfActivities = false
  private(set) var regimes: [Regime] = []
  private(set) var countsFrom: Day?
  var excused = DaySpans()
  var cells = DayMap<DayCell>()
  /// Days whose entries other terms count since they were counted; only of a habit that was never a composite.
  var uncounted: ClosedRange<Day>?
  /// The considered entries, ascending, of days of many whose latest was deleted.
  var crowdedDays: [Day: [EntryPlace]] = [:]
  var totals = Totals()
  /// The earliest day with a standing entry that counts.
  var firstEntryDay: Day?
  /// Whether it has an entry that is no slip of a limit; `firstDoneDay` as it was when last asked.
  var isDone = false
  /// The largest `best` after any event so far whose state counts.
  var longest = 0
  /// The position of a state that had it, the first or a later one.
  var longestAt = 0
  var folded = FoldedDays()
  /// Today as it was when the habit was settled last.
  var settledToday: SettledToday?
  /// Of a composite: the days from today on, as they come if nothing more is logged.
  var ahead: Ahead?
  /// The first day of a composite's members, in depth, as it was when it was settled last.
  var earliest: Day?
  private(set) var reachedLengths = ReachedLengths()
  /// Days folded since `reachedLengths` looked at them; those who read achievements have it look first.
  private var unmarked: ClosedRange<Day>?
  /// Counts the facts that may have changed anything of the habit.
  var revision = 0
  /// Counts those that may have changed its runs or verdicts.
  var outcomeRevision = 0
  /// Whether it is one of the ledger's `unsettled`.
  var isUnsettled = false
  /// What facts have touched since somebody last asked.
  var touched = Touched()

  init(name: NameIndex) {
    self.name = name
  }

  var isDefined: Bool { !definitions.isEmpty }

  /// Remembers that days may look different.
  ///
  /// - Returns: whether they are the first since somebody asked.
  @inline(__always)
  mutating func touch(_ days: ClosedRange<Day>, isOutcome: Bool) -> Bool {
    revision += 1
    if isOutcome {
      touched.hasNewOutcome = true
      outcomeRevision += 1
    }
    guard let known = touched.days else {
      touched.days = days
      return true
    }
    touched.days = known.joined(days)
    return false
  }

  /// Whether entries of the day count for anything.
  @inline(__always)
  func counts(_ day: Day) -> Bool {
    isDefined && (countsFrom.map { day >= $0 } ?? true)
  }

  /// The place in `regimes` in force on the day; the first begins with the calendar.
  ///
  /// Nearly always it is the last, which is looked at in place: to be called, a struct as large as this is copied.
  @inline(__always)
  func regimeIndex(on day: Day) -> Int {
    if let last = regimes.last, last.from <= day { return regimes.count - 1 }
    return HabitHistory.index(in: regimes, on: day)
  }

  private static func index(in regimes: [Regime], on day: Day) -> Int {
    max(0, regimes.partitioningIndex { $0.from > day } - 1)
  }

  /// The last day of the regime at a place.
  func end(ofRegime place: Int) -> Day {
    place + 1 < regimes.count ? regimes[place + 1].from.previous : Day.last
  }

  func terms(on day: Day) -> Terms { terms[regimes[regimeIndex(on: day)].terms] }

  func isRetired(on day: Day) -> Bool { regimes[regimeIndex(on: day)].isRetired }

  /// The place in the stream of the earliest event that defines it.
  var firstMentioned: UInt32 { definitions.map(\.position).min() ?? 0 }

  /// The first definition by day, which the days before it follow.
  var firstDefinition: Dated<Int>? {
    definitions.prefix { $0.day == definitions[0].day }.last
  }

  /// Looks for the lengths that matter among the days that were folded since it last did.
  mutating func findReachedLengths() {
    guard let days = unmarked else { return }
    unmarked = nil
    guard let first = folded.first, first <= folded.through else { return reachedLengths.removeAll() }
    var marks = reachedLengths
    reachedLengths = ReachedLengths()
    marks.revisit(days, in: self)
    reachedLengths = marks
  }

  /// Takes note of days that were folded.
  mutating func note(_ changed: FoldedDays.Changed) {
    if let again = changed.again {
      touched.refolded = touched.refolded?.joined(again) ?? again
      unmarked = unmarked?.joined(again) ?? again
    }
    if let new = changed.new { unmarked = unmarked?.joined(new) ?? new }
  }

  /// Looks for the first day with an entry that counts, where none is before a day.
  mutating func findFirstEntryDay(from day: Day) {
    firstEntryDay = cells.firstWeighted(from: day)
  }

  /// The earliest day with a standing entry that counts, days on which the habit is a limit left out; O(regimes).
  var firstDoneDay: Day? {
    guard isEverLimit else { return firstEntryDay }
    for (place, regime) in regimes.enumerated() where !terms[regime.terms].isLimit {
      if let day = cells.firstWeighted(from: regime.from), day <= end(ofRegime: place) { return day }
    }
    return nil
  }

  /// A day's entries, and the last day from it on up to which there are as many: its own, or all up to the next.
  ///
  /// Inlined, because a call would be given a copy of the history.
  @inline(__always)
  func cell(on day: Day) -> (cell: DayCell, until: Day) {
    let place = cells.position(from: day)
    guard place != cells.end else { return (DayCell(), Day.last) }
    let slot = cells[place]
    return slot.day == day ? (slot.value, day) : (DayCell(), slot.day.previous)
  }

  /// Whether it is folded through the day before, with all facts so far, and today was looked at.
  func isSettled(on today: Day) -> Bool {
    settledToday?.day == today && settledToday?.outcomeRevision == outcomeRevision
  }

  mutating func addDependents(_ habits: [Int], but own: Int) {
    for habit in habits where habit != own && isDependent.insert(habit).inserted { dependents.append(habit) }
  }

  /// The days whose terms a definition would change: up to the next one, or all if it becomes the first or moves
  /// `countsFrom`.
  func daysChanged(
    by definition: Definition, on day: Day, position: UInt32, today: Day?
  ) -> ClosedRange<Day> {
    guard let first = definitions.first, day > first.day else { return Day.first...Day.last }
    if let today, day <= today, definition.countsFrom != countsFrom,
      !definitions.contains(where: { $0.day <= today && ($0.day, $0.position) > (day, position) })
    {
      return Day.first...Day.last
    }
    return day...(definitions.first { $0.day > day }?.day.previous ?? Day.last)
  }

  /// The day from which entries count, on a today: that of its latest definition, before there is one the first's
  /// (domain.md).
  func countsFrom(on today: Day?) -> Day? {
    let latest = today.flatMap { today in definitions.last { $0.day <= today } } ?? firstDefinition
    return latest.flatMap { terms[$0.fact].definition.countsFrom }
  }

  mutating func count(from day: Day?) { countsFrom = day }

  /// Whether entries count for the same under a definition as under those in force, so that only the days are folded
  /// again.
  func tallies(alike definition: Definition, over days: ClosedRange<Day>) -> Bool {
    guard isDefined, days.lowerBound > Day.first else { return false }
    let (low, high) = (regimeIndex(on: days.lowerBound), regimeIndex(on: days.upperBound))
    return regimes[low...high].allSatisfy { regime in
      let known = terms[regime.terms].definition
      return known.rule == definition.rule && known.xp == definition.xp && known.group == definition.group
    }
  }

  mutating func insert(
    _ definition: Definition, on day: Day, position: UInt32, terms made: Terms, today: Day?
  ) {
    terms.append(made)
    if made.isComposite { isEverComposite = true }
    if !made.rhythm.isDaily { isEverScheduled = true }
    if made.isLimit { isEverLimit = true }
    if made.test.traits.looksAtActivities { isEverOfActivities = true }
    crowdedDays = [:]
    definitions.insert(
      Dated(day: day, position: position, fact: terms.count - 1),
      at: definitions.place(day, position))
    countsFrom = countsFrom(on: today)
    let isLatest = definitions.last?.fact == terms.count - 1 && retirements.isEmpty
    if isLatest, day > definitions[0].day {
      enter(Regime(from: day, terms: terms.count - 1, isRetired: false))
    } else {
      rebuildRegimes()
    }
  }

  /// Puts the same terms under another name in the place of a definition's.
  mutating func rename(_ definition: Dated<Int>, to named: Terms) { terms[definition.fact] = named }

  /// The same without the definition that came last.
  func withoutLatestTerms(today: Day?) -> HabitHistory {
    var history = self
    history.definitions.removeAll { $0.fact == terms.count - 1 }
    history.countsFrom = history.countsFrom(on: today)
    history.rebuildRegimes()
    return history
  }

  mutating func retire(after day: Day, position: UInt32) {
    retirements.insert(Dated(day: day, position: position, fact: true), at: retirements.place(day, position))
    rebuildRegimes()
  }

  /// Lays definitions and retirements out as regimes; O(their number).
  private mutating func rebuildRegimes() {
    regimes = []
    guard var first = definitions.first else { return }
    for definition in definitions.prefix(while: { $0.day == first.day }) { first = definition }
    enter(Regime(from: Day.first, terms: first.fact, isRetired: false))
    var pending = retirements[...]
    var retiredFrom: Day?
    for definition in definitions {
      while let next = pending.first, (next.day, next.position) < (definition.day, definition.position) {
        retiredFrom = retiredFrom ?? next.day.next
        pending.removeFirst()
      }
      if let from = retiredFrom, from < definition.day { enterRetirement(from) }
      retiredFrom = nil
      enter(Regime(from: definition.day, terms: definition.fact, isRetired: false))
    }
    if let from = retiredFrom ?? pending.first?.day.next { enterRetirement(from) }
  }

  private mutating func enterRetirement(_ from: Day) {
    guard let current = regimes.last else { return }
    enter(Regime(from: from, terms: current.terms, isRetired: true))
  }

  private mutating func enter(_ regime: Regime) {
    var regime = regime
    if regimes.last?.from == regime.from { regimes.removeLast() }
    if let before = regimes.last {
      regime.changesSchedule = terms[before.terms].rhythm != terms[regime.terms].rhythm
    }
    regimes.append(regime)
  }
}

extension Array {
  /// Where a fact belongs: by day, then by place in the stream.
  fileprivate func place<Fact>(_ day: Day, _ position: UInt32) -> Int
  where Element == HabitHistory.Dated<Fact> {
    (lastIndex { ($0.day, $0.position) < (day, position) } ?? -1) + 1
  }
}
