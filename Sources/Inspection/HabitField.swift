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
    let part: Part
    let isNullable: Bool
    let words: (() -> [String])?
    let read: (Streak) -> StateValue

    init(
      _ kind: StateValue.Kind, _ chain: Chain, of part: Part = .run, nullable: Bool = false,
      words: (() -> [String])? = nil, _ read: @escaping (Streak) -> StateValue
    ) {
      (self.kind, self.chain, self.part, self.read) = (kind, chain, part, read)
      (isNullable, self.words) = (nullable, words)
    }

    static func days(_ verdict: Verdict) -> Row {
      Row(.number, .allDays, of: .days) { .whole($0.days[verdict]) }
    }

    static func jokers(_ chain: Chain = .allDays, _ read: @escaping (JokerCounts) -> Int) -> Row {
      Row(.number, chain) { .whole(read($0.jokers)) }
    }

    static func quota(_ kind: StateValue.Kind, _ read: @escaping (Quota) -> StateValue) -> Row {
      Row(kind, .period, of: .quota, nullable: true) { $0.quota.map(read) ?? .null }
    }

    static func progress(
      _ kind: StateValue.Kind, words: (() -> [String])? = nil, _ read: @escaping (SumProgress) -> StateValue
    ) -> Row {
      Row(kind, .period, of: .progress, nullable: true, words: words) { $0.progress.map(read) ?? .null }
    }

    static func totals(_ read: @escaping (Totals) -> StateValue) -> Row {
      Row(.number, .entries, of: .totals) { read($0.totals) }
    }
  }

  private var row: Row {
    switch self {
    case .name: Row(.text, .definition) { .text($0.name) }
    case .icon: Row(.text, .definition, nullable: true) { .text($0.icon) }
    case .current: Row(.number, .run) { .whole($0.current) }
    case .start: Row(.day, .run, nullable: true) { .day($0.start) }
    case .best: Row(.number, .record) { .whole($0.best) }
    case .longest: Row(.number, .record) { .whole($0.longest) }
    case .lastGood: Row(.day, .lastGood, nullable: true) { .day($0.lastGood) }
    case .status:
      Row(.text, .run, words: { Streak.Status.allCases.map(\.rawValue) }) { .text(Text($0.status.rawValue)) }
    case .ifMissed:
      Row(.text, .held, words: { Streak.IfMissed.allCases.map(\.rawValue) }) {
        .text(Text($0.ifMissed.rawValue))
      }
    case .safeThrough: Row(.day, .held, nullable: true) { .day($0.safeThrough) }
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
    case .held: .jokers(.held, \.held)
    case .earned: .jokers { $0.earned }
    case .spent: .jokers { $0.spent }
    case .forfeited: .jokers { $0.forfeited }
    case .penalised: .jokers { $0.penalised }
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
  package var words: [String]? { row.words?() }
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
