import EventLog
import Imports
import StreakDomain

/// A number and the unit after it, as people type them: `12`, `5.2km`, `10,000steps` or `500 ml`.
struct NumberWord {
  let digits: String
  /// The unit as it was typed; empty if there is none.
  let unit: String

  init(digits: String, unit: String) { (self.digits, self.unit) = (digits, unit) }

  /// Creates the number at the beginning of `word`, or `nil` if the word begins with something else.
  init?(_ word: String) {
    guard !word.begins(with: ",") else { return nil }
    let digits = Substring(word.utf8.prefix { $0.isDigit || ".,".utf8.contains($0) })
    guard !digits.isEmpty else { return nil }
    self.init(digits: String(digits), unit: String(word.droppingBytes(digits.utf8.count)).trimmed)
  }

  /// The number, or `nil` if it has more than three decimals or commas that don't separate thousands.
  var number: Thousandths? {
    let parts = digits.parts(at: ",").map(String.init)
    guard parts.count > 1 else { return JSONValue.number(digits) }
    let last = parts[parts.count - 1].parts(at: ".", most: 2)
    let groups = parts.dropFirst().dropLast().map(\.utf8.count) + [last[0].utf8.count]
    guard (1...3).contains(parts[0].utf8.count), groups.allSatisfy({ $0 == 3 }) else { return nil }
    return JSONValue.number(parts.joined())
  }

  /// The measure of the unit, and the number in minutes, kilometres, sets or drinks; `nil` for any other unit.
  ///
  /// The number is `nil` if it isn't valid or too large.
  var measured: (measure: Measure, number: Thousandths?)? {
    switch unit.asciiLowercased {
    case "set", "sets": (.sets, number)
    case "drink", "drinks": (.drinks, number)
    default:
      MeasureUnit.named(unit).flatMap { known in
        known.measure.map { ($0, number.flatMap { known.converted($0) }) }
      }
    }
  }

  /// Converts the number to `wanted`, the unit of an amount; `nil` if the units don't fit together.
  func number(in wanted: String) -> Thousandths? {
    let (word, known) = (unit.asciiLowercased, wanted.asciiLowercased)
    let isSame = word == "" || word == known || digits == "1" && [word + "s", word + "es"].contains(known)
    return number.flatMap { isSame ? $0 : MeasureUnit.convert($0, from: unit, to: wanted) }
  }

  /// Throws if the point may separate thousands: always in `10.000`, but in `10.432` only if `countsThousands`.
  func requireClear(_ whose: String, countsThousands: Bool) throws(Failure) {
    let parts = digits.parts(at: ".").map(String.init)
    guard parts.count == 2, parts[1].utf8.count == 3, !digits.begins(with: "0"),
      countsThousands || parts[1] == "000"
    else { return }
    throw .usage(
      "\(whose): \(quoted(digits)) may be \(number ?? .zero) or \(parts.joined()); write it without the point, "
        + "or with fewer decimals")
  }
}

/// A parser for durations such as `1h30m`, `1h30`, `31:20` or `1:02:03`.
enum ClockMeasure {
  static func minutes(_ word: String) throws(Failure) -> Thousandths? {
    guard let seconds = hoursAndMinutes(word) ?? clock(word) else { return nil }
    if word.utf8.count == 4, word.parts(at: ":").count == 2 {
      let hours = word.replacingBytes(of: ":", with: "h") + "m"
      throw .usage(
        "\(quoted(word)) may be \(hours) or \(seconds)s; write one of them; --value has it as text")
    }
    let most = Measure.minutes.most
    guard seconds <= most * 60 else { throw .usage("\(quoted(word)): minutes go from 0 to \(most)") }
    // Rounds to thousandths of a minute.
    return Thousandths(count: (Int64(seconds) * 1000 + 30) / 60)
  }

  private static func hoursAndMinutes(_ word: String) -> Int? {
    let parts = word.asciiLowercased.parts(at: "h")
    guard parts.count == 2, let hours = number(parts[0]) else { return nil }
    let rest = parts[1].ends(with: "m") ? Substring(parts[1].utf8.dropLast()) : parts[1]
    guard rest.utf8.count <= 2, let minutes = number(rest), minutes < 60 else { return nil }
    return (hours * 60 + minutes) * 60
  }

  private static func clock(_ word: String) -> Int? {
    let parts = word.parts(at: ":")
    let counts = parts.compactMap(number)
    guard (2...3).contains(parts.count), counts.count == parts.count,
      parts.dropFirst().allSatisfy({ $0.utf8.count == 2 }), counts.dropFirst().allSatisfy({ $0 < 60 })
    else { return nil }
    return counts.reduce(0) { $0 * 60 + $1 }
  }

  private static func number(_ text: Substring) -> Int? {
    (1...4).contains(text.utf8.count) && text.utf8.allSatisfy(\.isDigit) ? Int(text) : nil
  }
}
