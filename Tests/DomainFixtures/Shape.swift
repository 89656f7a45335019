package import StreakDomain

/// Legal but unusual histories, for tests that one line costs few steps whatever lines surround it.
package enum Shape: String, CaseIterable, Sendable {
  case plain
  case nested
  case chain
  /// Two composites that contain each other on different days.
  case swapped
  case backdated, everyOtherDayBackdated, shuffled
  case deletedOldestFirst, oneDay
  case sparse
  /// Habits with a quota, whose late entries move later rest days.
  case timesAWeekBackdated, timesAMonthBackdated
  case scheduledMembers
  case manyExcuses, redefinedRule

  package func events(_ count: Int) -> [Event] {
    var maker = ShapeMaker(count)
    let days = count / 10
    switch self {
    case .plain: maker.days { $0 }
    case .nested: maker.composites(depth: 12, isNested: true)
    case .chain: maker.composites(depth: 60, isNested: false)
    case .swapped: maker.swapped()
    case .backdated: maker.days { days - $0 }
    case .everyOtherDayBackdated: maker.days(habits: 1) { 2 * (count - $0) }
    case .shuffled: maker.days { $0 * 7919 % (days + 1) }
    case .deletedOldestFirst: maker.deleted()
    case .oneDay: maker.days(habits: 1) { _ in 0 }
    case .sparse: maker.sparse()
    case .timesAWeekBackdated: maker.days(on: .times(3, per: .week)) { (days - $0) * 7 / 3 }
    case .timesAMonthBackdated: maker.days(on: .times(10, per: .month)) { (days - $0) * 3 }
    case .scheduledMembers: maker.scheduledMembers()
    case .manyExcuses: maker.excused()
    case .redefinedRule: maker.redefined()
    }
    return maker.events
  }
}

private struct ShapeMaker {
  private static let start = Day(unchecked: -7305)  // 1950-01-01
  private(set) var events: [Event] = []
  private let count: Int

  init(_ count: Int) {
    self.count = count
    add(.ledgerOpened())
  }

  private mutating func add(_ payload: Payload, _ day: Int = 0) {
    let number = Int64(events.count + 1)
    let day = ShapeMaker.start + day
    let at = Instant(microseconds: (Int64(day.number) * 1440 + number % 1000) * 60_000_000)
    events.append(
      Event(
        id: "e\(number)", at: Timestamp(instant: at, offset: 0),
        recorded: Instant(microseconds: 1_700_000_000_000_000 + number), day: day, zone: "UTC",
        payload: payload))
  }

  private mutating func define(
    _ habit: String, _ rule: Rule.Kind = .any, every days: Int = 7, schedule: Schedule? = nil,
    on day: Int = 0
  ) {
    var definition = Habit(habit, rule: Rule(rule))
    definition.forgiveness = .joker(JokerRule(every: days, cap: 3))
    definition.schedule = schedule
    add(.habitDefined(definition), day)
  }

  private mutating func log(_ habit: String, _ day: Int) {
    var entry = Entry(habit: habit)
    entry.minutes = Thousandths(5)
    add(.entryLogged(entry), day)
  }

  /// Logs the habits in turn; `place` returns the day of the entry with a number.
  mutating func days(habits: Int = 10, on schedule: Schedule? = nil, _ place: (Int) -> Int) {
    for habit in 0..<habits { define("h\(habit)", schedule: schedule) }
    for entry in 0..<count - habits { log("h\(entry % habits)", place(entry / habits)) }
  }

  mutating func scheduledMembers() {
    define("week", schedule: .times(3, per: .week))
    define("month", schedule: .times(10, per: .month))
    define("days", schedule: .weekdays(Weekdays([.monday, .wednesday, .friday])))
    define("daily")
    define("all", .all(of: ["week", "days"]))
    define("either", .either(of: ["month", "daily"]))
    define("both", .all(of: ["all", "either"]))
    for entry in 0..<count / 2 { log(["week", "month", "days", "daily"][entry % 4], entry / 4) }
  }

  mutating func composites(depth: Int, isNested: Bool) {
    let names = isNested ? ["a", "b"] : ["a"]
    for name in names { define("\(name)0") }
    for level in 1...depth {
      for name in names { define("\(name)\(level)", .all(of: names.map { "\($0)\(level - 1)" })) }
    }
    for entry in 0..<count / 8 { log("\(names[entry % names.count])0", entry / names.count) }
  }

  mutating func swapped() {
    for habit in ["x", "y"] { define(habit) }
    define("a", .all(of: ["x", "b"]))
    define("b", .all(of: ["y"]))
    for change in 1...20 {
      let day = change * count / 80
      define(change % 2 == 0 ? "b" : "a", .either(of: ["x", "y"]), on: day)
      define(change % 2 == 0 ? "a" : "b", .all(of: ["x", change % 2 == 0 ? "b" : "a"]), on: day)
    }
    for entry in 0..<count / 2 { log(["x", "y"][entry % 2], entry / 2) }
  }

  mutating func deleted() {
    define("h", .minutes(atLeast: Thousandths(2)))
    for entry in 0..<count / 2 { log("h", entry) }
    for event in events.dropFirst(2) { add(.entryDeleted(entry: event.id, reason: nil), count / 2) }
  }

  mutating func sparse() {
    for habit in 0..<count / 2 {
      define("h\(habit)")
      log("h\(habit)", Day.first - ShapeMaker.start)
    }
    add(.dayChanged(to: Day(unchecked: 20_000), seal: nil), Day(unchecked: 20_000) - ShapeMaker.start)
  }

  mutating func excused() {
    for habit in 0..<10 { define("h\(habit)") }
    for excuse in 0..<count / 20 {
      let day = ShapeMaker.start + excuse * 4
      add(.daysExcused(from: day, to: day, habits: nil, reason: nil))
    }
    for entry in 0..<count - count / 20 { log("h\(entry % 10)", entry / 10) }
  }

  mutating func redefined() {
    define("h", .minutes(atLeast: Thousandths(1)))
    for entry in 0..<count / 2 { log("h", entry) }
    for change in 0..<count / 2 {
      define("h", .minutes(atLeast: Thousandths(1 + change % 9)), every: 2 + change % 9, on: change)
    }
  }
}
