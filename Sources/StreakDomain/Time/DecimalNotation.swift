/// The decimal notation of numbers that are stored as a count of parts, such as 1,500 thousandths.
package struct DecimalNotation {
  /// The number of decimals that the parts have.
  let places: Int
  /// The number of parts in one.
  let parts: Int64

  /// Returns the count that stands for NaN or infinity; no sum that is too large has it.
  static func count(ofNonFinite number: Double) -> Int64 {
    number.isNaN ? .min + 1 : number > 0 ? .max - 1 : .min + 2
  }

  /// Returns the name of the value that isn't finite and has the count `count`, or `nil` if `count`
  /// is that of a number.
  private static func nameOfNonFinite(_ count: Int64) -> String? {
    switch count {
    case .min + 1: "NaN"
    case .min + 2: "-infinity"
    case .max - 1: "infinity"
    default: nil
    }
  }

  /// Returns the shortest decimal form of `count` parts, such as `12`, `1.5` or `0.125`.
  ///
  /// If `count` stands for NaN or infinity, the result is the name of that.
  func text(of count: Int64) -> String {
    if count % parts == 0 { return String(count / parts) }
    if let name = DecimalNotation.nameOfNonFinite(count) { return name }
    let magnitude = UInt(count.magnitude)
    let whole = UInt(parts)
    return String(capacity: 16) { text in
      if count < 0 { text.append(UInt8(ascii: "-")) }
      text.append(decimal: magnitude / whole, width: 1)
      text.append(UInt8(ascii: "."))
      text.append(decimal: magnitude % whole, width: places)
      while text.last == UInt8(ascii: "0") { text.removeLast() }
    }
  }

  /// Returns the number of parts in the JSON number `text`.
  ///
  /// The result is `nil` if the number is too long, is out of range, or has more decimals than can
  /// be stored.
  func count(json text: String) -> Int64? {
    guard text.utf8.count <= LineLimits.number else { return nil }
    if text.utf8.count <= 12, text.utf8.allSatisfy({ $0.isDigit }), let whole = Int64(text) {
      return whole * parts
    }

    guard let number = DecimalNotation.parts(json: text) else { return nil }
    let scale = places + number.exponent
    guard !number.digits.isEmpty else { return 0 }
    guard scale >= 0, scale + number.digits.utf8.count <= 40,
      let value = Int64(number.digits + String(repeating: "0", count: scale))
    else { return nil }
    return number.isNegative ? -value : value
  }

  /// Returns the JSON number `text` in the form that all equal numbers have, or as it is if its
  /// exponent is beyond ±999.
  package static func canonical(json text: String) -> String {
    guard let number = parts(json: text) else { return text }
    guard !number.digits.isEmpty else { return "0" }
    return "\(number.isNegative ? "-" : "")\(number.digits)e\(number.exponent)"
  }

  /// Returns the digits of the JSON number `text`, and the exponent of the last digit.
  ///
  /// Zeros at either end are left out. The result is `nil` if the written exponent is beyond ±999.
  private static func parts(
    json text: String
  ) -> (isNegative: Bool, digits: String, exponent: Int)? {
    let halves = text.asciiLowercased.parts(at: "e")
    guard let written = halves.count == 1 ? 0 : Int(halves[1]), (-999...999).contains(written)
    else { return nil }

    let isNegative = halves[0].begins(with: "-")
    let mantissa = halves[0].droppingBytes(isNegative ? 1 : 0).parts(at: ".").filter { !$0.isEmpty }
    var digits = String(Substring(mantissa.joined().utf8.drop { $0 == UInt8(ascii: "0") }))
    var exponent = written - (mantissa.count > 1 ? mantissa[1].utf8.count : 0)
    while digits.ends(with: "0") {
      digits.removeLast()
      exponent += 1
    }
    return (isNegative, digits, exponent)
  }
}

extension [UInt8] {
  package mutating func append(decimal number: Int) {
    if number < 0 { append(UInt8(ascii: "-")) }
    append(decimal: number.magnitude, width: 1)
  }

  package mutating func append(decimal number: UInt, width: Int) {
    if number < 10, width == 1 { return append(UInt8(ascii: "0") + UInt8(number)) }
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
