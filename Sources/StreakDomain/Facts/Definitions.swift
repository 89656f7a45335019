/// A definition with the day from which it applies.
///
/// If several definitions have the same day, the last one in the stream applies.
package struct DatedDefinition: Sendable {
  package let day: Day
  /// The position of the event that made the definition.
  package let position: Int
  let definition: CompiledDefinition

  /// The definition as it was logged.
  package var source: Habit { definition.source }
}

/// The definitions, retirements and excuses of a habit, by day.
struct Definitions: Sendable {
  /// The definitions, sorted by day, then by position in the stream.
  private(set) var dated: [DatedDefinition] = []
  /// The retirements in stream order; `day` is the last day on which the habit isn't retired yet.
  private(set) var retirements: [(day: Day, position: Int)] = []
  /// The periods with one definition in force, in ascending order; the first one begins on
  /// `Day.first`.
  ///
  /// The array is empty if the habit isn't defined.
  private(set) var regimes: [Regime] = []
  /// The days of all excuses for this habit, including excuses for all habits.
  private(set) var excusedDays: DaySpans
  /// The members in all definitions, past and future, without duplicates.
  private(set) var members: [Int] = []
  /// The members in the definitions that are in force on some day, without duplicates.
  ///
  /// A definition is never in force if a later definition in the stream has the same day.
  private(set) var membersInForce: [Int] = []

  /// A period with one definition in force, from `start` up to the next regime.
  ///
  /// A retirement also starts a regime.
  struct Regime: Sendable {
    let start: Day
    let definition: CompiledDefinition
    let isRetired: Bool
    /// Whether the schedule differs from the schedule of the previous regime; false for the first
    /// regime.
    var changesSchedule = false
  }

  /// A range of days with the same definition, the same retirement and the same excuse.
  struct Interval: Sendable {
    let days: ClosedRange<Day>
    let definition: CompiledDefinition
    let isRetired: Bool
    let isExcused: Bool
    /// Whether a different schedule is in force on the day before `days`.
    let startsSchedule: Bool
  }

  var isEmpty: Bool { dated.isEmpty }

  var isEverComposite: Bool { !members.isEmpty }

  var areAllLimits: Bool { regimes.allSatisfy(\.definition.isLimit) }

  /// The definition with the earliest day, which also applies to all days before; `nil` if the
  /// habit isn't defined.
  var earliest: DatedDefinition? { dated.prefix { $0.day == dated[0].day }.last }

  /// Returns the index in `regimes` of the definition in force on `day`.
  @inline(__always)
  func regimeIndex(on day: Day) -> Int {
    if let last = regimes.last, last.start <= day { return regimes.count - 1 }
    return max(0, regimes.partitioningIndex { $0.start > day } - 1)
  }

  /// Returns the definition in force on `day`; the habit must be defined.
  @inline(__always)
  func definition(on day: Day) -> CompiledDefinition { regimes[regimeIndex(on: day)].definition }

  /// Returns the definition that introduced what `definition` says in the sense of `isSame`.
  ///
  /// The search goes back from `definition` as long as `isSame` is true of a definition and the one
  /// before it. It also stops at a retirement. The result is `nil` if `definition` isn't one of the
  /// habit's definitions.
  func origin(
    of definition: CompiledDefinition, _ isSame: (Habit, Habit) -> Bool
  ) -> DatedDefinition? {
    guard var index = dated.firstIndex(where: { $0.definition === definition }) else { return nil }
    while index > 0, !isRetired(on: dated[index].day.previous),
      isSame(dated[index].definition.source, dated[index - 1].definition.source)
    {
      index -= 1
    }
    return dated[index]
  }

  func isRetired(on day: Day) -> Bool { regimes[regimeIndex(on: day)].isRetired }

  /// Returns the interval from `day` to the last day before the definition, retirement or excuse
  /// changes.
  func interval(from day: Day) -> Interval {
    let index = regimeIndex(on: day)
    let regime = regimes[index]
    let end = index + 1 < regimes.count ? regimes[index + 1].start.previous : Day.last
    let (isExcused, until) = excusedDays.coverage(from: day)
    return Interval(
      days: day...min(until, end), definition: regime.definition, isRetired: regime.isRetired,
      isExcused: isExcused, startsSchedule: regime.changesSchedule && regime.start == day)
  }

  /// Returns the `countsFrom` of the definition in force on `today`, or of the earliest definition
  /// if all begin later.
  func countsFrom(on today: Day?) -> Day? {
    let latest = today.flatMap { today in dated.last { $0.day <= today } } ?? earliest
    return latest?.definition.source.countsFrom
  }

  init(excusedDays: DaySpans) { self.excusedDays = excusedDays }

  mutating func insert(_ definition: CompiledDefinition, on day: Day, position: Int) {
    let index = dated.partitioningIndex { ($0.day, $0.position) > (day, position) }
    dated.insert(DatedDefinition(day: day, position: position, definition: definition), at: index)
    for member in definition.members where !members.contains(member) { members.append(member) }
    updateRegimes()
  }

  mutating func retire(after day: Day, position: Int) {
    retirements.append((day, position))
    updateRegimes()
  }

  mutating func excuse(_ days: ClosedRange<Day>) { excusedDays.insert(days) }

  mutating func setExcusedDays(_ days: DaySpans) { excusedDays = days }

  private mutating func updateRegimes() {
    regimes = []
    guard let earliest else { return }
    var remaining = dated[...]
    var current = earliest.definition
    for day in Set([Day.first] + dated.map(\.day) + retirements.map(\.day.next)).sorted() {
      while let next = remaining.first, next.day <= day {
        current = remaining.removeFirst().definition
      }
      let changesSchedule = regimes.last.map { $0.definition.schedule != current.schedule } ?? false
      regimes.append(
        Regime(
          start: day, definition: current, isRetired: hasRetirement(inForceOn: day),
          changesSchedule: changesSchedule))
    }
    let inForce = Set(regimes.flatMap(\.definition.members))
    membersInForce = members.filter(inForce.contains)
  }

  /// Replaces the definition that the event at `position` in the stream made.
  mutating func replaceDefinition(at position: Int, with definition: CompiledDefinition) {
    guard let index = dated.firstIndex(where: { $0.position == position }) else { return }
    dated[index] = DatedDefinition(
      day: dated[index].day, position: position, definition: definition)
    updateRegimes()
  }

  /// Whether the habit is retired on `day`.
  ///
  /// A retirement ends with the first definition that is later in the stream and isn't dated before
  /// the retirement.
  private func hasRetirement(inForceOn day: Day) -> Bool {
    retirements.contains { retirement in
      retirement.day < day
        && !dated.contains {
          $0.position > retirement.position && $0.day >= retirement.day && $0.day <= day
        }
    }
  }
}
