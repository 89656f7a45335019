/// An exact decimal with at most three decimals, kept as a count of thousandths.
///
/// Measures are summed in it, so 0.1 + 0.2 is 0.3 (domain.md, "Habits").
package struct Thousandths: Hashable, Comparable, Sendable {
  package var count: Int64

  package init(count: Int64) {
    self.count = count
  }

  package init(_ whole: Int) {
    count = Int64(whole) * 1000
  }

  package static let zero = Thousandths(count: 0)

  package static func < (a: Thousandths, b: Thousandths) -> Bool { a.count < b.count }

  package static func + (a: Thousandths, b: Thousandths) -> Thousandths {
    Thousandths(count: a.count + b.count)
  }

  package static func - (a: Thousandths, b: Thousandths) -> Thousandths {
    Thousandths(count: a.count - b.count)
  }

  package static func += (a: inout Thousandths, b: Thousandths) { a.count += b.count }

  package static func -= (a: inout Thousandths, b: Thousandths) { a.count -= b.count }

  package var isWhole: Bool { count % 1000 == 0 }

  /// Rounded to a whole number, halves up.
  package var rounded: Int64 { (count + 500).floored(by: 1000) }
}

extension Thousandths: CustomStringConvertible {
  /// The shortest decimal: `12`, `1.5`, `0.125`.
  package var description: String {
    let magnitude = Int(count.magnitude)
    var text = (count < 0 ? "-" : "") + String(magnitude / 1000)
    guard magnitude % 1000 != 0 else { return text }
    var digits = padded(magnitude % 1000, 3)
    while digits.last == "0" { digits.removeLast() }
    text += "." + digits
    return text
  }
}
