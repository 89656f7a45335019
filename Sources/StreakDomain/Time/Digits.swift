/// Text that is written without a string in between, for those who write a million lines.
extension [UInt8] {
  /// Adds a whole number in decimal.
  package mutating func append(decimal number: Int) {
    if number < 0 { append(UInt8(ascii: "-")) }
    append(decimal: number.magnitude, width: 1)
  }

  /// Adds a whole number in decimal, filled with zeros on the left to `width` digits.
  package mutating func append(decimal number: UInt, width: Int) {
    if number < 10, width == 1 { return append(UInt8(ascii: "0") + UInt8(number)) }
    // Eight digits fit a word, the last in its highest byte.
    let above = number / 100_000_000
    if above > 0 || width > 8 { append(decimal: above, width: width - 8) }
    var rest = number % 100_000_000
    var digits: UInt64 = 0
    var count = 0
    let least = above > 0 ? 8 : Swift.min(8, width)
    while count < least || rest > 0 {
      digits = digits << 8 | UInt64(UInt8(ascii: "0")) + UInt64(rest % 10)
      rest /= 10
      count += 1
    }
    append(addingCapacity: 8) { text in
      for _ in 0..<count {
        text.append(UInt8(truncatingIfNeeded: digits))
        digits >>= 8
      }
    }
  }
}
