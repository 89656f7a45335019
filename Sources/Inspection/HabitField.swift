package import StreakDomain

/// A field of a habit's state, such as `jokers.held`; `Difference` lists changes in the order of the cases.
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

  /// The set of events that the command `why` tries first to explain a field.
  enum Chain {
    /// The events of the current run, and of the earlier runs that earned the jokers spent in the current run.
    case run
    /// The events of `run`, and of the runs that earned the jokers still held.
    case held
    /// The events of the longest run, and of the earlier runs that earned the jokers spent in the longest run.
    case record
    case lastGood
    /// The events of today, and the definition in force, even if it is older.
    case definition
    /// The events of the current week or month.
    case period
    case allDays
    case entries

    /// Whether the chain includes the day before its days, which may have ended the previous run.
    var needsDayBefore: Bool { self != .definition && self != .period }
  }

  var chain: Chain {
    switch self {
    case .name, .icon: .definition
    case .current, .start, .status: .run
    case .best, .longest: .record
    case .lastGood: .lastGood
    case .ifMissed, .safeThrough, .held: .held
    case .times, .quotaGood, .rests, .through, .total, .atLeast, .atMost, .per, .progressThrough: .period
    case .earned, .spent, .forfeited, .penalised, .good, .healed, .graced, .missed, .bad, .restarted, .open,
      .excused, .rest:
      .allDays
    case .entries, .minutes, .km, .sets, .drinks, .amount, .played, .completed: .entries
    }
  }

  package var kind: StateValue.Kind {
    switch self {
    case .name, .icon, .status, .ifMissed, .per: .text
    case .start, .lastGood, .safeThrough, .through, .progressThrough: .day
    default: .number
    }
  }

  package var isNullable: Bool {
    [.icon, .start, .lastGood, .safeThrough].contains(self) || chain == .period
  }

  /// The possible values of the field, or `nil` if the field isn't limited to a few words.
  package var words: [String]? {
    switch self {
    case .status: Streak.Status.allCases.map(\.rawValue)
    case .ifMissed: Streak.IfMissed.allCases.map(\.rawValue)
    case .per: ["day"] + Schedule.Period.allCases.map(\.rawValue)
    default: nil
    }
  }

  /// Whether text output shows the field; the other fields change with nearly every event.
  package var isShown: Bool {
    switch chain {
    case .period, .entries: false
    case .allDays: [.earned, .spent, .forfeited, .penalised].contains(self)
    case .run, .held, .record, .lastGood, .definition: true
    }
  }

  static let shown = allCases.filter(\.isShown)

  package func value(of state: Streak) -> StateValue {
    switch self {
    case .name: .text(state.name)
    case .icon: .text(state.icon)
    case .current: .whole(state.current)
    case .start: .day(state.start)
    case .best: .whole(state.best)
    case .longest: .whole(state.longest)
    case .lastGood: .day(state.lastGood)
    case .status: .text(Text(state.status.rawValue))
    case .ifMissed: .text(Text(state.ifMissed.rawValue))
    case .safeThrough: .day(state.safeThrough)
    case .times: .whole(state.quota?.times)
    case .quotaGood: .whole(state.quota?.good)
    case .rests: .whole(state.quota?.rests)
    case .through: .day(state.quota?.through)
    case .total: .number(state.progress?.total)
    case .atLeast: .number(state.progress?.atLeast)
    case .atMost: .number(state.progress?.atMost)
    case .per: .text(state.progress.map { Text($0.per) })
    case .progressThrough: .day(state.progress?.through)
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
    case .entries: .whole(state.totals.entries)
    case .minutes: .number(state.totals.minutes)
    case .km: .number(state.totals.km)
    case .sets: .whole(state.totals.sets)
    case .drinks: .whole(state.totals.drinks)
    case .amount: .number(state.totals.amount)
    case .played: .whole(state.totals.played)
    case .completed: .whole(state.totals.completed)
    }
  }
}
