import EventLog
package import StreakDomain

/// The measures of `log`, one word each.
package enum MeasureWord {
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
    if case .sum(let sum) = rule.kind, let known = sum.unit ?? (sum.of == .amount ? "" : nil) {
      if isUnit(String(unit), known) {
        guard let number = JSONValue.number(String(digits)) else {
          throw badNumber(word, "amounts", Sum.most)
        }
        entry.amount = try within(number, Sum.most, "amounts", word)
        return true
      }
      if ranges[String(unit)] != nil {
        let example = "20\(known)"
        throw .usage(
          "\(quoted(word)): the habit counts \(known.isEmpty ? "a number" : known), such as \(example)")
      }
    }
    guard let number = JSONValue.number(String(digits)) else {
      guard let range = ranges[String(unit)] else { return false }
      throw badNumber(word, range.name, range.most)
    }
    switch unit {
    case "" where rule.bareMeasure != nil:
      return try read(word + (rule.bareMeasure ?? ""), into: &entry, rule: rule)
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

  private static func badNumber(_ word: String, _ name: String, _ most: Int) -> CommandError {
    .usage(
      "\(quoted(word)): \(name) go from 0 to \(most); give a number such as 12 or 0.5, with at most 3 decimals"
    )
  }

  /// Whether a word is a sum's unit, one of them said in the singular, or none at all.
  private static func isUnit(_ word: String, _ unit: String) -> Bool {
    let (word, unit) = (word.asciiLowercased.spelling, unit.asciiLowercased)
    return word == "".spelling || word == unit.spelling
      || Substring(unit.utf8.dropLast()).spelling == word && unit.ends(with: "s")
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

extension Rule {
  /// What a bare number counts where the rule looks at one measure only.
  fileprivate var bareMeasure: String? {
    switch kind {
    case .minutes: "m"
    case .sum(let sum):
      switch sum.of {
      case .minutes: "m"
      case .km: "km"
      case .sets: "sets"
      case .drinks: "drinks"
      case .amount, .entries: nil
      }
    case .level, .any, .none, .completed, .activity, .all, .either: nil
    }
  }
}
