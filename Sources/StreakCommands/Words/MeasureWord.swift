import EventLog
import Imports
package import StreakDomain

package enum MeasureWord {
  /// Stores a measure such as `5.2km` or `steady` in `entry`; returns false if `word` isn't a measure.
  package static func read(
    _ word: String, into entry: inout Entry, rule: Rule
  ) throws(Failure) -> Bool {
    let small = word.asciiLowercased
    if let level = rule.levels.names.first(where: { $0.asciiLowercased == Text(small) }) {
      entry.level = level
      return true
    }
    if small == "completed" || small == "failed" {
      entry.completed = small == "completed"
      return true
    }
    if let minutes = try ClockMeasure.minutes(word) {
      entry.minutes = minutes
      return true
    }
    let (digits, unit) = NumberWord.parts(word)
    guard !digits.isEmpty else { return false }
    if let sum = rule.sum, sum.of == .entries, ["", "x", "time", "times"].contains(unit.asciiLowercased) {
      guard NumberWord.number(digits) == Thousandths(1) else {
        throw .usage(
          "\(quoted(word)): each entry counts once, so log it each time; a habit that counts an amount is made by "
            + "`streaks define HABIT --at-least 3pushups`")
      }
      return true
    }
    if let sum = rule.sum, sum.unit != nil || sum.of == .amount {
      return try readAmount(word, digits, unit, sum, into: &entry)
    }
    return try readMeasure(word, digits, unit, rule, into: &entry)
  }

  private static func readAmount(
    _ word: String, _ digits: String, _ unit: String, _ sum: Sum, into entry: inout Entry
  ) throws(Failure) -> Bool {
    let known = sum.unit ?? ""
    guard var number = NumberWord.number(digits) else { throw badNumber(word, "amounts", Sum.most) }
    if !isUnit(unit, known, isOne: digits == "1") {
      guard let converted = UnitScale.convert(number, from: unit, to: known.string) else {
        guard unit.unicodeScalars.allSatisfy(\.properties.isAlphabetic) else { return false }
        throw otherUnit(word, digits, unit, sum)
      }
      number = converted
    }
    let bound = max(sum.atLeast ?? .zero, sum.atMost ?? .zero)
    guard !NumberWord.isUnclear(digits, countsThousands: bound >= Thousandths(1000)) else {
      throw NumberWord.unclear(quoted(word), digits)
    }
    entry.amount = try within(number, Sum.most, "amounts", word)
    return true
  }

  private static func otherUnit(_ word: String, _ digits: String, _ unit: String, _ sum: Sum) -> Failure {
    guard let known = sum.unit else {
      return .usage("\(quoted(word)): the habit counts a number without a unit; say \(digits)")
    }
    // With a misspelled unit, or `x` for times, the number is probably right.
    let isMeant = unit.asciiLowercased == "x" || isNear(unit, known.string)
    let example = isMeant ? digits : "\(sum.atLeast ?? sum.atMost ?? Thousandths(20))"
    return .usage(
      "\(quoted(word)): the habit counts \(known)"
        + (isMeant
          ? Nearest.meant("\(digits)\(known)") : "; say how many, such as \(example)\(known)"))
  }

  /// Whether `unit` is probably a typo of the unit `known`.
  ///
  /// A valid unit is never regarded as a typo.
  private static func isNear(_ unit: String, _ known: String) -> Bool {
    !UnitScale.isUnit(unit) && unit.utf8.first == known.utf8.first
      && !Nearest.names(to: unit, among: [known]).isEmpty
  }

  private static func readMeasure(
    _ word: String, _ digits: String, _ unit: String, _ rule: Rule, into entry: inout Entry
  ) throws(Failure) -> Bool {
    let symbol = NumberWord.unit(unit)
    guard let number = NumberWord.number(digits) else {
      let measure = NumberWord.converted(.zero, from: symbol)?.measure ?? Measure(rawValue: symbol)
      guard let measure else { return false }
      throw badNumber(word, measure.rawValue, measure.most)
    }
    if symbol == "min", rule.sum?.of == .km, number > Thousandths(Measure.minutes.most) {
      throw .usage(
        "\(quoted(word)): m is minutes, and the habit counts km; say \(Thousandths(count: number.count / 1000))km"
      )
    }
    if let (measure, converted) = NumberWord.converted(number, from: symbol) {
      let value = try within(converted, measure.most, measure.rawValue, word)
      if measure == .minutes { entry.minutes = value } else { entry.km = value }
      return true
    }
    switch symbol {
    case "" where rule.bareUnit != nil:
      return try read(digits + (rule.bareUnit ?? ""), into: &entry, rule: rule)
    case "": return false
    case "sets": entry.sets = try whole(number, .sets, word)
    case "drinks": entry.drinks = try whole(number, .drinks, word)
    default: return try refuse(unit, of: word, digits, rule, ["m", "h", "km", "mi", "sets", "drinks"])
    }
    return true
  }

  /// Throws if `word` looks like a measure with an unknown unit, such as `5foo`.
  ///
  /// Otherwise returns false.
  private static func refuse(
    _ unit: String, of word: String, _ digits: String, _ rule: Rule, _ known: [String]
  ) throws(Failure) -> Bool {
    guard !unit.isEmpty, unit.unicodeScalars.allSatisfy({ $0.properties.isAlphabetic }) else { return false }
    if unit.asciiLowercased == "x" {
      let missing = rule.missing(in: Entry(habit: "")).map { "the habit \($0)" }
      throw .usage("\(quoted(word)) is no measure; \(missing ?? "log it once for each time")")
    }
    let names = known + ["min", "minutes", "hours", "miles", "seconds", "metres"]
    let near = names.filter { isNear(unit, $0) }.prefix(1).map { digits + $0 }
    let units = known.joined(separator: ", ")
    throw .usage(
      "\(quoted(word)) looks like a measure and is none"
        + (near.isEmpty ? "; the units are \(units)" : Nearest.meant(near[0]))
        + (word.holds(" ")
          ? "; a word of your own comes first: \(unit) \(digits)" : "; --value takes any text"))
  }

  private static func badNumber(_ word: String, _ name: String, _ most: Int) -> Failure {
    if word.holds(",") {
      return .usage(
        "\(quoted(word)): decimals follow a point, as in \(word.replacingBytes(of: ",", with: "."))")
    }
    return .usage(
      "\(quoted(word)): \(name) go from 0 to \(most); give a number such as 12 or 0.5, with at most 3 decimals"
    )
  }

  /// Joins each bare number with the word after it, as in `500 ml`, unless that word is an answer of the rule or a day.
  package static func joined(_ words: ArraySlice<String>, _ rule: Rule) -> [String] {
    let names = rule.names
    var joined: [String] = []
    for word in words {
      let (digits, unit) = joined.last.map { NumberWord.parts($0) } ?? ("", "")
      if !digits.isEmpty, unit.isEmpty, NumberWord.parts(word).digits.isEmpty,
        !names.contains(Text(word.asciiLowercased)),
        !DayWord.isDay(word)
      {
        joined[joined.count - 1] += " " + word
      } else {
        joined.append(word)
      }
    }
    return joined
  }

  private static func isUnit(_ word: String, _ unit: Text, isOne: Bool) -> Bool {
    let (word, unit) = (Text(word.asciiLowercased), unit.asciiLowercased)
    if word == "" || word == unit { return true }
    return isOne
      && (unit == "\(word)s" || unit == "\(word)es")
  }

  private static func within(
    _ number: Thousandths, _ limit: Int, _ name: String, _ word: String
  ) throws(Failure) -> Thousandths {
    guard number <= Thousandths(limit) else { throw .usage("\(quoted(word)): \(name) go from 0 to \(limit)") }
    return number
  }

  private static func whole(
    _ number: Thousandths, _ measure: Measure, _ word: String
  ) throws(Failure) -> Int {
    guard number.isWhole, number <= Thousandths(measure.most) else {
      throw .usage("\(quoted(word)): \(measure.rawValue) are whole, from 0 to \(measure.most)")
    }
    return Int(number.count / 1000)
  }
}

extension Rule {
  /// The words that have a meaning in the rule, such as the names of levels, in lowercase.
  fileprivate var names: [Text] {
    let answers = answers.map(\.word.asciiLowercased)
    return levels.names.isEmpty ? answers + ["completed", "failed"] : answers
  }
}

/// A parser for durations such as `1h30m`, `1h30`, `31:20` or `1:02:03`.
enum ClockMeasure {
  static func minutes(_ word: String) throws(Failure) -> Thousandths? {
    guard let seconds = hoursAndMinutes(word) ?? clock(word) else { return nil }
    // A word such as `1:20` may mean hours and minutes, or minutes and seconds.
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
    guard (2...3).contains(parts.count), parts.dropFirst().allSatisfy({ $0.utf8.count == 2 }) else {
      return nil
    }
    var seconds = 0
    for (index, part) in parts.enumerated() {
      guard let count = number(part), index == 0 || count < 60 else { return nil }
      seconds = seconds * 60 + count
    }
    return seconds
  }

  private static func number(_ text: Substring) -> Int? {
    guard (1...4).contains(text.utf8.count), text.utf8.allSatisfy({ $0.isDigit }) else {
      return nil
    }
    return Int(text)
  }
}

enum NumberWord {
  static func parts(_ word: String) -> (digits: String, unit: String) {
    guard !word.begins(with: ",") else { return ("", word) }
    let digits = Substring(word.utf8.prefix { $0.isDigit || ".,".utf8.contains($0) })
    let rest = word.droppingBytes(digits.utf8.count)
    return (String(digits), String(rest.begins(with: " ") ? rest.droppingBytes(1) : rest))
  }

  /// Parses a number with at most three decimals, optionally with commas between thousands.
  static func number(_ text: String) -> Thousandths? {
    let parts = text.parts(at: ",").map(String.init)
    guard parts.count > 1 else { return JSONValue.number(text) }
    let last = parts[parts.count - 1].parts(at: ".", most: 2)
    let groups = parts.dropFirst().dropLast().map(\.utf8.count) + [last[0].utf8.count]
    guard (1...3).contains(parts[0].utf8.count), groups.allSatisfy({ $0 == 3 }) else { return nil }
    return JSONValue.number(parts.joined())
  }

  /// Whether the dot may separate thousands: always in `10.000`, but in `10.432` only if `countsThousands` is true.
  static func isUnclear(_ text: String, countsThousands: Bool) -> Bool {
    let parts = text.parts(at: ".")
    guard parts.count == 2, parts[1].utf8.count == 3, !text.begins(with: "0") else { return false }
    return countsThousands || text.ends(with: ".000")
  }

  /// Returns the symbol of a unit, such as `min` for `m` and `minutes`; an unknown unit is returned unchanged.
  static func unit(_ word: String) -> String {
    let small = word.asciiLowercased
    if let unit = (MeasureUnit.times + MeasureUnit.lengths).named(small) { return unit.symbol }
    return ["sets", "drinks"].first { $0 == small || $0 == small + "s" } ?? word
  }

  static func unclear(_ what: String, _ digits: String) -> Failure {
    let parts = digits.parts(at: ".").map(String.init)
    let small = parts[1] == "000" ? parts[0] : digits
    return .usage(
      "\(what): \(quoted(digits)) may be \(small) or \(parts.joined()); write it without the dot, or with fewer decimals"
    )
  }

  /// Converts a time to minutes, or a length to kilometres; returns `nil` for any other unit.
  ///
  /// A number that is too large is returned unchanged.
  static func converted(_ number: Thousandths, from symbol: String) -> (
    measure: Measure, number: Thousandths
  )? {
    for (units, measure, base) in [
      (MeasureUnit.times, Measure.minutes, "min"), (MeasureUnit.lengths, .km, "km"),
    ] {
      guard let unit = units.first(where: { $0.symbol == symbol }), let to = units.named(base) else {
        continue
      }
      guard number <= Thousandths(Sum.most * 1000) else { return (measure, number) }
      return (measure, Thousandths(count: (number.count * unit.size + to.size / 2) / to.size))
    }
    return nil
  }
}

enum UnitScale {
  private static let dimensions = [
    MeasureUnit.volumes, MeasureUnit.masses, MeasureUnit.times, MeasureUnit.lengths,
  ]

  /// Converts a number from one unit to another; returns `nil` if that is impossible or the result is inexact.
  ///
  /// Only times and miles are rounded.
  static func convert(_ number: Thousandths, from unit: String, to known: String) -> Thousandths? {
    let (unit, known) = (unit.asciiLowercased, known.asciiLowercased)
    for units in dimensions {
      guard let from = units.named(unit), let to = units.named(known), number <= Thousandths(Sum.most * 1000)
      else { continue }
      let (product, isTooMuch) = number.count.multipliedReportingOverflow(by: from.size)
      guard !isTooMuch else { return nil }
      let converted = (product + to.size / 2) / to.size
      let isRounded = from.symbol == "mi" || units.named("min") != nil
      guard product % to.size == 0 || isRounded && converted > 0 else { return nil }
      return Thousandths(count: converted)
    }
    return nil
  }

  static func isUnit(_ word: String) -> Bool {
    let small = word.asciiLowercased
    return dimensions.contains { $0.named(small) != nil }
  }
}
