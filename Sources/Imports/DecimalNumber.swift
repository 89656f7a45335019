import StreakDomain

/// A decimal number of at least 0, before it is converted and rounded to thousandths.
struct DecimalNumber: Equatable {
  /// The number times 10⁹; further decimals are cut off.
  private let billionths: Int128

  init(_ number: Thousandths) {
    billionths = Int128(number.count) * 1_000_000
  }

  /// Creates the number with the digits `whole` before the decimal sign and `fraction` after it, or
  /// returns `nil` if it has too many digits.
  init?(whole: some StringProtocol, fraction: some StringProtocol) {
    let kept = Substring(Substring(fraction).utf8.prefix(9))
    let zeros = String(repeating: "0", count: 9 - kept.utf8.count)
    guard whole.utf8.count <= 15, let billionths = Int128("0\(whole)\(kept)\(zeros)") else {
      return nil
    }
    self.billionths = billionths
  }

  /// Whether the number has at most three decimals.
  var isExact: Bool { billionths % 1_000_000 == 0 }

  /// Returns the number times `factor` and divided by `divisor`, rounded to thousandths, halves up,
  /// or `nil` if it is too large.
  func thousandths(times factor: Int64 = 1, dividedBy divisor: Int64 = 1) -> Thousandths? {
    let (product, isTooMuch) = billionths.multipliedReportingOverflow(by: Int128(factor))
    guard !isTooMuch else { return nil }

    let unit = Int128(divisor) * 1_000_000
    return Int64(exactly: (product + unit / 2) / unit).map { Thousandths(count: $0) }
  }
}
