import EventLog
package import StreakDomain

/// The measures of `log`, one word each.
package enum Measure {
  /// Puts a word into the entry if it is a measure; false for any other word.
  package static func read(
    _ word: String, into entry: inout Entry, rule: Rule
  ) throws(CommandError) -> Bool {
    if case .level(let levels, _) = rule.kind, levels.map(\.name).has(word) {
      entry.level = word
      return true
    }
    if word == "completed" || word == "failed" {
      entry.completed = word == "completed"
      return true
    }
    let digits = Substring(word.utf8.prefix { (48...57).contains($0) || $0 == UInt8(ascii: ".") })
    let unit = word.droppingBytes(digits.utf8.count)
    guard !digits.isEmpty else { return false }
    guard let number = JSONValue.number(String(digits)) else {
      guard let range = ranges[String(unit)] else { return false }
      throw .usage(
        "\(quoted(word)): \(range.name) go from 0 to \(range.most); give a number such as 12 or 0.5, "
          + "with at most 3 decimals")
    }
    switch unit {
    case "m", "min": entry.minutes = try within(number, 1440, "minutes", word)
    case "h":
      // Judged before it is multiplied too: there are never more hours than minutes, nor more miles than km.
      let hours = try within(number, 1440, "minutes", word)
      entry.minutes = try within(Thousandths(count: hours.count * 60), 1440, "minutes", word)
    case "km": entry.km = try within(number, 1000, "km", word)
    case "mi":
      // An international mile is 1.609344 km; kept to the metre.
      let miles = try within(number, 1000, "km", word)
      let metres = (miles.count * 1_609_344 + 500_000) / 1_000_000
      entry.km = try within(Thousandths(count: metres), 1000, "km", word)
    case "sets", "set": entry.sets = try whole(number, 1000, "sets", word)
    case "drinks", "drink": entry.drinks = try whole(number, 100, "drinks", word)
    default: return false
    }
    return true
  }

  /// What a unit measures, and the most there may be of it.
  private static let ranges: [String: (name: String, most: Int)] = [
    "m": ("minutes", 1440), "min": ("minutes", 1440), "h": ("minutes", 1440), "km": ("km", 1000),
    "mi": ("km", 1000), "sets": ("sets", 1000), "set": ("sets", 1000), "drinks": ("drinks", 100),
    "drink": ("drinks", 100),
  ]

  private static func within(
    _ number: Thousandths, _ limit: Int, _ name: String, _ word: String
  ) throws(CommandError) -> Thousandths {
    guard number <= Thousandths(limit) else { throw .usage("\(quoted(word)): \(name) go from 0 to \(limit)") }
    return number
  }

  private static func whole(
    _ number: Thousandths, _ limit: Int, _ name: String, _ word: String
  ) throws(CommandError) -> Int {
    guard number.isWhole, number <= Thousandths(limit) else {
      throw .usage("\(quoted(word)): \(name) are whole, from 0 to \(limit)")
    }
    return Int(number.count / 1000)
  }
}
