/// An exact decimal with at most three decimals, kept as a count of thousandths.
///
/// Measures are summed in it, so 0.1 + 0.2 is 0.3 (domain.md, "Habits and rules"). Its JSON is a number.
///
/// ```swift
/// let distance: Thousandths = 5.2
/// "\(distance) km"  // 5.2 km
/// Double(distance)  // 5.2
/// ```
public struct Thousandths: Hashable, Comparable, BitwiseCopyable, Sendable {
  package var count: Int64

  package init(count: Int64) {
    self.count = count
  }

  /// A whole number; the nearest there is where it is out of every range.
  public init(_ whole: Int) {
    let (product, isBeyond) = Int64(whole).multipliedReportingOverflow(by: 1000)
    count = isBeyond ? (whole < 0 ? .min : .max) : product
  }

  package static let zero = Thousandths(count: 0)

  /// The nearest to a number; far out of every range where there is none.
  public init(_ number: Double) {
    let nearest = (number * 1000).rounded()
    count = nearest.magnitude < 1e15 ? Int64(nearest) : 1_000_000_000_000_000
  }

  /// Whether one number is less than another.
  public static func < (a: Thousandths, b: Thousandths) -> Bool { a.count < b.count }

  /// The exact sum.
  public static func + (a: Thousandths, b: Thousandths) -> Thousandths {
    Thousandths(count: a.count + b.count)
  }

  /// The exact difference.
  public static func - (a: Thousandths, b: Thousandths) -> Thousandths {
    Thousandths(count: a.count - b.count)
  }

  package static func += (a: inout Thousandths, b: Thousandths) { a.count += b.count }

  package static func -= (a: inout Thousandths, b: Thousandths) { a.count -= b.count }

  package var isWhole: Bool { count % 1000 == 0 }

  /// Rounded to a whole number, halves up.
  package var rounded: Int64 { (count + 500).floored(by: 1000) }
}

extension Thousandths: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, Codable {
  /// A whole number in the text of a program.
  public init(integerLiteral value: Int) { self.init(value) }

  /// A number in the text of a program.
  public init(floatLiteral value: Double) { self.init(value) }

  /// Reads a number.
  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode(Double.self))
  }

  /// As a number.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(Double(self))
  }
}

extension Double {
  /// The number, to be drawn or averaged.
  public init(_ number: Thousandths) {
    self = Double(number.count) / 1000
  }
}

extension Thousandths: CustomStringConvertible {
  /// The shortest decimal: `12`, `1.5`, `0.125`.
  public var description: String {
    var text: [UInt8] = []
    write(into: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// Adds the shortest decimal.
  package func write(into text: inout [UInt8]) {
    let magnitude = UInt(count.magnitude)
    if count < 0 { text.append(UInt8(ascii: "-")) }
    text.append(decimal: magnitude / 1000, width: 1)
    guard magnitude % 1000 != 0 else { return }
    text.append(UInt8(ascii: "."))
    text.append(decimal: magnitude % 1000, width: 3)
    while text.last == UInt8(ascii: "0") { text.removeLast() }
  }
}

extension Thousandths {
  /// The exact value of a JSON number; nil if it has more than three decimals or is out of any range.
  package init?(json text: String) {
    // Most are a few digits, which need none of what follows.
    if text.utf8.count <= 12, text.utf8.allSatisfy({ (48...57).contains($0) }), let whole = Int64(text) {
      self.init(count: whole * 1000)
      return
    }
    let parts = text.asciiLowercased.parts(at: "e")
    guard let exponent = parts.count == 1 ? 0 : Int(parts[1]), (-999...999).contains(exponent)
    else { return nil }
    let isNegative = parts[0].begins(with: "-")
    let mantissa = parts[0].droppingBytes(isNegative ? 1 : 0).parts(at: ".").filter { !$0.isEmpty }
    var digits = String(Substring(mantissa.joined().utf8.drop { $0 == UInt8(ascii: "0") }))
    var scale = 3 + exponent - (mantissa.count > 1 ? mantissa[1].utf8.count : 0)
    while digits.ends(with: "0") {
      digits.removeLast()
      scale += 1
    }
    guard !digits.isEmpty else {
      self.init(count: 0)
      return
    }
    guard scale >= 0, scale + digits.utf8.count <= 40,
      let value = Int64(digits + String(repeating: "0", count: scale))
    else { return nil }
    self.init(count: isNegative ? -value : value)
  }
}
