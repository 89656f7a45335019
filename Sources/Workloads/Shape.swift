package import StreakDomain

/// Ledgers of unusual but legal form: what one line costs must not depend on the lines around it.
package enum Shape: String, CaseIterable, Sendable {
  /// What all others are compared with: ten habits, an entry a day each, in order.
  case plain
  /// Composites of two composites of two composites.
  case nested
  /// A chain of composites, 60 deep.
  case chain
  /// Two composites that contain each other, on different days.
  case swapped
  case backdated, backdatedWithGaps, everyOtherDayBackdated, shuffled
  case deletedOldestFirst, oneDay, oneDayDeletedLatestFirst
  /// One entry a habit, long ago.
  case sparse
  /// Two entries a habit, 300 years apart, of every other one a slip.
  case centuries
  /// Ten habits that are not asked for every day.
  case weekdays, timesAWeek, timesAMonth, everyThirdDay
  /// Habits that are not asked for every day, their entries backdated: each moves the rest days of those after it.
  case timesAWeekBackdated, timesAMonthBackdated
  /// Composites of habits with schedules.
  case scheduledMembers
  /// Composites within each other, with schedules, jokers and many milestones, over three centuries.
  case scheduledCenturies
  case manyHabits, manyExcuses, excusedForEver, manyMilestones, redefined, redefinedRule, strangeTexts

  /// About so many events, at least those that define the habits.
  package func events(_ count: Int) -> [Event] {
    var maker = ShapeMaker(count)
    let days = count / 10
    switch self {
    case .plain: maker.days { $0 }
    case .nested: maker.composites(depth: 12, isNested: true)
    case .chain: maker.composites(depth: 60, isNested: false)
    case .swapped: maker.swapped()
    case .backdated: maker.days { days - $0 }
    case .backdatedWithGaps: maker.days { (days - $0) * 10 / 9 }
    case .everyOtherDayBackdated: maker.days(habits: 1) { 2 * (count - $0) }
    case .shuffled: maker.days { $0 * 7919 % (days + 1) }
    case .deletedOldestFirst: maker.deleted(onOneDay: false)
    case .oneDay: maker.days(habits: 1) { _ in 0 }
    case .oneDayDeletedLatestFirst: maker.deleted(onOneDay: true)
    case .sparse: maker.sparse()
    case .centuries: maker.centuries()
    case .weekdays: maker.scheduled(.weekdays(Weekdays([.mon, .wed, .fri]))) { $0 }
    case .timesAWeek: maker.scheduled(.times(3, per: .week)) { $0 * 7 / 3 }
    case .timesAMonth: maker.scheduled(.times(10, per: .month)) { $0 * 3 }
    case .everyThirdDay: maker.scheduled(.every(3)) { $0 * 3 }
    case .timesAWeekBackdated: maker.scheduled(.times(3, per: .week)) { (days - $0) * 7 / 3 }
    case .timesAMonthBackdated: maker.scheduled(.times(10, per: .month)) { (days - $0) * 3 }
    case .scheduledMembers: maker.scheduledMembers()
    case .scheduledCenturies: maker.scheduledCenturies()
    case .manyHabits: maker.days(habits: min(5000, count / 3)) { $0 }
    case .manyExcuses: maker.excused { ($0 * 4, $0 * 4) }
    case .excusedForEver: maker.excused { $0 == 0 ? (count, Day.last - ShapeMaker.start) : ($0 * 4, $0 * 4) }
    case .manyMilestones: maker.milestones()
    case .redefined: maker.redefined { _ in .any }
    case .redefinedRule: maker.redefined { .minutes(atLeast: Thousandths(1 + $0 % 9)) }
    case .strangeTexts: maker.strange()
    }
    return maker.events
  }
}

/// Makes the events of a shape, one after the other.
private struct ShapeMaker {
  static let start = Day(unchecked: -7305)  // 1950-01-01
  static let jokers = Forgiveness.joker(JokerRule(every: 7, cap: 3))
  private(set) var events: [Event] = []
  private let count: Int

  init(_ count: Int) {
    self.count = count
    add(.ledgerOpened(owner: nil))
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
    _ habit: String, _ rule: Rule.Kind = .any, _ forgiveness: Forgiveness = jokers, on day: Int = 0
  ) {
    var definition = Definition(habit: habit, rule: Rule(rule))
    definition.forgiveness = forgiveness
    add(.habitDefined(definition), day)
  }

  private mutating func define(_ habit: String, on schedule: Schedule) {
    var definition = Definition(habit: habit, rule: Rule(.any))
    definition.forgiveness = ShapeMaker.jokers
    definition.schedule = schedule
    add(.habitDefined(definition))
  }

  private mutating func log(_ habit: String, _ day: Int) {
    var entry = Entry(habit: habit)
    entry.minutes = Thousandths(5)
    add(.entryLogged(entry), day)
  }

  /// An entry of each habit in turn; `place` is the day by how many each has.
  mutating func days(habits: Int = 10, _ place: (Int) -> Int) {
    for habit in 0..<habits { define("h\(habit)") }
    for entry in 0..<count - habits { log("h\(entry % habits)", place(entry / habits)) }
  }

  /// An entry of each of ten habits in turn, which are not asked for every day.
  mutating func scheduled(_ schedule: Schedule, _ place: (Int) -> Int) {
    for habit in 0..<10 { define("h\(habit)", on: schedule) }
    for entry in 0..<count - 10 { log("h\(entry % 10)", place(entry / 10)) }
  }

  mutating func scheduledMembers() {
    define("week", on: .times(3, per: .week))
    define("month", on: .times(10, per: .month))
    define("days", on: .weekdays(Weekdays([.mon, .wed, .fri])))
    define("daily")
    define("all", .all(of: ["week", "days"]))
    define("either", .either(of: ["month", "daily"]))
    define("both", .all(of: ["all", "either"]))
    for entry in 0..<count / 2 { log(["week", "month", "days", "daily"][entry % 4], entry / 4) }
  }

  mutating func scheduledCenturies() {
    define("week", on: .times(3, per: .week))
    define("month", on: .times(28, per: .month))
    define("days", on: .weekdays(Weekdays([.mon, .wed, .fri])))
    var above = ["week", "month", "days"]
    for level in 0..<2 {
      var definition = Definition(
        habit: "all\(level)", rule: Rule(level % 2 == 0 ? .all(of: above) : .either(of: above)))
      definition.forgiveness = .joker(JokerRule(every: 366, cap: 3))
      definition.milestones = Array(2...200)
      add(.habitDefined(definition))
      above = [above[level % above.count], definition.habit]
    }
    let days = Day.last - ShapeMaker.start
    for entry in 0..<5 + count / 300 {
      log(
        ["week", "month", "days"][entry % 3],
        entry == 0 ? 1 - 18_262 : days - entry * 1000 % days)
    }
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

  mutating func deleted(onOneDay isOneDay: Bool) {
    define("h", .minutes(atLeast: Thousandths(2)), isOneDay ? Forgiveness.none : ShapeMaker.jokers)
    for entry in 0..<count / 2 { log("h", isOneDay ? 0 : entry) }
    let ids = events.dropFirst(2).map(\.id)
    for id in isOneDay ? ids.reversed() : ids { add(.entryDeleted(entry: id, reason: nil), count / 2) }
  }

  mutating func sparse() {
    for habit in 0..<count / 2 {
      define("h\(habit)")
      log("h\(habit)", Day.first - ShapeMaker.start)
    }
    add(.dayChanged(to: Day(unchecked: 20_000), seal: nil), Day(unchecked: 20_000) - ShapeMaker.start)
  }

  mutating func centuries() {
    for habit in 0..<count / 3 {
      define("h\(habit)", habit % 2 == 0 ? .any : .none, on: Day.first - ShapeMaker.start)
    }
    for day in [Day.first, Day.last] {
      for habit in 0..<count / 3 { log("h\(habit)", day - ShapeMaker.start) }
    }
  }

  mutating func excused(_ span: (Int) -> (from: Int, to: Int)) {
    for habit in 0..<10 { define("h\(habit)") }
    for excuse in 0..<count / 20 {
      let (from, to) = span(excuse)
      add(.daysExcused(from: ShapeMaker.start + from, to: ShapeMaker.start + to, habits: nil, reason: nil))
    }
    for entry in 0..<count - count / 20 { log("h\(entry % 10)", entry / 10) }
  }

  mutating func milestones() {
    var definition = Definition(habit: "h", rule: Rule(.any))
    definition.milestones = Array(2...min(count, 1001))
    add(.habitDefined(definition))
    for entry in 0..<count { log("h", entry) }
  }

  mutating func redefined(_ rule: (Int) -> Rule.Kind) {
    define("h", rule(0))
    for entry in 0..<count / 2 { log("h", entry) }
    for change in 0..<count / 2 {
      let jokers = Forgiveness.joker(JokerRule(every: 2 + change % 9, cap: 3))
      define("h", rule(change), jokers, on: change)
    }
  }

  mutating func strange() {
    let texts: [Text] = [
      "<script>\u{200D}", "=1+1\u{301}", "\",\u{20DD}\"", "e\u{301}", "\u{E9}", "\u{202E}abc",
      "\u{FFFD}\u{301}",
      "]]>", "a\u{115F}b", "\u{1F3CB}\u{FE0F}", "\u{E0041}",
    ]
    for (place, text) in texts.enumerated() {
      var definition = Definition(habit: "h\(place)", rule: Rule(.any))
      definition.name = text
      add(.habitDefined(definition))
    }
    for entry in 0..<count {
      var logged = Entry(habit: "h\(entry % texts.count)")
      logged.note = texts[entry * 7 % texts.count]
      logged.value = texts[entry * 3 % texts.count]
      add(.entryLogged(logged), entry / texts.count)
    }
  }
}
