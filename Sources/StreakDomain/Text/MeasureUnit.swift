/// A unit of time, length, volume or mass, with the words that people call it by.
package struct MeasureUnit: Sendable {
  /// `min`, `h`, `km`; `m` is a metre.
  package let symbol: String
  package let words: [String]
  /// How many of the smallest unit of its dimension it is.
  package let size: Int64

  private init(_ symbol: String, _ size: Int64, _ words: String...) {
    (self.symbol, self.size, self.words) = (symbol, size, words)
  }

  package static let times = [
    MeasureUnit("s", 1, "s", "sec", "secs", "second", "seconds"),
    MeasureUnit("min", 60, "m", "min", "mins", "minute", "minutes"),
    MeasureUnit("h", 3600, "h", "hr", "hrs", "hour", "hours"),
  ]
  package static let lengths = [
    MeasureUnit("m", 1000, "m", "metre", "metres", "meter", "meters"),
    MeasureUnit("km", 1_000_000, "km", "kilometre", "kilometres", "kilometer", "kilometers"),
    MeasureUnit("mi", 1_609_344, "mi", "mile", "miles"),
  ]
  package static let volumes = [
    MeasureUnit("ml", 1, "ml", "millilitre", "millilitres", "milliliter", "milliliters"),
    MeasureUnit("cl", 10, "cl", "centilitre", "centilitres", "centiliter", "centiliters"),
    MeasureUnit("dl", 100, "dl", "decilitre", "decilitres", "deciliter", "deciliters"),
    MeasureUnit("l", 1000, "l", "litre", "litres", "liter", "liters"),
  ]
  package static let masses = [
    MeasureUnit("mg", 1, "mg", "milligram", "milligrams"),
    MeasureUnit("g", 1000, "g", "gram", "grams", "gramme", "grammes"),
    MeasureUnit("kg", 1_000_000, "kg", "kilo", "kilos", "kilogram", "kilograms"),
  ]
}

extension [MeasureUnit] {
  /// The first of them that a word in small letters names; nil where none is called so.
  package func named(_ word: String) -> MeasureUnit? { first { $0.words.has(word) } }
}
