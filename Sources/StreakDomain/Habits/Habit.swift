/// What a habit asks for and forgives, from one day on: the payload of `habit.defined`.
///
/// ```swift
/// var reading = Habit("reading", rule: .sum(of: .amount, unit: "pages", atLeast: 20))
/// reading.schedule = .times(5, per: .week)
/// reading.forgiveness = .joker(JokerRule(every: 7, cap: 3))
/// try await folder.append(.habit(reading), now: .now)
/// ```
public struct Habit: Identifiable, Sendable, Equatable {
  /// What events call it: 1 to 64 of `a-z 0-9 _ - .`, the first a letter.
  public package(set) var id: String
  /// The name to show; nil where that is the id.
  public var name: LedgerText?
  /// A sign to show before the name.
  public var icon: LedgerText?
  /// A colour to show, in the app's own form, such as `#0ebf6e`.
  public var color: LedgerText?
  /// What it is shown with, such as `ritual`; `strength` and `cardio` count for activity.
  public var group: LedgerText?
  /// When a day is good.
  public var rule: Rule
  /// Which days it asks for; nil asks for every day.
  public var schedule: Schedule?
  /// What saves a run on a day that was not good; nil is nothing.
  public var forgiveness: Forgiveness?
  package var streak: Bool?
  /// The day from which it counts; nil counts from the first entry, or from its definition where a day without an
  /// entry is good.
  public var countsFrom: Day?
  /// Lengths of a run that are worth a celebration; nil is ``usualMilestones``.
  public var milestones: [Int]?
  package var xp: Experience?

  /// A habit that asks for something every day and forgives nothing.
  public init(_ id: String, rule: Rule) {
    self.id = id
    self.rule = rule
  }

  /// Whether it counts a streak; without one, entries are only summed up.
  public var hasStreak: Bool {
    get { streak ?? true }
    set { streak = newValue ? nil : false }
  }

  /// Whether it has the rule, the schedule and the forgiveness of another, whatever it is called.
  func asks(as other: Habit) -> Bool {
    rule == other.rule && schedule == other.schedule && streak ?? true == other.streak ?? true
      && forgiveness ?? Forgiveness.nothing == other.forgiveness ?? Forgiveness.nothing
  }

  /// Run lengths worth a celebration when a definition names none.
  public static let usualMilestones = [3, 7, 14, 30, 60, 100, 365]
}

/// What saves a run on a day that was not good (domain.md, "The fold").
public enum Forgiveness: Sendable, Equatable {
  /// The run ends.
  case nothing
  /// Jokers are earned by runs, and one is spent to save a day.
  case joker(JokerRule)
  /// So many missed days in a row are tolerated.
  case grace(days: Int)

  /// The kinds of forgiveness by name.
  package enum Name: String, CaseIterable, Sendable {
    case joker, grace
    case nothing = "none"
  }

  /// How many jokers can be held; nil without jokers.
  public var cap: Int? { if case .joker(let rule) = self { rule.cap } else { nil } }
}

extension Habit {
  /// Whether both ask for the same and forgive the same; a field that is left open says what holds by itself.
  package func saysTheSame(as other: Habit) -> Bool {
    func written(_ habit: Habit) -> Habit {
      var habit = habit
      (habit.forgiveness, habit.streak) = (habit.forgiveness ?? Forgiveness.nothing, habit.streak ?? true)
      return habit
    }
    return written(self) == written(other)
  }

  /// The icon, and the name or else the id; not escaped.
  package var title: String {
    [icon?.string, name?.string ?? id].compactMap { $0 }.joined(separator: " ")
  }
}

/// How jokers are earned, spent and taken away.
public struct JokerRule: Sendable, Equatable {
  /// A joker is earned at each multiple of this run length; at least 2.
  public var every: Int
  /// At most so many are held; at least 1.
  public var cap: Int
  /// The outcomes a joker heals; absent: `missed`, `slip`, `over`, and every bad level of a `level` rule.
  public var heals: [LedgerText]?
  /// Jokers taken by an unhealed bad outcome.
  public var penalty: [Penalty]

  /// What an outcome takes.
  public struct Penalty: Sendable, Equatable {
    /// The outcome's name.
    public let outcome: LedgerText
    /// How many jokers it takes.
    public let jokers: Int

    /// An outcome that takes so many jokers.
    public init(outcome: LedgerText, jokers: Int) {
      self.outcome = outcome
      self.jokers = jokers
    }
  }

  /// A joker at each multiple of `every` days, of which `cap` are held at most.
  public init(every: Int, cap: Int, heals: [LedgerText]? = nil, penalty: [Penalty] = []) {
    self.every = every
    self.cap = cap
    self.heals = heals
    self.penalty = penalty
  }
}

/// Experience points of a qualifying entry: a base, and every bonus one of whose measures it reaches.
package struct Experience: Sendable, Equatable {
  package var base: Int
  package var bonus: [Bonus]

  package struct Bonus: Sendable, Equatable {
    package let threshold: Measures
    package let xp: Int

    package init(threshold: Measures, xp: Int) {
      self.threshold = threshold
      self.xp = xp
    }
  }

  package init(base: Int, bonus: [Bonus]) {
    self.base = base
    self.bonus = bonus
  }

  package func points(for measures: Measures) -> Int {
    bonus.reduce(base) { $0 + (measures.reachesOne(of: $1.threshold) ? $1.xp : 0) }
  }
}
