package import StreakDomain

/// The fields of a habit's state in the order of the state document; the raw value is the path.
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

  /// Creates the field from a word that the user interface uses for it: `run`, `streak` or `record`.
  package init?(onScreens word: String) {
    switch word {
    case "run", "streak": self = .current
    case "record": self = .longest
    default: return nil
    }
  }

  fileprivate struct Row {
    let kind: StateValue.Kind
    let chain: Chain
    let source: Source
    var isNullable = false
    var words: (() -> [String])?
  }

  /// The events that `why` tries first.
  enum Chain {
    /// The events of the run, of the run with its spent jokers, of the longest run, of the last good day.
    case run, held, record, lastGood
    /// The events of today's definition, of its week or month, of all days, or of all entries.
    case definition, period, allDays, entries

    /// Whether the chain includes the last day before its span, such as the day that ended the previous run.
    var needsDayBefore: Bool { self != .definition && self != .period }
  }

  fileprivate enum Source {
    case whole((Streak) -> Int)
    case day((Streak) -> Day?)
    case text((Streak) -> Text?)
    case jokers((JokerCounts) -> Int)
    case days(Verdict)
    case quota((Quota) -> StateValue)
    case progress((SumProgress) -> StateValue)
    case totals((Totals) -> StateValue)
  }

  private var row: Row {
    switch self {
    case .name: Row(kind: .text, chain: .definition, source: .text { $0.name })
    case .icon: Row(kind: .text, chain: .definition, source: .text { $0.icon }, isNullable: true)
    case .current: Row(kind: .number, chain: .run, source: .whole { $0.current })
    case .start: Row(kind: .day, chain: .run, source: .day { $0.start }, isNullable: true)
    case .best: Row(kind: .number, chain: .record, source: .whole { $0.best })
    case .longest: Row(kind: .number, chain: .record, source: .whole { $0.longest })
    case .lastGood: Row(kind: .day, chain: .lastGood, source: .day { $0.lastGood }, isNullable: true)
    case .status:
      Row(
        kind: .text, chain: .run, source: .text { Text($0.status.rawValue) },
        words: { Streak.Status.allCases.map(\.rawValue) })
    case .ifMissed:
      Row(
        kind: .text, chain: .held, source: .text { Text($0.ifMissed.rawValue) },
        words: { Streak.IfMissed.allCases.map(\.rawValue) })
    case .safeThrough:
      Row(kind: .day, chain: .held, source: .day { $0.safeThrough }, isNullable: true)
    case .times: .quota(.number) { .whole($0.times) }
    case .quotaGood: .quota(.number) { .whole($0.good) }
    case .rests: .quota(.number) { .whole($0.rests) }
    case .through: .quota(.day) { .day($0.through) }
    case .total: .progress(.number) { .number($0.total) }
    case .atLeast: .progress(.number) { .number($0.atLeast) }
    case .atMost: .progress(.number) { .number($0.atMost) }
    case .per:
      .progress(.text, words: { ["day"] + Schedule.Period.allCases.map(\.rawValue) }) { .text(Text($0.per)) }
    case .progressThrough: .progress(.day) { .day($0.through) }
    case .held: Row(kind: .number, chain: .held, source: .jokers(\.held))
    case .earned: Row(kind: .number, chain: .allDays, source: .jokers(\.earned))
    case .spent: Row(kind: .number, chain: .allDays, source: .jokers(\.spent))
    case .forfeited: Row(kind: .number, chain: .allDays, source: .jokers(\.forfeited))
    case .penalised: Row(kind: .number, chain: .allDays, source: .jokers(\.penalised))
    case .good: .days(.good)
    case .healed: .days(.healed)
    case .graced: .days(.graced)
    case .missed: .days(.missed)
    case .bad: .days(.bad)
    case .restarted: .days(.restarted)
    case .open: .days(.open)
    case .excused: .days(.excused)
    case .rest: .days(.rest)
    case .entries: .totals { .whole($0.entries) }
    case .minutes: .totals { .number($0.minutes) }
    case .km: .totals { .number($0.km) }
    case .sets: .totals { .whole($0.sets) }
    case .drinks: .totals { .whole($0.drinks) }
    case .amount: .totals { .number($0.amount) }
    case .played: .totals { .whole($0.played) }
    case .completed: .totals { .whole($0.completed) }
    }
  }
}

extension HabitField.Row {
  fileprivate static func quota(
    _ kind: StateValue.Kind, _ read: @escaping (Quota) -> StateValue
  ) -> Self {
    Self(kind: kind, chain: .period, source: .quota(read), isNullable: true)
  }

  fileprivate static func progress(
    _ kind: StateValue.Kind, words: (() -> [String])? = nil, _ read: @escaping (SumProgress) -> StateValue
  ) -> Self {
    Self(kind: kind, chain: .period, source: .progress(read), isNullable: true, words: words)
  }

  fileprivate static func days(_ verdict: Verdict) -> Self {
    Self(kind: .number, chain: .allDays, source: .days(verdict))
  }

  fileprivate static func totals(_ read: @escaping (Totals) -> StateValue) -> Self {
    Self(kind: .number, chain: .entries, source: .totals(read))
  }
}

extension HabitField {
  package var kind: StateValue.Kind { row.kind }
  var chain: Chain { row.chain }
  package var isNullable: Bool { row.isNullable }
  /// The possible values of a text field, or `nil` if it can have any value.
  package var words: [String]? { row.words?() }

  var isTotal: Bool { if case .totals = row.source { true } else { false } }
  private var isProgress: Bool { if case .progress = row.source { true } else { false } }
  /// Whether the field appears in text output, which omits sums because they change with nearly every event.
  package var isShown: Bool {
    switch row.source {
    case .whole, .day, .text, .jokers: true
    case .days, .quota, .progress, .totals: false
    }
  }

  static let shown = allCases.filter(\.isShown)

  package func value(of state: Streak) -> StateValue {
    switch row.source {
    case .whole(let read): .whole(read(state))
    case .day(let read): .day(read(state))
    case .text(let read): .text(read(state))
    case .jokers(let count): .whole(count(state.jokers))
    case .days(let verdict): .whole(state.days[verdict])
    case .quota(let read): state.quota.map(read) ?? .null
    case .progress(let read): state.progress.map(read) ?? .null
    case .totals(let read): read(state.totals)
    }
  }

  /// Returns the same as `value(of: ledger.state(of: habit))`, but cheaply enough for every event.
  package func value(of habit: HabitHandle, in ledger: Ledger) -> StateValue {
    switch self {
    case .current: return .whole(ledger.current(habit))
    case .best: return .whole(ledger.best(habit))
    case .longest: return .whole(ledger.longest(habit))
    case .lastGood: return .day(ledger.lastGood(habit))
    case .status: return .text(Text(ledger.status(habit).rawValue))
    case .ifMissed: return .text(Text(ledger.ifMissed(habit).rawValue))
    case .safeThrough: return .day(ledger.safeThrough(habit))
    case .held: return .whole(ledger.jokersHeld(habit))
    default: break
    }
    return switch row.source {
    case .quota(let read): ledger.quota(habit).map(read) ?? .null
    case .progress(let read): ledger.progress(habit).map(read) ?? .null
    case .totals(let read): read(ledger.totals(of: habit))
    case .whole, .day, .text, .jokers, .days: value(of: ledger.state(of: habit))
    }
  }

  func differs(_ one: Streak, _ other: Streak) -> Bool {
    switch row.source {
    case .whole(let read): read(one) != read(other)
    case .day(let read): read(one) != read(other)
    case .text(let read): read(one) != read(other)
    case .jokers(let count): count(one.jokers) != count(other.jokers)
    case .days(let verdict): one.days[verdict] != other.days[verdict]
    case .quota: one.quota != other.quota && value(of: one) != value(of: other)
    case .progress: one.progress != other.progress && value(of: one) != value(of: other)
    case .totals: one.totals != other.totals && value(of: one) != value(of: other)
    }
  }
}
