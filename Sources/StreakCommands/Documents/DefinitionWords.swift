import EventLog
import Replay
import StreakDomain

/// The fields of a definition in the words that `define` reads and prints.
enum DefinitionWords {
  /// Every field but the habit, as people read it; a field that says nothing is left out.
  static func fields(_ definition: Definition) -> [(name: String, words: String)] {
    let fields: [(name: String, words: String?)] = [
      ("name", definition.name), ("icon", definition.icon), ("color", definition.color),
      ("group", definition.group), ("rule", definition.rule.words),
      ("schedule", definition.schedule?.short ?? "daily"),
      ("forgiveness", (definition.forgiveness ?? .none).words),
      ("streak", definition.streak ?? true ? "on" : "off"),
      ("countsFrom", definition.countsFrom?.description),
      (
        "milestones",
        definition.milestones.map { $0.isEmpty ? "none" : $0.map(String.init).joined(separator: ",") }
      ),
      ("xp", definition.xp.map(EventEncoder.experience)),
    ]
    return fields.compactMap { field in field.words.map { (field.name, $0) } }
  }

  /// What changed from one definition to another, field by field; a missing side is nil.
  static func changes(
    from old: Definition?, to new: Definition
  ) -> [(field: String, before: String?, after: String?)] {
    let before = old.map(fields) ?? []
    let after = fields(new)
    let names =
      ["name", "icon", "color", "group", "rule", "schedule", "forgiveness", "streak"]
      + ["countsFrom", "milestones", "xp"]
    return names.compactMap { name in
      let (one, other) = (before.first { $0.name == name }?.words, after.first { $0.name == name }?.words)
      return one.spelling == other.spelling ? nil : (name, one, other)
    }
  }
}

extension Rule {
  /// What a good day asks for: `at least 20 pages`, `completed, at most 1 day late`.
  var words: String { asked + (lateBy.map { ", at most \(counted($0, "day")) late" } ?? "") }

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
}

extension Sum {
  /// A day's sum against what is asked for: `12 of 20 pages`, `3 of at most 2 cups`.
  func progress(_ sum: Thousandths) -> String {
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
}

extension Forgiveness {
  /// `jokers 7/3, healing missed, easy`, `grace 1`, `strict`.
  var words: String {
    switch self {
    case .none: return "strict"
    case .grace(let days): return "grace \(days)"
    case .joker(let rule):
      let heals = rule.heals.map { ", healing \($0.joined(separator: ", "))" } ?? ""
      let penalty = rule.penalty.map { ", \($0.outcome) takes \($0.jokers)" }.joined()
      return "jokers \(rule.every)/\(rule.cap)\(heals)\(penalty)"
    }
  }
}
