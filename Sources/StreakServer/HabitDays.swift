import EventLog
package import StreakDomain

/// The days of all habits of a ledger, each from its first day to today, which determine what folding costs.
///
/// They are computed without folding, so that an expensive ledger is refused in time. Deleted entries count, too.
package struct HabitDays {
  /// The maximum number of days at which events are still accepted, such as 300 habits for 36 years.
  package static let limit = 4_000_000

  /// The maximum number of days of a ledger that is read: a tenth more, because an accepted ledger grows with each day.
  package static let readingLimit = 4_400_000

  /// The first day of each habit: the day of its first entry, or for a limit the day of its first definition.
  private var first: [String: Day] = [:]
  /// The members of each defined habit according to all its definitions; empty for a habit that isn't a composite.
  private var members: [String: Set<String>] = [:]
  private var countsFrom: [String: Day] = [:]

  package init() {}

  package init(of ledger: Ledger) {
    for habit in ledger.handles {
      let name = ledger.name(of: habit)
      first[name] = ledger.firstFoldedDay(of: habit)
      members[name] = Set(ledger.definitions(of: name).flatMap(\.definition.rule.members))
    }
  }

  init(reading stream: consuming EventStream) throws(Failure) {
    var (names, item) = (SymbolTable(), StreamItem())
    while try stream.next(&item, names: &names) {
      if let event = item.event {
        add(event.payload, on: event.day)
      } else {
        start(names.text(item.fact.habit), on: item.fact.day)
      }
    }
  }

  package mutating func add(_ payload: Payload, on day: Day) {
    switch payload {
    case .entryLogged(let entry): start(entry.habit, on: day)
    case .habitDefined(let habit):
      // With an earlier `countsFrom` than the last one, earlier entries can count again.
      if members[habit.id] != nil { start(habit.id, on: habit.countsFrom ?? Day.first) }
      if habit.rule.isLimit { start(habit.id, on: day) }
      members[habit.id, default: []].formUnion(habit.rule.members)
      countsFrom[habit.id] = habit.countsFrom
    default: break
    }
  }

  private mutating func start(_ habit: String, on day: Day) { first[habit] = min(first[habit] ?? day, day) }

  package func count(through today: Day) -> Int {
    var starts = first
    // A composite starts with its earliest member; each pass reaches one level further up.
    var isChanged = true
    while isChanged {
      isChanged = false
      for (habit, members) in members where !members.isEmpty {
        guard let day = members.compactMap({ starts[$0] }).min(), day < starts[habit] ?? Day.last else {
          continue
        }
        starts[habit] = day
        isChanged = true
      }
    }
    return members.keys.reduce(0) { sum, habit in
      guard let day = starts[habit].map({ max($0, countsFrom[habit] ?? $0) }), day <= today else {
        return sum
      }
      return sum + (today - day) + 1
    }
  }

  /// Returns the exact number of habit-days of a folded ledger.
  ///
  /// With a `day` after today, it includes the days up to `day`.
  static func count(in ledger: Ledger, through day: Day? = nil) -> Int {
    guard let today = ledger.today.map({ max($0, day ?? $0) }) else { return 0 }
    return ledger.handles.reduce(0) { sum, habit in
      ledger.firstFoldedDay(of: habit).map { sum + (today - $0) + 1 } ?? sum
    }
  }

  /// Returns the problem to report if `count` habit-days are more than `limit`, or `nil`.
  static func refusal(_ count: Int, _ type: ProblemType, limit: Int = limit) -> Problem? {
    guard count > limit else { return nil }
    return Problem(
      type,
      "this takes \(count) habit-days, the sum over habits of the days from the first one to today, and the service "
        + "allows \(limit) per ledger; begin with later days, or use the command line")
  }
}

extension Instant {
  var dayInUTC: Day { Timestamp(instant: self, offset: 0).localDay }
}
