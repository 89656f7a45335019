package import EventLog
package import StreakDomain

/// The number of days that a fold of a ledger computes: for each habit, the days from its first day
/// to today.
///
/// The time of a fold depends on it. A day of a composite counts once for each member.
/// `init(reading:)` finds the days without folding, so that an expensive ledger is refused in time;
/// deleted entries count there, too.
package struct HabitDays {
  /// The maximum number of days that new events may bring a ledger to, such as 300 habits for 36
  /// years.
  static let limit = 4_000_000

  /// The maximum number of days of a ledger that is read: a tenth more, because an accepted ledger
  /// grows with each day.
  static let readingLimit = 4_400_000

  /// The maximum number of days of a ledger for which the service makes a page, which then takes
  /// about two seconds.
  static let pageLimit = 1_000_000

  /// The first day of each habit: the earliest day of an entry or, for a limit, also of a
  /// definition.
  private var first: [String: Day] = [:]
  /// The members of each defined habit according to all its definitions; empty for a habit that
  /// isn't a composite.
  private var members: [String: Set<String>] = [:]
  private var countsFrom: [String: Day] = [:]

  package init() {}

  package init(of ledger: Ledger) {
    for habit in ledger.habits {
      let name = habit.id
      countsFrom[name] = ledger.facts.countsFrom(of: name)
      // There can be entries before `countsFrom`, which count again after another definition.
      first[name] = countsFrom[name] == nil ? habit.firstDay : Day.first
      members[name] = Set(ledger.facts.definitions(of: name).flatMap(\.source.rule.members))
    }
  }

  package init(reading stream: consuming EventStream) throws(Failure) {
    var names = SymbolTable()
    var item = StreamItem()
    while try stream.next(&item, names: &names) {
      if let event = item.event {
        add(event.payload, on: event.day)
      } else {
        start(names.text(item.fact.habit), on: item.fact.day)
      }
    }
  }

  package mutating func add(_ payload: Payload, on day: Day) {
    if case .entryLogged(let entry) = payload {
      start(entry.habit, on: day)
    } else if case .habitDefined(let habit) = payload {
      if habit.rule.isLimit { start(habit.id, on: day) }
      members[habit.id, default: []].formUnion(habit.rule.members)
      countsFrom[habit.id] = habit.countsFrom
    }
  }

  private mutating func start(_ habit: String, on day: Day) {
    first[habit] = min(first[habit] ?? day, day)
  }

  package func count(through today: Day) -> Int {
    var starts = first
    var previous: [String: Day] = [:]
    // A composite starts with its earliest member; each pass reaches one level further up.
    while starts != previous {
      previous = starts
      for (habit, members) in members where !members.isEmpty {
        starts[habit] = members.union([habit]).compactMap { starts[$0] }.min()
      }
    }
    return members.reduce(0) { sum, habit in
      guard let start = starts[habit.key] else { return sum }
      let days = max(0, today - max(start, countsFrom[habit.key] ?? start) + 1)
      return sum + days * max(1, habit.value.count)
    }
  }

  /// Throws if `drafts` add days to `ledger`, and the ledger would then have more than `limit`
  /// days.
  ///
  /// If the limit is exceeded only because time has passed, events that add no days are still
  /// accepted.
  static func check(_ drafts: [Draft], on ledger: Ledger, now: Instant) throws(Failure) {
    var days = HabitDays(of: ledger)
    let today = max(now.dayInUTC, ledger.today ?? Day.first)
    let before = days.count(through: today)
    for draft in drafts {
      days.add(draft.event.payload, on: draft.day ?? draft.at?.localDay ?? now.dayInUTC)
    }
    let after = days.count(through: today)
    guard after > max(before, limit) else { return }
    throw Failure(.overLimit, refusal(of: after, limit: limit))
  }

  /// Returns the exact number of days of all habits through today, by which the memory of `ledger`
  /// is estimated.
  static func foldedDays(of ledger: Ledger) -> Int {
    ledger.habits.compactMap(\.firstDay).reduce(0) { $0 + ((ledger.today ?? $1) - $1) + 1 }
  }

  static func refusal(of count: Int, limit: Int, per subject: String = "ledger") -> Sentence {
    """
    this takes \(count) habit-days, the sum over habits of the days from the first one to today \
    (of a composite, for each member), and the service allows \(limit) per \(subject); begin with \
    later days, or use the command line
    """
  }
}

extension Instant {
  var dayInUTC: Day { Timestamp(instant: self, offset: 0).localDay }
}
