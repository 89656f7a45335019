/// A folded day of a habit, as displayed by `calendar` and `why`.
public struct CalendarDay: Hashable, Sendable {
  /// The calendar day.
  public let day: Day
  /// The verdict, after forgiveness.
  public let verdict: Verdict
  /// The outcome before forgiveness: `good`, `missed`, `restarted`, `failed`, `slip`, `over` or the name of a
  /// level.
  public let outcome: LedgerText
  /// The length of the run after the day.
  public let run: Int
  /// The joker spent on a healed day.
  public let lot: Joker?
  /// The ids of the day's entries in order, excluding deleted ones; empty for a composite.
  public let entries: [String]
}

extension CalendarDay: Encodable {
  private enum CodingKeys: CodingKey { case day, verdict, outcome, lot, entries }
}

/// The visible result of a folded day, without its entries.
package struct DayLook: Sendable, Equatable {
  package let verdict: Verdict
  let outcome: Outcome
  /// The index of the definition in force, which names the outcome.
  let place: Int
  package let lot: Int?
}

extension Ledger {
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

  package func looks(of habit: HabitPlace, from start: Day) -> [DayLook] {
    looks(of: habit.index, on: foldedDays(habit.index, from: start))
  }

  package func outcome(of habit: HabitPlace, _ look: DayLook) -> Text {
    habits[habit.index].days.definitions.compiled[look.place].name(of: look.outcome)
  }

  private func looks(of habit: Int, on days: [FoldedDay]) -> [DayLook] {
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

  private func consumedJokers(_ habit: Int) -> Int {
    guard let today, let first = habits[habit].days.first, first <= today else { return 0 }
    return habits[habit].days.closed.tally.consumed + todaysRecord(habit, on: today).consumedJokers
  }

  func ids(of entries: [EntryFact]) -> [String] {
    entries.map { index.key(at: Int($0.position)).text(names) }
  }

  /// Returns the entries that the rule considered, in order; none if the day was missed.
  func because(_ habit: Int, _ day: Day) -> [EntryFact] {
    let definition = habits[habit].definition(on: day)
    if !definition.isComposite, habits[habit].entries.cells[day] == nil { return [] }
    var passed: Set<Int> = []
    return because(habit, day, &passed)
  }

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
  fileprivate var consumedJokers: Int { (jokers.contains(.spent) ? 1 : 0) + Int(penalised) }
}
