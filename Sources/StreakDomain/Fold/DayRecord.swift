/// The result of a habit's day: its verdict, and the state that the fold carries into the next day.
///
/// A record contains everything that the next day depends on. After a late event, the fold can
/// therefore stop at the first day whose new record equals the stored one.
struct DayRecord: Sendable, Equatable {
  var run: Int32 = 0
  /// The first day of the run as a `Day.number`, or 0 if there is no run.
  private var startNumber: Int32 = 0
  /// The number of graced days since the last good day of the run.
  var misses: Int32 = 0
  /// The number of jokers held after the day.
  var held: UInt16 = 0
  /// The number of jokers that the day took away as a penalty.
  var penalised: UInt16 = 0
  /// The number of rest days used so far.
  ///
  /// For the schedule `times`, rest days are counted from the start of the week or month. For
  /// `every`, they are counted from the last good, healed or restarted day.
  var rested: UInt16 = 0
  var verdict: Verdict = .excused
  var jokerActions: JokerActions = []

  /// The first day of the run, or `nil` if there is no run.
  var start: Day? { run > 0 ? Day(unchecked: startNumber) : nil }

  /// The kinds of changes to the jokers on a day.
  struct JokerActions: OptionSet, Sendable {
    let rawValue: UInt8
    static let earned = JokerActions(rawValue: 1)
    static let forfeited = JokerActions(rawValue: 2)
    static let spent = JokerActions(rawValue: 4)
  }

  /// The number of jokers that the day used up, by healing or as a penalty.
  var consumedJokers: Int { (jokerActions.contains(.spent) ? 1 : 0) + Int(penalised) }
}

extension DayRecord {
  /// Returns the record of the following day, which has the input `input` (domain.md, "The fold").
  func next(_ input: DayInput, under definition: CompiledDefinition) -> DayRecord {
    var next = judge(input, under: definition)
    if next.run == 0 {
      next.startNumber = 0
    } else if run == 0 || next.verdict == .restarted && definition.countsStreak {
      next.startNumber = input.day.number
    }
    return next
  }

  /// Returns the record of the following day, but keeps the first day of the run as it is.
  ///
  /// `next` updates that day.
  private func judge(_ input: DayInput, under definition: CompiledDefinition) -> DayRecord {
    var next = self
    next.penalised = 0
    next.jokerActions = []
    next.rested =
      input.startsSchedule
      ? 0
      : definition.schedule.restDays(
        rested, carriedInto: input.day, from: definition.weekStart)

    if input.isExcused {
      next.verdict = .excused
    } else if input.isOpen {
      next.verdict = .open
    } else if input.isRest || next.isRestDay(input, under: definition) {
      next.verdict = .rest
      next.rested = definition.schedule.restDays(next.rested, adding: input.day)
    } else if !definition.countsStreak {
      next.verdict = input.outcome.unforgivenVerdict
    } else if input.outcome == .restarted {
      next.run = 1
      next.misses = 0
      next.verdict = .restarted
    } else {
      switch definition.forgiveness.kind {
      case .none: next.applyWithoutForgiveness(input.outcome)
      case .jokers(let every, let cap):
        next.apply(input.outcome, withJokersEvery: every, cap: cap, under: definition)
      case .grace(let days): next.apply(input.outcome, withGraceDays: days)
      }
    }

    // `every` counts rest days from the last good, healed or restarted day, and only during a run.
    if case .every? = definition.schedule,
      next.run == 0 || definition.countsStreak && next.verdict.countsForSchedule
    {
      next.rested = 0
    }
    return next
  }

  /// Whether the schedule makes the day of `input` a rest day.
  ///
  /// `rested` must already be the number of rest days used before that day.
  private func isRestDay(_ input: DayInput, under definition: CompiledDefinition) -> Bool {
    guard definition.schedule != nil, input.outcome != .restarted || run > 0 else { return false }
    return definition.schedule.allowsRest(
      on: input.day, isGood: input.outcome == .good, isLimit: definition.isLimit, run: run,
      rested: rested)
  }

  private mutating func applyWithoutForgiveness(_ outcome: Outcome) {
    verdict = outcome.unforgivenVerdict
    misses = 0
    run = outcome == .good ? run + 1 : 0
  }

  /// Applies `outcome` to a habit with jokers.
  ///
  /// A joker is earned before one is spent, so a day can be healed by the joker that it earns.
  private mutating func apply(
    _ outcome: Outcome, withJokersEvery every: Int, cap: Int, under definition: CompiledDefinition
  ) {
    let isHealable = run > 0 && definition.forgiveness.heals(outcome)
    if outcome == .good || isHealable, (Int(run) + 1) % every == 0 {
      if Int(held) < cap {
        held += 1
        jokerActions.insert(.earned)
      } else {
        jokerActions.insert(.forfeited)
      }
    }

    if outcome == .good {
      run += 1
      misses = 0
      verdict = .good
    } else if isHealable, held > 0 {
      held -= 1
      jokerActions.insert(.spent)
      run += 1
      verdict = .healed
    } else {
      run = 0
      misses = 0
      verdict = outcome.unforgivenVerdict
      penalised = UInt16(min(Int(held), definition.forgiveness.penalty(of: outcome)))
      held -= penalised
    }
  }

  private mutating func apply(_ outcome: Outcome, withGraceDays days: Int) {
    verdict = outcome.unforgivenVerdict
    if outcome == .good {
      run += 1
      misses = 0
    } else if outcome == .missed, run > 0, Int(misses) < days {
      misses += 1
      verdict = .graced
    } else {
      run = 0
      misses = 0
    }
  }
}
