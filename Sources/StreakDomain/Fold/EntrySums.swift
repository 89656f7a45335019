/// The exact sums over the entries of a habit, to which entries are added and from which they are
/// subtracted.
///
/// Measures are in millionths. They need 128 bits, because 64 bits hold only nine million amounts
/// of 1,000,000.
package struct EntrySums: BitwiseCopyable, Sendable {
  private var entries = 0
  private var minutes: Int128 = 0
  private var km: Int128 = 0
  private var sets = 0
  private var drinks = 0
  private var amount: Int128 = 0
  private var played = 0
  private var completed = 0

  package init() {}

  /// Adds an entry with the given values, or subtracts the entry if `sign` is -1.
  package mutating func add(_ values: EntryValues, sign: Int = 1) {
    entries += sign
    minutes += Int128(max(0, values.minutes)) * Int128(sign)
    km += Int128(max(0, values.km)) * Int128(sign)
    sets += max(0, Int(values.sets)) * sign
    drinks += max(0, Int(values.drinks)) * sign
    amount += Int128(max(0, values.amount)) * Int128(sign)
    guard values.completed >= 0 else { return }
    played += sign
    completed += Int(values.completed) * sign
  }

  /// The sums as they are shown, each rounded once.
  package var totals: Totals {
    func rounded(_ sum: Int128) -> Thousandths {
      Thousandths(count: Int64(clamping: (sum + 500) / 1000))
    }

    var totals = Totals()
    totals.entries = entries
    totals.minutes = rounded(minutes)
    totals.km = rounded(km)
    totals.sets = sets
    totals.drinks = drinks
    totals.amount = rounded(amount)
    totals.played = played
    totals.completed = completed
    return totals
  }
}
