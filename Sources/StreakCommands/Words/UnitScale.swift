import StreakDomain

enum UnitScale {
  private static let dimensions = [
    MeasureUnit.volumes, MeasureUnit.masses, MeasureUnit.times, MeasureUnit.lengths,
  ]

  /// Converts a number; times and miles are rounded to thousandths.
  ///
  /// Returns `nil` if the dimensions differ, or if any other conversion isn't exact.
  static func convert(_ number: Thousandths, from unit: String, to known: String) -> Thousandths? {
    let (unit, known) = (unit.asciiLowercased, known.asciiLowercased)
    for units in dimensions {
      guard let from = units.named(unit), let to = units.named(known), number <= Thousandths(Sum.most * 1000)
      else { continue }
      let (product, isTooMuch) = number.count.multipliedReportingOverflow(by: from.size)
      guard !isTooMuch else { return nil }
      let converted = (product + to.size / 2) / to.size
      let isRounded = from.symbol == "mi" || units.named("min") != nil
      guard product % to.size == 0 || isRounded && converted > 0 else { return nil }
      return Thousandths(count: converted)
    }
    return nil
  }

  static func isUnit(_ word: String) -> Bool {
    let small = word.asciiLowercased
    return dimensions.contains { $0.named(small) != nil }
  }
}
