/// The exact sums over the entries of a habit.
///
/// Entries can be added and subtracted. Measures are in millionths. They need 128 bits, because 64
/// bits hold only nine million amounts of 1,000,000.
package struct EntrySums: BitwiseCopyable, Sendable {
  private var minutes: Int128 = 0
  private var km: Int128 = 0
  private var amount: Int128 = 0
  /// The other sums; the measures above stay 0.
  private var others = Totals()

  package init() {}

  /// Adds an entry with the given values, or subtracts the entry if `sign` is -1.
  package mutating func add(_ values: EntryValues, sign: Int = 1) {
    others.entries += sign
    minutes += Int128(max(0, values.minutes)) * Int128(sign)
    km += Int128(max(0, values.km)) * Int128(sign)
    others.sets += max(0, Int(values.sets)) * sign
    others.drinks += max(0, Int(values.drinks)) * sign
    amount += Int128(max(0, values.amount)) * Int128(sign)
    guard values.completed >= 0 else { return }
    others.played += sign
    others.completed += Int(values.completed) * sign
  }

  /// The sums as they are shown, each rounded once.
  package var totals: Totals {
    func rounded(_ sum: Int128) -> Thousandths {
      Thousandths(count: Int64(clamping: (sum + 500) / 1000))
    }

    var totals = others
    totals.minutes = rounded(minutes)
    totals.km = rounded(km)
    totals.amount = rounded(amount)
    return totals
  }
}
