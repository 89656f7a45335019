package import StreakDomain

/// A field of a habit's state, such as `jokers.held`; `Difference` lists changes in the order of
/// the cases.
package enum HabitField: Int, CaseIterable, Sendable {
  case name, icon, current, start, best, longest, lastGood, status, ifMissed, safeThrough
  case times, quotaGood, rests, through
  case total, atLeast, atMost, per, progressThrough
  case held, earned, spent, forfeited, penalised
  case good, healed, graced, missed, bad, restarted, open, excused, rest
  case entries, minutes, km, sets, drinks, amount, played, completed

  /// The set of events that the command `why` tries first to explain a field.
  enum Chain {
    /// The events of the current run, and of the earlier runs that earned the jokers spent in the
    /// current run.
    case run
    /// The events of `run`, and of the runs that earned the jokers still held.
    case held
    /// The events of the longest run, and of the earlier runs that earned the jokers spent in the
    /// longest run.
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

  /// The properties of a field, and the function that reads its value from a state.
  private struct Form: Sendable {
    let path: String
    let kind: StateValue.Kind
    let chain: Chain
    /// The possible values, or `nil` if the field isn't limited to a few words.
    var words: [String]?
    var isNullable = false
    let value: @Sendable (Streak) -> StateValue

    init(
      _ path: String, _ kind: StateValue.Kind, _ chain: Chain, _ words: [String]? = nil,
      isNullable: Bool = false, _ value: @escaping @Sendable (Streak) -> StateValue
    ) {
      self.path = path
      self.kind = kind
      self.chain = chain
      self.words = words
      self.value = value
      self.isNullable = isNullable || chain == .period
    }
  }

  private var described: Form {
    switch self {
    case .name: Form("name", .text, .definition) { .text($0.name) }
    case .icon: Form("icon", .text, .definition, isNullable: true) { .text($0.icon) }
    case .current: Form("current", .number, .run) { .whole($0.current) }
    case .start: Form("start", .day, .run, isNullable: true) { .day($0.start) }
    case .best: Form("best", .number, .record) { .whole($0.best) }
    case .longest: Form("longest", .number, .record) { .whole($0.longest) }
    case .lastGood: Form("lastGood", .day, .lastGood, isNullable: true) { .day($0.lastGood) }
    case .status:
      Form("status", .text, .run, Streak.Status.allCases.map(\.rawValue)) {
        .text(Text($0.status.rawValue))
      }
    case .ifMissed:
      Form("ifMissed", .text, .held, Streak.IfMissed.allCases.map(\.rawValue)) {
        .text(Text($0.ifMissed.rawValue))
      }
    case .safeThrough: Form("safeThrough", .day, .held, isNullable: true) { .day($0.safeThrough) }
    case .times: Form("quota.times", .number, .period) { .whole($0.quota?.times) }
    case .quotaGood: Form("quota.good", .number, .period) { .whole($0.quota?.good) }
    case .rests: Form("quota.rests", .number, .period) { .whole($0.quota?.rests) }
    case .through: Form("quota.through", .day, .period) { .day($0.quota?.through) }
    case .total: Form("progress.total", .number, .period) { .number($0.progress?.total) }
    case .atLeast: Form("progress.atLeast", .number, .period) { .number($0.progress?.atLeast) }
    case .atMost: Form("progress.atMost", .number, .period) { .number($0.progress?.atMost) }
    case .per:
      Form("progress.per", .text, .period, ["day"] + Schedule.Period.allCases.map(\.rawValue)) {
        .text($0.progress.map { Text($0.per) })
      }
    case .progressThrough: Form("progress.through", .day, .period) { .day($0.progress?.through) }
    case .held: Form("jokers.held", .number, .held) { .whole($0.jokers.held) }
    case .earned: Form("jokers.earned", .number, .allDays) { .whole($0.jokers.earned) }
    case .spent: Form("jokers.spent", .number, .allDays) { .whole($0.jokers.spent) }
    case .forfeited: Form("jokers.forfeited", .number, .allDays) { .whole($0.jokers.forfeited) }
    case .penalised: Form("jokers.penalised", .number, .allDays) { .whole($0.jokers.penalised) }
    case .good: Form("days.good", .number, .allDays) { .whole($0.days[.good]) }
    case .healed: Form("days.healed", .number, .allDays) { .whole($0.days[.healed]) }
    case .graced: Form("days.graced", .number, .allDays) { .whole($0.days[.graced]) }
    case .missed: Form("days.missed", .number, .allDays) { .whole($0.days[.missed]) }
    case .bad: Form("days.bad", .number, .allDays) { .whole($0.days[.bad]) }
    case .restarted: Form("days.restarted", .number, .allDays) { .whole($0.days[.restarted]) }
    case .open: Form("days.open", .number, .allDays) { .whole($0.days[.open]) }
    case .excused: Form("days.excused", .number, .allDays) { .whole($0.days[.excused]) }
    case .rest: Form("days.rest", .number, .allDays) { .whole($0.days[.rest]) }
    case .entries: Form("totals.entries", .number, .entries) { .whole($0.totals.entries) }
    case .minutes: Form("totals.minutes", .number, .entries) { .number($0.totals.minutes) }
    case .km: Form("totals.km", .number, .entries) { .number($0.totals.km) }
    case .sets: Form("totals.sets", .number, .entries) { .whole($0.totals.sets) }
    case .drinks: Form("totals.drinks", .number, .entries) { .whole($0.totals.drinks) }
    case .amount: Form("totals.amount", .number, .entries) { .number($0.totals.amount) }
    case .played: Form("totals.played", .number, .entries) { .whole($0.totals.played) }
    case .completed: Form("totals.completed", .number, .entries) { .whole($0.totals.completed) }
    }
  }

  private static let forms = allCases.map(\.described)
  private var form: Form { Self.forms[rawValue] }

  /// Creates the field with the path `path`, such as `jokers.held`, or returns `nil` if there is
  /// none.
  init?(path: String) {
    guard let index = Self.forms.firstIndex(where: { $0.path == path }) else { return nil }
    self = Self.allCases[index]
  }

  package var path: String { form.path }
  package var kind: StateValue.Kind { form.kind }
  package var words: [String]? { form.words }
  package var isNullable: Bool { form.isNullable }
  var chain: Chain { form.chain }

  package func value(of state: Streak) -> StateValue { form.value(state) }

  /// Whether text output shows the field; the other fields change with nearly every event.
  package var isShown: Bool {
    switch chain {
    case .period, .entries: false
    case .allDays: [.earned, .spent, .forfeited, .penalised].contains(self)
    case .run, .held, .record, .lastGood, .definition: true
    }
  }

  static let shown = allCases.filter(\.isShown)
}
