import EventLog
import StreakDomain
import Workloads

/// A generated ledger of any size: 8 habits over 10 years, always the same for one seed.
struct SampleStream {
  /// The days that entries are for.
  enum Order {
    /// Each is logged on its day.
    case ascending
    /// All are logged after the ten years, in order.
    case backdated
    /// All are logged after the ten years, in random order.
    case shuffled
    /// All are logged after the days, in order, from 1900 to 2199.
    case threeHundredYears
  }

  private var random: LoadRandom
  private let habits: [(id: String, preset: Preset)] = [
    ("meditation", .meditation), ("workout", .workout), ("noalc", .noalc), ("mood", .awareness),
    ("water", .activityTracker), ("chess", .game), ("strength", .strength), ("cardio", .cardio),
  ]

  /// Whether ids ascend with the stream, as the store makes them; an import's may not.
  private let hasAscendingIDs: Bool
  private let order: Order
  private let isHalfScheduled: Bool

  init(
    seed: UInt64, hasAscendingIDs: Bool = true, order: Order = .ascending, isHalfScheduled: Bool = false
  ) {
    random = LoadRandom(seed: seed)
    self.hasAscendingIDs = hasAscendingIDs
    self.order = order
    self.isHalfScheduled = isHalfScheduled
  }

  /// What a habit asks for; of the half that has a schedule or a sum, each in another way.
  private func definition(_ habit: (id: String, preset: Preset)) -> Habit {
    var definition = habit.preset.definition(for: habit.id)
    guard isHalfScheduled else { return definition }
    switch habit.preset {
    case .workout: definition.schedule = .times(3, per: .week)
    case .strength: definition.schedule = .weekdays(Weekdays([.monday, .wednesday, .friday]))
    case .activityTracker:
      definition.rule = Rule(.sum(Sum(of: .amount, unit: "l", atLeast: Thousandths(2))))
    case .cardio:
      definition.rule = Rule(.sum(Sum(of: .minutes, atLeast: Thousandths(30))))
      definition.schedule = .every(days: 2)
    default: break
    }
    return definition
  }

  /// Hands out `count` events, one after the other.
  mutating func each(_ count: Int, _ body: (Event) throws -> Void) rethrows {
    let start = Day(unchecked: 16_436)  // 2015-01-01
    let days = 3650
    var clock = Int64(start.number) * 86_400_000_000
    func emit(_ payload: Payload, _ day: Day, _ random: inout LoadRandom) throws {
      let at = Timestamp(instant: Instant(microseconds: clock / 1_000_000 * 1_000_000), offset: 60)
      try body(
        Event(
          id: UUIDv7.make(
            at: Instant(microseconds: hasAscendingIDs ? clock : Int64(random.next() >> 14)), random: &random),
          at: at, recorded: Instant(microseconds: clock), day: day, zone: "Europe/Berlin", payload: payload))
    }
    try emit(.ledgerOpened(), start, &random)
    for habit in habits {
      clock += 1
      try emit(.habitDefined(definition(habit)), start, &random)
    }
    let entries = count - 1 - habits.count
    for index in 0..<entries {
      let place = order == .shuffled ? Int(random.next() % UInt64(entries)) : index
      let isSpread = order == .threeHundredYears
      let day =
        isSpread ? Day.first + place * (Day.last - Day.first) / entries : start + place * days / entries
      let logged = order == .ascending ? day : start + days
      clock = max(clock + 1, Int64(logged.number) * 86_400_000_000 + Int64(index % 80_000) * 1_000_000)
      try emit(.entryLogged(entry()), day, &random)
    }
  }

  private mutating func entry() -> Entry {
    let habit = habits[Int(random.next() % 8)]
    var entry = Entry(habit: habit.id)
    let roll = Int(random.next() % 100)
    switch habit.preset {
    case .noalc: entry.level = roll < 97 ? "steady" : roll < 99 ? "easy" : "wild"
    case .game: entry.completed = roll < 98
    case .strength: entry.sets = roll % 6
    case .cardio:
      entry.minutes = Thousandths(roll)
      entry.activity = ["running", "yoga", "cycling"][roll % 3]
    case .activityTracker where isHalfScheduled: entry.amount = Thousandths(roll % 3)
    case .awareness, .activityTracker: entry.value = "\(roll)"
    default: entry.minutes = Thousandths(roll)
    }
    return entry
  }
}
