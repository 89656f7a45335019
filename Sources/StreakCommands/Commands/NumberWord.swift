import EventLog
import StreakDomain

/// Numbers as people write them before a unit: `12`, `0.5`, `10,000`.
enum NumberWord {
  /// A word's number, empty where it begins with none, and what stands behind it.
  static func parts(_ word: String) -> (digits: String, unit: String) {
    guard !word.begins(with: ",") else { return ("", word) }
    let digits = Substring(word.utf8.prefix { (48...57).contains($0) || ".,".utf8.contains($0) })
    return (String(digits), String(word.droppingBytes(digits.utf8.count)))
  }

  /// A number, maybe with commas between thousands; nil for what is none, or has more than three decimals.
  static func number(_ text: String) -> Thousandths? {
    let parts = text.parts(at: ",").map(String.init)
    guard parts.count > 1 else { return JSONValue.number(text) }
    let last = parts[parts.count - 1].parts(at: ".", most: 2)
    let groups = parts.dropFirst().dropLast().map(\.utf8.count) + [last[0].utf8.count]
    guard (1...3).contains(parts[0].utf8.count), groups.allSatisfy({ $0 == 3 }) else { return nil }
    return JSONValue.number(parts.joined())
  }

  /// Whether a dot may stand between thousands, as in `10.000`: nobody writes three zeros behind a decimal point.
  static func isUnclear(_ text: String) -> Bool {
    text.ends(with: ".000") && !text.begins(with: "0")
  }

  static func unclear(_ what: String, _ digits: String) -> CommandError {
    let parts = digits.parts(at: ".").map(String.init)
    return .usage(
      "\(what): \(quoted(digits)) may be \(parts[0]) or \(parts.joined()); write one of these")
  }

  /// An international mile is 1.609344 km; kept to the metre.
  static func kilometres(ofMiles miles: Thousandths) -> Thousandths {
    Thousandths(count: (miles.count * 1_609_344 + 500_000) / 1_000_000)
  }
}
