/// What the entries of a day must add up to, and must not exceed; one of the bounds at least.
package struct Sum: Sendable, Equatable {
  package let of: Measure
  /// What an amount counts, such as `pages`.
  @Spelled package private(set) var unit: String?
  package let atLeast: Thousandths?
  package let atMost: Thousandths?

  package init(of: Measure, unit: String? = nil, atLeast: Thousandths? = nil, atMost: Thousandths? = nil) {
    self.of = of
    self.unit = unit
    self.atLeast = atLeast
    self.atMost = atMost
  }

  /// The most that either bound can be.
  package static let most = 1_000_000
}

extension Sum {
  /// A day's sum against what is asked for: `12 of 20 pages`, `3 of at most 2 cups`.
  package func progress(_ sum: Thousandths) -> String {
    let unit = of == .entries ? "" : (of == .amount ? self.unit : of.rawValue).map { " " + $0 } ?? ""
    if let atLeast, sum < atLeast || atMost == nil { return "\(sum) of \(atLeast)\(unit)" }
    return "\(sum) of at most \(atMost ?? .zero)\(unit)"
  }

  /// `at least 20 pages`, `at most 2 cups`, `at least 5 and at most 15 km`.
  var words: String {
    let unit = of == .entries ? " entries" : (of == .amount ? self.unit : of.rawValue).map { " " + $0 } ?? ""
    switch (atLeast, atMost) {
    case (let least?, let most?): return "at least \(least) and at most \(most)\(unit)"
    case (let least?, nil): return "at least \(least)\(unit)"
    case (nil, let most?): return "at most \(most)\(unit)"
    case (nil, nil): return "any\(unit)"
    }
  }

  /// What a day's entries must add up to: `one that adds up to 20 pages or more`.
  var meaning: String {
    func words(_ bound: Thousandths) -> String {
      let word = of == .amount ? unit : of.rawValue
      return "\(bound)" + (word.map { " " + $0 } ?? "")
    }
    switch (atLeast, atMost) {
    case (let least?, let most?):
      return "one that adds up to \(words(least)) or more, and no more than \(words(most))"
    case (let least?, nil): return "one that adds up to \(words(least)) or more"
    case (nil, let most?): return "one that adds up to no more than \(words(most)), once it is over"
    case (nil, nil): return "any"
    }
  }

  func isOver(_ sum: Thousandths) -> Bool { atMost.map { sum > $0 } ?? false }

  var question: String {
    let unit = of == .minutes ? "m" : unit ?? (of == .amount ? "" : of.rawValue)
    let bound = atLeast ?? atMost ?? Thousandths(20)
    return "counts \(self.unit ?? of.rawValue); say how many, such as \(bound)\(unit)"
  }
}

/// What can be added up over the entries of a day.
package enum Measure: String, CaseIterable, Sendable {
  case entries, minutes, km, sets, drinks, amount
}

/// A named band of whole drinks, `low` to `high` inclusive; no `high` means and more.
package struct Level: Sendable, Equatable {
  @Spelled package private(set) var name: String
  package let low: Int
  package let high: Int?

  package init(name: String, low: Int, high: Int?) {
    self.name = name
    self.low = low
    self.high = high
  }

  package func contains(_ drinks: Int) -> Bool { drinks >= low && drinks <= high ?? Int.max }

  /// Names that are outcomes or verdicts already.
  package static let reserved = ["good", "missed", "slip", "failed", "restarted", "over", "rest"]
}

/// What an activity must reach; any one of the measures is enough, none given is never enough.
package struct ActivityThreshold: Sendable, Equatable {
  /// The activity's name, or `*` for every other.
  @Spelled package private(set) var activity: String
  package let measures: Measures

  package init(activity: String, measures: Measures) {
    self.activity = activity
    self.measures = measures
  }
}

extension ActivityThreshold {
  /// `running 10 min or 1 km`, `any other never`.
  package var meaning: String {
    let parts = [
      measures.sets.map { "\($0) sets" }, measures.minutes.map { "\($0) min" },
      measures.km.map { "\($0) km" },
    ].compactMap { $0 }
    return (activity == "*" ? "any other" : activity) + " "
      + (parts.isEmpty ? "never" : parts.joined(separator: " or "))
  }
}

/// Minutes, kilometres and sets, each optional: a threshold or what an entry brought.
package struct Measures: Sendable, Equatable {
  package var minutes: Thousandths?
  package var km: Thousandths?
  package var sets: Thousandths?

  package init(minutes: Thousandths? = nil, km: Thousandths? = nil, sets: Thousandths? = nil) {
    self.minutes = minutes
    self.km = km
    self.sets = sets
  }

  /// Whether one measure reaches its threshold; a threshold without measures is never reached.
  package func reachesOne(of threshold: Measures) -> Bool {
    reaches(minutes, threshold.minutes) || reaches(km, threshold.km) || reaches(sets, threshold.sets)
  }

  private func reaches(_ measure: Thousandths?, _ threshold: Thousandths?) -> Bool {
    guard let measure, let threshold else { return false }
    return measure >= threshold
  }
}

/// The three levels of the NoAlc presets: their bands, their colours, and the number a health store keeps for each.
package enum DrinkLevel: String, CaseIterable, Sendable {
  case steady, easy, wild

  /// Whole drinks, from the lowest to the highest; nil has no end.
  package var band: (low: Int, high: Int?) {
    switch self {
    case .steady: (0, 1)
    case .easy: (2, 5)
    case .wild: (6, nil)
    }
  }

  /// The representative count that represents the level in a health store (domain.md, "Presets").
  package var healthValue: Int {
    switch self {
    case .steady: 0
    case .easy: 4
    case .wild: 6
    }
  }

  /// Red, green and blue from 0 to 255.
  package var colour: (red: Int, green: Int, blue: Int) {
    switch self {
    case .steady: (0x0E, 0xBF, 0x6E)
    case .easy: (0x89, 0xD6, 0xB2)
    case .wild: (0xB6, 0xB6, 0xB6)
    }
  }

  /// The level that a count of drinks falls into, be it counted or a health value; nil below zero.
  package init?(drinks: Int) {
    guard let level = DrinkLevel.allCases.last(where: { drinks >= $0.band.low }) else { return nil }
    self = level
  }
}
