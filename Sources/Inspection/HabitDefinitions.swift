package import EventLog
package import StreakDomain
import TimeZones

extension Ledger {
  /// Returns the definition that one from `day` on changes: the latest up to `day`, otherwise the first.
  ///
  /// It is `nil` if the habit has no definition.
  package func base(of habit: String, on day: Day) -> Defined? {
    let all = definitions(of: habit)
    return all.last { $0.day <= day } ?? all.last { $0.day == all[0].day }
  }

  /// Returns the first definition after `day`, the last of several on one day, or `nil` if there is none.
  package func definition(of habit: String, after day: Day) -> Defined? {
    let all = definitions(of: habit)
    return all.first { $0.day > day }.flatMap { first in all.last { $0.day == first.day } }
  }

  /// Whether a habit was defined by mistake: it was retired on its first day and never had an entry.
  package func isWithdrawn(_ habit: String) -> Bool {
    guard let first = definitions(of: habit).map(\.day).min(), let today,
      state(of: habit)?.totals.entries == 0
    else { return false }
    return retirement(of: habit, on: max(first, today).next) == first
  }

  /// Returns the definition of `habit` that the event `eventID` made, or `nil` if there is none.
  package func definition(of habit: String, by eventID: String) -> Defined? {
    definitions(of: habit).first { $0.event == eventID }
  }

  /// Returns the definitions after `day` that repeat `definition`, as undos leave them, up to another or a retirement.
  package func repeats(of definition: Habit?, _ habit: String, after day: Day) -> [Defined] {
    var found: [Defined] = []
    while let next = self.definition(of: habit, after: found.last?.day ?? day),
      next.definition == definition, retirement(of: habit, on: next.day) == nil,
      retirement(of: habit, on: next.day.previous) == nil
    {
      found.append(next)
    }
    return found
  }

  /// Returns the later definitions that repeat `base`, which a change from `day` on must replace, too.
  ///
  /// There are none if `base` is the first definition and begins later than `day`.
  package func repeats(of base: Defined, _ habit: String, from day: Day) -> [Defined] {
    base.day <= day ? repeats(of: base.definition, habit, after: base.day) : []
  }
}

extension Habit {
  /// Whether both definitions are equal, where an omitted `forgiveness` or `streak` equals its default.
  package func saysTheSame(as other: Habit) -> Bool {
    func written(_ habit: Habit) -> Habit {
      var habit = habit
      (habit.forgiveness, habit.streak) = (habit.forgiveness ?? Forgiveness.nothing, habit.streak ?? true)
      return habit
    }
    return written(self) == written(other)
  }
}

extension Rule {
  fileprivate var badOutcomes: [Text] { outcomes.filter { $0 != "good" && $0 != "restarted" } }
}

extension Forgiveness {
  /// Returns this forgiveness for a new rule (healing all bad outcomes if it did), and the outcomes not in that rule.
  package func following(from old: Rule, to rule: Rule) -> (Forgiveness, dropped: [Text]) {
    guard case .joker(var joker) = self else { return (self, []) }
    let known = rule.outcomes
    let heals = joker.heals ?? []
    let kept = heals.filter { known.contains($0) }
    let coversAll = old.badOutcomes.allSatisfy(heals.contains)
    let lost = coversAll ? [] : heals.filter { !known.contains($0) }
    if kept.count < heals.count { joker.heals = coversAll ? rule.badOutcomes : kept.isEmpty ? nil : kept }
    let taken = joker.penalty.map(\.outcome).filter { !known.contains($0) && !lost.contains($0) }
    joker.penalty.removeAll { !known.contains($0.outcome) }
    return (.joker(joker), lost + taken)
  }
}

extension Ledger {
  /// Returns drafts that change a definition from `day` on, and all later ones that only repeat it.
  package func redefinition(
    of habit: Habit.ID, on day: Day?, now: Instant, _ change: (inout Habit) -> Void
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
    return [Ledger.draft(changed, on: day, cause: base.event)]
      + repeats(of: base, habit, from: from).map { Ledger.draft(changed, on: $0.day, cause: $0.event) }
  }

  private static func draft(_ habit: Habit, on day: Day?, cause: String) -> Draft {
    var draft = Draft(.habitDefined(habit))
    (draft.day, draft.event.cause) = (day, cause)
    return draft
  }
}
