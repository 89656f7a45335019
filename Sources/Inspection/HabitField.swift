package import StreakDomain

/// A field of a habit's state, such as `jokers.held`.
///
/// Each field of `Streak` and of its parts needs a case. `Difference` lists changes in the order of
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
    /// Today's events, and the event, perhaps from long ago, that defined the habit as it is now.
    case definition
    /// The events of the current week or month.
    case period
    case allDays
    case entries

    /// Whether the chain includes the day before its days, which may have ended the previous run.
    var needsDayBefore: Bool {
      switch self {
      case .run, .held, .record, .lastGood, .allDays, .entries: true
      case .definition, .period: false
      }
    }
  }

  /// The properties of a field, and the function that reads its value from a state.
  private struct Properties: Sendable {
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

  private static func properties(of field: HabitField) -> Properties {
    switch field {
    case .name: .init("name", .text, .definition) { .text($0.name) }
    case .icon: .init("icon", .text, .definition, isNullable: true) { .text($0.icon) }
    case .current: .init("current", .number, .run) { .whole($0.current) }
    case .start: .init("start", .day, .run, isNullable: true) { .day($0.start) }
    case .best: .init("best", .number, .record) { .whole($0.best) }
    case .longest: .init("longest", .number, .record) { .whole($0.longest) }
    case .lastGood: .init("lastGood", .day, .lastGood, isNullable: true) { .day($0.lastGood) }
    case .status:
      .init("status", .text, .run, Streak.Status.allCases.map(\.rawValue)) {
        .text(Text($0.status.rawValue))
      }
    case .ifMissed:
      .init("ifMissed", .text, .held, Streak.IfMissed.allCases.map(\.rawValue)) {
        .text(Text($0.ifMissed.rawValue))
      }
    case .safeThrough: .init("safeThrough", .day, .held, isNullable: true) { .day($0.safeThrough) }

    case .times: .init("quota.times", .number, .period) { .whole($0.quota?.times) }
    case .quotaGood: .init("quota.good", .number, .period) { .whole($0.quota?.good) }
    case .rests: .init("quota.rests", .number, .period) { .whole($0.quota?.rests) }
    case .through: .init("quota.through", .day, .period) { .day($0.quota?.through) }

    case .total: .init("progress.total", .number, .period) { .number($0.progress?.total) }
    case .atLeast: .init("progress.atLeast", .number, .period) { .number($0.progress?.atLeast) }
    case .atMost: .init("progress.atMost", .number, .period) { .number($0.progress?.atMost) }
    case .per:
      .init("progress.per", .text, .period, ["day"] + Schedule.Period.allCases.map(\.rawValue)) {
        .text($0.progress.map { Text($0.per) })
      }
    case .progressThrough: .init("progress.through", .day, .period) { .day($0.progress?.through) }

    case .held: .init("jokers.held", .number, .held) { .whole($0.jokers.held) }
    case .earned: .init("jokers.earned", .number, .allDays) { .whole($0.jokers.earned) }
    case .spent: .init("jokers.spent", .number, .allDays) { .whole($0.jokers.spent) }
    case .forfeited: .init("jokers.forfeited", .number, .allDays) { .whole($0.jokers.forfeited) }
    case .penalised: .init("jokers.penalised", .number, .allDays) { .whole($0.jokers.penalised) }

    case .good: .init("days.good", .number, .allDays) { .whole($0.days[.good]) }
    case .healed: .init("days.healed", .number, .allDays) { .whole($0.days[.healed]) }
    case .graced: .init("days.graced", .number, .allDays) { .whole($0.days[.graced]) }
    case .missed: .init("days.missed", .number, .allDays) { .whole($0.days[.missed]) }
    case .bad: .init("days.bad", .number, .allDays) { .whole($0.days[.bad]) }
    case .restarted: .init("days.restarted", .number, .allDays) { .whole($0.days[.restarted]) }
    case .open: .init("days.open", .number, .allDays) { .whole($0.days[.open]) }
    case .excused: .init("days.excused", .number, .allDays) { .whole($0.days[.excused]) }
    case .rest: .init("days.rest", .number, .allDays) { .whole($0.days[.rest]) }

    case .entries: .init("totals.entries", .number, .entries) { .whole($0.totals.entries) }
    case .minutes: .init("totals.minutes", .number, .entries) { .number($0.totals.minutes) }
    case .km: .init("totals.km", .number, .entries) { .number($0.totals.km) }
    case .sets: .init("totals.sets", .number, .entries) { .whole($0.totals.sets) }
    case .drinks: .init("totals.drinks", .number, .entries) { .whole($0.totals.drinks) }
    case .amount: .init("totals.amount", .number, .entries) { .number($0.totals.amount) }
    case .played: .init("totals.played", .number, .entries) { .whole($0.totals.played) }
    case .completed: .init("totals.completed", .number, .entries) { .whole($0.totals.completed) }
    }
  }

  private static let allProperties = allCases.map(properties(of:))
  private var properties: Properties { Self.allProperties[rawValue] }

  /// Creates the field with the path `path`, such as `jokers.held`, or returns `nil` if there is
  /// none.
  init?(path: String) {
    guard let index = Self.allProperties.firstIndex(where: { $0.path == path }) else { return nil }
    self = Self.allCases[index]
  }

  package var path: String { properties.path }
  package var kind: StateValue.Kind { properties.kind }
  package var words: [String]? { properties.words }
  package var isNullable: Bool { properties.isNullable }
  var chain: Chain { properties.chain }

  package func value(of state: Streak) -> StateValue { properties.value(state) }

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
