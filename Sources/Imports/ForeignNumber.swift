import StreakDomain

/// A parser for numbers written by other programs: decimal, possibly with a fraction and an
/// exponent.
package enum ForeignNumber {
  /// Returns the number, which may be infinite, or `nil` if `text` isn't a number of at most 32
  /// characters.
  package static func read(_ text: String) -> Double? {
    // `Double` also accepts hexadecimal digits.
    guard text.utf8.count <= LineLimits.number,
      !text.utf8.contains(where: { $0 | 0x20 == UInt8(ascii: "x") })
    else { return nil }
    return Double(text).flatMap { $0.isNaN ? nil : $0 }
  }

  /// Returns the number, or `nil` if `text` isn't a finite number of at least 0.
  static func finite(_ text: String) -> Double? {
    read(text).flatMap { $0 >= 0 && $0.isFinite ? $0 : nil }
  }

  /// Returns the exact number, or `nil` if `text` isn't a finite number of at least 0.
  static func decimal(_ text: String) -> DecimalNumber? {
    finite(text) == nil ? nil : DecimalNumber(text)
  }

  /// Parses a number of at least 0, and converts it from `unit` to `wanted`.
  ///
  /// If one of the two units is `nil`, the number isn't converted.
  static func read(
    _ text: String, in unit: String?, to wanted: String?
  ) throws(LeftOut.Reason) -> DecimalNumber {
    guard let number = decimal(text) else { throw read(text) == nil ? .noNumber : .negative }
    guard let unit, let wanted else { return number }
    guard let converted = MeasureUnit.convert(number, fromForeign: unit, to: wanted) else {
      throw .unknownUnit(unit)
    }
    return converted
  }
}
