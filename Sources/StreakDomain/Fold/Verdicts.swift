/// One folded day of a habit, as `calendar` and `why` show it.
package struct DayVerdict: Sendable, Equatable {
  package let day: Day
  package let verdict: Verdict
  /// `good`, `missed`, `restarted`, `failed`, `slip` or a level's name.
  package let outcome: String
  /// The run after the day.
  package let run: Int
  /// The joker spent on a healed day.
  package let lot: Int?
  /// Ids of the day's standing entries, in order.
  package let entries: [String]
}

extension Ledger {
  /// The folded days of a habit within a span, ascending; O(days folded).
  package func verdicts(of habit: String, in span: ClosedRange<Day>) -> [DayVerdict] {
    guard let index = habitIndex(named: habit) else { return [] }
    var consumed = 0
    var found: [DayVerdict] = []
    for (day, record) in foldedDays(index) {
      let isSpent = record.jokers.contains(.spent)
      if span.contains(day) {
        let facts = facts(index, day, isToday: day == today)
        let terms = habits[index].terms(on: day)
        found.append(
          DayVerdict(
            day: day, verdict: record.verdict, outcome: terms.name(of: facts.outcome),
            run: Int(record.run),
            lot: isSpent ? consumed + 1 : nil,
            entries: terms.isComposite ? [] : ids(of: standing(index, day))))
      }
      consumed += (isSpent ? 1 : 0) + Int(record.penalised)
    }
    return found
  }

  func ids(of entries: [EntryFact]) -> [String] {
    entries.map { index.key(at: Int($0.position)).text(names) }
  }

  /// The entries a day's rule looked at, in order; none when it was missed (domain.md, "The joker book").
  func because(_ habit: Int, _ day: Day) -> [EntryFact] {
    guard facts(habit, day, isToday: day == today).outcome != .missed else { return [] }
    let terms = habits[habit].terms(on: day)
    guard terms.isComposite else { return standing(habit, day).filter { terms.considers($0) } }
    var seen: Set<UInt32> = []
    return terms.members.flatMap { member in
      habits[member].isDefined && !isCircular(member, in: habit, on: day) ? because(member, day) : []
    }.filter { seen.insert($0.position).inserted }
  }
}
