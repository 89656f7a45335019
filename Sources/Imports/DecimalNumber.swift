package import StreakDomain

/// A decimal number of at least 0, before it is converted and rounded.
///
/// A number that is too large becomes the largest one, which is above every limit.
package struct DecimalNumber: Hashable, Comparable, Sendable {
  /// The number times 10¹⁸; further decimals are cut off.
  private let parts: Int128

  private static let places = 18
  private static let partsOfMillionth: Int128 = 1_000_000_000_000

  static let zero = DecimalNumber(parts: 0)

  private init(parts: Int128) {
    self.parts = parts
  }

  init(_ number: Millionths) {
    parts = Int128(number.count) * Self.partsOfMillionth
  }

  /// Creates the number with the digits `whole` before and `fraction` after the decimal sign.
  ///
  /// Returns `nil` if there are too many digits.
  init?(whole: some StringProtocol, fraction: some StringProtocol) {
    let kept = Substring(Substring(fraction).utf8.prefix(Self.places))
    let zeros = String(repeating: "0", count: Self.places - kept.utf8.count)
    let isShort = whole.utf8.count + fraction.utf8.count < LineLimits.number
    guard isShort, whole.utf8.count <= 15, let parts = Int128("0\(whole)\(kept)\(zeros)") else {
      return nil
    }
    self.parts = parts
  }

  /// Creates the number that another program wrote, which can have a point and an exponent.
  ///
  /// Returns `nil` if `text` isn't such a number.
  init?(_ text: String) {
    let isSigned = text.begins(with: "+") || text.begins(with: "-")
    let halves = text.droppingBytes(isSigned ? 1 : 0).asciiLowercased.parts(at: "e")
    let mantissa = halves[0].parts(at: ".")
    guard halves.count <= 2, mantissa.count <= 2,
      let exponent = halves.count == 1 ? 0 : Int(halves[1]), (-9999...9999).contains(exponent)
    else { return nil }

    let all = mantissa.joined()
    let digits = Substring(all.utf8.drop { $0 == UInt8(ascii: "0") })
    guard !all.isEmpty, all.utf8.allSatisfy({ $0.isDigit }) else { return nil }
    // The number of digits from the first one up to the last of the decimals that are kept.
    let leadingZeros = all.utf8.count - digits.utf8.count
    let count = mantissa[0].utf8.count - leadingZeros + exponent + Self.places
    guard count > 0, !digits.isEmpty else {
      parts = 0
      return
    }
    guard count <= 38 else {
      parts = .max
      return
    }
    let kept = Substring(digits.utf8.prefix(count))
    parts = Int128(kept + String(repeating: "0", count: count - kept.utf8.count)) ?? .max
  }

  package static func < (a: DecimalNumber, b: DecimalNumber) -> Bool { a.parts < b.parts }

  static func + (a: DecimalNumber, b: DecimalNumber) -> DecimalNumber {
    let (sum, isBeyond) = a.parts.addingReportingOverflow(b.parts)
    return DecimalNumber(parts: isBeyond ? .max : sum)
  }

  /// Returns the number times `factor` and divided by `divisor`, with 18 decimals.
  func times(_ factor: Int64, dividedBy divisor: Int64) -> DecimalNumber {
    let (product, isBeyond) = parts.multipliedReportingOverflow(by: Int128(factor))
    return DecimalNumber(parts: isBeyond ? .max : product / Int128(divisor))
  }

  /// Whether the number has at most six decimals.
  var isExact: Bool { parts % Self.partsOfMillionth == 0 }

  /// The number rounded to six decimals, halves up.
  var millionths: Millionths { Millionths(count: rounded(toMultipleOf: Self.partsOfMillionth)) }

  /// The nearest whole number; halves are rounded up.
  var rounded: Int64 { rounded(toMultipleOf: Self.partsOfMillionth * 1_000_000) }

  /// The number as a measure of an entry, rounded to six decimals, halves up.
  ///
  /// It is `nil` if a number above 0 would be rounded to 0.
  package var measure: Millionths? { millionths > .zero || self == .zero ? millionths : nil }

  /// The number as a bound of a rule, rounded to three decimals, halves up.
  ///
  /// It is `nil` if a number above 0 would be rounded to 0.
  package var bound: Thousandths? {
    let thousandths = Thousandths(count: rounded(toMultipleOf: Self.partsOfMillionth * 1000))
    return thousandths > .zero || self == .zero ? thousandths : nil
  }

  /// Returns the number as a count of units of `unit` parts each, halves up.
  private func rounded(toMultipleOf unit: Int128) -> Int64 {
    Int64(clamping: parts / unit + (parts % unit >= unit / 2 ? 1 : 0))
  }
}
