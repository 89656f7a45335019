/// What a habit asks for and forgives, from one day on: the payload of `habit.defined`.
package struct Definition: Sendable, Equatable {
  package var habit: String
  package var name: Text?
  package var icon: Text?
  package var color: Text?
  package var group: Text?
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

  /// Whether it has the rule, the schedule and the forgiveness of another, whatever it is called.
  func asks(as other: Definition) -> Bool {
    rule == other.rule && schedule == other.schedule && streak ?? true == other.streak ?? true
      && forgiveness ?? Forgiveness.none == other.forgiveness ?? Forgiveness.none
  }

  /// Run lengths worth a celebration when a definition names none.
  package static let usualMilestones = [3, 7, 14, 30, 60, 100, 365]
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

  /// How many jokers can be held; nil without jokers.
  package var cap: Int? { if case .joker(let rule) = self { rule.cap } else { nil } }
}

extension Definition {
  /// The icon, and the name or else the id; not escaped.
  package var title: String {
    [icon?.string, name?.string ?? habit].compactMap { $0 }.joined(separator: " ")
  }
}

/// How jokers are earned, spent and taken away.
package struct JokerRule: Sendable, Equatable {
  /// A joker is earned at each multiple of this run length; at least 2.
  package var every: Int
  /// At most so many are held; at least 1.
  package var cap: Int
  /// The outcomes a joker heals; absent: `missed`, `slip`, `over`, and every bad level of a `level` rule.
  package var heals: [Text]?
  /// Jokers taken by an unhealed bad outcome.
  package var penalty: [Penalty]

  package struct Penalty: Sendable, Equatable {
    package let outcome: Text
    package let jokers: Int

    package init(outcome: Text, jokers: Int) {
      self.outcome = outcome
      self.jokers = jokers
    }
  }

  package init(every: Int, cap: Int, heals: [Text]? = nil, penalty: [Penalty] = []) {
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
