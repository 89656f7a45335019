/// What a habit asks for and forgives, from one day on: the payload of `habit.defined`.
package struct Definition: Sendable, Equatable {
  @Spelled package var habit: String
  @Spelled package var name: String?
  @Spelled package var icon: String?
  @Spelled package var color: String?
  @Spelled package var group: String?
  package var rule: Rule
  package var schedule: Schedule?
  package var forgiveness: Forgiveness?
  package var streak: Bool?
  package var countsFrom: Day?
  package var milestones: [Int]?
  package var xp: Experience?

  package init(habit: String, rule: Rule) {
    self.habit = habit
    self.rule = rule
  }

  /// Run lengths worth a celebration when a definition names none.
  package static let usualMilestones = [3, 7, 14, 30, 60, 100, 365]
}

/// How the entries of a day become its outcome (domain.md, "Habits and rules").
package struct Rule: Sendable, Equatable {
  package enum Kind: Sendable {
    case minutes(atLeast: Thousandths)
    case level([Level], good: [String])
    case any
    case none
    case completed
    case sum(Sum)
    case activity([ActivityThreshold])
    case all(of: [String])
    case either(of: [String])
  }

  package var kind: Kind
  /// Entries made more than this many days after their day do not count; nil counts all.
  package var lateBy: Int?

  package init(_ kind: Kind, lateBy: Int? = nil) {
    self.kind = kind
    self.lateBy = lateBy
  }

  /// The habits a composite is made of; empty for every other rule.
  package var members: [String] {
    switch kind {
    case .all(let members), .either(let members): members
    default: []
    }
  }

  /// The levels of a rule that has some.
  package var levels: [Level] {
    if case .level(let levels, _) = kind { levels } else { [] }
  }

  /// What each activity asks for, where the rule looks at activities.
  package var thresholds: [ActivityThreshold] {
    if case .activity(let thresholds) = kind { thresholds } else { [] }
  }

  package var isComposite: Bool {
    switch kind {
    case .all, .either: true
    default: false
    }
  }

  /// Whether not doing it is what counts: the rule `none`, or a sum that has no lower bound.
  package var isLimit: Bool {
    switch kind {
    case .none: true
    case .sum(let sum): sum.atLeast == nil
    case .minutes, .level, .any, .completed, .activity, .all, .either: false
    }
  }

  package var name: Name {
    switch kind {
    case .minutes: .minutes
    case .level: .level
    case .any: .any
    case .none: .none
    case .sum: .sum
    case .completed: .completed
    case .activity: .activity
    case .all: .all
    case .either: .either
    }
  }

  /// The kinds of rules by name.
  package enum Name: String, CaseIterable, Sendable {
    case minutes, level, any, none, sum, completed, activity, all, either
  }
}

/// What the entries of a day must add up to, and must not exceed; one of the bounds at least.
package struct Sum: Sendable, Equatable {
  package let of: Measure
  /// What an amount counts, such as `pages`.
  @Spelled package private(set) var unit: String?
  package let atLeast: Thousandths?
  package let atMost: Thousandths?

  package init(of: Measure, unit: String? = nil, atLeast: Thousandths? = nil, atMost: Thousandths? = nil) {
    self.of = of
    self.unit = unit
    self.atLeast = atLeast
    self.atMost = atMost
  }

  /// The most that either bound can be.
  package static let most = 1_000_000
}

/// What can be added up over the entries of a day.
package enum Measure: String, CaseIterable, Sendable {
  case entries, minutes, km, sets, drinks, amount
}

extension Rule.Kind: Equatable {
  /// Written out because a case cannot say of its texts that they are `Spelled`.
  package static func == (a: Rule.Kind, b: Rule.Kind) -> Bool {
    switch (a, b) {
    case (.minutes(let a), .minutes(let b)): a == b
    case (.level(let a, let good), .level(let b, let other)): a == b && good.spelling == other.spelling
    case (.activity(let a), .activity(let b)): a == b
    case (.sum(let a), .sum(let b)): a == b
    case (.all(let a), .all(let b)), (.either(let a), .either(let b)): a.spelling == b.spelling
    case (.any, .any), (.none, .none), (.completed, .completed): true
    case (.minutes, _), (.level, _), (.any, _), (.none, _), (.sum, _), (.completed, _), (.activity, _),
      (.all, _), (.either, _):
      false
    }
  }
}

/// A named band of whole drinks, `low` to `high` inclusive; no `high` means and more.
package struct Level: Sendable, Equatable {
  @Spelled package private(set) var name: String
  package let low: Int
  package let high: Int?

  package init(name: String, low: Int, high: Int?) {
    self.name = name
    self.low = low
    self.high = high
  }

  package func contains(_ drinks: Int) -> Bool { drinks >= low && drinks <= high ?? Int.max }

  /// Names that are outcomes or verdicts already.
  package static let reserved = ["good", "missed", "slip", "failed", "restarted", "over", "rest"]
}

/// What an activity must reach; any one of the measures is enough, none given is never enough.
package struct ActivityThreshold: Sendable, Equatable {
  /// The activity's name, or `*` for every other.
  @Spelled package private(set) var activity: String
  package let measures: Measures

  package init(activity: String, measures: Measures) {
    self.activity = activity
    self.measures = measures
  }
}

/// Minutes, kilometres and sets, each optional: a threshold or what an entry brought.
package struct Measures: Sendable, Equatable {
  package var minutes: Thousandths?
  package var km: Thousandths?
  package var sets: Thousandths?

  package init(minutes: Thousandths? = nil, km: Thousandths? = nil, sets: Thousandths? = nil) {
    self.minutes = minutes
    self.km = km
    self.sets = sets
  }

  /// Whether one measure reaches its threshold; a threshold without measures is never reached.
  package func reachesOne(of threshold: Measures) -> Bool {
    reaches(minutes, threshold.minutes) || reaches(km, threshold.km) || reaches(sets, threshold.sets)
  }

  private func reaches(_ measure: Thousandths?, _ threshold: Thousandths?) -> Bool {
    guard let measure, let threshold else { return false }
    return measure >= threshold
  }
}

/// What saves a run on a day that was not good (domain.md, "The fold").
package enum Forgiveness: Sendable, Equatable {
  case none
  case joker(JokerRule)
  /// So many missed days in a row are tolerated.
  case grace(days: Int)

  /// The kinds of forgiveness by name.
  package enum Name: String, CaseIterable, Sendable {
    case joker, grace, none
  }
}

/// How jokers are earned, spent and taken away.
package struct JokerRule: Sendable, Equatable {
  /// A joker is earned at each multiple of this run length; at least 2.
  package var every: Int
  /// At most so many are held; at least 1.
  package var cap: Int
  /// The outcomes a joker heals; absent: `missed`, `slip`, `over`, and every bad level of a `level` rule.
  @Spelled package var heals: [String]?
  /// Jokers taken by an unhealed bad outcome.
  package var penalty: [Penalty]

  package struct Penalty: Sendable, Equatable {
    @Spelled package private(set) var outcome: String
    package let jokers: Int

    package init(outcome: String, jokers: Int) {
      self.outcome = outcome
      self.jokers = jokers
    }
  }

  package init(every: Int, cap: Int, heals: [String]? = nil, penalty: [Penalty] = []) {
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
