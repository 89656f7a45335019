import Imports
import EventLog
import StreakDomain

enum NumberWord {
  /// Splits a word into its number, which may be empty, and its unit.
  static func parts(_ word: String) -> (digits: String, unit: String) {
    guard !word.begins(with: ",") else { return ("", word) }
    let digits = Substring(word.utf8.prefix { $0.isDigit || ".,".utf8.contains($0) })
    let rest = word.droppingBytes(digits.utf8.count)
    return (String(digits), String(rest.begins(with: " ") ? rest.droppingBytes(1) : rest))
  }

  /// Parses a number with at most three decimals, optionally with commas between thousands.
  static func number(_ text: String) -> Thousandths? {
    let parts = text.parts(at: ",").map(String.init)
    guard parts.count > 1 else { return JSONValue.number(text) }
    let last = parts[parts.count - 1].parts(at: ".", most: 2)
    let groups = parts.dropFirst().dropLast().map(\.utf8.count) + [last[0].utf8.count]
    guard (1...3).contains(parts[0].utf8.count), groups.allSatisfy({ $0 == 3 }) else { return nil }
    return JSONValue.number(parts.joined())
  }

  /// Whether a dot may separate thousands, as in `10.000`, or in `10.432` if `countsThousands` is true.
  static func isUnclear(_ text: String, countsThousands: Bool) -> Bool {
    let parts = text.parts(at: ".")
    guard parts.count == 2, parts[1].utf8.count == 3, !text.begins(with: "0") else { return false }
    return countsThousands || text.ends(with: ".000")
  }

  /// Returns the symbol of a unit of time or length, `sets` or `drinks`, or the word itself; `m` is minutes.
  static func unit(_ word: String) -> String {
    let small = word.asciiLowercased
    if let unit = (MeasureUnit.times + MeasureUnit.lengths).named(small) { return unit.symbol }
    return ["sets", "drinks"].first { $0 == small || $0 == small + "s" } ?? word
  }

  static func unclear(_ what: String, _ digits: String) -> Failure {
    let parts = digits.parts(at: ".").map(String.init)
    let small = parts[1] == "000" ? parts[0] : digits
    return .usage(
      "\(what): \(quoted(digits)) may be \(small) or \(parts.joined()); write it without the dot, or with fewer decimals"
    )
  }

  /// Converts a number of a unit of time or length, given by its symbol, to minutes or kilometres.
  ///
  /// The result is rounded to thousandths; a number that no entry takes stays as it is.
  static func converted(_ number: Thousandths, from symbol: String) -> (
    measure: Measure, number: Thousandths
  )? {
    for (units, measure, base) in [
      (MeasureUnit.times, Measure.minutes, "min"), (MeasureUnit.lengths, .km, "km"),
    ] {
      guard let unit = units.first(where: { $0.symbol == symbol }), let to = units.named(base) else {
        continue
      }
      guard number <= Thousandths(Sum.most * 1000) else { return (measure, number) }
      return (measure, Thousandths(count: (number.count * unit.size + to.size / 2) / to.size))
    }
    return nil
  }
}

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
