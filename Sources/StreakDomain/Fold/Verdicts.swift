/// One folded day of a habit, as `calendar` and `why` show it.
public struct CalendarDay: Hashable, Sendable {
  /// The habit's day.
  public let day: Day
  /// What it came out as, with forgiveness.
  public let verdict: Verdict
  /// What the entries came to, before forgiveness: `good`, `missed`, `restarted`, `failed`, `slip`, `over`, or the name
  /// of one of the rule's levels.
  public let outcome: LedgerText
  /// The run after the day.
  public let run: Int
  /// The joker spent on a healed day.
  public let lot: Joker?
  /// Ids of the day's standing entries, in order; none of a composite, whose members have them.
  public let entries: [String]
}

extension CalendarDay: Encodable {
  private enum CodingKeys: CodingKey { case day, verdict, outcome, lot, entries }
}

/// What a folded day shows, without its entries; quick to compare with another.
package struct DayLook: Sendable, Equatable {
  package let verdict: Verdict
  let outcome: Outcome
  /// The place of the definition in force, which names the outcome.
  let place: Int
  /// The joker spent on a healed day.
  package let lot: Int?
}

extension Ledger {
  /// The folded days of a habit within a span, ascending; O(days from its first to today).
  package func verdicts(of habit: String, in span: ClosedRange<Day>) -> [CalendarDay] {
    guard let index = habitIndex(named: habit) else { return [] }
    let days = foldedDays(index, from: span.lowerBound)
    return zip(days, looks(of: index, on: days)).prefix { $0.0.day <= span.upperBound }.map { folded, look in
      CalendarDay(
        day: folded.day, verdict: look.verdict, outcome: outcome(of: HabitPlace(index: index), look),
        run: Int(folded.record.run), lot: look.lot.map { Joker(habit: habit, number: $0) },
        entries: habits[index].days.definitions.compiled[look.place].isComposite
          ? [] : ids(of: standing(index, folded.day)))
    }
  }

  /// The looks of a habit's folded days from one on, ascending, today's last; O(those days).
  package func looks(of habit: HabitPlace, from start: Day) -> [DayLook] {
    looks(of: habit.index, on: foldedDays(habit.index, from: start))
  }

  /// The name of a day's outcome: `good`, `missed`, `restarted`, `failed`, `slip` or a level's name.
  package func outcome(of habit: HabitPlace, _ look: DayLook) -> Text {
    habits[habit.index].days.definitions.compiled[look.place].name(of: look.outcome)
  }

  private func looks(of habit: Int, on days: [FoldedDay]) -> [DayLook] {
    // Counted back from all that are gone: the days before need no look.
    var consumed = days.reduce(consumedJokers(habit)) { $0 - $1.record.consumedJokers }
    let definitions = habits[habit].days.definitions
    return days.map { folded in
      let (day, record, outcome) = (folded.day, folded.record, folded.outcome)
      defer { consumed += record.consumedJokers }
      return DayLook(
        verdict: record.verdict, outcome: outcome,
        place: definitions.regimes[definitions.regime(on: day)].place,
        lot: record.jokers.contains(.spent) ? consumed + 1 : nil)
    }
  }

  /// How many of a habit's jokers were spent or taken, today's included.
  private func consumedJokers(_ habit: Int) -> Int {
    guard let today, let first = habits[habit].days.first, first <= today else { return 0 }
    return habits[habit].days.closed.tally.consumed + todaysRecord(habit, on: today).consumedJokers
  }

  func ids(of entries: [EntryFact]) -> [String] {
    entries.map { index.key(at: Int($0.position)).text(names) }
  }

  /// The entries a day's rule looked at, in order; none when it was missed (domain.md, "The joker book").
  func because(_ habit: Int, _ day: Day) -> [EntryFact] {
    let definition = habits[habit].definition(on: day)
    // A day without entries is the most frequent of all.
    if !definition.isComposite, habits[habit].entries.cells[day] == nil { return [] }
    var passed: Set<Int> = []
    return because(habit, day, &passed)
  }

  /// Passes over habits met before: what they give is there already.
  private func because(_ habit: Int, _ day: Day, _ passed: inout Set<Int>) -> [EntryFact] {
    guard passed.insert(habit).inserted, outcome(of: habit, on: day) != .missed else { return [] }
    let definition = habits[habit].definition(on: day)
    guard definition.isComposite else { return standing(habit, day).filter { definition.test.considers($0) } }
    return definition.members.flatMap { member in
      habits[member].isDefined && !isCircular(member, in: habit, on: day)
        ? because(member, day, &passed) : []
    }
  }
}

extension DayRecord {
  /// How many jokers were spent or taken on the day.
  fileprivate var consumedJokers: Int { (jokers.contains(.spent) ? 1 : 0) + Int(penalised) }
}
