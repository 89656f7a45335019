/// What the fold of a habit is given, day by day: the outcome of its entries or of its members, and what excuses it.
extension Ledger {
  /// What a composite sees of a member, and the last day up to which that stays so.
  struct Look {
    var kind: Kind
    var until: Day

    /// Excused or resting members are left out: the composite is judged by the others.
    enum Kind: Sendable {
      case good, notGood, excused, resting
    }

    static let notGood = Look(kind: .notGood, until: Day.last)
  }

  /// What a closed day brings a habit.
  func closedInput(_ habit: Int, _ day: Day) -> DayInput {
    var input = input(ofOwn: habit, day)
    if habits[habit].terms[input.terms].isComposite {
      combine(&input, of: habit, day) { member in closedLook(at: member, day) }
    }
    markEarly(&input, habit, day)
    return input
  }

  /// The same of a habit without members where the outcome is known to stay.
  func input(_ habit: Int, _ day: Day, of outcome: Outcome, until last: Day) -> DayInput {
    let place = habits[habit].regimeIndex(on: day)
    let regime = habits[habit].regimes[place]
    var input = DayInput(
      outcome: outcome, isExcused: regime.isRetired, startsSchedule: regime.startsSchedule(on: day),
      terms: regime.terms, until: min(last, habits[habit].end(ofRegime: place)))
    if !regime.isRetired, habits[habit].terms[regime.terms].isQuiet(outcome) { excuse(&input, habit, day) }
    markEarly(&input, habit, day)
    return input
  }

  /// What a day from today on brings if nothing more is logged; composites below must be folded ahead that far.
  func coming(_ habit: Int, _ day: Day) -> DayInput {
    var input = input(ofOwn: habit, day)
    if habits[habit].terms[input.terms].isComposite {
      combine(&input, of: habit, day) { member in comingLook(at: member, day) }
    }
    markEarly(&input, habit, day)
    return input
  }

  /// Marks a day before the habit's first.
  private func markEarly(_ input: inout DayInput, _ habit: Int, _ day: Day) {
    if let first = habits[habit].folded.first, first <= day { return }
    input.isEarly = true
    input.until = min(input.until, habits[habit].folded.first?.previous ?? Day.last)
  }

  /// The same by the habit's own entries alone, wherever its first day is; of a composite all but its outcome.
  private func input(ofOwn habit: Int, _ day: Day) -> DayInput {
    let place = habits[habit].regimeIndex(on: day)
    let regime = habits[habit].regimes[place]
    let terms = habits[habit].terms[regime.terms]
    var input = DayInput(
      outcome: .missed, isExcused: regime.isRetired, startsSchedule: regime.startsSchedule(on: day),
      terms: regime.terms, until: habits[habit].end(ofRegime: place))
    if !terms.isComposite {
      let (cell, until) = habits[habit].cell(on: day)
      input.outcome = terms.test.outcome(of: cell)
      input.until = min(input.until, until)
    }
    if !regime.isRetired, terms.isQuiet(input.outcome) { excuse(&input, habit, day) }
    return input
  }

  /// Excuses a quiet day that is in a span.
  private func excuse(_ input: inout DayInput, _ habit: Int, _ day: Day) {
    let all = excusedForAll.look(at: day)
    let own = habits[habit].excused.look(at: day)
    input.isExcused = all.isIn || own.isIn
    input.until = min(input.until, all.until, own.until)
  }

  /// Puts `all` or `either` of the members' outcomes in, those left out that are excused or resting.
  private func combine(_ input: inout DayInput, of habit: Int, _ day: Day, _ look: (Int) -> Look) {
    let terms = habits[habit].terms[input.terms]
    var (good, notGood, resting) = (0, 0, 0)
    for member in terms.members {
      let seen = habits[member].isDefined && !isCircular(member, in: habit, on: day) ? look(member) : .notGood
      input.until = min(input.until, seen.until)
      switch seen.kind {
      case .good: good += 1
      case .notGood: notGood += 1
      case .resting: resting += 1
      case .excused: break
      }
    }
    let othersAreFine = notGood == 0 || terms.test.traits.combination == .one
    let isGood = good > 0 && othersAreFine
    input.outcome = isGood ? .good : .missed
    if habits[habit].isRetired(on: day) {
      input.isExcused = true
    } else if isGood {
      input.isExcused = false
    } else if resting > 0, othersAreFine {
      input.isRest = true
    } else if good + notGood == 0 {
      input.isExcused = true
    }
  }

  func closedLook(at member: Int, _ day: Day) -> Look {
    look(at: member, day, habits[member].folded)
  }

  private func comingLook(at member: Int, _ day: Day) -> Look {
    habits[member].ahead.map { look(at: member, day, $0.folded) } ?? .notGood
  }

  private func look(at member: Int, _ day: Day, _ folded: FoldedDays) -> Look {
    guard let slot = folded.stretch(on: day) else { return .notGood }
    if slot.value.isEarly { return earlyLook(at: member, day, slot) }
    let (verdict, place) = slot.verdict(day - slot.day)
    return Look(kind: Look.Kind(verdict), until: slot.day + place)
  }

  /// A day before the member's first: only its weekdays, or its own members, can let it go.
  private func earlyLook(at member: Int, _ day: Day, _ slot: DayMap<Stretch>.Slot) -> Look {
    let terms = habits[member].terms(on: day)
    var look: Look
    if terms.isComposite {
      look = Look(kind: Look.Kind(slot.value.first.verdict), until: slot.through)
    } else {
      let input = input(ofOwn: member, day)
      let kind: Look.Kind =
        input.isExcused ? .excused : input.outcome == .good ? .good : .notGood
      look = Look(kind: kind, until: min(input.until, slot.through))
    }
    guard terms.rhythm.kind == .weekdays, look.kind != .excused else { return look }
    let isPassedOver = terms.rhythm.passesOver(day)
    let alike = (1...7).first { terms.rhythm.passesOver(day + $0) != isPassedOver } ?? 1
    look.until = min(look.until, day + (alike - 1))
    if isPassedOver { look.kind = .resting }
    return look
  }

  /// Whether a member leads back to its composite, in depth, by the definitions of that day.
  func isCircular(_ member: Int, in composite: Int, on day: Day) -> Bool {
    member == composite || foldOrder?.isCircular(member, in: composite, on: day) ?? false
  }

  /// A day of a settled habit as the fold meets it; today and days after it as they are so far.
  func facts(_ habit: Int, _ day: Day, isToday: Bool) -> FoldDay {
    isToday
      ? undecided(habit, day).facts : FoldDay(closed: closedInput(habit, day), on: day)
  }

  /// A day that is not over: as it is so far, and its verdict were it closed with nothing more logged.
  func undecided(_ habit: Int, _ day: Day) -> (facts: FoldDay, closed: Verdict) {
    var known: [Int: (facts: FoldDay, closed: Verdict)] = [:]
    return undecided(habit, day, &known)
  }

  /// The same with what is known of other habits' day, so that each is looked at once.
  private func undecided(
    _ habit: Int, _ day: Day, _ known: inout [Int: (facts: FoldDay, closed: Verdict)]
  ) -> (facts: FoldDay, closed: Verdict) {
    if day == today, let settled = habits[habit].settledToday, habits[habit].isSettled(on: day) {
      return (settled.facts, settled.closed)
    }
    if let found = known[habit] { return found }
    var input = input(ofOwn: habit, day)
    var closed = input
    let terms = habits[habit].terms[input.terms]
    if terms.isComposite {
      combine(&input, of: habit, day) { member in
        let (seen, closed) = undecided(member, day, &known)
        return Look(kind: Look.Kind(seen, closed), until: day)
      }
      combine(&closed, of: habit, day) { member in
        Look(kind: Look.Kind(undecided(member, day, &known).closed), until: day)
      }
    }
    let facts = FoldDay(
      day: day, outcome: input.outcome, isExcused: input.isExcused, isRest: input.isRest,
      startsSchedule: input.startsSchedule, isOpen: terms.isQuiet(input.outcome))
    let found = (facts, closedVerdict(habit, closed, on: day, under: terms))
    known[habit] = found
    return found
  }

  private func closedVerdict(_ habit: Int, _ input: DayInput, on day: Day, under terms: Terms) -> Verdict {
    if let first = habits[habit].folded.first, first <= day {
      return habits[habit].folded[day.previous].next(FoldDay(closed: input, on: day), under: terms).verdict
    }
    if input.isExcused { return .excused }
    return input.isRest || terms.rhythm.passesOver(day) ? .rest : input.outcome.verdictAlone
  }
}

extension Ledger.Look.Kind {
  /// What a closed day's verdict is to a composite.
  fileprivate init(_ verdict: Verdict) {
    switch verdict {
    case .good: self = .good
    case .excused: self = .excused
    case .rest: self = .resting
    case .healed, .graced, .missed, .bad, .restarted, .open: self = .notGood
    }
  }

  /// What a day that is not over is to a composite; a limit is not kept before its day is closed.
  init(_ day: FoldDay, _ closed: Verdict) {
    if day.isExcused {
      self = .excused
    } else if closed == .rest {
      self = .resting
    } else {
      self = day.outcome == .good && !day.isOpen ? .good : .notGood
    }
  }
}
