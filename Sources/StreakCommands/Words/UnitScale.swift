import StreakDomain

/// Units that convert into each other, because they measure the same and nothing else.
enum UnitScale {
  private static let dimensions = [
    MeasureUnit.volumes, MeasureUnit.masses, MeasureUnit.times, MeasureUnit.lengths,
  ]

  /// A number of one unit in another one; of times and miles to the nearest thousandth.
  ///
  /// Nil where they do not measure the same, or where it would not be the same number.
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

  /// Whether a word is one of these units.
  static func isUnit(_ word: String) -> Bool {
    let small = word.asciiLowercased
    return dimensions.contains { $0.named(small) != nil }
  }
}
