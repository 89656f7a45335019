import EventLog
import StreakDomain

extension Ledger {
  /// The drafts of a changed definition, and of those of later days that only repeat the one that is changed.
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
    // A first definition of a later day is no repeat.
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
