import StreakDomain

/// Units that convert into each other, because they measure the same and nothing else.
enum UnitScale {
  private typealias Unit = (words: [String], size: Int64)

  /// For each dimension its units, in multiples of one that all of them have.
  private static let dimensions: [[Unit]] = [
    [
      (["ml", "millilitre", "millilitres", "milliliter", "milliliters"], 1),
      (["cl", "centilitre", "centilitres", "centiliter", "centiliters"], 10),
      (["dl", "decilitre", "decilitres", "deciliter", "deciliters"], 100),
      (["l", "litre", "litres", "liter", "liters"], 1000),
    ],
    [
      (["mg", "milligram", "milligrams"], 1), (["g", "gram", "grams", "gramme", "grammes"], 1000),
      (["kg", "kilo", "kilos", "kilogram", "kilograms"], 1_000_000),
    ],
    [
      (["s", "sec", "secs", "second", "seconds"], 1), (["m", "min", "mins", "minute", "minutes"], 60),
      (["h", "hr", "hrs", "hour", "hours"], 3600),
    ],
    [
      (["m", "metre", "metres", "meter", "meters"], 1000),
      (["km", "kilometre", "kilometres", "kilometer", "kilometers"], 1_000_000),
      (["mi", "mile", "miles"], 1_609_344),
    ],
  ]

  /// A number of one unit in another one; of times and miles to the nearest thousandth.
  ///
  /// Nil where they do not measure the same, or where it would not be the same number.
  static func convert(_ number: Thousandths, from unit: String, to known: String) -> Thousandths? {
    let (unit, known) = (unit.asciiLowercased, known.asciiLowercased)
    for units in dimensions {
      guard let from = units.first(where: { $0.words.has(unit) }),
        let to = units.first(where: { $0.words.has(known) }), number <= Thousandths(Sum.most * 1000)
      else { continue }
      let (product, isTooMuch) = number.count.multipliedReportingOverflow(by: from.size)
      guard !isTooMuch else { return nil }
      let converted = (product + to.size / 2) / to.size
      let isRounded = unit == "mi" || unit.begins(with: "mile") || units.contains { $0.words.has("min") }
      guard product % to.size == 0 || isRounded && converted > 0 else { return nil }
      return Thousandths(count: converted)
    }
    return nil
  }

  /// Whether a word is one of these units.
  static func isUnit(_ word: String) -> Bool {
    let small = word.asciiLowercased
    return dimensions.contains { $0.contains { $0.words.has(small) } }
  }
}
