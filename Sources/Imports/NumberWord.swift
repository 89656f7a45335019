import EventLog
package import StreakDomain

/// A number and the unit after it, as people type them: `12`, `5.2km`, `10,000steps` or `500 ml`.
package struct NumberWord {
  package let digits: String
  /// The unit as it was typed, or an empty text if there is no unit.
  package let unit: String

  package init(digits: String, unit: String) {
    self.digits = digits
    self.unit = unit
  }

  /// Creates the number at the beginning of `word`, or returns `nil` if the word begins with
  /// something else.
  package init?(_ word: String) {
    guard !word.begins(with: ",") else { return nil }
    let digits = Substring(word.utf8.prefix { $0.isDigit || ".,".utf8.contains($0) })
    guard !digits.isEmpty else { return nil }
    self.init(digits: String(digits), unit: String(word.droppingBytes(digits.utf8.count)).trimmed)
  }

  /// The number, or `nil` if it has more than six decimals or commas that don't separate thousands.
  package var number: Millionths? {
    // A comma after the point, as in 1.5,000, separates no thousands.
    let halves = digits.parts(at: ".", most: 2)
    guard let whole = halves[0].withoutGroups(at: ",") else { return nil }
    return JSONValue.number(whole + halves.dropFirst().map { ".\($0)" }.joined())
  }

  /// The measure of the unit, and the exact number in the unit of that measure.
  ///
  /// This is for minutes, kilometres, sets and drinks; for any other unit it is `nil`. The number
  /// alone is `nil` if it isn't valid.
  package var measured: (measure: Measure, number: DecimalNumber?)? {
    let exact = number.map { DecimalNumber($0) }
    return switch unit.asciiLowercased {
    case "set", "sets": (.sets, exact)
    case "drink", "drinks": (.drinks, exact)
    default:
      MeasureUnit.named(unit)?.measure.map { measure in
        (
          measure,
          exact.flatMap { MeasureUnit.convert($0, from: unit, to: measure.bareUnit ?? unit) }
        )
      }
    }
  }

  /// Converts the number to `wanted`, the unit of an amount; returns `nil` if the units don't fit
  /// together, or if a number above 0 would be rounded to 0.
  package func number(in wanted: String) -> Millionths? {
    guard let number, !isIn(wanted) else { return number }
    return MeasureUnit.convert(DecimalNumber(number), from: unit, to: wanted)?.measure
  }

  /// Whether there is no unit, or the unit is `wanted` in the singular or plural.
  func isIn(_ wanted: String) -> Bool {
    let word = unit.asciiLowercased
    let wantedWord = wanted.asciiLowercased
    let isOne = digits == "1" && [word + "s", word + "es"].contains(wantedWord)
    return isOne || ["", wantedWord, wantedWord + "s", wantedWord + "es"].contains(word)
  }

  /// Throws if the point may separate thousands instead of decimals.
  ///
  /// In `10.000` it always may, and in `10.432` only if `countsThousands` is true.
  package func requireClear(_ whose: String, countsThousands: Bool) throws(Failure) {
    let parts = digits.parts(at: ".").map(String.init)
    guard let number, parts.count == 2, parts[1].utf8.count == 3, !digits.begins(with: "0"),
      countsThousands || parts[1] == "000"
    else { return }
    throw Failure(
      .usage,
      """
      \(option: whose): \(quoted(digits)) may be \(number) or \(parts.joined()); write it without \
      the point, or with fewer decimals
      """)
  }
}
