/// The definitions, retirements and excuses of a habit, by day.
struct Definitions: Sendable {
  /// The definitions by day, those of the same day in the order of the stream.
  private(set) var dated: [DatedDefinition] = []
  /// The retirements in stream order, each with the last day before it.
  private(set) var retirements: [(day: Day, position: Int)] = []
  /// The regimes in ascending order, of which the first starts on `Day.first`; empty if the habit isn't defined.
  private(set) var regimes: [Regime] = []
  /// The first day whose entries count, from the definition in force today, or `nil` if all entries count.
  private(set) var countsFrom: Day?
  /// The days of the excuses that are for all habits or name this habit.
  var excusedDays: DaySpans
  /// The members of all definitions, past and future, without duplicates.
  private(set) var members: [Int] = []
  /// The members of the definitions that hold on some day, without duplicates.
  ///
  /// A definition holds on no day if the same day has a later one.
  private(set) var membersInForce: [Int] = []

  /// A definition in force from `day` on.
  ///
  /// If two definitions have the same day, the later one in the stream applies.
  struct DatedDefinition: Sendable {
    /// The day from which the definition applies.
    let day: Day
    let position: Int
    let definition: CompiledDefinition
  }

  /// The definition and retirement in force from a day on, until the next regime.
  struct Regime: Sendable {
    let start: Day
    let definition: CompiledDefinition
    let isRetired: Bool
    /// Whether the previous regime has a different schedule.
    var changesSchedule = false
  }

  /// Consecutive days with the same definition, retirement and excuse.
  struct Interval: Sendable {
    let days: ClosedRange<Day>
    let definition: CompiledDefinition
    let isRetired: Bool
    let isExcused: Bool
    /// Whether the day before the first day has a different schedule.
    let startsSchedule: Bool
  }

  var isEmpty: Bool { dated.isEmpty }

  /// Whether any definition is a composite.
  var isEverComposite: Bool { !members.isEmpty }

  /// Whether all definitions that hold on some day have the same milestones.
  var haveSameMilestones: Bool {
    regimes.allSatisfy { $0.definition.milestones == regimes[0].definition.milestones }
  }

  /// Whether the habit is a limit under every definition.
  var areAllLimits: Bool { regimes.allSatisfy(\.definition.isLimit) }

  /// The definition with the earliest day, which also applies to all days before it; `nil` if there is none.
  var earliest: DatedDefinition? { dated.prefix { $0.day == dated[0].day }.last }

  /// The lowest position of a definition in the stream, or 0 if there is none.
  var firstPosition: Int { dated.map(\.position).min() ?? 0 }

  /// Returns the index of the regime in force on `day`, which is nearly always the last one.
  @inline(__always)
  func regimeIndex(on day: Day) -> Int {
    if let last = regimes.last, last.start <= day { return regimes.count - 1 }
    return max(0, regimes.partitioningIndex { $0.start > day } - 1)
  }

  /// Returns the definition in force on `day`; the habit must be defined.
  @inline(__always)
  func definition(on day: Day) -> CompiledDefinition { regimes[regimeIndex(on: day)].definition }

  /// Returns the first of the consecutive definitions up to `definition` that ask for the same, or `nil` if it isn't
  /// one of the definitions.
  func origin(of definition: CompiledDefinition) -> DatedDefinition? {
    guard var index = dated.firstIndex(where: { $0.definition === definition }) else { return nil }
    while index > 0, !isRetired(on: dated[index].day.previous),
      dated[index].definition.source.asks(as: dated[index - 1].definition.source)
    {
      index -= 1
    }
    return dated[index]
  }

  func isRetired(on day: Day) -> Bool { regimes[regimeIndex(on: day)].isRetired }

  /// Returns the longest interval that starts on `day`.
  func interval(from day: Day) -> Interval {
    let index = regimeIndex(on: day)
    let regime = regimes[index]
    let end = index + 1 < regimes.count ? regimes[index + 1].start.previous : Day.last
    let (isExcused, until) = excusedDays.coverage(from: day)
    return Interval(
      days: day...min(until, end), definition: regime.definition, isRetired: regime.isRetired,
      isExcused: isExcused, startsSchedule: regime.changesSchedule && regime.start == day)
  }

  /// Whether the habit is defined and `day` isn't before `countsFrom`.
  @inline(__always)
  func countsEntries(on day: Day) -> Bool { !dated.isEmpty && (countsFrom.map { day >= $0 } ?? true) }

  /// Returns the `countsFrom` of the latest definition up to `today`, or of the earliest one if all are later.
  func countsFrom(on today: Day?) -> Day? {
    let latest = today.flatMap { today in dated.last { $0.day <= today } } ?? earliest
    return latest?.definition.source.countsFrom
  }

  /// Sets `countsFrom` according to the definitions known so far.
  mutating func updateCountsFrom(today: Day?) { countsFrom = countsFrom(on: today) }

  mutating func insert(_ definition: CompiledDefinition, on day: Day, position: Int) {
    let index = dated.partitioningIndex { ($0.day, $0.position) > (day, position) }
    dated.insert(DatedDefinition(day: day, position: position, definition: definition), at: index)
    for member in definition.members where !members.contains(member) { members.append(member) }
    updateRegimes()
  }

  /// Retires the habit from the day after `day` on.
  mutating func retire(after day: Day, position: Int) {
    retirements.append((day, position))
    updateRegimes()
  }

  private mutating func updateRegimes() {
    regimes = []
    guard let earliest else { return }
    var remaining = dated[...]
    var current = earliest.definition
    for day in Set([Day.first] + dated.map(\.day) + retirements.map(\.day.next)).sorted() {
      while let next = remaining.first, next.day <= day { current = remaining.removeFirst().definition }
      let changesSchedule = regimes.last.map { $0.definition.schedule != current.schedule } ?? false
      regimes.append(
        Regime(
          start: day, definition: current, isRetired: hasRetirement(inForceOn: day),
          changesSchedule: changesSchedule))
    }
    let inForce = Set(regimes.flatMap(\.definition.members))
    membersInForce = members.filter(inForce.contains)
  }

  /// Replaces the definition at `position` of the stream.
  mutating func replaceDefinition(at position: Int, with definition: CompiledDefinition) {
    guard let index = dated.firstIndex(where: { $0.position == position }) else { return }
    dated[index] = DatedDefinition(day: dated[index].day, position: position, definition: definition)
    updateRegimes()
  }

  /// Whether a retirement before `day` is still in force.
  ///
  /// A retirement ends with a definition that is later in the stream and not of an earlier day.
  private func hasRetirement(inForceOn day: Day) -> Bool {
    retirements.contains { retirement in
      retirement.day < day
        && !dated.contains {
          $0.position > retirement.position && $0.day >= retirement.day && $0.day <= day
        }
    }
  }
}
