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
public typealias Millionths = ExactDecimal<Millionth>

/// An exact number with at most three decimals: a bound of a rule, or a total in a state.
///
/// The measures of entries are ``Millionths``. Its JSON is a number.
///
/// ```swift
/// let goal: Thousandths = 32.187
/// "\(goal) km"  // 32.187 km
/// Double(goal)  // 32.187
/// ```
public typealias Thousandths = ExactDecimal<Thousandth>

/// An exact number with a fixed number of decimals, stored as a count of parts; see ``Millionths``
/// and ``Thousandths``.
public struct ExactDecimal<Part: DecimalPart>: Hashable, Comparable, BitwiseCopyable, Sendable {
  package var count: Int64

  package init(count: Int64) {
    self.count = count
  }

  /// Creates a whole number, or the nearest representable number on overflow.
  public init(_ whole: Int) {
    let (product, isBeyond) = Int64(whole).multipliedReportingOverflow(by: Part.perOne)
    count = isBeyond ? (whole < 0 ? .min : .max) : product
  }

  package static var zero: ExactDecimal { ExactDecimal(count: 0) }

  /// Creates the nearest number with the decimals of this type, at most 10¹² and at least −10¹².
  ///
  /// NaN and infinity are kept, so that `append` can name them when it refuses them.
  public init(_ number: Double) {
    guard number.isFinite else {
      count = DecimalNotation.count(ofNonFinite: number)
      return
    }
    let perOne = Double(Part.perOne)
    count = Int64(min(max((number * perOne).rounded(), -1e12 * perOne), 1e12 * perOne))
  }

  public static func < (a: ExactDecimal, b: ExactDecimal) -> Bool { a.count < b.count }

  /// Returns the sum, or the nearest representable number on overflow.
  ///
  /// The largest ``Millionths`` are about 9.2 · 10¹², so more than nine million entries of the
  /// largest amount can be added up.
  public static func + (a: ExactDecimal, b: ExactDecimal) -> ExactDecimal {
    let (sum, isBeyond) = a.count.addingReportingOverflow(b.count)
    return ExactDecimal(count: isBeyond ? (b.count < 0 ? .min : .max) : sum)
  }

  public static func += (a: inout ExactDecimal, b: ExactDecimal) { a = a + b }

  package var isWhole: Bool { count % Part.perOne == 0 }

  /// The nearest whole number; halves are rounded up.
  package var rounded: Int64 {
    let half = Part.perOne / 2
    return (min(count, .max - half) + half).floored(by: Part.perOne)
  }
}

extension ExactDecimal: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, Codable {
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
  public init<Part>(_ number: ExactDecimal<Part>) {
    self = Double(number.count) / Double(Part.perOne)
  }
}

extension ExactDecimal: CustomStringConvertible {
  private static var notation: DecimalNotation {
    DecimalNotation(places: Part.decimals, parts: Part.perOne)
  }

  /// The shortest decimal form, such as `12`, `1.5` or `0.125`.
  public var description: String { ExactDecimal.notation.text(of: count) }

  /// Creates the exact value of a JSON number.
  ///
  /// The result is `nil` if the number has too many decimals or is out of range.
  package init?(json text: String) {
    guard let count = ExactDecimal.notation.count(json: text) else { return nil }
    self.init(count: count)
  }
}

extension Thousandths {
  public static func - (a: Thousandths, b: Thousandths) -> Thousandths {
    Thousandths(count: a.count - b.count)
  }

  /// Returns the number as an integer, or `nil` if it isn't whole or is outside `range`.
  package func whole(in range: ClosedRange<Int>) -> Int? {
    let whole = Int(count / 1000)
    return isWhole && range.contains(whole) ? whole : nil
  }

  /// Creates `number` rounded to three decimals, halves up, as a sum is before it is compared or
  /// shown.
  public init(rounding number: Millionths) {
    // The largest numbers are cut off, because half a thousandth more would overflow.
    count = (min(number.count, .max - 500) + 500).floored(by: 1000)
  }

  /// Creates the number equal to `number`, or returns `nil` if that has more than three decimals.
  package init?(exactly number: Millionths) {
    guard number.count % 1000 == 0 else { return nil }
    count = number.count / 1000
  }
}

/// The part of one that an ``ExactDecimal`` counts.
public protocol DecimalPart {
  /// The number of decimals of a part.
  static var decimals: Int { get }
  /// The number of parts in one.
  static var perOne: Int64 { get }
}

/// The part of ``Thousandths``.
public enum Thousandth: DecimalPart {
  public static let decimals = 3
  public static let perOne: Int64 = 1000
}

/// The part of ``Millionths``.
public enum Millionth: DecimalPart {
  public static let decimals = 6
  public static let perOne: Int64 = 1_000_000
}
