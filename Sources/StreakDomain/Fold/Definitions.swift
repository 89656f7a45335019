/// The definitions, retirements and excuses of a habit, by day.
struct Definitions: Sendable {
  private(set) var compiled: [CompiledDefinition] = []
  private(set) var dated: [Dated] = []
  private(set) var retirements: [Retirement] = []
  /// The periods with the same definition and retirement, the first from `Day.first` on.
  private(set) var regimes: [Regime] = []
  private(set) var countsFrom: Day?
  private(set) var excused = DaySpans()
  private var hasOwnExcuse = false
  private(set) var members: [Int] = []
  private(set) var traits: Traits = []

  /// A definition's day and position; if two share a day, the later one in the stream applies.
  struct Dated: Sendable {
    let day: Day
    let position: UInt32
    let place: Int
  }

  struct Retirement: Sendable {
    let day: Day
    let position: UInt32
  }

  struct Regime: Sendable {
    let from: Day
    let place: Int
    let isRetired: Bool
    var changesSchedule = false
  }

  struct Traits: OptionSet, Sendable {
    let rawValue: UInt8
    static let composite = Traits(rawValue: 1)
    static let countsRest = Traits(rawValue: 2)
    static let restsByRun = Traits(rawValue: 32)
    static let limit = Traits(rawValue: 4)
    static let activities = Traits(rawValue: 8)
    static let otherMilestones = Traits(rawValue: 64)
    static let periodSum = Traits(rawValue: 16)
  }

  /// Consecutive days with the same definition, retirement and excuse.
  struct Part: Sendable {
    let days: ClosedRange<Day>
    let definition: CompiledDefinition
    let isRetired: Bool
    let isExcused: Bool
    let startsSchedule: Bool
  }

  init(excused: DaySpans = DaySpans()) {
    self.excused = excused
  }

  var isEmpty: Bool { dated.isEmpty }

  @inline(__always)
  func regime(on day: Day) -> Int {
    if let last = regimes.last, last.from <= day { return regimes.count - 1 }
    return earlierRegime(on: day)
  }

  private func earlierRegime(on day: Day) -> Int { max(0, regimes.partitioningIndex { $0.from > day } - 1) }

  func end(ofRegime place: Int) -> Day {
    place + 1 < regimes.count ? regimes[place + 1].from.previous : Day.last
  }

  @inline(__always)
  func on(_ day: Day) -> CompiledDefinition { compiled[regimes[regime(on: day)].place] }

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

  func part(from day: Day) -> Part {
    let place = regime(on: day)
    let regime = regimes[place]
    let (isExcused, until) = excused.look(at: day)
    return Part(
      days: day...min(until, end(ofRegime: place)), definition: compiled[regime.place],
      isRetired: regime.isRetired, isExcused: isExcused,
      startsSchedule: regime.changesSchedule && regime.from == day)
  }

  @inline(__always)
  func counts(_ day: Day) -> Bool { !dated.isEmpty && (countsFrom.map { day >= $0 } ?? true) }

  var first: Dated? { dated.prefix { $0.day == dated[0].day }.last }

  /// Returns the kind of a record; runs that earn jokers on the same days within `days` are equivalent.
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

  /// Returns the days that a definition changes: up to the next one, or all if it becomes the first or
  /// changes `countsFrom`.
  func daysChanged(
    by definition: Habit, on day: Day, position: UInt32, today: Day?
  ) -> ClosedRange<Day> {
    guard let first = dated.first, day > first.day else { return Day.first...Day.last }
    let last = retirements.isEmpty ? dated.first { $0.day > day }?.day.previous ?? Day.last : Day.last
    if let today, day <= today, definition.countsFrom != countsFrom,
      !dated.contains(where: { $0.day <= today && ($0.day, $0.position) > (day, position) })
    {
      return Day.first...Day.last
    }
    return day...last
  }

  func countsFrom(on today: Day?) -> Day? {
    let latest = today.flatMap { today in dated.last { $0.day <= today } } ?? first
    return latest.flatMap { compiled[$0.place].source.countsFrom }
  }

  mutating func setCountsFrom(_ day: Day?) { countsFrom = day }

  /// Whether entries have the same effect under `definition` as under those in force.
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

  mutating func rename(_ definition: Dated, to named: CompiledDefinition) {
    compiled[definition.place] = named
  }

  mutating func retire(after day: Day, position: UInt32) {
    let place = (retirements.lastIndex { ($0.day, $0.position) < (day, position) } ?? -1) + 1
    retirements.insert(Retirement(day: day, position: position), at: place)
    rebuild()
  }

  /// Changes the excused days; `all` contains the excuses of all habits, or `nil` if the excuse names habits.
  mutating func excuse(_ all: DaySpans?, _ change: (inout DaySpans) -> Void) {
    if let all, !hasOwnExcuse {
      excused = all
    } else {
      hasOwnExcuse = hasOwnExcuse || all == nil
      change(&excused)
    }
  }

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
