/// What is said of a rule, and what people say to it: the one place, beside the decoder and the encoder, that a new kind needs.
extension Rule {
  /// What a good day asks for: `at least 20 pages`, `completed, at most 1 day late`.
  package var words: String { asked + (lateBy.map { ", at most \(counted($0, "day")) late" } ?? "") }

  private var asked: String {
    switch kind {
    case .minutes(let atLeast): return "at least \(atLeast) minutes"
    case .level(let levels, let good):
      let bands = levels.map { "\($0.name) \($0.low)\($0.high.map { "–\($0)" } ?? "+")" }
      return "\(good.joined(separator: " or ")) (\(bands.joined(separator: ", ")) drinks)"
    case .any: return "any entry"
    case .none: return "no entry"
    case .sum(let sum): return sum.words
    case .completed: return "completed"
    case .activity(let thresholds):
      return "an entry that reaches what its activity asks for "
        + "(\(thresholds.map(\.meaning).joined(separator: "; ")))"
    case .all(let members): return "all of \(members.joined(separator: ", "))"
    case .either(let members): return "one of \(members.joined(separator: ", "))"
    }
  }

  /// What a good day is, in words.
  package var meaning: String {
    let late = lateBy.map { ", logged at most \(counted($0, "day")) late" } ?? ""
    switch kind {
    case .minutes(let atLeast): return "one of \(atLeast) minutes or more" + late
    case .level(let levels, let good):
      let bands = levels.map { level in
        "\(level.name) \(level.low)\(level.high.map { "–\($0)" } ?? "+")"
      }
      return
        "one whose last entry is \(good.joined(separator: " or ")) (\(bands.joined(separator: ", ")) drinks)"
        + late
    case .any: return "one with any entry" + late
    case .none: return "one without an entry, once it is over"
    case .sum(let sum): return sum.meaning + late
    case .completed: return "one completed and not failed" + late
    case .activity(let thresholds):
      return "one with an entry that reaches what its activity asks for"
        + " (\(thresholds.map(\.meaning).joined(separator: "; ")))" + late
    case .all(let members): return "one on which all of \(members.joined(separator: ", ")) are good"
    case .either(let members): return "one on which one of \(members.joined(separator: ", ")) is good"
    }
  }

  /// The names of the outcomes that it can give.
  package var outcomes: [String] {
    switch kind {
    case .minutes, .any, .activity, .all, .either: ["good", "missed"]
    case .none: ["good", "slip"]
    case .completed: ["good", "missed", "failed", "restarted"]
    case .level(let levels, let good): ["good", "missed"] + levels.map(\.name).filter { !good.has($0) }
    case .sum(let sum):
      ["good"] + (sum.atLeast == nil ? [] : ["missed"]) + (sum.atMost == nil ? [] : ["over"])
    }
  }

  /// The words that an entry may answer it with, each with what it is: its levels, its activities, or completed and failed.
  package var answers: [(word: String, kind: String)] {
    switch kind {
    case .level(let levels, _): levels.map { ($0.name, "level") }
    case .activity(let thresholds): thresholds.map { ($0.activity, "activity") }.filter { $0.0 != "*" }
    case .completed: [("completed", ""), ("failed", "")]
    case .minutes, .sum, .any, .none, .all, .either: []
    }
  }

  /// The unit of a bare number where the rule looks at one measure only.
  package var bareUnit: String? {
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

  /// What an entry must have and does not: what to say, as the end of a sentence that begins with the habit; nil where it has it.
  package func missing(in entry: Entry) -> String? {
    switch kind {
    case .minutes: entry.minutes == nil ? "counts minutes; say how many, such as 12m" : nil
    case .level(let levels, _):
      entry.level == nil && entry.drinks == nil
        ? "needs a level (\(levels.map(\.name).joined(separator: ", "))) or drinks, such as 2drinks" : nil
    case .completed: entry.completed == nil ? "is either completed or failed; say which" : nil
    case .sum(let sum): entry.has(sum.of) ? nil : sum.question
    case .any, .none, .activity, .all, .either: nil
    }
  }

  /// Why a day is not good after an entry; `sum` is what the day adds up to, and `outcome` what it comes out as.
  package func shortfall(after entry: Entry, sum: Thousandths?, outcome: String?) -> String? {
    switch kind {
    case .none: return "a slip"
    case .sum(let rule): return sum.map(rule.isOver) ?? false ? "over the limit" : nil
    case .minutes(let atLeast): return "not good yet: \(entry.habit) asks for \(atLeast) min a day"
    case .activity(let thresholds):
      let own = thresholds.filter { $0.activity.spelling == entry.activity.spelling }
      let asked = (own.isEmpty ? thresholds : own).filter { $0.measures != Measures() }.map(\.meaning)
      let rest = asked.count > 2 ? " or another activity" : ""
      return "not good yet: \(entry.habit) asks for \(asked.prefix(2).joined(separator: " or "))\(rest)"
    case .level(_, let good):
      let came = entry.level == nil ? outcome.map { "that is \($0); " } ?? "" : ""
      return came + "a good day is \(good.joined(separator: " or "))"
    case .completed, .any, .all, .either: return nil
    }
  }
}

extension Sum {
  /// A day's sum against what is asked for: `12 of 20 pages`, `3 of at most 2 cups`.
  package func progress(_ sum: Thousandths) -> String {
    let unit = of == .entries ? "" : (of == .amount ? self.unit : of.rawValue).map { " " + $0 } ?? ""
    if let atLeast, sum < atLeast || atMost == nil { return "\(sum) of \(atLeast)\(unit)" }
    return "\(sum) of at most \(atMost ?? .zero)\(unit)"
  }

  /// `at least 20 pages`, `at most 2 cups`, `at least 5 and at most 15 km`.
  fileprivate var words: String {
    let unit = of == .entries ? " entries" : (of == .amount ? self.unit : of.rawValue).map { " " + $0 } ?? ""
    switch (atLeast, atMost) {
    case (let least?, let most?): return "at least \(least) and at most \(most)\(unit)"
    case (let least?, nil): return "at least \(least)\(unit)"
    case (nil, let most?): return "at most \(most)\(unit)"
    case (nil, nil): return "any\(unit)"
    }
  }

  /// What a day's entries must add up to: `one that adds up to 20 pages or more`.
  fileprivate var meaning: String {
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

  fileprivate func isOver(_ sum: Thousandths) -> Bool { atMost.map { sum > $0 } ?? false }

  fileprivate var question: String {
    let unit = of == .minutes ? "m" : unit ?? (of == .amount ? "" : of.rawValue)
    let bound = atLeast ?? atMost ?? Thousandths(20)
    return "counts \(self.unit ?? of.rawValue); say how many, such as \(bound)\(unit)"
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
