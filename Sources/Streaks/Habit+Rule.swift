import StreakDomain

extension Habit {
  /// When a day is good.
  public enum Rule: Equatable, Sendable {
    /// So many minutes over the day.
    case minutes(atLeast: Double)
    /// The level of the day's last entry is one of the good ones.
    case level([Level], good: [String])
    /// Any entry.
    case any
    /// No entry at all.
    case none
    /// The day's last entry says completed.
    case completed
    /// The sum of the entries is within bounds, of which there is at least one.
    ///
    /// It is the sum of a day, or of an ISO week or a calendar month with `per`. Such a habit has no schedule: each
    /// week or month counts once, on the day that decides it.
    case sum(
      of: Measure, unit: String? = nil, atLeast: Double? = nil, atMost: Double? = nil,
      per: Schedule.Period? = nil)
    /// An entry reaches what its activity asks for.
    case activity([Threshold])
    /// All of other habits are good.
    case all(of: [String])
    /// One of other habits is good.
    case either(of: [String])
  }

  /// What can be added up over the entries of a day.
  public enum Measure: String, Codable, CaseIterable, Sendable {
    case entries, minutes, km, sets, drinks, amount
  }

  /// A named band of drinks.
  public struct Level: Hashable, Sendable {
    /// What an entry names it by, such as `steady`.
    public var name: String
    /// The fewest drinks that it takes in.
    public var low: Int
    /// The most that it takes in; nil has no end.
    public var high: Int?

    /// Drinks from `low` through `high`; without `high` any number from `low` on.
    public init(_ name: String, from low: Int, through high: Int?) {
      self.name = name
      self.low = low
      self.high = high
    }
  }

  /// What an activity must reach; one of the measures is enough.
  public struct Threshold: Hashable, Sendable {
    /// Its name, or `*` for every other.
    public var activity: String
    /// Minutes that are enough, to a thousandth; nil where no number of them is, here and below.
    public var minutes: Double?
    /// Kilometres that are enough.
    public var km: Double?
    /// Sets that are enough.
    public var sets: Double?

    /// What one of an activity's measures must reach; with none of them it is never reached.
    public init(_ activity: String, minutes: Double? = nil, km: Double? = nil, sets: Double? = nil) {
      self.activity = activity
      self.minutes = minutes
      self.km = km
      self.sets = sets
    }
  }

  /// Which days a habit asks for.
  public enum Schedule: Hashable, Sendable {
    case daily
    case weekdays(Set<Weekday>)
    case times(Int, per: Period)
    /// One good day in so many.
    case every(days: Int)

    /// In what days are asked for so many times, or entries are added up.
    public enum Period: String, Codable, CaseIterable, Sendable {
      case week, month
    }
  }

  /// What saves a run on a day that was not good.
  public enum Forgiveness: Hashable, Sendable {
    case none
    /// So many missed days in a row are tolerated.
    case grace(days: Int)
    /// A joker is earned at each multiple of a run's length, at most `cap` are held, and one is spent to save a day.
    ///
    /// `heals` names the outcomes that a joker saves, nil all that were not good; `penalty` says how many jokers a bad
    /// outcome takes.
    case joker(every: Int, cap: Int, heals: [String]? = nil, penalty: [String: Int] = [:])
  }
}

extension Habit.Rule {
  init(_ kind: StreakDomain.Rule.Kind) {
    switch kind {
    case .minutes(let atLeast): self = .minutes(atLeast: Double(atLeast))
    case .level(let levels):
      self = .level(
        levels.bands.map { Habit.Level($0.name.string, from: $0.low, through: $0.high) },
        good: levels.good.strings)
    case .any: self = .any
    case .none: self = .none
    case .completed: self = .completed
    case .sum(let sum):
      self = .sum(
        of: Habit.Measure(sum.of), unit: sum.unit?.string, atLeast: sum.atLeast.map { Double($0) },
        atMost: sum.atMost.map { Double($0) }, per: sum.per.map { Habit.Schedule.Period($0) })
    case .activity(let thresholds):
      self = .activity(
        thresholds.map {
          Habit.Threshold(
            $0.activity.string, minutes: $0.measures.minutes.map { Double($0) },
            km: $0.measures.km.map { Double($0) }, sets: $0.measures.sets.map { Double($0) })
        })
    case .all(let members): self = .all(of: members)
    case .either(let members): self = .either(of: members)
    }
  }

  /// What a number that says no measure counts under the rule.
  package var measure: Habit.Measure? { StreakDomain.Rule(kind).measure.map { Habit.Measure($0) } }

  var kind: StreakDomain.Rule.Kind {
    switch self {
    case .minutes(let atLeast): .minutes(atLeast: Thousandths(atLeast))
    case .level(let levels, let good):
      .level(
        Levels(
          levels.map { Level(name: Text($0.name), low: $0.low, high: $0.high) }, good: good.map { Text($0) }))
    case .any: .any
    case .none: .none
    case .completed: .completed
    case .sum(let measure, let unit, let atLeast, let atMost, let per):
      .sum(
        Sum(
          of: measure.measure, unit: unit.map { Text($0) }, atLeast: atLeast.map { Thousandths($0) },
          atMost: atMost.map { Thousandths($0) }, per: per?.period))
    case .activity(let thresholds):
      .activity(
        thresholds.map { threshold in
          let measures = Measures(
            minutes: threshold.minutes.map { Thousandths($0) }, km: threshold.km.map { Thousandths($0) },
            sets: threshold.sets.map { Thousandths($0) })
          return ActivityThreshold(activity: Text(threshold.activity), measures: measures)
        })
    case .all(let members): .all(of: members)
    case .either(let members): .either(of: members)
    }
  }
}

extension Habit.Measure {
  init(_ measure: Measure) {
    switch measure {
    case .entries: self = .entries
    case .minutes: self = .minutes
    case .km: self = .km
    case .sets: self = .sets
    case .drinks: self = .drinks
    case .amount: self = .amount
    }
  }

  var measure: Measure {
    switch self {
    case .entries: .entries
    case .minutes: .minutes
    case .km: .km
    case .sets: .sets
    case .drinks: .drinks
    case .amount: .amount
    }
  }
}

extension Habit.Schedule.Period {
  init(_ period: StreakDomain.Schedule.Period) {
    switch period {
    case .week: self = .week
    case .month: self = .month
    }
  }

  var period: StreakDomain.Schedule.Period {
    switch self {
    case .week: .week
    case .month: .month
    }
  }
}

extension Habit.Schedule {
  init(_ schedule: StreakDomain.Schedule) {
    switch schedule {
    case .weekdays(let days): self = .weekdays(Set(days.days.map { Weekday.allCases[$0.number] }))
    case .times(let times, let per): self = .times(times, per: Period(per))
    case .every(let days): self = .every(days: days)
    }
  }

  /// nil asks for every day.
  var schedule: StreakDomain.Schedule? {
    switch self {
    case .daily: nil
    case .weekdays(let days):
      .weekdays(Weekdays(StreakDomain.Weekday.allCases.filter { days.contains(Weekday.allCases[$0.number]) }))
    case .times(let times, let per): .times(times, per: per.period)
    case .every(let days): .every(days)
    }
  }
}

extension Habit.Forgiveness {
  init(_ forgiveness: StreakDomain.Forgiveness) {
    switch forgiveness {
    case .none: self = .none
    case .grace(let days): self = .grace(days: days)
    case .joker(let rule):
      let penalty = rule.penalty.map { ($0.outcome.string, $0.jokers) }
      self = .joker(
        every: rule.every, cap: rule.cap, heals: rule.heals?.strings,
        penalty: Dictionary(penalty, uniquingKeysWith: { $1 }))
    }
  }

  var forgiveness: StreakDomain.Forgiveness {
    switch self {
    case .none: .none
    case .grace(let days): .grace(days: days)
    case .joker(let every, let cap, let heals, let penalty):
      .joker(
        JokerRule(
          every: every, cap: cap, heals: heals?.map { Text($0) },
          penalty: penalty.map { JokerRule.Penalty(outcome: Text($0.key), jokers: $0.value) }
            .sorted { $0.outcome < $1.outcome }))
    }
  }
}
