import EventLog
import StreakDomain

extension Ledger {
  /// Returns drafts that change a definition from `day` on, and all later ones that only repeat it.
  func redefining(
    _ habit: Habit.ID, on day: Day?, now: Instant, _ change: (inout Habit) -> Void
  ) throws(Failure) -> [Draft] {
    let today = clock.map { max($0.day(of: now), self.today ?? .first) } ?? self.today ?? .first
    let from = day ?? today
    guard let base = base(of: habit, on: from) else { throw .unknownHabit(habit, among: currentHabits) }
    var changed = base.definition
    change(&changed)
    changed.id = habit
    if changed.rule != base.definition.rule, changed.forgiveness == base.definition.forgiveness {
      changed.forgiveness = changed.forgiveness?.following(from: base.definition.rule, to: changed.rule).0
    }
    if changed.saysTheSame(as: base.definition), retirement(of: habit, on: from.next) == nil { return [] }
    // A definition that begins later than `from` has no repeats.
    let repeats = base.day <= from ? repeats(of: base.definition, habit, after: from) : []
    return [Ledger.draft(changed, on: day, cause: base.event)]
      + repeats.map { Ledger.draft(changed, on: $0.day, cause: $0.event) }
  }

  private static func draft(_ habit: Habit, on day: Day?, cause: String) -> Draft {
    var draft = Draft(.habitDefined(habit), zone: nil)
    (draft.day, draft.event.cause) = (day, cause)
    return draft
  }
}
