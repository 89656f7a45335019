/// An exact number with at most six decimals: a measure of an entry, or a sum of measures.
///
/// A sum is rounded once, to ``Thousandths``, before it is compared with a bound or shown. Its JSON
/// is a number.
///
/// ```swift
/// let distance: Millionths = 6.437376
/// "\(distance) km"  // 6.437376 km
/// Thousandths(rounding: distance + distance)  // 12.875
/// ```
public struct Millionths: Hashable, Comparable, BitwiseCopyable, Sendable {
  package var count: Int64

  package init(count: Int64) {
    self.count = count
  }

  /// Creates a whole number, or the nearest representable number on overflow.
  public init(_ whole: Int) {
    let (product, isBeyond) = Int64(whole).multipliedReportingOverflow(by: 1_000_000)
    count = isBeyond ? (whole < 0 ? .min : .max) : product
  }

  package static let zero = Millionths(count: 0)

  /// Creates the nearest number with six decimals, at most 10¹² and at least −10¹².
  ///
  /// NaN and infinity are kept, so that `append` can name them when it refuses them.
  public init(_ number: Double) {
    guard number.isFinite else {
      count = DecimalNotation.count(ofNonFinite: number)
      return
    }
    count = Int64(min(max((number * 1_000_000).rounded(), -1e18), 1e18))
  }

  public static func < (a: Millionths, b: Millionths) -> Bool { a.count < b.count }

  /// Returns the sum, or the nearest representable number on overflow.
  ///
  /// The largest number is about 9.2 · 10¹², more than nine million entries of the largest amount.
  public static func + (a: Millionths, b: Millionths) -> Millionths {
    let (sum, isBeyond) = a.count.addingReportingOverflow(b.count)
    return Millionths(count: isBeyond ? (b.count < 0 ? .min : .max) : sum)
  }

  public static func += (a: inout Millionths, b: Millionths) { a = a + b }

  package var isWhole: Bool { count % 1_000_000 == 0 }

  /// The nearest whole number; halves are rounded up.
  package var rounded: Int64 { (min(count, .max - 500_000) + 500_000).floored(by: 1_000_000) }
}

extension Millionths: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, Codable {
  public init(integerLiteral value: Int) { self.init(value) }

  public init(floatLiteral value: Double) { self.init(value) }

  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode(Double.self))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(Double(self))
  }
}

extension Double {
  public init(_ number: Millionths) {
    self = Double(number.count) / 1_000_000
  }
}

extension Millionths: CustomStringConvertible {
  /// The shortest decimal form, such as `12`, `1.5` or `6.437376`.
  public var description: String { DecimalNotation.millionths.text(of: count) }
}

extension Millionths {
  /// Creates the exact value of a JSON number.
  ///
  /// The result is `nil` if the number has more than six decimals or is out of range.
  package init?(json text: String) {
    guard let count = DecimalNotation.millionths.count(json: text) else { return nil }
    self.init(count: count)
  }
}
