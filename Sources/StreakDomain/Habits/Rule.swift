/// How the entries of a day become its outcome (domain.md, "Habits and rules").
///
/// ```swift
/// let pages: Rule = .sum(of: .amount, unit: "pages", atLeast: 20)
/// let late = Rule(pages.kind, lateBy: 1)
/// ```
///
/// ## Topics
/// ### Making one
/// - ``minutes(atLeast:)``
/// - ``sum(of:unit:atLeast:atMost:per:)``
/// - ``any``
/// - ``never``
/// - ``completed``
/// - ``level(_:good:)``
/// - ``activity(_:)``
/// - ``all(of:)``
/// - ``either(of:)``
/// - ``init(_:lateBy:)``
/// ### Reading it
/// - ``kind-swift.property``
/// - ``lateBy``
public struct Rule: Sendable, Equatable {
  /// When a day is good.
  public enum Kind: Equatable, Sendable {
    /// So many minutes over the day.
    case minutes(atLeast: Thousandths)
    /// The level of the day's last entry is one of the good ones.
    case level(Levels)
    /// Any entry.
    case any
    /// No entry at all.
    case never
    /// The day's last entry says completed.
    case completed
    /// The sum of the entries is within bounds.
    case sum(Sum)
    /// An entry reaches what its activity asks for.
    case activity([ActivityThreshold])
    /// All of other habits are good.
    case all(of: [String])
    /// One of other habits is good.
    case either(of: [String])
  }

  /// When a day is good.
  public var kind: Kind
  /// Entries made more than this many days after their day do not count; nil counts all.
  public var lateBy: Int?

  /// A rule of a kind, as the members ``any``, ``sum(of:unit:atLeast:atMost:per:)`` and so on make it without `lateBy`.
  public init(_ kind: Kind, lateBy: Int? = nil) {
    self.kind = kind
    self.lateBy = lateBy
  }

  /// The habits a composite is made of; empty for every other rule.
  package var members: [String] {
    switch kind {
    case .all(let members), .either(let members): members
    case .minutes, .level, .any, .never, .completed, .sum, .activity: []
    }
  }

  /// The levels of a rule that has some; else none.
  package var levels: Levels {
    switch kind {
    case .level(let levels): levels
    case .minutes, .any, .never, .sum, .completed, .activity, .all, .either: Levels([], good: [])
    }
  }

  /// What each activity asks for, where the rule looks at activities.
  package var thresholds: [ActivityThreshold] {
    switch kind {
    case .activity(let thresholds): thresholds
    case .minutes, .level, .any, .never, .sum, .completed, .all, .either: []
    }
  }

  /// What code beside this file asks of the kind.
  package var traits: Traits {
    switch kind {
    case .minutes, .any, .never, .sum: Traits()
    case .level: Traits(isAskedTheMorningAfter: true, lastEntryDecides: true)
    case .completed: Traits(asksForCompleted: true)
    case .activity: Traits(looksAtActivities: true)
    case .all: Traits(combination: .every)
    case .either: Traits(combination: .one)
    }
  }

  package var isComposite: Bool { traits.combination != nil }

  /// The sum that a day's progress is told in, and that `log` reads a bare number as; nil where there is none.
  package var sum: Sum? {
    switch kind {
    case .sum(let sum): sum
    case .minutes, .level, .any, .never, .completed, .activity, .all, .either: nil
    }
  }

  /// The measure that an entry must have, and that an import reads a number as; nil where none alone does.
  public var measure: Measure? {
    switch kind {
    case .minutes: .minutes
    case .level: .drinks
    case .sum(let sum): sum.of
    case .any, .never, .completed, .activity, .all, .either: nil
    }
  }

  /// The bounds that it puts on a measure, which `define --at-least` and `--at-most` change one by one.
  package var bounds: Sum? {
    switch kind {
    case .minutes(let atLeast): Sum(of: .minutes, atLeast: atLeast)
    case .sum(let sum): sum
    case .level, .any, .never, .completed, .activity, .all, .either: nil
    }
  }

  /// A rule of this kind with other bounds; a sum where this kind cannot have them.
  package func bounded(by sum: Sum) -> Kind {
    switch kind {
    case .minutes: sum.minutesAlone.map { .minutes(atLeast: $0) } ?? .sum(sum)
    case .level, .any, .never, .completed, .sum, .activity, .all, .either: .sum(sum)
    }
  }

  /// Whether not doing it is what counts: the rule `none`, or a sum that has no lower bound.
  package var isLimit: Bool {
    switch kind {
    case .never: true
    case .sum(let sum): sum.atLeast == nil
    case .minutes, .level, .any, .completed, .activity, .all, .either: false
    }
  }

  package var name: Name {
    switch kind {
    case .minutes: .minutes
    case .level: .level
    case .any: .any
    case .never: .never
    case .sum: .sum
    case .completed: .completed
    case .activity: .activity
    case .all: .all
    case .either: .either
    }
  }

  /// The kinds of rules by name.
  package enum Name: String, CaseIterable, Sendable {
    case minutes, level, any
    case never = "none"
    case sum, completed, activity, all, either
  }
}

// What a rule is in words, and what an entry must bring.
extension Rule {
  /// What a good day asks for: `at least 20 pages`, `completed, at most 1 day late`.
  public var words: String { asked + (lateBy.map { ", at most \(counted($0, "day")) late" } ?? "") }

  private var asked: String {
    switch kind {
    case .minutes(let atLeast): return "at least \(Measure.minutes.said(atLeast))"
    case .level(let levels): return "last entry \(levels.words)"
    case .any: return "any entry"
    case .never: return "no entry"
    case .sum(let sum): return sum.words
    case .completed: return "completed and not failed"
    case .activity(let thresholds):
      return "an entry that reaches what its activity asks for "
        + "(\(thresholds.map(\.meaning).joined(separator: "; ")))"
    case .all(let members): return "all of \(members.joined(separator: ", "))"
    case .either(let members): return "one of \(members.joined(separator: ", "))"
    }
  }

  /// The names of the outcomes that it can give.
  package var outcomes: [Text] {
    switch kind {
    case .minutes, .any, .activity, .all, .either: ["good", "missed"]
    case .never: ["good", "slip"]
    case .completed: ["good", "missed", "failed", "restarted"]
    case .level(let levels): ["good", "missed"] + levels.bad
    case .sum(let sum):
      ["good"] + (sum.atLeast == nil ? [] : ["missed"]) + (sum.atMost == nil ? [] : ["over"])
    }
  }

  /// The words that an entry may answer it with, each with what it is: a level, an activity, completed or failed.
  package var answers: [(word: Text, kind: String)] {
    switch kind {
    case .level(let levels): levels.names.map { ($0, "level") }
    case .activity(let thresholds): thresholds.map { ($0.activity, "activity") }.filter { $0.0 != "*" }
    case .completed: [("completed", ""), ("failed", "")]
    case .minutes, .sum, .any, .never, .all, .either: []
    }
  }

  /// The unit of a bare number where the rule looks at one measure only.
  package var bareUnit: String? { levels.names.isEmpty ? bounds?.of.bareUnit : Measure.drinks.bareUnit }

  /// The measure that an entry lacks: its name, and the end of a sentence that begins with the habit; nil for none.
  private func lack(in entry: Entry) -> (needs: String, says: String)? {
    switch kind {
    case .minutes:
      entry.minutes == nil ? ("minutes", "counts minutes; say how many, such as 12m") : nil
    case .level(let levels):
      entry.level == nil && entry.drinks == nil
        ? (
          "level or drinks",
          "needs a level (\(levels.names.strings.joined(separator: ", "))) or drinks, such as 2drinks"
        ) : nil
    case .completed: entry.completed == nil ? ("completed", "is either completed or failed; say which") : nil
    case .sum(let sum): entry.has(sum.of) ? nil : (sum.of.rawValue, sum.question)
    case .activity(let thresholds): entry.lack(under: thresholds)
    case .any, .never, .all, .either: nil
    }
  }

  package func missing(in entry: Entry) -> String? { lack(in: entry)?.says }

  /// Why an entry may not be appended under the rule, or nil (event-format.md, "What is refused").
  func refusal(of entry: Entry) -> Failure? {
    if isComposite {
      return Failure(
        .entryForComposite, "\(quoted(entry.habit)) follows from \(members.joined(separator: ", "))",
        remedy: "log one of those instead")
    }
    if let lack = lack(in: entry) {
      return Failure(
        traits.looksAtActivities ? .nothingToCount : .missingMeasure,
        "\(quoted(entry.habit)) has the rule \(quoted(name.rawValue)), so an entry needs \(lack.needs)")
    }
    return levels.names.isEmpty ? nil : levels.refusal(of: entry)
  }

  /// Why a day is not good after an entry; `sum` is what the day adds up to, and `outcome` what it comes out as.
  package func shortfall(after entry: Entry, sum: Thousandths?, outcome: Text?) -> String? {
    switch kind {
    case .never: return "a slip"
    case .sum(let rule): return sum.map(rule.isOver) ?? false ? "over the limit" : nil
    case .minutes(let atLeast): return "not good yet: \(entry.habit) asks for \(atLeast) min a day"
    case .activity(let thresholds):
      let own = thresholds.filter { $0.activity == entry.activity }
      let asked = (own.isEmpty ? thresholds : own).filter { $0.measures != Measures() }.map(\.meaning)
      let rest = asked.count > 2 ? " or another activity" : ""
      let isNone = own.isEmpty && !thresholds.contains { $0.activity == "*" && $0.measures != Measures() }
      let activity = entry.activity.map { "\($0) does not count" } ?? "the entry names no activity"
      return "not good yet: \(entry.habit) asks for \(asked.prefix(2).joined(separator: " or "))\(rest)"
        + (isNone ? "; \(activity)" : "")
    case .level(let levels):
      let came = entry.level == nil ? outcome.map { "that is \($0); " } ?? "" : ""
      return came + "a good day is \(levels.good.strings.joined(separator: " or "))"
    case .completed, .any, .all, .either: return nil
    }
  }
}
