/// Numbers written by other programs: decimal, possibly with a fraction and an exponent.
package enum ForeignNumber {
  /// Returns the number, which may be infinite, or `nil` if the text isn't a number.
  package static func read(_ text: String) -> Double? {
    // `Double` also accepts hexadecimal digits.
    guard !text.utf8.contains(where: { $0 | 0x20 == UInt8(ascii: "x") }) else { return nil }
    return Double(text).flatMap { $0.isNaN ? nil : $0 }
  }
}
