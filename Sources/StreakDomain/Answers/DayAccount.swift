/// Everything that affected a habit's day, for the explanation of its verdict.
package struct DayAccount: Sendable {
  package let habit: String
  package let day: Day
  package let verdict: Verdict
  package let outcome: Text
  package let rule: RuleInForce
  package let entries: [EntryAccount]
  /// The ids of the entries that decided the outcome.
  ///
  /// For a composite, these are entries of its members.
  package let because: [String]
  package let before: Run
  package let after: Run
  /// The lines of the joker book for the day.
  ///
  /// If the day spent a joker, `earned` is the line, often of an earlier day, that earned that
  /// joker.
  package let jokers: (lines: [JokerLine], earned: JokerLine?)
  package let members: [Member]
  /// The number of rest days used, and the number allowed.
  ///
  /// They are counted in the week or month, or in a row, as the schedule says. The value is `nil`
  /// if the schedule doesn't limit rest days.
  package let rest: (used: Int, of: Int)?
  /// The rule of a sum of a week or month, and the total up to this day.
  ///
  /// `decidedOn` is the earlier day that made the outcome certain, or `nil` if there is none. The
  /// value is `nil` if the rule isn't a sum of a week or month.
  package let sum: (rule: Sum, soFar: Thousandths, decidedOn: Day?)?

  /// The definition in force on the day, with the event that introduced it.
  package struct RuleInForce: Sendable {
    package let definition: Habit
    /// The id of the event that introduced this rule and schedule, and their first day.
    package let defined: (event: String, on: Day)
    /// The id of the event that introduced this forgiveness, and its first day.
    ///
    /// The value is `nil` if the forgiveness came with the rule, or was there before it.
    package let forgiven: (event: String, on: Day)?
    package let isRetired: Bool
  }

  /// A member of a composite, with its outcome on the day.
  package struct Member: Sendable, Equatable {
    package let habit: String
    package let outcome: Text
    /// The member's own verdict, or `nil` if the day isn't one of its days.
    package let verdict: Verdict?
    /// The reason why the composite ignores the member on this day: `excused` or `rest`.
    ///
    /// The value is `nil` if the composite doesn't ignore the member.
    package let leftOut: Verdict?
  }

  /// The state of the run before or after the day.
  package struct Run: Sendable, Equatable {
    package let days: Int
    package let start: Day?
    package let jokers: Int
    package let misses: Int
  }

  /// An entry of the day, with the reasons why it may not count.
  package struct EntryAccount: Sendable {
    package let id: String
    package let at: Instant
    package let entry: Entry
    /// The unit of the amount according to the rule in force on the day, or `nil` if there is none.
    package let unit: Text?
    /// The number of days from the entry's day to the local day on which the entry was made.
    package let lateness: Int
    package let isDeleted: Bool
    /// The id of the entry that replaces this one, or `nil` if none does.
    package let replacement: String?
    package let isConsidered: Bool
    package let isTooLate: Bool

    package var isStanding: Bool { !isDeleted && replacement == nil }
  }
}

extension HabitView {
  /// Returns the account of `day`, or `nil` if the habit has no verdict on that day.
  package func account(of day: Day) -> DayAccount? {
    guard let record = record(on: day) else { return nil }
    let definition = habit.definition(on: day)
    let before = self.record(on: day.previous) ?? DayRecord()
    let book = jokerBook
    let lines = book.filter { $0.day == day }
    let spent = lines.first { $0.action == .spent }?.lot
    let earned = spent.flatMap { lot in book.first { $0.action == .earned && $0.lot == lot } }
    let schedule = definition.schedule

    return DayAccount(
      habit: id, day: day, verdict: record.verdict,
      outcome: definition.name(of: fold.input(of: index, on: day).outcome),
      rule: ruleInForce(definition, on: day), entries: entryAccounts(day, definition),
      because: facts.ids(of: consideredEntries(on: day)), before: run(before), after: run(record),
      jokers: (lines, earned), members: members(of: definition, on: day),
      rest: schedule.limitsRestDays
        ? (rested(record, after: before, schedule), schedule.restAllowance(on: day)) : nil,
      sum: periodSum(definition, through: day))
  }

  private func ruleInForce(
    _ definition: CompiledDefinition, on day: Day
  ) -> DayAccount.RuleInForce {
    let origin = habit.definitions.origin(of: definition) {
      $0.rule == $1.rule && $0.schedule == $1.schedule
    }
    let latest = habit.definitions.origin(of: definition) { $0.asks(as: $1) }
    let isLater = latest?.position != origin?.position
    return DayAccount.RuleInForce(
      definition: definition.source,
      defined: (origin.map { facts.id(at: $0.position) } ?? "", origin?.day ?? day),
      forgiven: isLater ? latest.map { (facts.id(at: $0.position), $0.day) } : nil,
      isRetired: habit.definitions.isRetired(on: day))
  }

  private func periodSum(
    _ definition: CompiledDefinition, through day: Day
  ) -> (rule: Sum, soFar: Thousandths, decidedOn: Day?)? {
    guard let rule = definition.source.rule.sum, let period = rule.per else { return nil }
    let sum = habit.periodSum(period, through: day)
    let decidedOn = sum.decision.flatMap { $0.day < day ? $0.day : nil }
    return (rule, Thousandths(rounding: sum.total), decidedOn)
  }

  private func rested(
    _ record: DayRecord, after before: DayRecord, _ schedule: Schedule?
  ) -> Int {
    if case .every? = schedule, record.verdict != .rest { return Int(before.rested) }
    return Int(record.rested)
  }

  private func run(_ record: DayRecord) -> DayAccount.Run {
    DayAccount.Run(
      days: Int(record.run), start: record.start, jokers: Int(record.held),
      misses: Int(record.misses))
  }

  private func entryAccounts(
    _ day: Day, _ definition: CompiledDefinition
  ) -> [DayAccount.EntryAccount] {
    let entries = facts.entries(of: index, on: day).map(\.entry)
    return entries.sorted { $0.precedes($1) }.map { entry in
      let position = Int(entry.position)
      let replacement = facts.replacement(ofEntryAt: position).map { facts.id(at: $0) }
      return DayAccount.EntryAccount(
        id: facts.id(at: position), at: Instant(microseconds: entry.at),
        entry: Entry(entry, names: facts.names), unit: definition.unit,
        lateness: Int(entry.lateness), isDeleted: entry.isDeleted, replacement: replacement,
        isConsidered: entry.isStanding && definition.test.considers(entry),
        isTooLate: definition.test.isTooLate(entry))
    }
  }

  // MARK: Members

  package func members(on day: Day) -> [DayAccount.Member] {
    members(of: habit.definition(on: day), on: day)
  }

  private func members(of definition: CompiledDefinition, on day: Day) -> [DayAccount.Member] {
    definition.members.map { member in
      let name = facts.name(of: member)
      guard !fold.isUndefinedOrCircular(member, in: index) else {
        return DayAccount.Member(habit: name, outcome: "missed", verdict: nil, leftOut: nil)
      }
      let outcome = fold.input(of: member, on: day).outcome
      return DayAccount.Member(
        habit: name, outcome: fold.habits[member].definition(on: day).name(of: outcome),
        verdict: view(of: member).verdict(on: day), leftOut: leftOut(member, on: day))
    }
  }

  /// Returns the member because of which this composite `all` can't be good on `day` any more.
  ///
  /// Whatever is logged, this member can't become good, for example because its limit is exceeded.
  /// Members are considered at any depth. A habit that isn't a composite is considered itself. The
  /// result is `nil` if there is no such member.
  ///
  /// A bad level isn't final, because the last entry of a day counts.
  package func lostMember(on day: Day) -> String? {
    var pending = [index]
    var visited: Set<Int> = [index]

    while let next = pending.popLast() {
      let definition = fold.habits[next].definition(on: day)
      let outcome = fold.input(of: next, on: day).outcome
      if definition.test.traits.combination == .every {
        pending += definition.members.filter { member in
          !fold.isUndefinedOrCircular(member, in: next) && leftOut(member, on: day) == nil
            && visited.insert(member).inserted
        }
      } else if ![.good, .missed].contains(outcome), outcome.code < Outcome.firstBadLevel {
        return facts.name(of: next)
      }
    }
    return nil
  }

  private func leftOut(_ member: Int, on day: Day) -> Verdict? {
    let verdict =
      if day == today, let today = fold.todayState(of: member) {
        MemberVerdict(today.input, verdictAtEnd: today.verdictAtEnd)
      } else {
        fold.memberVerdict(of: member, on: day)
      }
    return switch verdict {
    case .excused: .excused
    case .resting: .rest
    case .good, .notGood: nil
    }
  }
}
