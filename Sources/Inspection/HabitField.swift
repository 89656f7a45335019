package import StreakDomain

/// The fields of a habit's state, in the order of the state document; the raw value is the path.
package enum HabitField: String, CaseIterable, Sendable {
  case name, icon, current, start, best, longest, lastGood, status, ifMissed, safeThrough
  case times = "quota.times"
  case quotaGood = "quota.good"
  case rests = "quota.rests"
  case through = "quota.through"
  case total = "progress.total"
  case atLeast = "progress.atLeast"
  case atMost = "progress.atMost"
  case per = "progress.per"
  case progressThrough = "progress.through"
  case held = "jokers.held"
  case earned = "jokers.earned"
  case spent = "jokers.spent"
  case forfeited = "jokers.forfeited"
  case penalised = "jokers.penalised"
  case good = "days.good"
  case healed = "days.healed"
  case graced = "days.graced"
  case missed = "days.missed"
  case bad = "days.bad"
  case restarted = "days.restarted"
  case open = "days.open"
  case excused = "days.excused"
  case rest = "days.rest"
  case entries = "totals.entries"
  case minutes = "totals.minutes"
  case km = "totals.km"
  case sets = "totals.sets"
  case drinks = "totals.drinks"
  case amount = "totals.amount"
  case played = "totals.played"
  case completed = "totals.completed"

  /// What is known of a field without its value.
  private struct Traits {
    let kind: StateValue.Kind
    let chain: Chain
    var isNullable = false
    var part = Part.run
    var words = Words.any
  }

  /// Which events `why` looks for first.
  enum Chain {
    /// Those of the run, of the run and the jokers that it spends, of the longest run, of the last good day.
    case run, held, record, lastGood
    /// Those of today's definition, of all days, of all entries.
    case definition, allDays, entries
  }

  /// What a field is part of: what people are shown of a habit, or what moves with every event or day.
  private enum Part { case run, quota, progress, days, totals }
  private enum Words { case any, statuses, ifMissed, periods }

  private var traits: Traits {
    switch self {
    case .name: Traits(kind: .text, chain: .definition)
    case .icon: Traits(kind: .text, chain: .definition, isNullable: true)
    case .status: Traits(kind: .text, chain: .run, words: .statuses)
    case .ifMissed: Traits(kind: .text, chain: .held, words: .ifMissed)
    case .start: Traits(kind: .day, chain: .run, isNullable: true)
    case .lastGood: Traits(kind: .day, chain: .lastGood, isNullable: true)
    case .safeThrough: Traits(kind: .day, chain: .held, isNullable: true)
    case .current: Traits(kind: .number, chain: .run)
    case .best, .longest: Traits(kind: .number, chain: .record)
    case .held: Traits(kind: .number, chain: .held)
    case .earned, .spent, .forfeited, .penalised: Traits(kind: .number, chain: .allDays)
    case .times, .quotaGood, .rests: Traits(kind: .number, chain: .run, isNullable: true, part: .quota)
    case .through: Traits(kind: .day, chain: .run, isNullable: true, part: .quota)
    case .total, .atLeast, .atMost:
      Traits(kind: .number, chain: .run, isNullable: true, part: .progress)
    case .per: Traits(kind: .text, chain: .run, isNullable: true, part: .progress, words: .periods)
    case .progressThrough: Traits(kind: .day, chain: .run, isNullable: true, part: .progress)
    case .good, .healed, .graced, .missed, .bad, .restarted, .open, .excused, .rest:
      Traits(kind: .number, chain: .allDays, part: .days)
    case .entries, .minutes, .km, .sets, .drinks, .amount, .played, .completed:
      Traits(kind: .number, chain: .entries, part: .totals)
    }
  }

  package var kind: StateValue.Kind { traits.kind }
  var chain: Chain { traits.chain }
  package var isNullable: Bool { traits.isNullable }
  /// Whether it sums up entries.
  var isTotal: Bool { traits.part == .totals }
  /// Whether an entry can change it that changes no day.
  var isOfEntries: Bool { isTotal || traits.part == .progress }
  /// Whether people are shown it: sums over entries and days come with every event.
  package var isShown: Bool { traits.part == .run }

  /// The only words that the field may be, where there are few.
  package var words: [String]? {
    switch traits.words {
    case .any: nil
    case .statuses: HabitState.Status.allCases.map(\.rawValue)
    case .ifMissed: HabitState.IfMissed.allCases.map(\.rawValue)
    case .periods: ["day"] + Schedule.Period.allCases.map(\.rawValue)
    }
  }

  /// The fields that people are shown.
  static let shown = allCases.filter(\.isShown)

  /// The fields of a sum that is asked for.
  static let progress = allCases.filter { $0.traits.part == .progress }

  /// The fields that sum up entries.
  static let totals = allCases.filter(\.isTotal)

  /// Reads such a field off the sums.
  package func value(of totals: Totals) -> StateValue {
    switch self {
    case .entries: .whole(totals.entries)
    case .minutes: .number(totals.minutes)
    case .km: .number(totals.km)
    case .sets: .whole(totals.sets)
    case .drinks: .whole(totals.drinks)
    case .amount: .number(totals.amount)
    case .played: .whole(totals.played)
    case .completed: .whole(totals.completed)
    default: .null
    }
  }

  /// Reads such a field off a quota; all are null without one.
  package func value(of quota: Quota?) -> StateValue {
    guard let quota else { return .null }
    return switch self {
    case .times: .whole(quota.times)
    case .quotaGood: .whole(quota.good)
    case .rests: .whole(quota.rests)
    case .through: .day(quota.through)
    default: .null
    }
  }

  /// Reads such a field off the progress of a sum; all are null without one, and the bounds that it does not have.
  package func value(of progress: SumProgress?) -> StateValue {
    guard let progress else { return .null }
    return switch self {
    case .total: .number(progress.total)
    case .atLeast: progress.atLeast.map { .number($0) } ?? .null
    case .atMost: progress.atMost.map { .number($0) } ?? .null
    case .per: .text(progress.per)
    case .progressThrough: .day(progress.through)
    default: .null
    }
  }

  /// Reads the field off a state.
  package func value(of state: HabitState) -> StateValue {
    switch self {
    case .name: .text(state.name)
    case .icon: .text(state.icon)
    case .current: .whole(state.current)
    case .start: .day(state.start)
    case .best: .whole(state.best)
    case .longest: .whole(state.longest)
    case .lastGood: .day(state.lastGood)
    case .status: .text(state.status.rawValue)
    case .ifMissed: .text(state.ifMissed.rawValue)
    case .safeThrough: .day(state.safeThrough)
    case .held: .whole(state.jokers.held)
    case .earned: .whole(state.jokers.earned)
    case .spent: .whole(state.jokers.spent)
    case .forfeited: .whole(state.jokers.forfeited)
    case .penalised: .whole(state.jokers.penalised)
    case .good: .whole(state.days[.good])
    case .healed: .whole(state.days[.healed])
    case .graced: .whole(state.days[.graced])
    case .missed: .whole(state.days[.missed])
    case .bad: .whole(state.days[.bad])
    case .restarted: .whole(state.days[.restarted])
    case .open: .whole(state.days[.open])
    case .excused: .whole(state.days[.excused])
    case .rest: .whole(state.days[.rest])
    case .times, .quotaGood, .rests, .through: value(of: state.quota)
    case .total, .atLeast, .atMost, .per, .progressThrough: value(of: state.progress)
    case .entries, .minutes, .km, .sets, .drinks, .amount, .played, .completed: value(of: state.totals)
    }
  }
}

extension HabitField {
  /// Whether two states of a habit differ in the field: without making values of it.
  func differs(_ one: HabitState, _ other: HabitState) -> Bool {
    switch self {
    case .name: one.name.spelling != other.name.spelling
    case .icon: one.icon.spelling != other.icon.spelling
    case .current: one.current != other.current
    case .start: one.start != other.start
    case .best: one.best != other.best
    case .longest: one.longest != other.longest
    case .lastGood: one.lastGood != other.lastGood
    case .status: one.status != other.status
    case .ifMissed: one.ifMissed != other.ifMissed
    case .safeThrough: one.safeThrough != other.safeThrough
    case .held, .earned, .spent, .forfeited, .penalised:
      one.jokers != other.jokers && value(of: one) != value(of: other)
    case .times, .quotaGood, .rests, .through:
      one.quota != other.quota && value(of: one) != value(of: other)
    case .total, .atLeast, .atMost, .per, .progressThrough:
      one.progress != other.progress && value(of: one) != value(of: other)
    case .good, .healed, .graced, .missed, .bad, .restarted, .open, .excused, .rest:
      one.days != other.days && value(of: one) != value(of: other)
    case .entries, .minutes, .km, .sets, .drinks, .amount, .played, .completed:
      one.totals != other.totals && value(of: one) != value(of: other)
    }
  }
}
