import EventLog
import Inspection
import StreakDomain

/// The fields of a definition in the form that `define` reads and prints.
enum DefinitionText {
  static func fields(_ definition: Habit) -> [(name: String, words: String)] {
    let fields: [(name: String, words: String?)] = [
      ("name", definition.name?.string), ("icon", definition.icon?.string),
      ("color", definition.color?.string),
      ("group", definition.group?.string), ("rule", definition.rule.words),
      ("schedule", definition.scheduleWords),
      ("forgiveness", (definition.forgiveness ?? .nothing).words),
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

  static func changes(
    from old: Habit?, to new: Habit
  ) -> [(field: String, before: String?, after: String?)] {
    let before = old.map(fields) ?? []
    let after = fields(new)
    let names =
      ["name", "icon", "color", "group", "rule", "schedule", "forgiveness", "streak"]
      + ["countsFrom", "milestones", "xp"]
    return names.compactMap { name in
      let (one, other) = (before.first { $0.name == name }?.words, after.first { $0.name == name }?.words)
      return one.map { Text($0) } == other.map { Text($0) } ? nil : (name, one, other)
    }
  }
}

extension Habit {
  /// The rule, schedule and forgiveness, such as `at least 10 pages · daily · jokers 7/3`.
  var asked: String {
    [
      rule.words, scheduleWords, (forgiveness ?? .nothing).words, streak == false ? "without a streak" : nil,
    ].compactMap { $0 }.joined(separator: " · ")
  }

  /// The schedule, such as `daily` or `3/week`, or `nil` for weekly and monthly sums, which have none.
  var scheduleWords: String? { rule.sum?.per == nil ? schedule?.short ?? "daily" : nil }
}

extension Forgiveness {
  /// The forgiveness, such as `jokers 7/3, healing missed, easy`, `grace 1` or `strict`.
  var words: String {
    switch self {
    case .nothing: return "strict"
    case .grace(let days): return "grace \(days)"
    case .joker(let rule):
      let heals = rule.heals.map { ", healing \($0.strings.joined(separator: ", "))" } ?? ""
      let penalty = rule.penalty.map { ", \($0.outcome) takes \($0.jokers)" }.joined()
      return "jokers \(rule.every)/\(rule.cap)\(heals)\(penalty)"
    }
  }
}
