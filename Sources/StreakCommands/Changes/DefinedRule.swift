import EventLog
import Imports
import Inspection
import StreakDomain

/// The rule that the options of `define` describe.
///
/// Parts without an option are those of the previous rule, `base`.
struct DefinedRule {
  let base: Rule?
  let arguments: Arguments

  func rule() throws(Failure) -> Rule? {
    if let rule = try arguments.parsed("--rule", DefinitionDecoder.rule, EventEncoder.rule) {
      return rule
    }
    let lateBy = base?.lateBy
    if arguments.has("--any") { return Rule(.any, lateBy: lateBy) }
    if arguments.has("--never") { return Rule(.never) }
    guard let kind = try saysBound ? bounds() : levels() else { return nil }
    let rule = Rule(kind)
    do throws(Failure) {
      _ = try DefinitionDecoder.rule(FieldValue("rule", EventEncoder.rule(rule)))
    } catch { throw .usage("this makes no rule: \(error.says)") }
    return rule.isLimit ? rule : Rule(kind, lateBy: lateBy)
  }

  var saysBound: Bool { arguments.has("--at-least") || arguments.has("--at-most") }

  private func bounds() throws(Failure) -> Rule.Kind? {
    let least = try bound("--at-least")
    let most = try bound("--at-most")
    guard let counted = least?.counted ?? most?.counted else { return nil }
    if let most, most.counted != counted {
      throw .usage(
        "\(option: "--at-least") and \(option: "--at-most") must count the same")
    }

    // A bound without an option keeps its value if the new bound has the same measure, unit and
    // period.
    let previous = base?.bounds?.counted == counted ? base?.bounds : nil
    let cleared = arguments.all("--clear")
    let formerLeast = cleared.contains { $0 == "at-least" } ? nil : previous?.atLeast
    let formerMost = cleared.contains { $0 == "at-most" } ? nil : previous?.atMost
    let sum = Sum(
      of: counted.of, unit: counted.unit, atLeast: least?.number ?? formerLeast,
      atMost: most?.number ?? formerMost, per: counted.per)
    return base?.bounded(by: sum) ?? .sum(sum)
  }

  /// Returns the bound that `option` gives, such as `20pages` or `150min/week`; a bare number has
  /// the unit of `base`.
  private func bound(_ option: String) throws(Failure) -> (number: Thousandths, counted: Sum)? {
    guard let word = arguments.value(option) else { return nil }
    func refusal(_ reason: Sentence) -> Failure {
      .usage("\(option: option) is \(quoted(word)); \(reason)")
    }

    let parts = word.parts(at: "/", most: 2).map { String($0).trimmed }
    guard let typed = NumberWord(parts[0]),
      var number = typed.number.flatMap({ Thousandths(exactly: $0) }),
      number <= Thousandths(Limits.amount)
    else {
      throw refusal(
        word.begins(with: ".")
          ? "a digit comes before the point, such as 0\(word)"
          : """
          it must be a number up to \(Limits.amount), of at most 3 decimals, with what it counts, \
          such as 20pages, 5km, 30m, 3times, 150min/week
          """)
    }

    let per = parts.count == 2 ? Schedule.Period(rawValue: parts[1].asciiLowercased) : nil
    guard parts.count == 1 || per != nil else {
      throw refusal("after / comes week or month, and a bound of a day has neither")
    }

    let countsNothing = refusal(
      "say what it counts, such as \(typed.digits)times for entries, 150min or 20pages, or "
        + "\(option: "--schedule") \(typed.digits)/week for days")
    guard !typed.unit.isEmpty || base?.bounds != nil || per == nil,
      let (sum, converted) = try counted(typed, option)
    else { throw countsNothing }
    number = converted ?? number

    if [.sets, .drinks, .entries].contains(sum.of), !number.isWhole {
      throw refusal("only a whole number of them can be done")
    }

    let bounded = Sum(of: sum.of, unit: sum.unit, per: per ?? period(of: sum.of, sum.unit))
    if let reason = denial(of: number, bounded, typed) { throw refusal(reason) }
    return (number, bounded)
  }

  /// Returns the measure and unit that `typed` names.
  ///
  /// `number` is the converted number, or `nil` if none was converted. A number without a unit has
  /// the measure and unit of `base`. The result is `nil` if the unit is neither known nor a valid
  /// name for one.
  private func counted(
    _ typed: NumberWord, _ option: String
  ) throws(Failure) -> (sum: Sum, number: Thousandths?)? {
    let previous = base?.bounds
    if typed.unit.isEmpty { return (Sum(of: previous?.of ?? .amount, unit: previous?.unit), nil) }

    // Seconds and metres aren't converted to minutes and kilometres, because the numbers would be
    // small fractions. A habit that counts an amount, such as miles, continues to count it.
    let isSmall = MeasureUnit.named(typed.unit)?.isSmall ?? false
    let amount = Sum(of: .amount, unit: Text(typed.unit))
    let staysAmount = previous.map { $0.of == .amount && amount.fits($0) } ?? false
    if !isSmall, !staysAmount, let measured = typed.measured {
      return (Sum(of: measured.measure), measured.number?.bound)
    }
    if ["time", "times", "entry", "entries"].contains(typed.unit.asciiLowercased) {
      return (Sum(of: .entries), nil)
    }

    try typed.requireClear(option, countsThousands: true)
    let isUnit =
      typed.unit.asciiLowercased != "x" && Syntax.isUnit(typed.unit)
      && !typed.unit.utf8.contains(where: \.isDigit)
    return isUnit ? (amount, nil) : nil
  }

  /// Returns the period of a bound for which none was typed, or `nil` for a day.
  ///
  /// It is the period of `base`, if both bounds count the same.
  private func period(of measure: Measure, _ unit: Text?) -> Schedule.Period? {
    // A schedule counts days, so with `--schedule` the bound applies to a day.
    guard let previous = base?.bounds, !arguments.has("--schedule") else { return nil }
    let isSame = previous.of == measure && previous.unit == unit
    return isSame || Sum(of: measure, unit: unit).fits(previous) ? previous.per : nil
  }

  /// Returns the reason why `number` can't be a bound in minutes, or `nil` if it can.
  private func denial(of number: Thousandths, _ counted: Sum, _ typed: NumberWord) -> Sentence? {
    guard counted.of == .minutes else { return nil }
    let isMetreOrMinute = typed.unit.asciiLowercased == "m"
    if isMetreOrMinute, base?.bounds?.of == .km {
      return "m is minutes; say \(typed.digits)min for these, and metres as km, such as 0.8km"
    }

    let days = counted.per == nil ? 1 : counted.per == .week ? 7 : 31
    let most = Limits.minutes * days
    guard number > Thousandths(most) else { return nil }
    return "a \(counted.per?.rawValue ?? "day") has at most \(most) minutes"
      + (isMetreOrMinute ? ", and m is minutes; say metres as km, such as 0.8km" : "")
  }

  private func levels() throws(Failure) -> Rule.Kind? {
    guard arguments.has("--levels") || arguments.has("--good") else { return nil }
    let text = arguments.value("--levels")
    let bands =
      try text?.parts(at: ",").map { (part) throws(Failure) in try level(String(part).trimmed) }
      ?? base?.levels.bands ?? []
    for (index, band) in bands.enumerated()
    where bands[..<index].contains(where: { $0.name == band.name }) {
      throw .usage("this makes no rule: duplicate key \(quoted(band.name))")
    }

    let good =
      arguments.value("--good")?.parts(at: ",").map { Text($0.trimmed) } ?? base?.levels.good ?? []
    guard !good.isEmpty else {
      throw .usage(
        "say which levels make a good day, such as \(option: "--good") \(bands[0].name)")
    }
    return .level(Levels(bands, good: good))
  }

  /// Parses a level such as `calm:0-1`, `some:2` or `much:5-`.
  private func level(_ part: String) throws(Failure) -> Level {
    let halves = part.parts(at: ":").map { String($0).trimmed }
    let ends = halves.count == 2 ? halves[1].parts(at: "-").map(String.init) : []
    let isOpen = ends.count == 2 && ends[1].isEmpty
    guard (1...2).contains(ends.count), let low = Int(ends[0]),
      isOpen || Int(ends[ends.count - 1]) != nil
    else {
      throw .usage(
        """
        \(option: "--levels") has \(quoted(part)); a level is a name and its drinks, separated by \
        commas, such as 
        """
          + "\(option: "--levels") calm:0-1,some:2-4,much:5- \(option: "--good") calm")
    }
    return Level(name: Text(halves[0]), low: low, high: isOpen ? nil : Int(ends[ends.count - 1]))
  }
}

extension Sum {
  /// The sum without its bounds.
  var counted: Sum { Sum(of: of, unit: unit, per: per) }
}

extension Arguments {
  /// Parses the JSON of an option such as `--rule`; throws if the JSON has a key that `write`
  /// doesn't produce.
  func parsed<Value>(
    _ option: String, _ read: (FieldValue) throws(Failure) -> Value, _ write: (Value) -> JSONValue
  ) throws(Failure) -> Value? {
    guard let text = value(option) else { return nil }
    return try json(text, option) { (field) throws(Failure) in
      let part = try read(field)
      try field.refuseUnknownKeys(unlike: write(part))
      return part
    }
  }

  func json<Value>(
    _ text: String, _ option: String, _ read: (FieldValue) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    do throws(Failure) {
      return try read(FieldValue(String(option.dropFirst(2)), try JSONValue(parsing: text)))
    } catch {
      let isJSON = ["{", "[", "\u{FEFF}"].contains { text.trimmed.begins(with: $0) }
      guard error.kind != .notJSON || isJSON
      else {
        throw .usage("\(option: option) is \(quoted(text)), which is no JSON")
      }
      throw error.at(Place(file: option, line: 1, column: error.column), text)
    }
  }
}

/// Parsers of the schedule and the jokers in the options of `define`.
enum DefinitionWord {
  /// Parses a schedule such as `mon-fri`, `mon,wed,fri`, `3/week`, `10/month` or `every:3`; for
  /// `daily`, returns `nil`.
  static func schedule(_ word: String) throws(Failure) -> Schedule? {
    let text = word.asciiLowercased
    if text == "daily" { return nil }

    if text.begins(with: "every:"), let days = Int(text.droppingBytes(6)),
      Limits.every.contains(days)
    {
      return .every(days: days)
    }

    let parts = text.parts(at: "/").map(String.init)
    if parts.count == 2, let times = Int(parts[0]),
      let period = Schedule.Period(rawValue: parts[1]),
      period.times.contains(times)
    {
      return .times(times, per: period)
    }

    guard let weekdays = weekdays(text) else {
      throw .usage(
        """
        \(option: "--schedule") is \(quoted(word)); it must be daily, weekdays such as mon-fri or \
        mon,wed,fri, times such as 3/week (up to \(Limits.timesPerWeek.upperBound)) or \
        10/month (up to \(Limits.timesPerMonth.upperBound)), or every:N, from \
        every:\(Limits.every.lowerBound) to every:\(Limits.every.upperBound)
        """)
    }
    return .weekdays(weekdays)
  }

  /// Parses weekdays such as `mon-fri` or `mon,wed,fri`; returns `nil` if a weekday is invalid or
  /// named twice.
  private static func weekdays(_ text: String) -> Weekdays? {
    var weekdays: [Weekday] = []
    for part in text.parts(at: ",") {
      let ends = part.parts(at: "-").map { Weekday(named: String($0).trimmed) }
      guard ends.count <= 2, let first = ends[0], let last = ends[ends.count - 1] else {
        return nil
      }
      let count = (last.number - first.number + 7) % 7
      weekdays += (0...count).map { Weekday.allCases[(first.number + $0) % 7] }
    }
    return Set(weekdays).count == weekdays.count ? Weekdays(weekdays) : nil
  }

  /// Parses jokers such as `7/3`: one for every 7 days of a run, at most 3 held.
  static func jokers(_ word: String) -> (every: Int, cap: Int)? {
    let numbers = word.parts(at: "/").map { Int($0) ?? 0 }
    guard numbers.count == 2, Limits.jokerDays.contains(numbers[0]),
      Limits.jokerCap.contains(numbers[1])
    else { return nil }
    return (numbers[0], numbers[1])
  }
}
