/// Everything that affected a habit's day, for the explanation of its verdict.
package struct DayAccount: Sendable {
  package let habit: String
  package let day: Day
  package let verdict: Verdict
  package let outcome: Text
  package let rule: RuleInForce
  package let entries: [EntryAccount]
  /// The ids of the entries that decided the outcome; for a composite, the entries of its members.
  package let because: [String]
  package let before: Run
  package let after: Run
  /// The lines of the joker book for the day.
  ///
  /// If the day spent a joker, `earned` is the line, often of an earlier day, that earned that
  /// joker.
  package let jokers: (lines: [JokerLine], earned: JokerLine?)
  package let members: [Member]
  /// The rest days used and allowed, in the week or month or in a row; `nil` if the schedule
  /// doesn't limit rest days.
  package let rest: (taken: Int, of: Int)?
  /// The rule and the total up to this day, for a sum of a week or month; `nil` for any other rule.
  ///
  /// `decidedOn` is the earlier day that made the outcome certain, or `nil` if there is none.
  package let sum: (rule: Sum, soFar: Thousandths, decidedOn: Day?)?

  package struct RuleInForce: Sendable {
    package let definition: Habit
    /// The id of the event that introduced this rule, schedule and forgiveness, and the day from
    /// which they apply.
    package let defined: (event: String, on: Day)
    package let isRetired: Bool
  }

  package struct Member: Sendable, Equatable {
    package let habit: String
    package let outcome: Text
    /// The verdict `excused` or `rest` if the composite ignores the member on this day, otherwise
    /// `nil`.
    package let leftOut: Verdict?
  }

  package struct Run: Sendable, Equatable {
    package let days: Int
    package let start: Day?
    package let jokers: Int
    package let misses: Int
  }

  package struct EntryAccount: Sendable {
    package let id: String
    package let at: Instant
    package let entry: Entry
    /// The unit of the amount according to the rule in force on the day, or `nil` if there is none.
    package let unit: Text?
    /// The number of days from the entry's day to the local day on which the entry was made.
    package let lateness: Int
    package let isDeleted: Bool
    package let isConsidered: Bool
    package let isTooLate: Bool
  }
}

extension Ledger {
  /// Returns the account of `day`, or `nil` if the habit has no verdict on that day.
  package func account(of name: String, on day: Day) -> DayAccount? {
    guard let habit = handle(of: name)?.index, let record = record(habit, on: day) else {
      return nil
    }
    let compiled = habits[habit].definition(on: day)
    let before = self.record(habit, on: day.previous) ?? DayRecord()
    let book = jokerBook(of: name)
    let lines = book.filter { $0.day == day }
    let spent = lines.first { $0.action == .spent }?.lot
    let defined = habits[habit].definitions.origin(of: compiled)
    return DayAccount(
      habit: name, day: day, verdict: record.verdict,
      outcome: compiled.name(of: input(of: habit, on: day).outcome),
      rule: DayAccount.RuleInForce(
        definition: compiled.source,
        defined: (defined.map { id(at: $0.position) } ?? "", defined?.day ?? day),
        isRetired: habits[habit].definitions.isRetired(on: day)),
      entries: entryAccounts(habit, day, compiled),
      because: ids(of: consideredEntries(of: habit, on: day)),
      before: run(before), after: run(record),
      jokers: (
        lines, spent.flatMap { lot in book.first { $0.action == .earned && $0.lot == lot } }
      ),
      members: members(of: compiled, in: habit, on: day),
      rest: compiled.schedule.limitsRestDays
        ? (rested(record, after: before, compiled), compiled.schedule.restAllowance(on: day)) : nil,
      sum: compiled.source.rule.sum.flatMap { rule in
        guard let period = rule.per else { return nil }
        let sum = habits[habit].periodSum(period, through: day)
        let decidedOn = sum.decision.flatMap { $0.day < day ? $0.day : nil }
        return (rule, Thousandths(count: sum.total), decidedOn)
      })
  }

  private func rested(_ record: DayRecord, after before: DayRecord, _ compiled: CompiledDefinition)
    -> Int
  {
    if case .every? = compiled.schedule, record.verdict != .rest { return Int(before.rested) }
    return Int(record.rested)
  }

  private func run(_ record: DayRecord) -> DayAccount.Run {
    DayAccount.Run(
      days: Int(record.run), start: record.start, jokers: Int(record.held),
      misses: Int(record.misses))
  }

  private func entryAccounts(_ habit: Int, _ day: Day, _ compiled: CompiledDefinition)
    -> [DayAccount
    .EntryAccount]
  {
    let found = entries.chain(from: habits[habit].cells[day].head).map(\.entry)
    return found.sorted { $0.precedes($1) }.map { entry in
      DayAccount.EntryAccount(
        id: id(at: Int(entry.position)), at: Instant(microseconds: entry.at),
        entry: Entry(entry, names: names), unit: compiled.unit,
        lateness: Int(entry.lateness), isDeleted: entry.isDeleted,
        isConsidered: !entry.isDeleted && compiled.test.considers(entry),
        isTooLate: compiled.test.isTooLate(entry))
    }
  }

  package func members(of name: String, on day: Day) -> [DayAccount.Member] {
    guard let habit = habitIndex(named: name), habits[habit].isDefined else { return [] }
    return members(of: habits[habit].definition(on: day), in: habit, on: day)
  }

  private func members(
    of compiled: CompiledDefinition, in habit: Int, on day: Day
  ) -> [DayAccount.Member] {
    compiled.members.map { member in
      let name = names.text(habits[member].id)
      guard !isUndefinedOrCircular(member, in: habit) else {
        return DayAccount.Member(habit: name, outcome: "missed", leftOut: nil)
      }
      return DayAccount.Member(
        habit: name,
        outcome: habits[member].definition(on: day).name(of: input(of: member, on: day).outcome),
        leftOut: leftOut(member, on: day))
    }
  }

  private func leftOut(_ member: Int, on day: Day) -> Verdict? {
    let verdict =
      if day == today, let today = todayState(of: member) {
        MemberVerdict(today.input, verdictAtEnd: today.verdictAtEnd)
      } else {
        memberVerdict(of: member, on: day)
      }
    return switch verdict {
    case .excused: .excused
    case .resting: .rest
    case .good, .notGood: nil
    }
  }

  /// Returns the XP of each habit, with the ids of the entries that earned it.
  package func xpByHabit() -> [(habit: String, because: [String], xp: Int)] {
    order.defined.compactMap { habit in
      var earning: [EntryFact] = []
      var xp = 0
      for entry in entries where !entry.isDeleted && habitIndex(of: entry) == habit {
        guard habits[habit].definitions.countsEntries(on: entry.day) else { continue }
        let compiled = habits[habit].definition(on: entry.day)
        guard let experience = compiled.source.xp, compiled.test.qualifies(entry) else { continue }
        earning.append(entry)
        xp += experience.points(for: entry.values.measures)
      }
      return earning.isEmpty ? nil : (names.text(habits[habit].id), ids(of: earning), xp)
    }
  }
}
