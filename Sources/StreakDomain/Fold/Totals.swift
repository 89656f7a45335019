/// Sums over a habit's standing entries.
package struct Totals: BitwiseCopyable, Sendable, Equatable {
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
