import Inspection
import StreakDomain

extension HabitView {
  /// Returns the progress of `quota`, such as `2 of 3 this week`, and the rest days left.
  ///
  /// If excused days lower the goal, the progress says so: `0 of 3 this short week, 1 more needed`.
  func clauses(of quota: Quota, on day: Day, isDone: Bool) -> [String] {
    guard let span = quotaPeriod?.rawValue else { return [] }
    let required = requiredDays(of: quota, excuses: facts.standingExcuses)
    let wanted = quota.displayedGoal(requiredDays: required)
    let isShort = wanted < quota.times
    let words = "this \(isShort ? "short " : "")\(span)"
    if isShort, quota.good >= required {
      return [quota.good == 0 ? "none needed \(words)" : "\(quota.good) \(words), no more needed"]
    }

    let need = isShort ? ", \(wanted - quota.good) more needed" : ""
    let progress = "\(quota.good) of \(quota.times) \(words)\(need)"
    let isEnough = quota.good >= quota.times
    let isOver = isDone && day == quota.through
    if isEnough || isOver { return [progress] }
    let left = min(quota.rests, quota.through - day + (isDone ? 0 : 1))
    return [progress, "\(counted(left, "rest day")) left"]
  }

  /// Returns the sum of a day, week or month, such as `17 of 20 pages today`.
  ///
  /// How much is left to do or allowed follows. An excuse over the last day of a week or month
  /// waives the minimum.
  func progressWords(on day: Day) -> [String] {
    guard let today else { return [] }
    let per = definition(on: day).rule.sum?.per
    let lastDay = per.map { $0.days(around: day, from: facts.weekStart).upperBound }
    let end = lastDay.map { min($0, today) } ?? day
    guard let (sum, rule) = shownSum(on: end) else { return [] }
    let isNow = end == today
    // A week decided on an earlier day requires nothing more, regardless of the current definition.
    let isOver = rule.atMost.map { sum > $0 } ?? false
    let isDecided =
      !isOver && rule.per != nil && verdict(on: end) == .rest
    let progress = rule.progress(sum) + " " + rule.span(isToday: isNow)
    guard isNow, !isDecided else { return [progress] }

    let isWaived = lastDay.map { last in
      facts.standingExcuses.contains {
        $0.days.contains(last) && $0.habits?.contains(id) ?? true
      }
    }
    let left =
      isWaived == true && rule.atLeast.map { sum < $0 } ?? false
      ? "none needed" : rule.left(after: sum, on: today, weeksFrom: facts.weekStart)
    return [progress] + (left.map { [$0] } ?? [])
  }

  /// Returns the sum to show for `day` and its bounds, or `nil` if there is no sum to show.
  ///
  /// For the rule `minutes`, the sum is shown only while it is above zero and below the minimum.
  func shownSum(on day: Day) -> (sum: Thousandths, rule: Sum)? {
    if let sum = sum(on: day) { return sum }
    guard case .minutes(let atLeast) = definition(on: day).rule.kind else { return nil }

    let minutes = minutes(on: day)
    let isShort = minutes.rounded * 1000 < atLeast.count
    let sum = Thousandths(rounding: minutes)
    guard sum > .zero, isShort else { return nil }
    return (sum, Sum(of: .minutes, atLeast: atLeast))
  }

  /// Returns a text such as `today is lost to beer` for a composite, or `nil`.
  ///
  /// It is lost if nothing can make today good any more.
  var lossToday: String? {
    guard let today, let member = lostMember(on: today), member != id else { return nil }
    return "today is lost to \(facts.definition(of: member)?.name?.string ?? member)"
  }
}

extension Quota {
  /// Returns the goal to show, such as 3 in `1 of 3`.
  ///
  /// Excused days lower it to `requiredDays`, as long as `times` isn't reached.
  func displayedGoal(requiredDays: Int) -> Int {
    good < times ? min(requiredDays, times) : times
  }
}

extension SumProgress {
  var isWeekOver: Bool { period != nil && atMost.map { total > $0 } ?? false }
}
