/// What holds on each day of a habit: the definition in force, whether it is retired, and what excuses it.
struct Definitions: Sendable {
  /// Every definition compiled, in order of arrival.
  private(set) var compiled: [CompiledDefinition] = []
  /// Places in `compiled`, by day, then by stream.
  private(set) var dated: [Dated] = []
  private(set) var retirements: [Retirement] = []
  /// What holds from a day on, until the next; the first begins with the calendar.
  private(set) var regimes: [Regime] = []
  /// The day from which entries count, as today is; nil where all do.
  private(set) var countsFrom: Day?
  /// The days of excuses that name the habit, or none.
  private(set) var excused = DaySpans()
  /// Whether an excuse named the habit.
  private var hasOwnExcuse = false
  /// The members of all definitions there ever were.
  private(set) var members: [Int] = []
  /// What some definition ever was.
  private(set) var traits: Traits = []

  /// A definition from its day on; of two on one day the later in the stream holds.
  struct Dated: Sendable {
    let day: Day
    let position: UInt32
    /// The place among those compiled.
    let place: Int
  }

  struct Retirement: Sendable {
    /// The last day before it.
    let day: Day
    let position: UInt32
  }

  struct Regime: Sendable {
    let from: Day
    /// The place among those compiled.
    let place: Int
    let isRetired: Bool
    /// Whether the one before has another schedule.
    var changesSchedule = false
  }

  struct Traits: OptionSet, Sendable {
    let rawValue: UInt8
    static let composite = Traits(rawValue: 1)
    /// Whether a day rests depends on those before it: rest days are counted, or only a run can rest.
    static let countsRest = Traits(rawValue: 2)
    static let restsByRun = Traits(rawValue: 32)
    static let limit = Traits(rawValue: 4)
    static let activities = Traits(rawValue: 8)
    /// Definitions have different milestones.
    static let otherMilestones = Traits(rawValue: 64)
    /// A sum of a week or month.
    static let periodSum = Traits(rawValue: 16)
  }

  /// Days in a row on which all of this stays the same.
  struct Part: Sendable {
    let days: ClosedRange<Day>
    let definition: CompiledDefinition
    let isRetired: Bool
    let isExcused: Bool
    /// Whether another schedule was in force the day before the first.
    let startsSchedule: Bool
  }

  init(excused: DaySpans = DaySpans()) {
    self.excused = excused
  }

  var isEmpty: Bool { dated.isEmpty }

  // MARK: What holds

  /// The place in `regimes` in force on a day; nearly always it is the last.
  @inline(__always)
  func regime(on day: Day) -> Int {
    if let last = regimes.last, last.from <= day { return regimes.count - 1 }
    return earlierRegime(on: day)
  }

  private func earlierRegime(on day: Day) -> Int { max(0, regimes.partitioningIndex { $0.from > day } - 1) }

  /// The last day of the regime at a place.
  func end(ofRegime place: Int) -> Day {
    place + 1 < regimes.count ? regimes[place + 1].from.previous : Day.last
  }

  /// The definition in force on a day; days before the first follow it.
  @inline(__always)
  func on(_ day: Day) -> CompiledDefinition { compiled[regimes[regime(on: day)].place] }

  /// The first of the definitions in a row up to one of them that ask for and forgive what that one does.
  func asking(as index: Int) -> Dated {
    var first = index
    while first > 0, !isRetired(on: dated[first].day.previous),
      compiled[dated[first].place].source.asks(as: compiled[dated[first - 1].place].source)
    {
      first -= 1
    }
    return dated[first]
  }

  func isRetired(on day: Day) -> Bool { regimes[regime(on: day)].isRetired }

  /// The days from one on with the same definition, retirement and excuse.
  func part(from day: Day) -> Part {
    let place = regime(on: day)
    let regime = regimes[place]
    let (isExcused, until) = excused.look(at: day)
    return Part(
      days: day...min(until, end(ofRegime: place)), definition: compiled[regime.place],
      isRetired: regime.isRetired, isExcused: isExcused,
      startsSchedule: regime.changesSchedule && regime.from == day)
  }

  /// Whether entries of the day count for anything.
  @inline(__always)
  func counts(_ day: Day) -> Bool { !dated.isEmpty && (countsFrom.map { day >= $0 } ?? true) }

  /// The first definition by day, which the days before it follow.
  var first: Dated? { dated.prefix { $0.day == dated[0].day }.last }

  /// The place in the stream of the earliest event that defines it.
  var firstMentioned: UInt32 { dated.map(\.position).min() ?? 0 }

  /// The kind of a record that comes to some days: what `DayRecord.next` can distinguish on them.
  ///
  /// Jokers are earned when the run is a multiple of some length, so runs that differ by a multiple of all lengths in
  /// force fare alike. So do, under one definition, all that reach no multiple on these days.
  func kind(of record: DayRecord, over days: ClosedRange<Day>, first: Int = 0) -> RecordKind {
    guard record.run > 0 else { return RecordKind(record, phase: 0, first: first) }
    let run = Int(record.run)
    let (low, high) =
      regimes.count == 1 ? (0, 0) : (regime(on: days.lowerBound), regime(on: days.upperBound))
    var period = compiled[regimes[low].place].period
    guard low < high else {
      let far = max(0, period - (first > 0 ? first : days.count) - 1)
      return RecordKind(record, phase: max(0, run % period - far), first: first)
    }
    for place in low + 1...high {
      let own = compiled[regimes[place].place].period
      var (a, b) = (period, own)
      while b > 0 { (a, b) = (b, a % b) }
      period = period / a * own
      if period > 10_000 { return RecordKind(record, phase: run, first: first) }
    }
    return RecordKind(record, phase: run % period, first: first)
  }

  // MARK: What changes it

  /// The days whose definition another would change: up to the next one, or all if it becomes the first or moves
  /// `countsFrom`.
  func daysChanged(
    by definition: Habit, on day: Day, position: UInt32, today: Day?
  ) -> ClosedRange<Day> {
    guard let first = dated.first, day > first.day else { return Day.first...Day.last }
    // It may end a retirement, for all days to come.
    let last = retirements.isEmpty ? dated.first { $0.day > day }?.day.previous ?? Day.last : Day.last
    if let today, day <= today, definition.countsFrom != countsFrom,
      !dated.contains(where: { $0.day <= today && ($0.day, $0.position) > (day, position) })
    {
      return Day.first...Day.last
    }
    return day...last
  }

  /// The day from which entries count, on a today: that of its latest definition, before there is one the first's
  /// (domain.md).
  func countsFrom(on today: Day?) -> Day? {
    let latest = today.flatMap { today in dated.last { $0.day <= today } } ?? first
    return latest.flatMap { compiled[$0.place].source.countsFrom }
  }

  mutating func setCountsFrom(_ day: Day?) { countsFrom = day }

  /// Whether entries count for the same under a definition as under those in force.
  func tallies(alike definition: Habit, over days: ClosedRange<Day>) -> Bool {
    guard !isEmpty, days.lowerBound > Day.first else { return false }
    return regimes[regime(on: days.lowerBound)...regime(on: days.upperBound)].allSatisfy { regime in
      let known = compiled[regime.place].source
      return known.rule == definition.rule && known.xp == definition.xp && known.group == definition.group
    }
  }

  mutating func insert(_ made: CompiledDefinition, on day: Day, position: UInt32, today: Day?) {
    compiled.append(made)
    if made.isComposite { traits.insert(.composite) }
    if made.schedule.isCounting || made.restsByRun { traits.insert(.countsRest) }
    if made.restsByRun { traits.insert(.restsByRun) }
    if made.isLimit { traits.insert(.limit) }
    if made.per != nil { traits.insert(.periodSum) }
    if made.test.traits.looksAtActivities { traits.insert(.activities) }
    if made.milestones != compiled[0].milestones { traits.insert(.otherMilestones) }
    for member in made.members where !members.contains(member) { members.append(member) }
    let new = Dated(day: day, position: position, place: compiled.count - 1)
    let place = (dated.lastIndex { ($0.day, $0.position) < (day, position) } ?? -1) + 1
    dated.insert(new, at: place)
    countsFrom = countsFrom(on: today)
    if place == dated.count - 1, retirements.isEmpty, day > dated[0].day {
      enter(Regime(from: day, place: new.place, isRetired: false))
    } else {
      rebuild()
    }
  }

  /// Puts the same definition under another name in the place of one.
  mutating func rename(_ definition: Dated, to named: CompiledDefinition) {
    compiled[definition.place] = named
  }

  mutating func retire(after day: Day, position: UInt32) {
    let place = (retirements.lastIndex { ($0.day, $0.position) < (day, position) } ?? -1) + 1
    retirements.insert(Retirement(day: day, position: position), at: place)
    rebuild()
  }

  /// Changes the days that are excused; `all` are those of excuses that name no habit, with the change.
  mutating func excuse(_ all: DaySpans?, _ change: (inout DaySpans) -> Void) {
    if let all, !hasOwnExcuse {
      // All habits share this storage.
      excused = all
    } else {
      hasOwnExcuse = hasOwnExcuse || all == nil
      change(&excused)
    }
  }

  /// Lays definitions and retirements out as regimes; O(definitions × retirements).
  private mutating func rebuild() {
    regimes = []
    guard let first else { return }
    enter(Regime(from: Day.first, place: first.place, isRetired: false))
    let days = Set(dated.map(\.day) + retirements.map(\.day.next)).sorted()
    var next = dated[...]
    var current = first.place
    for day in days {
      while let definition = next.first, definition.day <= day { current = next.removeFirst().place }
      enter(Regime(from: day, place: current, isRetired: isRetiredBySome(on: day)))
    }
  }

  /// Whether some retirement holds on a day: until a definition that is later in the stream, of its day or a later one.
  private func isRetiredBySome(on day: Day) -> Bool {
    retirements.contains { retirement in
      retirement.day < day
        && !dated.contains {
          $0.position > retirement.position && $0.day >= retirement.day && $0.day <= day
        }
    }
  }

  private mutating func enter(_ regime: Regime) {
    var regime = regime
    if regimes.last?.from == regime.from { regimes.removeLast() }
    if let before = regimes.last {
      regime.changesSchedule = compiled[before.place].schedule != compiled[regime.place].schedule
    }
    regimes.append(regime)
  }
}

extension Definitions {
}
