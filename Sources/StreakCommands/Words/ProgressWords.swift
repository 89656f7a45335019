import StreakDomain

extension Quota {
  /// Returns the progress, such as `2 of 3 this week`, and the rest days left; `asked` is the
  /// result of `requiredDays`.
  func clauses(on day: Day, isDone: Bool, asked: Int) -> [String] {
    let wanted = displayedGoal(asked: asked)
    let isShort = wanted < times
    let span = "this \(isShort ? "short " : "")\(period.rawValue)"
    if isShort, good > asked || asked == 0 {
      return [good == 0 ? "none needed \(span)" : "\(good) \(span), no more needed"]
    }
    let left = min(rests, through - day + (isDone ? 0 : 1))
    let isEnough = good >= min(asked, times)
    return ["\(good) of \(wanted) \(span)"]
      + (isEnough || isDone && day == through ? [] : ["\(counted(left, "rest day")) left"])
  }

  /// Returns the goal to show, such as 3 in `1 of 3`; until `times` is reached, excused days lower
  /// the goal to `asked`.
  func displayedGoal(asked: Int) -> Int { good < times ? min(asked, times) : times }
}

extension Ledger {
  /// Returns the sum of a day, week or month, such as `17 of 20 pages today`, and how much is left
  /// to do or allowed.
  func progressWords(of habit: String, on day: Day) -> [String] {
    guard let today else { return [] }
    let per = definition(of: habit, on: day)?.rule.sum?.per
    let end = per.map { min($0.days(around: day).upperBound, today) } ?? day
    guard let (sum, rule) = shownSum(of: habit, on: end) else { return [] }
    let isNow = end == today
    // A week decided on an earlier day requires nothing more, regardless of the current definition.
    let isOver = rule.atMost.map { sum > $0 } ?? false
    let isDecided =
      !isOver && rule.per != nil && verdicts(of: habit, in: end...end).first?.verdict == .rest
    return [rule.progress(sum) + " " + rule.span(isToday: isNow)]
      + (isNow && !isDecided ? rule.left(after: sum, on: today).map { [$0] } ?? [] : [])
  }
}

extension SumProgress {
  var isWeekOver: Bool { period != nil && atMost.map { total > $0 } ?? false }
}
