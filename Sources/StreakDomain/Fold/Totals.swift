/// Sums over a habit's standing entries.
package struct Totals: Sendable, Equatable {
  package var entries = 0
  package var minutes = Thousandths.zero
  package var km = Thousandths.zero
  package var sets = 0
  package var drinks = 0
  package var amount = Thousandths.zero
  /// Entries that say whether they were completed.
  package var played = 0
  package var completed = 0

  mutating func add(_ entry: EntryFact, sign: Int = 1) {
    entries += sign
    minutes.count += Int64(max(0, entry.minutes)) * Int64(sign)
    km.count += Int64(max(0, entry.km)) * Int64(sign)
    sets += max(0, Int(entry.sets)) * sign
    if entry.drinks > 0 { drinks += Int(entry.drinks) * sign }
    if entry.amount > 0 { amount.count += Int64(entry.amount) * Int64(sign) }
    guard entry.completed >= 0 else { return }
    played += sign
    completed += Int(entry.completed) * sign
  }
}

/// How often each thing happened on the days of a habit; kept as days are folded, so that reading is O(1).
struct DayTally: Sendable, Equatable {
  private(set) var verdicts = VerdictCounts()
  private(set) var earned = 0
  private(set) var spent = 0
  private(set) var forfeited = 0
  private(set) var penalised = 0

  /// Counts a day in; `sign` -1 takes it out again.
  mutating func count(_ record: DayRecord, _ sign: Int) {
    verdicts.count(record.verdict, sign)
    penalised += Int(record.penalised) * sign
    guard !record.jokers.isEmpty else { return }
    earned += record.jokers.contains(.earned) ? sign : 0
    spent += record.jokers.contains(.spent) ? sign : 0
    forfeited += record.jokers.contains(.forfeited) ? sign : 0
  }

  /// Counts days in that did nothing to the jokers; fewer than none take them out again.
  mutating func count(_ verdict: Verdict, days: Int) { verdicts.count(verdict, days) }

  mutating func countJokers(earned: Int, forfeited: Int, _ sign: Int) {
    self.earned += earned * sign
    self.forfeited += forfeited * sign
  }
}

/// How many days have each verdict.
package struct VerdictCounts: Sendable, Equatable {
  private var counts = SIMD16<Int32>()

  package subscript(verdict: Verdict) -> Int { Int(counts[Int(verdict.rawValue)]) }

  mutating func count(_ verdict: Verdict, _ days: Int) { counts[Int(verdict.rawValue)] += Int32(days) }
}
