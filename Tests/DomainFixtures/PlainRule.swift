package import StreakDomain

// Each kind of rule once more, for the tests: a random one, what it demands of an entry, and what a day comes out as
// under it, written plainly.

extension Rule.Name {
  /// A random rule of this kind, a sum of a day where it is one; `members` are those of a composite.
  package func random(of members: [String], _ random: inout SeededRandom) -> Rule.Kind {
    switch self {
    case .minutes: .minutes(atLeast: Thousandths(2))
    case .any: .any
    case .completed: .completed
    case .never: .never
    case .sum: .sum(.random(&random))
    case .level:
      .level(
        Levels(
          [
            Level(name: "steady", low: 0, high: 1), Level(name: "easy", low: 2, high: 5),
            Level(name: "wild", low: 6, high: nil),
          ], good: ["steady"]))
    case .activity: .activity([ActivityThreshold(activity: "*", measures: Measures(minutes: Thousandths(1)))])
    case .all: .all(of: members)
    case .either: .either(of: members)
    }
  }

  /// What a kind of rule makes of an entry that says nothing but its habit, and of `log HABIT 25`; and JSON that it
  /// refuses.
  package var demands: (needsMeasure: Bool, bare: String?, wrong: [String]) {
    let bounds = ["", #","atLeast":-1"#, #","atLeast":1440.001"#, #","atLeast":25,"lateBy":-1"#]
    return switch self {
    case .minutes: (true, #""minutes":25"#, bounds)
    case .level:
      (true, #""drinks":25"#, ["", #","levels":{},"good":[]"#, #","levels":{"a":[0]},"good":["a"]"#])
    case .sum: (true, #""amount":25"#, ["", #","of":"laps","atLeast":1"#, #","of":"km","atLeast":0"#])
    case .completed: (true, nil, [#","lateBy":-1"#])
    case .any: (false, #""value":"25""#, [#","lateBy":40000"#])
    case .never: (false, #""value":"25""#, [#","lateBy":1"#])
    case .activity: (false, nil, ["", #","thresholds":{"a":{"miles":1}}"#])
    case .all, .either: (false, nil, ["", #","of":[]"#, #","of":["A"]"#])
    }
  }

  package var isComposite: Bool {
    var random = SeededRandom(seed: 0)
    return Rule(self.random(of: ["a"], &random)).isComposite
  }
}

extension Sum {
  /// A sum of a week or month; one like `other` adds up the same, mostly within other bounds.
  package static func randomOfPeriod(like other: Sum?, _ random: inout SeededRandom) -> Sum {
    let known = random.chance(60) ? other : nil
    let measures: [Measure] = [.minutes, .minutes, .amount, .amount, .entries, .drinks, .km, .sets]
    let measure = known?.of ?? measures[random.below(measures.count)]
    let unit: Text? = measure == .amount ? ["pages", "l", nil][random.below(3)] : nil
    let per = known?.per ?? (random.chance(70) ? .week : .month)
    let isWhole = [.entries, .drinks, .sets].contains(measure)
    let most = per == .week ? 12 : 30
    let bound = Thousandths(count: Int64(1 + random.below(most)) * (isWhole ? 1000 : 500))
    let more = bound + Thousandths(random.below(per == .week ? 4 : 40))
    switch random.below(5) {
    case 0, 1: return Sum(of: measure, unit: unit, atMost: random.chance(10) ? .zero : more, per: per)
    case 2: return Sum(of: measure, unit: unit, atLeast: bound, atMost: more, per: per)
    default: return Sum(of: measure, unit: unit, atLeast: bound, per: per)
    }
  }

  fileprivate static func random(_ random: inout SeededRandom) -> Sum {
    let measure = Measure.allCases[random.below(Measure.allCases.count)]
    let bound = Thousandths(count: Int64(1 + random.below(5)) * (measure == .entries ? 1000 : 500))
    switch random.below(4) {
    case 0: return Sum(of: measure, atMost: bound)
    case 1: return Sum(of: measure, atLeast: bound, atMost: bound + bound)
    default: return Sum(of: measure, atLeast: bound)
    }
  }
}

extension Rule {
  /// The outcome of a day with these entries in time, in their order.
  package func plainOutcome(of entries: [Entry]) -> Text {
    switch kind {
    case .minutes(let atLeast):
      let sum = entries.reduce(Thousandths.zero) { $0 + ($1.minutes ?? .zero) }
      return (sum.count + 500) / 1000 * 1000 >= atLeast.count ? "good" : "missed"
    case .any: return entries.isEmpty ? "missed" : "good"
    case .never: return entries.isEmpty ? "good" : "slip"
    case .sum(let sum):
      let counted = entries.compactMap { $0.plain(sum.of) }.reduce(0, +)
      if let least = sum.atLeast, counted < least.count { return "missed" }
      if let most = sum.atMost, counted > most.count { return "over" }
      return "good"
    case .completed:
      let played = entries.compactMap(\.completed)
      guard let last = played.last else { return "missed" }
      return !last ? "failed" : played.contains(false) ? "restarted" : "good"
    case .level(let levels):
      let named = entries.compactMap { entry -> Text? in
        let band = entry.drinks.flatMap { drinks in levels.bands.first { $0.contains(drinks) }?.name }
        guard let level = entry.level else { return band }
        return entry.drinks == nil || band == level
          ? levels.names.contains(level) ? level : nil : nil
      }
      return named.last.map { levels.good.contains($0) ? "good" : $0 } ?? "missed"
    case .activity(let thresholds):
      let isReached = entries.contains { entry in
        let own = thresholds.first { $0.activity == entry.activity && $0.activity != "*" }
        let threshold = own ?? thresholds.first { $0.activity == "*" }
        let sets = entry.sets.map { Thousandths($0) }
        return Measures(minutes: entry.minutes, km: entry.km, sets: sets)
          .reachesOne(of: threshold?.measures ?? Measures())
      }
      return isReached ? "good" : "missed"
    case .all, .either: return "missed"
    }
  }
}

extension Entry {
  /// What the entry brings of a measure, in thousandths.
  func plain(_ measure: Measure) -> Int64? {
    switch measure {
    case .entries: 1000
    case .minutes: minutes?.count
    case .km: km?.count
    case .sets: sets.map { Int64($0) * 1000 }
    case .drinks: drinks.map { Int64($0) * 1000 }
    case .amount: amount?.count
    }
  }
}
