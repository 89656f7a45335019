extension Ledger {
  /// Returns a day that isn't over: its state so far, and its verdict if nothing more is logged.
  func undecided(_ habit: Int, _ day: Day) -> HabitFold.Today {
    var known: [Int: HabitFold.Today] = [:]
    return undecided(habit, day, &known)
  }

  private func undecided(_ habit: Int, _ day: Day, _ known: inout [Int: HabitFold.Today]) -> HabitFold.Today {
    if habits[habit].judged?.day == day, let now = habits[habit].judged { return now }
    let part = habits[habit].days.definitions.part(from: day)
    guard part.definition.isComposite else {
      let code = habits[habit].days.tree[day]
      return judged(habit, code, code, in: part)
    }
    if let found = known[habit] { return found }
    var (soFar, atEnd) = (MemberDays(), MemberDays())
    for member in part.definition.members {
      guard habits[member].isDefined, !isCircular(member, in: habit, on: day) else {
        soFar.note(.notGood, 0)
        atEnd.note(.notGood, 0)
        continue
      }
      let seen = undecided(member, day, &known)
      soFar.note(MemberVerdict(seen.facts, closed: seen.closed), 0)
      atEnd.note(MemberVerdict(seen.closed), 0)
    }
    let needsOne = part.definition.test.traits.combination == .one
    let today = judged(
      habit, soFar.code(0, needsOne: needsOne), atEnd.code(0, needsOne: needsOne), in: part)
    known[habit] = today
    return today
  }

  private func judged(
    _ habit: Int, _ code: DayCode, _ closed: DayCode, in part: Definitions.Part
  ) -> HabitFold.Today {
    let (day, definition) = (part.days.lowerBound, part.definition)
    var facts = FoldDay(day, code, in: part)
    facts.isOpen = definition.isQuiet(facts.outcome) && !(code == .letGo && !definition.isComposite)
    let over = FoldDay(day, closed, in: part)
    guard let first = habits[habit].days.first, first <= day else {
      let verdict: Verdict =
        switch MemberVerdict(early: over, under: definition) {
        case .excused: .excused
        case .resting: .rest
        case .good, .notGood: over.outcome.verdictAlone
        }
      return HabitFold.Today(day: day, facts: facts, record: DayRecord(), closed: verdict)
    }
    let before = record(habit, through: day.previous)
    return HabitFold.Today(
      day: day, facts: facts, record: before.next(facts, under: definition),
      closed: before.next(over, under: definition).verdict)
  }

  func record(_ habit: Int, through day: Day) -> DayRecord {
    guard let first = habits[habit].days.first, first <= day else { return DayRecord() }
    if habits[habit].days.doubtful == nil, habits[habit].days.through == day {
      return habits[habit].days.closed.record
    }
    return reading(habit) { days, idle in days.record(day, &idle) }
  }

  /// Runs `ask` on a read-only copy of the habit's days.
  func reading<Answer>(_ habit: Int, _ ask: (inout HabitDays, inout IdleDays) -> Answer) -> Answer {
    var (days, idle) = (habits[habit].days.frozen, work.idle.frozen)
    return ask(&days, &idle)
  }

  func todaysRecord(_ habit: Int, on today: Day) -> DayRecord {
    guard habits[habit].isDefined else { return DayRecord() }
    return undecided(habit, today).record
  }

  func record(_ habit: Int, on day: Day) -> DayRecord? {
    guard let today, habits[habit].isDefined, let first = habits[habit].days.first,
      first <= day, day <= today
    else { return nil }
    return day == today ? todaysRecord(habit, on: today) : record(habit, through: day)
  }

  func facts(_ habit: Int, _ day: Day) -> FoldDay {
    if let today, day >= today { return undecided(habit, day).facts }
    let part = habits[habit].days.definitions.part(from: day)
    let first = habits[habit].days.first ?? Day.last.next
    guard part.definition.isComposite, day < first else {
      return FoldDay(day, habits[habit].days.tree[day], in: part)
    }
    var ledger = self
    return ledger.earlyFacts(habit, part)
  }

  func outcome(of habit: Int, on day: Day) -> Outcome { facts(habit, day).outcome }

  func memberVerdict(_ member: Int, on day: Day) -> MemberVerdict {
    if let today, day >= today {
      let seen = undecided(member, day)
      return MemberVerdict(seen.facts, closed: seen.closed)
    }
    guard let first = habits[member].days.first, first <= day else {
      return MemberVerdict(early: facts(member, day), under: habits[member].definition(on: day))
    }
    return MemberVerdict(record(member, through: day).verdict)
  }

  struct FoldedDay {
    let facts: FoldDay
    let record: DayRecord
    var day: Day { facts.day }
    var outcome: Outcome { facts.outcome }
  }

  /// Returns the folded days from `start` through today; O(days).
  func foldedDays(_ habit: Int, from start: Day = Day.first) -> [FoldedDay] {
    guard let today, let first = habits[habit].days.first, first <= today, habits[habit].isDefined,
      start <= today
    else { return [] }
    var found: [FoldedDay] = []
    found.reserveCapacity(today - max(start, first) + 1)
    if max(start, first) < today {
      reading(habit) { days, idle in
        days.eachDay(of: max(start, first)...today.previous, &idle) { met, record in
          found.append(FoldedDay(facts: met, record: record))
        }
      }
    }
    let now = undecided(habit, today)
    found.append(FoldedDay(facts: now.facts, record: now.record))
    return found
  }

  func tally(_ habit: Int, _ span: ClosedRange<Day>) -> DayTally {
    guard let today, let first = habits[habit].days.first else { return DayTally() }
    let (low, high) = (max(first, span.lowerBound), min(today.previous, span.upperBound))
    guard low <= high else { return DayTally() }
    return reading(habit) { days, idle in
      days.transition(over: low...high, after: days.record(low.previous, &idle), &idle).tally
    }
  }
}
