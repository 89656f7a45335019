package import StreakDomain

/// The definitions that a redefinition of a habit replaces.
extension Facts {
  /// Returns the definition that a redefinition on `day` would replace.
  ///
  /// It is the latest one up to `day`. If all are later, it is the one in force on the first day
  /// with a definition.
  package func base(of habit: String, on day: Day) -> DatedDefinition? {
    let all = definitions(of: habit)
    return all.last { $0.day <= day } ?? all.last { $0.day == all[0].day }
  }

  /// Returns the next definition after `day`, or `nil` if there is none.
  ///
  /// It is the one in force on the first day after `day` that has a definition.
  package func definition(of habit: String, after day: Day) -> DatedDefinition? {
    let all = definitions(of: habit)
    return all.first { $0.day > day }.flatMap { first in all.last { $0.day == first.day } }
  }

  /// Returns the definition of `habit` that the event `eventID` recorded, or `nil` if that event
  /// recorded none.
  package func definition(of habit: String, by eventID: String) -> DatedDefinition? {
    position(of: eventID).flatMap { position in
      definitions(of: habit).first { $0.position == position }
    }
  }

  /// Returns the consecutive definitions after `day` that equal `definition`, up to a different one
  /// or a retirement.
  package func repeats(of definition: Habit?, _ habit: String, after day: Day) -> [DatedDefinition]
  {
    var repeats: [DatedDefinition] = []
    while let next = self.definition(of: habit, after: repeats.last?.day ?? day),
      next.source == definition, retirement(of: habit, on: next.day) == nil,
      retirement(of: habit, on: next.day.previous) == nil
    {
      repeats.append(next)
    }
    return repeats
  }

  /// Returns drafts that replace `base` and its later repetitions by `definition` from `day` on.
  ///
  /// The first draft has no day, so that the caller can set the day.
  package func drafts(
    of definition: Habit, replacing base: DatedDefinition?, from day: Day, command: String = "event"
  ) -> [Draft] {
    var replaced: [(day: Day?, cause: String?)] = [(nil, base.map { id(at: $0.position) })]
    if let base, base.day <= day {
      replaced += repeats(of: base.source, definition.id, after: base.day).map {
        ($0.day, id(at: $0.position))
      }
    }
    return replaced.map { day, cause in
      var draft = Draft(.habitDefined(definition), command: command)
      draft.day = day
      draft.event.cause = cause
      return draft
    }
  }

  /// Returns drafts that apply `change` from `day` (by default, today) on, or an empty list if
  /// nothing changes.
  package func redefinition(
    of habit: Habit.ID, on day: Day?, now: Instant, _ change: (inout Habit) -> Void
  ) throws(Failure) -> [Draft] {
    let today = clock.map { max($0.day(of: now), self.today ?? .first) } ?? self.today ?? .first
    let from = day ?? today
    guard let base = base(of: habit, on: from) else {
      throw .unknownHabit(habit, among: currentHabits)
    }

    var changed = base.source
    change(&changed)
    changed.id = habit
    if changed.rule != base.source.rule, changed.forgiveness == base.source.forgiveness {
      changed.forgiveness = changed.forgiveness?.following(
        from: base.source.rule, to: changed.rule)
    }

    if changed.saysTheSame(as: base.source), retirement(of: habit, on: from.next) == nil {
      return []
    }
    var drafts = drafts(of: changed, replacing: base, from: from)
    drafts[0].day = day
    return drafts
  }
}

extension Habit {
  /// Whether this definition equals `other` if missing values are replaced by the defaults.
  package func saysTheSame(as other: Habit) -> Bool { withDefaults == other.withDefaults }

  private var withDefaults: Habit {
    var habit = self
    habit.forgiveness = forgiveness ?? Forgiveness.nothing
    habit.streak = streak ?? true
    return habit
  }
}

extension Forgiveness {
  /// Adapts this forgiveness to the new rule `rule`.
  ///
  /// Outcomes that `rule` doesn't have are removed from `heals` and from the penalties. If that
  /// removes some from `heals`, and jokers healed every bad outcome of `old`, they heal every bad
  /// outcome of `rule`.
  package func following(from old: Rule, to rule: Rule) -> Forgiveness {
    guard case .joker(var joker) = self else { return self }
    func bad(_ rule: Rule) -> [Text] { rule.outcomes.filter { $0 != "good" && $0 != "restarted" } }
    let heals = joker.heals ?? []
    let kept = heals.filter(rule.outcomes.contains)
    if kept.count < heals.count {
      joker.heals = bad(old).allSatisfy(heals.contains) ? bad(rule) : kept.isEmpty ? nil : kept
    }
    joker.penalty.removeAll { !rule.outcomes.contains($0.outcome) }
    return .joker(joker)
  }
}
