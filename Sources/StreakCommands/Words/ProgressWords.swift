import StreakDomain

extension Quota {
  /// `2 of 3 this week`, `2 rest days left`: how many of the days asked for are done, and how many rest days are left.
  ///
  /// Those that the days from one on, or behind it where it is done, have no room for are not said.
  func clauses(on day: Day, isDone: Bool, asked: Int) -> [String] {
    let wanted = wanted(asked: asked)
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

  /// How many days are wanted where so many are asked for: fewer where days are excused, or were before the habit.
  func wanted(asked: Int) -> Int { good < times ? min(asked, times) : times }
}

extension Ledger {
  /// What a day of a habit has come to, or its week or month up to today: `17 of 20 pages today`; none where nothing is
  /// added up.
  func progressWords(of habit: String, on day: Day) -> [String] {
    guard let today else { return [] }
    let per = definition(of: habit, on: day)?.rule.sum?.per
    let end = per.map { min($0.days(around: day).upperBound, today) } ?? day
    guard let (sum, rule) = shownSum(of: habit, on: end) else { return [] }
    let isNow = end == today
    // A week that an earlier day decided has nothing left to do, whatever is asked for now.
    let isOver = rule.atMost.map { sum > $0 } ?? false
    let isDecided = !isOver && rule.per != nil && verdicts(of: habit, in: end...end).first?.verdict == .rest
    return [rule.progress(sum) + " " + rule.span(isToday: isNow)]
      + (isNow && !isDecided ? rule.left(after: sum, on: today).map { [$0] } ?? [] : [])
  }
}

extension SumProgress {
  /// Whether a week or month is over its limit, and asks for nothing more.
  var isWeekOver: Bool { period != nil && atMost.map { total > $0 } ?? false }
}
