/// How the entries of a day become its outcome (domain.md, "Habits and rules").
package struct Rule: Sendable, Equatable {
  package enum Kind: Sendable {
    case minutes(atLeast: Thousandths)
    case level([Level], good: [String])
    case any
    case none
    case completed
    case sum(Sum)
    case activity([ActivityThreshold])
    case all(of: [String])
    case either(of: [String])
  }

  package var kind: Kind
  /// Entries made more than this many days after their day do not count; nil counts all.
  package var lateBy: Int?

  package init(_ kind: Kind, lateBy: Int? = nil) {
    self.kind = kind
    self.lateBy = lateBy
  }

  /// The habits a composite is made of; empty for every other rule.
  package var members: [String] {
    switch kind {
    case .all(let members), .either(let members): members
    case .minutes, .level, .any, .none, .completed, .sum, .activity: []
    }
  }

  /// The levels of a rule that has some.
  package var levels: [Level] {
    if case .level(let levels, _) = kind { levels } else { [] }
  }

  /// What each activity asks for, where the rule looks at activities.
  package var thresholds: [ActivityThreshold] {
    if case .activity(let thresholds) = kind { thresholds } else { [] }
  }

  /// Whether it matters which activity an entry names.
  package var looksAtActivities: Bool {
    switch kind {
    case .activity: true
    case .minutes, .level, .any, .none, .completed, .sum, .all, .either: false
    }
  }

  /// The bounds of the day's sum, if the rule asks for nothing else.
  package var bounds: Sum? {
    switch kind {
    case .minutes(let atLeast): Sum(of: .minutes, atLeast: atLeast)
    case .sum(let sum): sum
    case .level, .any, .none, .completed, .activity, .all, .either: nil
    }
  }

  package var isComposite: Bool {
    switch kind {
    case .all, .either: true
    case .minutes, .level, .any, .none, .completed, .sum, .activity: false
    }
  }

  /// Whether not doing it is what counts: the rule `none`, or a sum that has no lower bound.
  package var isLimit: Bool {
    switch kind {
    case .none: true
    case .sum(let sum): sum.atLeast == nil
    case .minutes, .level, .any, .completed, .activity, .all, .either: false
    }
  }

  package var name: Name {
    switch kind {
    case .minutes: .minutes
    case .level: .level
    case .any: .any
    case .none: .none
    case .sum: .sum
    case .completed: .completed
    case .activity: .activity
    case .all: .all
    case .either: .either
    }
  }

  /// The kinds of rules by name.
  package enum Name: String, CaseIterable, Sendable {
    case minutes, level, any, none, sum, completed, activity, all, either
  }
}

extension Rule.Kind: Equatable {
  /// Written out because a case cannot say of its texts that they are `Spelled`.
  package static func == (a: Rule.Kind, b: Rule.Kind) -> Bool {
    switch (a, b) {
    case (.minutes(let a), .minutes(let b)): a == b
    case (.level(let a, let good), .level(let b, let other)): a == b && good.spelling == other.spelling
    case (.activity(let a), .activity(let b)): a == b
    case (.sum(let a), .sum(let b)): a == b
    case (.all(let a), .all(let b)), (.either(let a), .either(let b)): a.spelling == b.spelling
    case (.any, .any), (.none, .none), (.completed, .completed): true
    case (.minutes, _), (.level, _), (.any, _), (.none, _), (.sum, _), (.completed, _), (.activity, _),
      (.all, _), (.either, _):
      false
    }
  }
}

// What a rule is in words, and what an entry must bring.
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

  /// Why an entry may not be appended under the rule, or nil (event-format.md, "What is refused").
  func refusal(of entry: Entry) -> Refusal? {
    func missing(_ needs: String) -> Refusal {
      .missingMeasure(habit: entry.habit, rule: name.rawValue, needs: needs)
    }
    switch kind {
    case .minutes: return entry.minutes == nil ? missing("minutes") : nil
    case .completed: return entry.completed == nil ? missing("completed") : nil
    case .sum(let sum): return entry.has(sum.of) ? nil : missing(sum.of.rawValue)
    case .all(let members), .either(let members): return .entryForComposite(entry.habit, members: members)
    case .level(let levels, _):
      guard entry.level != nil || entry.drinks != nil else { return missing("level or drinks") }
      let band = entry.drinks.flatMap { drinks in levels.first { $0.contains(drinks) } }
      if let level = entry.level, !levels.map(\.name).has(level) {
        return .unknownLevel(level, habit: entry.habit, known: levels.map(\.name))
      }
      if let drinks = entry.drinks, band == nil { return .noLevel(drinks: drinks, habit: entry.habit) }
      if let drinks = entry.drinks, let level = entry.level, level.spelling != band?.name.spelling {
        return .levelDisagrees(level: level, drinks: drinks, band: band?.name)
      }
      return nil
    case .any, .none, .activity: return nil
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
