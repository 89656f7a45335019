package import StreakDomain

/// A field of a habit's state.
///
/// The raw value is the field's path, such as `jokers.held`. `Difference` lists changed fields in the order of the
/// cases.
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

  /// Creates the field that text output calls `word`: `current` for `run` and `streak`, `longest` for `record`.
  ///
  /// Returns `nil` for other words.
  package init?(onScreens word: String) {
    switch word {
    case "run", "streak": self = .current
    case "record": self = .longest
    default: return nil
    }
  }

  /// The set of events that the command `why` tries first to explain a field.
  enum Chain {
    /// The current run, and the earlier runs that earned the jokers spent in it.
    case run
    /// The events of `run`, and the runs that earned the jokers still held.
    case held
    /// The longest run, and the earlier runs that earned the jokers spent in it.
    case record
    /// The last good day.
    case lastGood
    /// Today, with the definition in force.
    case definition
    /// The current week or month.
    case period
    /// All days up to today.
    case allDays
    /// All entries.
    case entries

    /// Whether the set includes the day before, because that day may have ended the previous run.
    var needsDayBefore: Bool { self != .definition && self != .period }
  }

  /// The part of a habit's state that contains the field, with `run` for all other fields.
  private enum Part { case run, days, quota, progress, totals }

  private struct Row {
    let kind: StateValue.Kind
    let chain: Chain
    var part = Part.run
    var isNullable = false
    let read: (Streak) -> StateValue

    static func count(_ chain: Chain, of part: Part = .run, _ read: @escaping (Streak) -> Int) -> Row {
      Row(kind: .number, chain: chain, part: part) { .whole(read($0)) }
    }

    static func day(_ chain: Chain, _ read: @escaping (Streak) -> Day?) -> Row {
      Row(kind: .day, chain: chain, isNullable: true) { .day(read($0)) }
    }

    static func quota(_ kind: StateValue.Kind, _ read: @escaping (Quota) -> StateValue) -> Row {
      Row(kind: kind, chain: .period, part: .quota, isNullable: true) { $0.quota.map(read) ?? .null }
    }

    static func progress(_ kind: StateValue.Kind, _ read: @escaping (SumProgress) -> StateValue) -> Row {
      Row(kind: kind, chain: .period, part: .progress, isNullable: true) { $0.progress.map(read) ?? .null }
    }

    static func days(_ verdict: Verdict) -> Row { count(.allDays, of: .days) { $0.days[verdict] } }

    static func totals(_ read: @escaping (Totals) -> StateValue) -> Row {
      Row(kind: .number, chain: .entries, part: .totals) { read($0.totals) }
    }
  }

  private var row: Row {
    switch self {
    case .name: Row(kind: .text, chain: .definition) { .text($0.name) }
    case .icon: Row(kind: .text, chain: .definition, isNullable: true) { .text($0.icon) }
    case .current: .count(.run, \.current)
    case .start: .day(.run, \.start)
    case .best: .count(.record, \.best)
    case .longest: .count(.record, \.longest)
    case .lastGood: .day(.lastGood, \.lastGood)
    case .status: Row(kind: .text, chain: .run) { .text(Text($0.status.rawValue)) }
    case .ifMissed: Row(kind: .text, chain: .held) { .text(Text($0.ifMissed.rawValue)) }
    case .safeThrough: .day(.held, \.safeThrough)
    case .times: .quota(.number) { .whole($0.times) }
    case .quotaGood: .quota(.number) { .whole($0.good) }
    case .rests: .quota(.number) { .whole($0.rests) }
    case .through: .quota(.day) { .day($0.through) }
    case .total: .progress(.number) { .number($0.total) }
    case .atLeast: .progress(.number) { .number($0.atLeast) }
    case .atMost: .progress(.number) { .number($0.atMost) }
    case .per: .progress(.text) { .text(Text($0.per)) }
    case .progressThrough: .progress(.day) { .day($0.through) }
    case .held: .count(.held) { $0.jokers.held }
    case .earned: .count(.allDays) { $0.jokers.earned }
    case .spent: .count(.allDays) { $0.jokers.spent }
    case .forfeited: .count(.allDays) { $0.jokers.forfeited }
    case .penalised: .count(.allDays) { $0.jokers.penalised }
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

  package var kind: StateValue.Kind { row.kind }
  var chain: Chain { row.chain }
  package var isNullable: Bool { row.isNullable }
  /// The possible values of a text field, or `nil` if it can have any value.
  package var words: [String]? {
    switch self {
    case .status: Streak.Status.allCases.map(\.rawValue)
    case .ifMissed: Streak.IfMissed.allCases.map(\.rawValue)
    case .per: ["day"] + Schedule.Period.allCases.map(\.rawValue)
    default: nil
    }
  }
  /// Whether text output shows the field.
  ///
  /// It doesn't show totals, counts of days, quotas and progress, because they change with nearly every event.
  package var isShown: Bool { row.part == .run }

  static let shown = allCases.filter(\.isShown)

  package func value(of state: Streak) -> StateValue { row.read(state) }

  /// Whether the field differs between two states.
  ///
  /// Days, quotas, progress and totals are first compared as a whole, because they are usually equal.
  func differs(_ one: Streak, _ other: Streak) -> Bool {
    let row = row
    switch row.part {
    case .days where one.days == other.days, .quota where one.quota == other.quota,
      .progress where one.progress == other.progress, .totals where one.totals == other.totals:
      return false
    default: return row.read(one) != row.read(other)
    }
  }
}
