package import StreakDomain

/// Sums of a week or month, and how far a sum is, by domain.md, word by word.
extension PlainLedger {
  /// The day that decides a week or month, and what it brings.
  struct Decision {
    let day: Day
    let outcome: String
  }

  /// What the days of a week or month add up to, apart by what they count: a day adds to the sum in force on it.
  private struct Totals {
    private var counts: [[UInt8]: Int64] = [:]

    mutating func add(_ entries: [Entry], of sum: Sum) -> Int64 {
      let what = Array("\(sum.of.rawValue) \(sum.unit ?? "")".utf8)
      counts[what, default: 0] += entries.compactMap { $0.plain(sum.of) }.reduce(0, +)
      return counts[what] ?? 0
    }
  }

  /// The days of a span with a sum of that week or month in force, each with the sum so far.
  private func sumsSoFar(
    _ habit: String, _ per: Schedule.Period?, _ span: ClosedRange<Day>
  ) -> [(day: Day, sum: Sum, total: Int64)] {
    var totals = Totals()
    return (0..<span.count).map { span.lowerBound + $0 }.compactMap { day in
      guard let sum = definition(habit, day)?.rule.sum, sum.per == per else { return nil }
      return (day, sum, totals.add(counting(habit, day), of: sum))
    }
  }

  /// What decides the week or month around a day; nil where no day of it does.
  mutating func decision(_ habit: String, _ per: Schedule.Period, around day: Day) -> Decision? {
    let span = per.days(around: day)
    let place = "\(habit) \(per.rawValue) \(span.lowerBound)"
    if let known = decisions[place] { return known }
    let found = sumsSoFar(habit, per, span).lazy.compactMap { day, sum, total -> Decision? in
      if let most = sum.atMost, total > most.count { return Decision(day: day, outcome: "over") }
      let isEnough = sum.atLeast.map { total >= $0.count } ?? true
      if sum.atMost == nil, isEnough { return Decision(day: day, outcome: "good") }
      return day == span.upperBound ? Decision(day: day, outcome: isEnough ? "good" : "missed") : nil
    }.first
    decisions[place] = .some(found)
    return found
  }

  /// What a state says of the sum of today.
  package struct Progress: Equatable {
    package let total: Thousandths
    package let atLeast: Thousandths?
    package let atMost: Thousandths?
    /// `day`, `week` or `month`.
    package let per: String
    package let through: Day
  }

  package func progress(_ habit: String) -> Progress? {
    guard !isRetired(habit, today), let sum = definition(habit, today)?.rule.sum else { return nil }
    let span = sum.per?.days(around: today) ?? today...today
    let total = sumsSoFar(habit, sum.per, span.lowerBound...today).last?.total ?? 0
    return Progress(
      total: Thousandths(count: total), atLeast: sum.atLeast, atMost: sum.atMost,
      per: sum.per?.rawValue ?? "day", through: min(span.upperBound, Day.last))
  }
}
