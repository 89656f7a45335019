/// What the entries of a day, week or month must add up to, and must not exceed; one of the bounds at least.
public struct Sum: Sendable, Equatable {
  /// What is added up.
  public let of: Measure
  /// What an amount counts, such as `pages`.
  public let unit: LedgerText?
  /// What is asked for; nil where nothing is.
  public let atLeast: Thousandths?
  /// The most that there may be; nil where there may be any.
  public let atMost: Thousandths?
  /// The week or month whose entries are added up; nil adds up those of a day.
  public let per: Schedule.Period?

  package init(
    of: Measure, unit: Text? = nil, atLeast: Thousandths? = nil, atMost: Thousandths? = nil,
    per: Schedule.Period? = nil
  ) {
    self.of = of
    self.unit = unit
    self.atLeast = atLeast
    self.atMost = atMost
    self.per = per
  }

  /// The most that either bound can be.
  package static let most = 1_000_000
}

extension Sum {
  /// A sum against what is asked for: `12 of 20 pages`, `3 of at most 2 cups`.
  package func progress(_ sum: Thousandths) -> String {
    if let atLeast, sum < atLeast || atMost == nil { return "\(sum) of \(said(atLeast))" }
    return "\(sum) of at most \(said(atMost ?? .zero))"
  }

  /// What is left of a week or month on a day, once its sum is known: `3 days left` to reach it, `8 left` of a limit,
  /// or `2 over` it.
  package func left(after sum: Thousandths, on day: Day) -> String? {
    guard let per else { return nil }
    if let atLeast, sum < atLeast {
      let days = per.days(around: day).upperBound - day
      return days == 0 ? "the last day" : "\(counted(days + 1, "day")) left"
    }
    guard let atMost else { return nil }
    return sum > atMost ? "\(sum - atMost) over" : sum == atMost ? "none left" : "\(atMost - sum) left"
  }

  /// The days that are added up, in words: `today`, `that day`, `this week`, `that month`.
  package func span(isToday: Bool) -> String {
    guard let per else { return isToday ? "today" : "that day" }
    return "\(isToday ? "this" : "that") \(per.rawValue)"
  }

  /// `at least 20 pages`, `at most 2 cups`, `at least 5 and at most 15 km`, `at least 150 min a week`.
  var words: String { bounds + (per.map { " a \($0.rawValue)" } ?? "") }

  private var bounds: String {
    switch (atLeast, atMost) {
    case (let least?, let most?): "at least \(least) and at most \(said(most))"
    case (let least?, nil): "at least \(said(least))"
    case (nil, let most?): "at most \(said(most))"
    case (nil, nil):
      "any"
        + (of == .entries ? " entries" : (of == .amount ? unit?.string : of.rawValue).map { " " + $0 } ?? "")
    }
  }

  private func said(_ bound: Thousandths) -> String {
    of == .amount ? "\(bound)" + (unit.map { " " + Unit.name($0.string, of: bound) } ?? "") : of.said(bound)
  }

  /// The least minutes of a day, where it asks for nothing else.
  var minutesAlone: Thousandths? {
    of == .minutes && atMost == nil && per == nil
      ? atLeast.flatMap { $0 <= Thousandths(Measure.minutes.most) ? $0 : nil } : nil
  }

  func isOver(_ sum: Thousandths) -> Bool { atMost.map { sum > $0 } ?? false }

  var question: String {
    let unit = of == .minutes ? "m" : self.unit?.string ?? (of == .amount ? "" : of.rawValue)
    let bound = atLeast ?? atMost ?? Thousandths(20)
    let example = "\(bound)" + Unit.name(unit, of: bound)
    return "counts \(self.unit?.string ?? of.rawValue); say how many, such as \(example)"
  }
}

/// What can be added up over the entries of a day.
public enum Measure: String, CaseIterable, Codable, Sendable {
  /// How many entries there are.
  case entries
  /// Minutes, to a thousandth.
  case minutes
  /// Kilometres, to a thousandth.
  case km
  /// Sets, whole.
  case sets
  /// Drinks, whole.
  case drinks
  /// Of whatever the unit says, such as pages, to a thousandth.
  case amount

  /// The most that one entry may have of it.
  package var most: Int {
    switch self {
    case .entries: 1
    case .minutes: Day.minutes
    case .km, .sets: 1000
    case .drinks: 100
    case .amount: Sum.most
    }
  }

  /// A number of it: `1 set`, `5 km`.
  package func said(_ number: Thousandths) -> String {
    let noun: String? =
      switch self {
      case .entries: "entry"
      case .sets: "set"
      case .drinks: "drink"
      case .minutes: "min"
      case .km: "km"
      case .amount: nil
      }
    guard let noun else { return "\(number)" }
    return "\(number) " + (number == Thousandths(1) || [.km, .minutes].contains(self) ? noun : plural(noun))
  }

  /// What `log` takes a number without a unit as.
  var bareUnit: String? {
    switch self {
    case .minutes: "m"
    case .km: "km"
    case .sets: "sets"
    case .drinks: "drinks"
    case .amount, .entries: nil
    }
  }
}

/// A named band of whole drinks, `low` to `high` inclusive; no `high` means and more.
public struct Level: Sendable, Equatable {
  /// What an entry names it by, such as `steady`.
  public let name: LedgerText
  /// The fewest drinks that it takes in.
  public let low: Int
  /// The most that it takes in; nil has no end.
  public let high: Int?

  /// A band from `low` through `high`.
  public init(name: LedgerText, low: Int, high: Int?) {
    self.name = name
    self.low = low
    self.high = high
  }

  package func contains(_ drinks: Int) -> Bool { drinks >= low && drinks <= high ?? Int.max }

  /// Names that are outcomes or verdicts already.
  package static let reserved: [Text] = ["good", "missed", "slip", "failed", "restarted", "over", "rest"]
}

/// The levels of a rule, which cover 0 drinks and up, and which of them make a good day.
public struct Levels: Equatable, Sendable {
  /// In the definition's order.
  public let bands: [Level]
  /// The names of those that make a good day.
  public let good: [LedgerText]

  package init(_ bands: [Level], good: [Text]) {
    self.bands = bands
    self.good = good
  }

  package var names: [Text] { bands.map(\.name) }

  /// The names of those that do not make a good day.
  package var bad: [Text] { names.filter { !good.contains($0) } }

  /// The level that so many drinks fall into.
  package func band(of drinks: Int) -> Level? { bands.first { $0.contains(drinks) } }

  /// `steady or easy (steady 0–1, easy 2–5, wild 6+ drinks)`.
  var words: String {
    let bands = bands.map { band in
      "\(band.name) \(band.low)" + (band.high.map { $0 == band.low ? "" : "–\($0)" } ?? "+")
    }
    return "\(good.strings.joined(separator: " or ")) (\(bands.joined(separator: ", ")) drinks)"
  }

  /// Why an entry with a level or drinks may not be appended, or nil.
  func refusal(of entry: Entry) -> Failure? {
    if let level = entry.level, !names.contains(level) {
      return Failure(
        .unknownLevel,
        "\"level\" is \(quoted(level)), which \(quoted(entry.habit)) does not have\(Nearest.hint(level.string, among: names.strings))",
        remedy: "it knows " + names.strings.map(Escaping.visible).joined(separator: ", "))
    }
    guard let drinks = entry.drinks else { return nil }
    guard let band = band(of: drinks) else {
      return Failure(
        .noLevel, "\(drinks) drinks are in no level of \(quoted(entry.habit))",
        remedy: "define its levels again, the last one open")
    }
    guard let level = entry.level, level != band.name else { return nil }
    return Failure(
      .levelDisagrees, "\"level\" is \(quoted(level)), but \(drinks) drinks are \(quoted(band.name))",
      remedy: "leave one out")
  }
}

/// Levels made ready for the fold.
struct LevelTest: Sendable {
  /// What each level makes of its day.
  let outcomes: [Outcome]
  private let bands: [Level]
  private let indexes: [Symbol]

  init(_ levels: Levels, names: inout SymbolTable) {
    bands = levels.bands
    outcomes = levels.bands.enumerated().map { levels.good.contains($1.name) ? .good : .level($0) }
    indexes = levels.names.map { names.intern($0.string) }
  }

  /// The place of the level an entry names or its drinks fall into; nil when the two disagree or there is none.
  func place(of entry: EntryFact) -> Int? {
    let named = entry.level == 0 ? nil : indexes.firstIndex { $0.value == entry.level - 1 }
    guard entry.drinks >= 0 else { return named }
    let band = bands.firstIndex { $0.contains(Int(entry.drinks)) }
    return entry.level == 0 || band == named ? band : nil
  }
}

extension Rule {
  /// What code beside this file asks of a kind of rule.
  package struct Traits: Sendable {
    /// How a composite puts its members' outcomes together.
    var combination: Combination?
    /// Whether a reminder in the morning asks about the day before.
    var isAskedTheMorningAfter = false
    /// Whether the day's last entry decides alone, so that others are worth a word.
    package var lastEntryDecides = false
    /// Whether an entry says that it was completed, or was not.
    package var asksForCompleted = false
    /// Whether it matters which activity an entry names.
    package var looksAtActivities = false
  }

  enum Combination { case every, one }
}
