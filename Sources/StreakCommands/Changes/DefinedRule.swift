import EventLog
import Inspection
import StreakDomain

/// The rule that the options of `define` describe.
///
/// Parts that the options don't specify are taken from `base`, the rule before the change.
struct DefinedRule {
  let base: Rule?
  let arguments: Arguments

  func rule() throws(Failure) -> Rule? {
    if let rule = try arguments.parsed("--rule", DefinitionDecoder.rule, EventEncoder.rule) { return rule }
    let lateBy = base?.lateBy
    if arguments.has("--any") { return Rule(.any, lateBy: lateBy) }
    if arguments.has("--never") { return Rule(.never) }
    if arguments.has("--levels") || arguments.has("--good") {
      return Rule(try LevelWords.rule(arguments, from: base?.levels ?? Levels([], good: [])), lateBy: lateBy)
    }
    guard arguments.has("--at-least") || arguments.has("--at-most") else { return nil }
    let rule = Rule(try bound())
    return rule.isLimit ? rule : Rule(rule.kind, lateBy: lateBy)
  }

  private func bound() throws(Failure) -> Rule.Kind {
    let known = base?.bounds
    var read: [String: BoundWord] = [:]
    for option in ["--at-least", "--at-most"] {
      guard let word = arguments.value(option) else { continue }
      var bound = try BoundWord(option, word)
      if bound.measure == nil {
        guard bound.per == nil || known != nil else { throw BoundWord.countsNothing(option, word) }
        (bound.measure, bound.unit) = (known?.of ?? .amount, known?.unit)
      }
      // A schedule counts days, so with `--schedule` the bound applies to a day.
      if bound.per == nil, !arguments.has("--schedule"), known.map(bound.counts) ?? false {
        bound.per = known?.per
      }
      read[option] = bound
    }
    let (least, most) = (read["--at-least"], read["--at-most"])
    if let least, let most, !least.counts(most.sum) || least.per != most.per {
      throw .usage("--at-least and --at-most must count the same")
    }
    guard let either = least ?? most else { return .any }
    if let least, least.number == .zero { throw .usage("--at-least is 0; it must be more") }
    // A bound that isn't given keeps its value if the new bound has the same measure, unit and period.
    let isSame = known.map { either.counts($0) && either.per == $0.per } ?? false
    let (low, high) = (
      least?.number ?? (isSame ? known?.atLeast : nil), most?.number ?? (isSame ? known?.atMost : nil)
    )
    if let low, let high, low > high { throw .usage("at least \(low) is more than at most \(high)") }
    let sum = Sum(
      of: either.measure ?? .amount, unit: either.unit, atLeast: low, atMost: high, per: either.per)
    return base?.bounded(by: sum) ?? .sum(sum)
  }
}

/// A bound of a rule as people type it, such as `20pages`, `5km`, `30m`, `10,000steps`, `150min/week` or `20`.
struct BoundWord {
  let number: Thousandths
  /// The measure that the bound counts, such as minutes, or `nil` for a bare number.
  var measure: Measure?
  var unit: Text?
  var per: Schedule.Period?

  init(_ option: String, _ word: String) throws(Failure) {
    let parts = word.parts(at: "/", most: 2).map { String($0).trimmed }
    let (digits, unit) = NumberWord.parts(parts[0])
    guard var number = NumberWord.number(digits), number <= Thousandths(Sum.most) else {
      throw .usage(
        "\(option) is \(quoted(word)); it must be a number up to \(Sum.most), of at most 3 decimals, with what it "
          + "counts, such as 20pages, 5km, 30m, 3times, 150min/week"
      )
    }
    per = try parts.count == 2 ? BoundWord.period(parts[1], of: parts[0], option, word) : nil
    let name = unit.trimmed
    let symbol = NumberWord.unit(name)
    switch symbol {
    case "": break
    // Seconds and metres aren't converted to minutes and kilometres, because the numbers would be small fractions.
    case "min", "h", "km", "mi":
      if let converted = NumberWord.converted(number, from: symbol) { (measure, number) = converted }
    case "sets": measure = .sets
    case "drinks": measure = .drinks
    case "time", "times", "entry", "entries": measure = .entries
    default:
      guard !NumberWord.isUnclear(digits, countsThousands: true) else {
        throw NumberWord.unclear(option, digits)
      }
      guard name.asciiLowercased != "x" else {
        throw .usage(
          "\(option) is \(quoted(word)); \(quoted(name)) is no unit: say \(digits)times"
            + (parts.count == 2 ? "/\(parts[1])" : "")
            + " for entries" + (per.map { ", or --schedule \(digits)/\($0.rawValue) for days" } ?? ""))
      }
      guard Forms.isUnit(name), !name.utf8.contains(where: { $0.isDigit }) else {
        throw .usage(
          "\(option) is \(quoted(word)); \(quoted(name)) is no unit, such as pages, l, km or m for minutes")
      }
      (measure, self.unit) = (.amount, Text(name))
    }
    self.number = number
    if let measure, [.sets, .drinks, .entries].contains(measure), !number.isWhole {
      throw .usage("\(option) is \(quoted(word)); only a whole number of them can be done")
    }
    if option == "--at-least", measure == .minutes, let most = BoundWord.minutes(of: per), number > most {
      throw .usage(
        "\(option) is \(quoted(word)), \(number) minutes, and a \(per?.rawValue ?? "day") has \(most); m is minutes, "
          + "and km is how far")
    }
  }

  private static func minutes(of per: Schedule.Period?) -> Thousandths? {
    Thousandths(Day.minutes * (per == nil ? 1 : per == .week ? 7 : 31))
  }

  private static func period(
    _ text: String, of front: String, _ option: String, _ word: String
  ) throws(Failure) -> Schedule.Period {
    let periods = Schedule.Period.allCases.map(\.rawValue)
    if let period = Schedule.Period(rawValue: text.asciiLowercased) { return period }
    if ["day", "d"].contains(text.asciiLowercased) {
      throw .usage(
        "\(option) is \(quoted(word)); a bound without /week or /month is of a day: "
          + "\(option) \(front)")
    }
    let near = Nearest.names(to: text.asciiLowercased, among: periods).first
    let first = periods.first { !text.isEmpty && $0.begins(with: text.asciiLowercased) }
    throw .usage(
      "\(option) is \(quoted(word)); after / comes week or month"
        + ((near ?? first).map { Nearest.meant("\(front)/\($0)") } ?? ", such as 150min/week"))
  }

  static func countsNothing(_ option: String, _ word: String) -> Failure {
    let parts = word.parts(at: "/").map(String.init)
    return .usage(
      "\(option) is \(quoted(word)); \(parts[0]) of what? Say \(parts[0])times/\(parts[1]) for entries, "
        + "150min/\(parts[1]), 20pages/\(parts[1]), or --schedule \(word) for days")
  }

  func counts(_ sum: Sum) -> Bool { measure == sum.of && unit == sum.unit }

  var sum: Sum { Sum(of: measure ?? .amount, unit: unit) }
}

extension Arguments {
  /// Parses the JSON value of an option such as `--rule`; returns `nil` if the option isn't given.
  ///
  /// Throws if the JSON has a key that `write` doesn't produce.
  func parsed<Value>(
    _ option: String, _ read: (JSONValue) throws(Failure) -> Value, _ write: (Value) -> String
  ) throws(Failure) -> Value? {
    guard let text = value(option) else { return nil }
    return try json(text, option) { (given) throws(Failure) in
      let part = try read(given)
      try DefinitionDecoder.refuseStrangeKeys(given, unlike: write(part), path: String(option.dropFirst(2)))
      return part
    }
  }

  func json<Value>(
    _ text: String, _ option: String, _ read: (JSONValue) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    do throws(Failure) {
      return try read(try JSONValue(parsing: text))
    } catch {
      if error.kind == .notJSON, !["{", "["].contains(where: { text.trimmed.begins(with: $0) }) {
        throw .usage(
          "\(option) is \(quoted(text)), which is no JSON; the plain words are --any, --never, --at-least 20pages, "
            + "--at-most 2cups, --jokers 7/3, --grace 1 and --strict")
      }
      throw error.at(Place(file: option, line: 1, column: error.column), text)
    }
  }
}

enum DefinitionWord {
  /// Parses a schedule such as `mon-fri`, `mon,wed,fri`, `3/week`, `10/month` or `every:3`; `daily` is `nil`.
  static func schedule(_ word: String) throws(Failure) -> Schedule? {
    let text = word.asciiLowercased
    if text == "daily" { return nil }
    if text.begins(with: "every:"), let days = Int(text.droppingBytes(6)), Schedule.every.contains(days) {
      return .every(days: days)
    }
    let parts = text.parts(at: "/").map(String.init)
    if parts.count == 2, let times = Int(parts[0]), let period = Schedule.Period(rawValue: parts[1]) {
      guard period.times.contains(times) else {
        throw .usage(
          "--schedule is \(quoted(word)); a \(period.rawValue) has \(period.times.lowerBound) to \(period.times.upperBound) times"
        )
      }
      return .times(times, per: period)
    }
    let digits = NumberWord.parts(text).digits
    if parts.count == 2, !digits.isEmpty {
      let periods = Schedule.Period.allCases.map(\.rawValue)
      let near = Nearest.names(to: parts[1], among: periods).first ?? "week"
      throw .usage("--schedule is \(quoted(word))\(Nearest.meant("\(digits)/\(near)"))")
    }
    return .weekdays(try weekdays(text, word))
  }

  private static func weekdays(_ text: String, _ word: String) throws(Failure) -> Weekdays {
    var found: Weekdays = []
    for part in text.parts(at: ",").flatMap({ $0.parts(at: "/") }).flatMap({ $0.parts(at: " ") })
    where !part.isEmpty {
      let ends = part.parts(at: "-").map { Weekday(named: String($0)) }
      guard ends.count <= 2, let first = ends[0], let last = ends[ends.count - 1] else {
        throw noSchedule(word)
      }
      var day = first.number
      while true {
        guard !found.has(day) else {
          throw .usage("--schedule is \(quoted(word)), which names \(Weekday.allCases[day].rawValue) twice")
        }
        found = Weekdays(found.days + [Weekday.allCases[day]])
        if day == last.number { break }
        day = (day + 1) % 7
      }
    }
    guard !found.isEmpty else { throw noSchedule(word) }
    return found
  }

  private static func noSchedule(_ word: String) -> Failure {
    .usage(
      "--schedule is \(quoted(word)); it must be daily, weekdays such as mon-fri or mon,wed,fri, "
        + "times such as 3/week or 10/month, or every:N, from every:2 to every:366")
  }

  static func grace(_ word: String) throws(Failure) -> Int {
    guard let days = Int(word), (1...100_000).contains(days) else {
      throw .usage("--grace is \(quoted(word)); it must be a number of days from 1 to 100000")
    }
    return days
  }

  static func jokers(_ word: String, _ base: Forgiveness?) throws(Failure) -> Forgiveness {
    let parts = word.parts(at: "/").map { Int($0) }
    guard parts.count == 2, let every = parts[0], let cap = parts[1], (2...100_000).contains(every),
      (1...60_000).contains(cap)
    else {
      throw .usage(
        "--jokers is \(quoted(word)); it must be EVERY/CAP, such as 7/3: one every 7 days (2 or more), at most 3 held"
      )
    }
    guard case .joker(var rule)? = base else { return .joker(JokerRule(every: every, cap: cap)) }
    (rule.every, rule.cap) = (every, cap)
    return .joker(rule)
  }
}

enum LevelWords {
  private static let example = "--levels calm:0-1,some:2-4,much:5- --good calm"

  static func rule(_ arguments: Arguments, from base: Levels) throws(Failure) -> Rule.Kind {
    let bands = try arguments.value("--levels").map(bands) ?? base.bands
    guard !bands.isEmpty else { throw .usage("--good needs levels to choose from, such as \(example)") }
    let names = bands.map(\.name)
    guard let text = arguments.value("--good") else {
      guard !base.good.isEmpty, base.good.allSatisfy(names.contains) else {
        throw .usage("say which levels make a good day, such as --good \(names[0])")
      }
      return .level(Levels(bands, good: base.good))
    }
    let good = text.parts(at: ",").map { Text($0.trimmed) }
    for name in good where !names.contains(name) {
      throw .usage(
        "--good names \(quoted(name)), which is no level; the levels are \(names.strings.joined(separator: ", "))\(Nearest.hint(name.string, among: names.strings))"
      )
    }
    return .level(Levels(bands, good: good))
  }

  private static func bands(_ text: String) throws(Failure) -> [Level] {
    var bands: [Level] = []
    for part in text.parts(at: ",").map({ String($0).trimmed }) {
      let band = try band(part)
      guard !bands.map(\.name).contains(band.name) else {
        throw .usage("--levels names \(quoted(band.name)) twice")
      }
      bands.append(band)
    }
    var next: Int? = 0
    for band in bands.sorted(by: { $0.low < $1.low }) {
      guard let first = next, band.low == first else {
        let instead = next.map { "; it must begin at \($0)" } ?? ", and the one before it has no end"
        throw .usage(
          "--levels must cover 0 drinks and up without gap or overlap: \(quoted(band.name)) begins at "
            + "\(band.low)\(instead)")
      }
      next = band.high.map { $0 + 1 }
    }
    return bands
  }

  private static func band(_ part: String) throws(Failure) -> Level {
    let cut = part.utf8.lastIndex(of: UInt8(ascii: ":"))
    let name = cut.map { String(part[..<$0]).trimmed } ?? ""
    let range = cut.map { String(part[part.utf8.index(after: $0)...]) } ?? part
    let ends = range.parts(at: "-").map(String.init)
    let high = ends.count == 2 && !ends[1].isEmpty ? Int(ends[1]) : Int(ends[0])
    guard !name.isEmpty, ends.count <= 2, let low = Int(ends[0]), let high, (0...100).contains(low),
      (low...100).contains(max(low, high)), low <= high
    else {
      throw .usage(
        "--levels has \(quoted(part)); a level is a name and its drinks, 0 to 100, such as \(example)")
    }
    guard !name.holds(":") else {
      throw .usage("--levels has \(quoted(part)); levels are separated by commas, such as \(example)")
    }
    guard Forms.isPrintable(name), !Level.reserved.contains(Text(name)) else {
      throw .usage(
        "--levels cannot call a level \(quoted(name)); \(Level.reserved.strings.joined(separator: ", ")) are taken"
      )
    }
    return Level(name: Text(name), low: low, high: ends.count == 2 && ends[1].isEmpty ? nil : high)
  }
}
