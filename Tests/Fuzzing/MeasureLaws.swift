import EventLog
import Foundation
import StreakCommands
import StreakDomain

/// The laws of measures and of JSON numbers, their values told by Foundation's decimals.
enum MeasureLaws {
  static func check(_ input: [UInt8]) throws(Finding) {
    let text = String(decoding: input, as: UTF8.self)
    try checkMeasure(text, rule: Rule(.any))
    try checkMeasure(text, rule: Preset.noalc.definition(for: "noalc").rule)
    try checkNumber(text)
  }

  /// The units of `log`, each with its size and its largest value.
  private static let units: [String: (field: Field, size: Decimal, limit: Decimal)] = {
    let mile = Decimal(1_609_344) / 1_000_000
    let kinds: [([String], Field, Decimal, Decimal)] = [
      (["m", "min", "mins", "minute", "minutes"], .minutes, 1, 1440),
      (["h", "hr", "hrs", "hour", "hours"], .minutes, 60, 1440),
      (["s", "sec", "secs", "second", "seconds"], .minutes, 1, 86400),
      (["metre", "metres", "meter", "meters"], .km, Decimal(1) / 1000, 1000),
      (["km", "kilometre", "kilometres", "kilometer", "kilometers"], .km, 1, 1000),
      (["mi", "mile", "miles"], .km, mile, 1000), (["sets", "set"], .sets, 1, 1000),
      (["drinks", "drink"], .drinks, 1, 100),
    ]
    var units: [String: (Field, Decimal, Decimal)] = [:]
    for (names, field, size, limit) in kinds {
      for name in names { units[name] = (field, size, limit) }
    }
    return units
  }()

  private enum Field { case minutes, km, sets, drinks }

  private static func checkMeasure(_ word: String, rule: Rule) throws(Finding) {
    var entry = Entry(habit: "noalc")
    let untouched = entry
    let result = Result { () throws(Failure) in try MeasureWord.read(word, into: &entry, rule: rule) }
    if case .failure(let error) = result { try demand(!error.message.isEmpty, "an error without a message") }
    let isRead = (try? result.get()) ?? false
    try demand(isRead || entry == untouched, "what is no measure changes the entry")
    let small = asciiLowercased(word)
    if ["completed", "failed"].contains(small) {
      return try demand(isRead && entry.completed == (small == "completed"), "not completed, not failed")
    }
    if let level = rule.levels.bands.first(where: { $0.name == Text(small) }) {
      return try demand(isRead && entry.level == level.name, "not the level")
    }
    let digits =
      word.hasPrefix(",")
      ? word.utf8.prefix(0) : word.utf8.prefix { (48...57).contains($0) || [44, 46].contains($0) }
    let number = String(decoding: digits, as: UTF8.self)
    let rest = String(decoding: word.utf8.dropFirst(digits.count), as: UTF8.self)
    var unit = rest.hasPrefix(" ") ? String(rest.unicodeScalars.dropFirst()) : rest
    // A number alone is of drinks where levels are.
    let isNumber = withoutThousands(number).flatMap { plainDecimal($0, places: 3) } != nil
    if unit.isEmpty, isNumber, !rule.levels.bands.isEmpty { unit = "drinks" }
    if let minutes = clockMinutes(word) {
      guard minutes <= 1440 else { return try demand(result.isFailure, "a day has 1440 minutes") }
      // `1:20` may be hours and minutes, too.
      if word.utf8.count == 4, word.utf8.contains(UInt8(ascii: ":")) {
        return try demand(result.isFailure, "it may be hours or minutes")
      }
      var expected = untouched
      expected.minutes = Thousandths(
        count: NSDecimalNumber(decimal: rounded(minutes) * 1000).int64Value)
      return try demand(isRead && entry == expected, "it should be \(minutes) minutes: \(entry)")
    }
    guard !number.isEmpty, let (field, size, limit) = units[asciiLowercased(unit)] else {
      // Letters behind a number are meant as a unit.
      let looksLikeOne =
        !unit.isEmpty && unit.unicodeScalars.allSatisfy(\.properties.isAlphabetic)
        && withoutThousands(number).flatMap { plainDecimal($0, places: 3) } != nil
      return try demand(looksLikeOne ? result.isFailure : !isRead, "it is no measure")
    }
    let whole = field == .sets || field == .drinks
    let plain = withoutThousands(number).flatMap { plainDecimal($0, places: whole ? 0 : 3) }
    let isSeconds = asciiLowercased(unit).hasPrefix("s") && field == .minutes
    let isMetres = asciiLowercased(unit).hasPrefix("met")
    let isInside = plain.map { !isSeconds && !isMetres || $0 <= (isMetres ? limit * 1000 : limit) } ?? false
    guard let value = plain.map({ rounded(isSeconds ? $0 / 60 : $0 * size) }), isInside, value <= limit
    else { return try demand(result.isFailure, "it should be refused") }
    var expected = untouched
    let count = NSDecimalNumber(decimal: value * 1000).int64Value
    switch field {
    case .minutes: expected.minutes = Thousandths(count: count)
    case .km: expected.km = Thousandths(count: count)
    case .sets: expected.sets = Int(count / 1000)
    case .drinks: expected.drinks = Int(count / 1000)
    }
    try demand(isRead && entry == expected, "it should be \(value): \(entry)")
  }

  /// The minutes of `1h30m`, `31:20` and `1:02:03`; nil for any other form.
  private static func clockMinutes(_ word: String) -> Decimal? {
    func whole(_ match: Substring) -> Decimal { Decimal(string: String(match)) ?? 0 }
    // A pattern is parsed at each use, which is most of a run.
    guard word.utf8.allSatisfy({ "0123456789:hHmM".utf8.contains($0) }) else { return nil }
    if let match = word.wholeMatch(of: /([0-9]{1,4})[hH]([0-5]?[0-9])[mM]?/) {
      return whole(match.1) * 60 + whole(match.2)
    }
    if let match = word.wholeMatch(of: /([0-9]{1,4}):([0-5][0-9]):([0-5][0-9])/) {
      return whole(match.1) * 60 + whole(match.2) + whole(match.3) / 60
    }
    if let match = word.wholeMatch(of: /([0-9]{1,4}):([0-5][0-9])/) {
      return whole(match.1) + whole(match.2) / 60
    }
    return nil
  }

  private static func asciiLowercased(_ text: String) -> String {
    String(decoding: text.utf8.map { (65...90).contains($0) ? $0 + 32 : $0 }, as: UTF8.self)
  }

  /// A number without its commas, which stand before each three digits or nowhere.
  private static func withoutThousands(_ text: String) -> String? {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let groups = parts[0].split(separator: ",", omittingEmptySubsequences: false)
    let isRight =
      groups.dropFirst().allSatisfy { $0.count == 3 }
      && (groups.count == 1 || (1...3).contains(groups[0].count))
    return isRight && !(parts.count > 1 && parts[1].contains(",")) ? text.filter { $0 != "," } : nil
  }

  /// The value of `12` or `1.5`; nil for any other form, for too many places, and for more than Foundation holds.
  private static func plainDecimal(_ text: String, places: Int) -> Decimal? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, parts.allSatisfy({ !$0.isEmpty }) else { return nil }
    let fraction = (parts.count == 2 ? parts[1] : "").reversed().drop { $0 == "0" }
    let whole = parts[0].drop { $0 == "0" }
    guard fraction.count <= places, whole.count <= 15 else { return nil }
    return Decimal(string: (whole.isEmpty ? "0" : String(whole)) + "." + String(fraction.reversed()) + "0")
  }

  /// To three decimals, halves up.
  private static func rounded(_ value: Decimal) -> Decimal {
    var (given, result) = (value, Decimal())
    unsafe NSDecimalRound(&result, &given, 3, .plain)
    return result
  }

  /// A JSON number of at most 30 digits and a small exponent is exactly what Foundation says it is.
  private static func checkNumber(_ text: String) throws(Finding) {
    if let plain = JSONValue.number(text) {
      let isExact = plainDecimal(text, places: 3).map { $0 * 1000 == Decimal(plain.count) }
      try demand(isExact ?? (text.utf8.count > 15), "it is no plain decimal, and read as \(plain)")
    }
    guard let json = try? JSONValue(parsing: text), case .number(let number) = json.kind else { return }
    let read = Thousandths(json: number)
    if let read {
      try demand(Thousandths(json: read.description) == read, "printed, it is another number: \(read)")
    }
    let parts = number.lowercased().split(separator: "e")
    let exponent = parts.count == 2 ? Int(parts[1]) ?? 1000 : 0
    guard number.utf8.count <= 30, (-60...60).contains(exponent), let exact = Decimal(string: number) else {
      return
    }
    let thousandths = exact * 1000
    if let read {
      try demand(Decimal(read.count) == thousandths, "it is \(read), not \(exact)")
    } else {
      let isHeld = abs(thousandths) <= Decimal(Int64.max) && rounded(exact) == exact
      try demand(!isHeld, "\(exact) is refused")
    }
  }
}

extension Result where Success == Bool {
  fileprivate var isFalse: Bool { if case .success(false) = self { true } else { false } }

  fileprivate var isFailure: Bool { if case .failure = self { true } else { false } }
}
