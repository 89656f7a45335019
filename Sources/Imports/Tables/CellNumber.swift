import EventLog
import StreakDomain

/// The sign before the decimals of the numbers in a table.
package enum DecimalSign: String, Sendable {
  case point = "."
  case comma = ","
}

/// A number in a cell of a table, such as `5.2`, `1,020` or `12 pages`.
struct CellNumber {
  /// The digits with their signs.
  private let digits: String
  /// The unit after the digits, or an empty text.
  let unit: String

  /// Creates the number at the start of `text`, or returns `nil` if the text doesn't begin with a
  /// digit, a point or a comma.
  init?(_ text: String) {
    var digits = ""
    var rest = Substring(text).unicodeScalars
    while let scalar = rest.first {
      let next = rest.dropFirst().first
      let isDigit = scalar.isASCII && UInt8(ascii: scalar).isDigit
      let isSign = [".", ","].contains(scalar)
      // French and Swiss numbers have blanks or apostrophes between the groups of thousands.
      let isGap = " \u{A0}\u{202F}\u{2009}'’".unicodeScalars.contains(scalar)
      let isFollowed = next.map { $0.isASCII && UInt8(ascii: $0).isDigit } ?? false
      guard isDigit || isSign || isGap && isFollowed && !digits.isEmpty else { break }
      digits.unicodeScalars.append(isGap ? CellNumber.gap : scalar)
      rest = rest.dropFirst()
    }
    guard digits.utf8.contains(where: { $0.isDigit }) else { return nil }
    self.digits = digits
    // An abbreviation such as `Std.` can end with a point.
    unit = String(Substring(rest)).trimmed.droppingPoint
  }

  private static let gap: Unicode.Scalar = "_"

  /// Returns the number with `sign` before its decimals, or `nil` if it isn't written that way.
  func value(_ sign: DecimalSign) -> DecimalNumber? {
    let parts = digits.parts(at: sign == .point ? "." : ",")
    guard parts.count <= 2 else { return nil }

    let fraction = parts.count == 2 ? parts[1] : ""
    let isFraction = fraction.utf8.allSatisfy { $0.isDigit }
    guard isFraction, parts.count == 1 || !fraction.isEmpty else { return nil }
    return whole(parts[0], sign).flatMap { DecimalNumber(whole: $0, fraction: fraction) }
  }

  /// Returns the digits of the whole part without the signs between groups of thousands, or `nil`
  /// if the groups aren't regular.
  private func whole(_ text: Substring, _ sign: DecimalSign) -> String? {
    let signs = Set(text.utf8.filter { !$0.isDigit }).map { Unicode.Scalar($0) }
    guard let separator = signs.first else { return String(text) }
    let groupSign: Unicode.Scalar = sign == .point ? "," : "."
    guard signs.count == 1, [groupSign, CellNumber.gap].contains(separator) else { return nil }
    return text.withoutGroups(at: separator)
  }

  /// The two values of a number such as `1,020` or `1.020`, whose sign may be a decimal one or not.
  ///
  /// One is read with a decimal point, the other with a decimal comma. It is `nil` for a number
  /// with only one value.
  var readings: (point: Millionths, comma: Millionths)? {
    guard let point = value(.point), let comma = value(.comma), point != comma else { return nil }
    return (point.millionths, comma.millionths)
  }

  /// Whether only a decimal point makes sense of the number, such as `5.2`, but not of `5.200`.
  var showsPoint: Bool { value(.point) != nil && value(.comma) == nil }

  /// Whether the unit is `wanted`, in the singular or plural, or missing.
  func isIn(_ wanted: String) -> Bool {
    NumberWord(digits: digits, unit: unit).isIn(wanted)
  }
}

extension Substring {
  /// Returns the digits without the signs `separator` between groups of thousands, or `nil` if the
  /// groups aren't regular.
  func withoutGroups(at separator: Unicode.Scalar) -> String? {
    let groups = parts(at: separator)
    guard groups.count > 1 else { return String(self) }
    let isRegular =
      (1...3).contains(groups[0].utf8.count)
      && groups.dropFirst().allSatisfy { $0.utf8.count == 3 }
    // No number of thousands begins with a 0.
    return isRegular && !groups[0].begins(with: "0") ? groups.joined() : nil
  }
}
