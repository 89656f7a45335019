import EventLog
import Imports
import StreakDomain

/// A parser that turns the arguments of `log` into an entry, according to the habit's rule.
struct EntryReading {
  private let rule: Rule
  private var entry: Entry

  /// Creates a parser for an entry of `habit`; `value` is the text of `--value`, which is stored
  /// unchanged.
  init(habit: String, rule: Rule, value: Text?) {
    self.rule = rule
    entry = Entry(habit: habit)
    entry.value = value
  }

  /// Returns the entry that `words`, the arguments of `log`, describe.
  mutating func entry(of words: [String]) throws(Failure) -> Entry {
    for word in joined(words) {
      if try !readMeasure(word) { try readText(word) }
    }
    if words.isEmpty, let sum = rule.sum, sum.countsThings {
      _ = try readMeasure("1" + (sum.unit?.string ?? (sum.of == .amount ? "" : sum.of.rawValue)))
    }
    try requireMeasure()
    return entry
  }

  /// Joins each bare number with the unit after it, as in `500 ml`.
  ///
  /// The next word is a unit unless it is a number, a day, or an answer of `rule`.
  private func joined(_ words: [String]) -> [String] {
    let answers = rule.answers.map(\.word.asciiLowercased) + ["completed", "failed"]
    var joined: [String] = []
    for word in words {
      let isUnit =
        NumberWord(word) == nil && !answers.contains(Text(word.asciiLowercased))
        && !DayWord.isDay(word)
      // The unit `fl oz` is two words.
      let unit = joined.last.flatMap { NumberWord($0)?.unit.asciiLowercased }
      let isOpen = unit == "" || unit == "fl"
      if isUnit, isOpen {
        joined[joined.count - 1] += " " + word
      } else {
        joined.append(word)
      }
    }
    return joined
  }

  /// Stores a measure such as `5.2km` or `steady` in the entry; returns false if `word` isn't a
  /// measure.
  private mutating func readMeasure(_ word: String) throws(Failure) -> Bool {
    let small = word.asciiLowercased
    if let level = rule.levels.names.first(where: { $0.asciiLowercased == Text(small) }) {
      try set(\.level, level, word)
    } else if small == "completed" || small == "failed" {
      try set(\.completed, small == "completed", word)
    } else if let minutes = try ClockMeasure.minutes(word) {
      try set(\.minutes, minutes, word)
    } else {
      return try NumberWord(word).map { (number) throws(Failure) in try readNumber(number, word) }
        ?? false
    }
    return true
  }

  private mutating func readNumber(_ read: NumberWord, _ word: String) throws(Failure) -> Bool {
    if let sum = rule.sum, sum.of == .entries,
      ["", "x", "time", "times"].contains(read.unit.asciiLowercased)
    {
      guard read.number == Millionths(1) else {
        throw .usage("\(quoted(word)): each entry counts once, so log it each time")
      }
      return true
    }

    let unit = read.unit.isEmpty ? rule.bareUnit : read.unit
    let measured: (measure: Measure, number: Millionths?)?
    if let sum = rule.sum, sum.of == .amount {
      measured = try amount(read, of: sum, word)
    } else if let unit {
      let exact = NumberWord(digits: read.digits, unit: unit).measured
      measured = exact.map { ($0.measure, $0.number?.measure) }
    } else {
      return false
    }
    guard let (measure, number) = measured else {
      if isPlainQuantity(read) {
        try set(\.value, Text(word), word)
        return true
      }
      try rejectUnknownUnit(read, word)
      return false
    }

    guard let number, number <= Millionths(measure.most) else {
      throw outOfRange(measure, number, word)
    }
    guard number.isWhole || ![.sets, .drinks].contains(measure) else {
      throw outOfRange(measure, nil, word)
    }
    try set(\.[measure], number, word)
    return true
  }

  /// Whether the word is stored as a value, because the rule asks for no measure.
  ///
  /// `read` must have a unit such as `kg`.
  private func isPlainQuantity(_ read: NumberWord) -> Bool {
    read.number != nil && MeasureUnit.named(read.unit) != nil && rule.sum == nil
      && rule.missing(in: Entry(habit: entry.habit)) == nil
  }

  /// Returns the amount that `read` gives in the unit of `sum`, or `nil` if the unit is another
  /// one.
  private func amount(
    _ read: NumberWord, of sum: Sum, _ word: String
  ) throws(Failure) -> (measure: Measure, number: Millionths?)? {
    guard let number = read.number(in: sum.unit?.string ?? "") else {
      return read.number == nil ? (.amount, nil) : nil
    }
    let isSmaller = MeasureUnit.isSmaller(read.unit, than: sum.unit?.string ?? "")
    try read.requireClear(quoted(word), countsThousands: sum.countsThousands || isSmaller)
    return (.amount, number)
  }

  /// Returns the failure for `word`, which is no valid number of the measure.
  ///
  /// Its `number` is too large, or `nil` if the word doesn't have the form of the measure.
  private func outOfRange(_ measure: Measure, _ number: Millionths?, _ word: String) -> Failure {
    if word.holds(","), word.utf8.count <= LineLimits.number {
      if word.parts(at: ".").dropFirst().contains(where: { $0.utf8.contains(UInt8(ascii: ",")) }) {
        return .usage(
          "\(quoted(word)): a comma separates thousands before the point, such as 1,500.5")
      }

      let point = word.replacingBytes(of: ",", with: ".")
      let hasGroups = word.parts(at: ",").dropFirst().allSatisfy { part in
        part.utf8.prefix { $0.isDigit }.count == 3
      }
      let isThousands = hasGroups && !word.begins(with: "0")
      let whole = word.replacingBytes(of: ",", with: "")
      return .usage(
        "\(quoted(word)): decimals follow a point, such as \(point)"
          + (isThousands ? ", and thousands have no sign, such as \(whole)" : ""))
    }

    if word.begins(with: ".") {
      return .usage("\(quoted(word)): a digit comes before the point, such as 0\(word)")
    }

    let name = measure == .amount ? "amounts" : measure.rawValue
    let range = "\(name) go from 0 to \(measure.most)"
    if let number { return .usage("\(quoted(word)) is \(number); \(range)" + metresHint) }
    let form =
      measure == .sets || measure == .drinks
      ? "they are whole" : "at most 6 decimals follow a point, such as 12 or 0.5"
    return .usage("\(quoted(word)): \(range); \(form)" + metresHint)
  }

  /// Throws if `word` looks like a measure with an unknown unit, such as `5foo`.
  private func rejectUnknownUnit(_ number: NumberWord, _ word: String) throws(Failure) {
    guard number.unit.unicodeScalars.allSatisfy(\.properties.isAlphabetic) else { return }
    let units =
      rule.sum?.unit.map { [$0.string] }
      ?? ["m", "h", "km", "mi", "sets", "drinks", "minutes", "hours", "miles", "seconds", "metres"]
    // A single letter is near every other one.
    let like = number.unit.utf8.count > 1 ? Nearest.names(to: number.unit, among: units).first : nil
    let near = units.first { $0 != number.unit && $0.begins(with: number.unit) } ?? like

    let hint = near.map { Nearest.meant(number.digits + $0) } ?? ""
    let missing = rule.missing(in: Entry(habit: "")).map { "\(entry.habit) \($0)" }
    let advice = missing ?? "units are \(units.joined(separator: ", "))"
    throw .usage("\(quoted(word)) has the wrong unit\(hint); \(advice); --value keeps any text")
  }

  /// Stores a word that isn't a measure: as the activity if the rule has activities, otherwise as
  /// the value.
  private mutating func readText(_ word: String) throws(Failure) {
    let isNegative = word.begins(with: "-") && NumberWord(String(word.droppingBytes(1))) != nil
    if isNegative || DayWord.isDay(word) {
      let meaning = isNegative ? "negative; say how many" : "a day; say --on \(word)"
      throw .usage("\(quoted(word)) is \(meaning), or --value to have it as text")
    }

    if rule.traits.looksAtActivities, entry.activity == nil {
      entry.activity = try activity(word)
    } else if entry.value == nil {
      entry.value = Text(word)
    } else {
      try requireMeasure()
      throw .usage(
        """
        \(quoted(word)) is one word too many; \(entry.habit) has the value \
        \(quoted(entry.value ?? ""))
        """)
    }
  }

  private func activity(_ word: String) throws(Failure) -> Text {
    if NumberWord(word)?.number != nil {
      throw .usage("\(quoted(word)) of what? say it with its unit, such as \(word)km or \(word)m")
    }
    let activities = rule.answers.map(\.word).filter { !$0.string.begins(with: "*") }
    if let same = activities.first(where: { $0.asciiLowercased == Text(word.asciiLowercased) }) {
      return same
    }
    if let near = Nearest.names(to: word, among: activities.strings).first {
      throw .usage(
        """
        \(quoted(word)) is not an activity of \(entry.habit)\(Nearest.meant(near)); --value takes \
        any text
        """)
    }
    return Text(word)
  }

  private func requireMeasure() throws(Failure) {
    guard let missing = rule.missing(in: entry) else { return }
    let hint: Sentence? = entry.value.map {
      ", not \(quoted($0))\(Nearest.hint($0.string, among: rule.answers.map(\.word.string)))"
    }
    throw .usage("\(entry.habit) \(missing)\(hint ?? "")\(entry.minutes == nil ? "" : metresHint)")
  }

  /// The hint that `m` means minutes, not metres, or an empty sentence if the habit doesn't count
  /// kilometres.
  private var metresHint: Sentence {
    rule.sum?.of == .km ? "; m is minutes; say metres as km, such as 0.8km, or 800metres" : ""
  }

  /// Stores a measure; throws if the entry already has this measure.
  private mutating func set<Value>(
    _ path: WritableKeyPath<Entry, Value?>, _ value: Value, _ word: String
  ) throws(Failure) {
    guard entry[keyPath: path] == nil else {
      throw .usage("\(quoted(word)) gives a measure a second time; say it once, or log two entries")
    }
    entry[keyPath: path] = value
  }
}

extension Sum {
  /// Whether the bounds of the sum are in the thousands, so that `10.432` may be a number of
  /// thousands, too.
  fileprivate var countsThousands: Bool {
    max(atLeast ?? .zero, atMost ?? .zero) >= Thousandths(1000)
  }

  /// Whether an entry without a number counts as one, because the sum counts a few whole things a
  /// day, such as cups.
  fileprivate var countsThings: Bool {
    let most = max(atLeast ?? .zero, atMost ?? .zero)
    let days = per == nil ? 1 : per == .week ? 7 : 31
    let isThing =
      of == .amount && unit.flatMap { MeasureUnit.named($0.string) }?.isServing ?? true
    return (isThing || of == .drinks || of == .sets) && most.isWhole
      && most <= Thousandths(10 * days)
  }
}
