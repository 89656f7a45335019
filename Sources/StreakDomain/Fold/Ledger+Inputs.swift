/// What the fold of a habit is given, day by day: the outcome of its entries or of its members, and what excuses it.
extension Ledger {
  /// What a composite sees of a member, and the last day up to which that stays so.
  struct Look {
    var isGood: Bool
    /// Excused, so the composite is judged by its other members.
    var isLeftOut: Bool
    var until: Day

    static let notGood = Look(isGood: false, isLeftOut: false, until: Day.last)
  }

  /// What a closed day brings a habit.
  func closedInput(_ habit: Int, _ day: Day) -> DayInput {
    input(habit, day) { member in closedLook(at: member, day) }
  }

  /// The same of a habit without members where the outcome is known to stand.
  func input(_ habit: Int, _ day: Day, of outcome: Outcome, until last: Day) -> DayInput {
    let place = habits[habit].regimeIndex(on: day)
    let regime = habits[habit].regimes[place]
    var input = DayInput(
      outcome: outcome, isExcused: regime.isRetired, terms: regime.terms,
      until: min(last, habits[habit].end(ofRegime: place)))
    if !regime.isRetired, habits[habit].terms[regime.terms].isQuiet(outcome) { excuse(&input, habit, day) }
    markEarly(&input, habit, day)
    return input
  }

  /// What a day from today on brings if nothing more is logged; composites below must be folded ahead that far.
  func coming(_ habit: Int, _ day: Day) -> DayInput {
    input(habit, day) { member in comingLook(at: member, day) }
  }

  private func input(_ habit: Int, _ day: Day, look: (Int) -> Look) -> DayInput {
    var input = input(ofOwn: habit, day)
    if habits[habit].terms[input.terms].isComposite { combine(&input, of: habit, day, look) }
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
      outcome: .missed, isExcused: regime.isRetired, terms: regime.terms,
      until: habits[habit].end(ofRegime: place))
    if !terms.isComposite {
      let (cell, until) = habits[habit].cell(on: day)
      input.outcome = terms.outcome(of: cell)
      input.until = min(input.until, until)
    }
    if !regime.isRetired, terms.isQuiet(input.outcome) { excuse(&input, habit, day) }
    return input
  }

  /// Excuses a quiet day that lies in a span.
  private func excuse(_ input: inout DayInput, _ habit: Int, _ day: Day) {
    let all = excusedForAll.look(at: day)
    let own = habits[habit].excused.look(at: day)
    input.isExcused = all.isIn || own.isIn
    input.until = min(input.until, all.until, own.until)
  }

  /// Puts `all` or `either` of the members' outcomes in, those left out that are excused.
  private func combine(_ input: inout DayInput, of habit: Int, _ day: Day, _ look: (Int) -> Look) {
    let terms = habits[habit].terms[input.terms]
    let isRetired = habits[habit].isRetired(on: day)
    var (good, counted) = (0, 0)
    for member in terms.members {
      let seen = habits[member].isDefined && !isCircular(member, in: habit, on: day) ? look(member) : .notGood
      input.until = min(input.until, seen.until)
      if seen.isLeftOut { continue }
      counted += 1
      if seen.isGood { good += 1 }
    }
    let isGood = terms.test == .all ? good == counted : good > 0
    input.outcome = counted > 0 && isGood ? .good : .missed
    if isRetired || counted == 0 {
      input.isExcused = true
    } else if input.outcome == .good {
      input.isExcused = false
    }
  }

  private func closedLook(at member: Int, _ day: Day) -> Look {
    look(at: member, day, habits[member].folded)
  }

  private func comingLook(at member: Int, _ day: Day) -> Look {
    guard habits[member].isEverComposite else { return ownLook(at: member, day) }
    return habits[member].ahead.map { look(at: member, day, $0.folded) } ?? .notGood
  }

  private func look(at member: Int, _ day: Day, _ folded: FoldedDays) -> Look {
    guard let slot = folded.stretch(on: day) else { return .notGood }
    if slot.value.isEarly, !habits[member].terms(on: day).isComposite { return ownLook(at: member, day) }
    let verdict = slot.value.verdict
    return Look(isGood: verdict == .good, isLeftOut: verdict == .excused, until: slot.through)
  }

  private func ownLook(at member: Int, _ day: Day) -> Look {
    let input = input(ofOwn: member, day)
    return Look(
      isGood: !input.isExcused && input.outcome == .good, isLeftOut: input.isExcused, until: input.until)
  }

  /// Whether a member leads back to its composite, in depth, by the definitions of that day.
  func isCircular(_ member: Int, in composite: Int, on day: Day) -> Bool {
    member == composite || foldOrder?.isCircular(member, in: composite, on: day) ?? false
  }

  /// A day of a settled habit as the fold meets it; today and days after it as they are so far.
  func facts(_ habit: Int, _ day: Day, isToday: Bool) -> FoldDay {
    var known: [Int: FoldDay] = [:]
    return facts(habit, day, isToday, &known)
  }

  /// The same with what is known of other habits' day, so that each is looked at once.
  private func facts(_ habit: Int, _ day: Day, _ isToday: Bool, _ known: inout [Int: FoldDay]) -> FoldDay {
    if isToday, day == today, let settled = habits[habit].settledToday, habits[habit].isSettled(on: day) {
      return settled.facts
    }
    if let found = known[habit] { return found }
    var input = input(ofOwn: habit, day)
    let terms = habits[habit].terms[input.terms]
    if terms.isComposite {
      combine(&input, of: habit, day) { member in
        let seen = facts(member, day, isToday, &known)
        let isUndecided = seen.isOpen && habits[member].terms(on: day).isAbstinence
        return Look(isGood: seen.outcome == .good && !isUndecided, isLeftOut: seen.isExcused, until: day)
      }
    }
    let found = FoldDay(
      day: day, outcome: input.outcome, isExcused: input.isExcused,
      isOpen: isToday && terms.isQuiet(input.outcome))
    known[habit] = found
    return found
  }
}
