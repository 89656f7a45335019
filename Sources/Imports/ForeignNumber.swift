/// A number as other programs write it: decimal, with a fraction and an exponent where they like.
package enum ForeignNumber {
  /// The number that a text is, maybe one without end; nil where it is none.
  package static func read(_ text: String) -> Double? {
    // Swift also reads hexadecimal digits, which nobody who counts drinks means.
    guard !text.utf8.contains(where: { $0 | 0x20 == UInt8(ascii: "x") }) else { return nil }
    return Double(text).flatMap { $0.isNaN ? nil : $0 }
  }
}
