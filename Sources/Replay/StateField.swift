package import StreakDomain

/// The fields of a habit's state, in the order of the state document; the raw value is the path.
package enum HabitField: String, CaseIterable, Sendable {
  case name, icon, current, start, best, longest, lastGood, status, ifMissed, safeThrough
  case times = "quota.times"
  case quotaGood = "quota.good"
  case rests = "quota.rests"
  case through = "quota.through"
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

  /// Which events `blame` looks for first.
  enum Chain {
    /// Those of the run, of the run and the jokers that it spends, of the longest run, of the last good day.
    case run, held, record, lastGood
    /// Those of today's definition, of all days, of all entries.
    case definition, allDays, entries
  }

  /// What a field is part of: what people are shown of a habit, or what moves with every event or day.
  private enum Part { case run, quota, days, totals }
  private enum Words { case any, statuses, ifMissed }

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
    case .good, .healed, .graced, .missed, .bad, .restarted, .open, .excused, .rest:
      Traits(kind: .number, chain: .allDays, part: .days)
    case .entries, .minutes, .km, .sets, .drinks, .amount, .played, .completed:
      Traits(kind: .number, chain: .entries, part: .totals)
    }
  }

  package var kind: StateValue.Kind { traits.kind }
  var chain: Chain { traits.chain }
  package var isNullable: Bool { traits.isNullable }
  /// Whether it sums up entries, so that an entry can change it that changes no day.
  var isTotal: Bool { traits.part == .totals }
  /// Whether people are shown it: sums over entries and days come with every event.
  package var isShown: Bool { traits.part == .run }

  /// The only words that the field may be, where there are few.
  package var words: [String]? {
    switch traits.words {
    case .any: nil
    case .statuses: HabitState.Status.allCases.map(\.rawValue)
    case .ifMissed: HabitState.IfMissed.allCases.map(\.rawValue)
    }
  }

  /// The fields that people are shown.
  static let shown = allCases.filter(\.isShown)

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
    case .good, .healed, .graced, .missed, .bad, .restarted, .open, .excused, .rest:
      one.days != other.days && value(of: one) != value(of: other)
    case .entries, .minutes, .km, .sets, .drinks, .amount, .played, .completed:
      one.totals != other.totals && value(of: one) != value(of: other)
    }
  }
}

/// The fields of a state that belong to no habit; the raw value is the path.
package enum LedgerField: String, CaseIterable, Sendable {
  case position, today, zone
  case strengthDays = "activity.strengthDays"
  case cardioDays = "activity.cardioDays"
  case mixedDays = "activity.mixedDays"
  case lastActivity = "activity.lastActivity"
  case xp, achievements, celebrations

  /// The fields of the activity state.
  static let activity: [LedgerField] = [.strengthDays, .cardioDays, .mixedDays, .lastActivity]

  /// Reads a field of the activity state.
  func value(of activity: Activity) -> StateValue {
    switch self {
    case .strengthDays: .whole(activity.strengthDays)
    case .cardioDays: .whole(activity.cardioDays)
    case .mixedDays: .whole(activity.mixedDays)
    case .lastActivity: .text(activity.lastActivity)
    default: .null
    }
  }

  package var kind: StateValue.Kind {
    switch self {
    case .position, .strengthDays, .cardioDays, .mixedDays, .xp: .number
    case .today: .day
    case .zone, .lastActivity: .text
    case .achievements, .celebrations: .keys
    }
  }

  package var isNullable: Bool {
    switch self {
    case .today, .zone, .lastActivity: true
    default: false
    }
  }

  /// The only words that the field may be, where there are few.
  package var words: [String]? { self == .lastActivity ? ["strength", "cardio", "both"] : nil }

  /// Reads the field off a ledger.
  package func value(of ledger: Ledger, at place: StreamPlace) -> StateValue {
    switch self {
    case .position: .whole(place.position)
    case .today: .day(place.position == 0 ? nil : ledger.today)
    case .zone: .text(place.zone)
    case .strengthDays: .whole(ledger.activity.strengthDays)
    case .cardioDays: .whole(ledger.activity.cardioDays)
    case .mixedDays: .whole(ledger.activity.mixedDays)
    case .lastActivity: .text(ledger.activity.lastActivity)
    case .xp: .whole(ledger.xp)
    case .achievements: .keys(ledger.achievements().map(\.key))
    case .celebrations: .keys(ledger.celebrations().map(\.key))
    }
  }
}

/// A field of a state by its path: `noalc.jokers.held`, `xp`.
package enum StateField: Hashable, Sendable {
  case habit(String, HabitField)
  case ledger(LedgerField)

  package var kind: StateValue.Kind {
    switch self {
    case .habit(_, let field): field.kind
    case .ledger(let field): field.kind
    }
  }

  package var isNullable: Bool {
    switch self {
    case .habit(_, let field): field.isNullable
    case .ledger(let field): field.isNullable
    }
  }

  /// The only words that the field may be, where there are few.
  package var words: [String]? {
    switch self {
    case .habit(_, let field): field.words
    case .ledger(let field): field.words
    }
  }

  /// Every field of a ledger with its value: the ledger's own first, then habit by habit.
  package static func all(of ledger: Ledger) -> [(field: StateField, value: StateValue)] {
    let place = StreamPlace(of: ledger)
    let own = LedgerField.allCases.map {
      (field: StateField.ledger($0), value: $0.value(of: ledger, at: place))
    }
    return own
      + ledger.states().flatMap { state in
        HabitField.allCases.map { (field: .habit(state.habit, $0), value: $0.value(of: state)) }
      }
  }
}

extension StateField: CustomStringConvertible {
  /// The path.
  package var description: String {
    switch self {
    case .habit(let habit, let field): "\(habit).\(field.rawValue)"
    case .ledger(let field): field.rawValue
    }
  }
}
