import DomainFixtures
import Inspection
import StreakDomain
import Testing

/// The law of each field: its value equals that of a second implementation of domain.md.
struct FieldLawTests {
  @Test(arguments: Cases.seeds(60))
  func `every field of random ledgers equals the value of a second implementation`(seed: UInt64)
    throws
  {
    var stream = RandomStream(seed: seed)
    var random = SeededRandom(seed: seed)
    let events = stream.events(60).map { event in
      guard case .habitDefined(var definition) = event.payload else { return event }
      definition.name = random.chance(50) ? "Name \(random.below(9))" : nil
      definition.icon = random.chance(50) ? "🍀" : nil
      var named = event
      named.payload = .habitDefined(definition)
      return named
    }
    var ledger = Ledger()
    for (place, event) in events.enumerated() {
      ledger.fold(event)
      guard place % 20 == 19 || place == events.count - 1 else { continue }
      var plain = PlainLedger(Array(events[...place]))
      for state in ledger.states() {
        let note = Comment("seed \(seed), event \(place), \(state.habit)")
        let days = plain.days(state.habit)
        let found = ledger.verdicts(of: state.habit, in: Day.first...Day.last)
        try #require(
          found.letters == days.map(\.verdict.letter).joined(),
          note)
        try #require(found.map(\.run) == days.map(\.run), note)
        for field in HabitField.allCases {
          guard let value = plain.value(of: field, of: state.habit, days) else { continue }
          try #require(field.value(of: state) == value, "\(field.path), \(note)")
        }
      }
    }
  }
}

extension PlainLedger {
  /// Returns the field's value by the plain rules, which a new field must have to compile.
  fileprivate mutating func value(of field: HabitField, of habit: String, _ days: [PlainDay])
    -> StateValue?
  {
    let last = days.last ?? PlainDay()
    func count(_ verdict: Verdict) -> StateValue { number(days.count { $0.verdict == verdict }) }
    func sum(_ part: (Entry) -> Millionths?) -> StateValue {
      .number(Thousandths(rounding: standing(habit).compactMap(part).reduce(.zero, +)))
    }
    return switch field {
    case .name: .text(definition(habit, today)?.name ?? Text(habit))
    case .icon: definition(habit, today)?.icon.map { .text($0) } ?? .null
    case .current: number(last.run)
    case .start: day(last.start)
    case .best: number(days.map(\.run).max() ?? 0)
    // `longest` includes runs that later events removed; `FoldLawTests` checks it.
    case .longest: nil
    case .lastGood:
      day(
        days.lastIndex { $0.verdict == .good || $0.verdict == .restarted }.flatMap { place in
          firstDay(habit).map { $0 + place }
        })
    case .status: .text(Text(status(habit).rawValue))
    case .ifMissed: .text(Text(ifMissed(habit).rawValue))
    // The plain rules cannot search far enough for long runs; `StateFieldTests` checks those.
    case .safeThrough:
      last.run == 0 || [.off, .retired].contains(status(habit))
        ? .null
        : safeThrough(habit).map { .day($0) }
    case .held: number(last.held)
    case .earned: number(last.earned)
    case .spent: number(last.spent)
    case .forfeited: number(last.forfeited)
    case .penalised: number(last.penalised)
    case .good: count(.good)
    case .healed: count(.healed)
    case .graced: count(.graced)
    case .missed: count(.missed)
    case .bad: count(.bad)
    case .restarted: count(.restarted)
    case .open: count(.open)
    case .excused: count(.excused)
    case .rest: count(.rest)
    case .times: quota(habit).map { number($0.times) } ?? .null
    case .quotaGood: quota(habit).map { number($0.good) } ?? .null
    case .rests: quota(habit).map { number($0.rests) } ?? .null
    case .through: quota(habit).map { .day($0.through) } ?? .null
    case .total: progress(habit).map { .number($0.total) } ?? .null
    case .atLeast: progress(habit)?.atLeast.map { .number($0) } ?? .null
    case .atMost: progress(habit)?.atMost.map { .number($0) } ?? .null
    case .per: progress(habit).map { .text(Text($0.per)) } ?? .null
    case .progressThrough: progress(habit).map { .day($0.through) } ?? .null
    case .entries: number(standing(habit).count)
    case .minutes: sum(\.minutes)
    case .km: sum(\.km)
    case .sets: sum { $0.sets.map { Millionths($0) } }
    case .drinks: sum { $0.drinks.map { Millionths($0) } }
    case .amount: sum(\.amount)
    case .played: number(standing(habit).count { $0.completed != nil })
    case .completed: number(standing(habit).count { $0.completed == true })
    }
  }

  private func number(_ count: Int) -> StateValue { .number(Thousandths(count)) }

  private func day(_ day: Day?) -> StateValue { day.map { .day($0) } ?? .null }
}
