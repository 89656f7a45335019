import EventLog
import StreakDomain

extension PredicateError {
  /// What is wrong, the predicate, and a mark under the wrong place.
  package var message: String { sentence + "\n" + Excerpt.marked(predicate, at: range.lowerBound) }

  /// What is wrong in one line, for findings.
  package var line: String { "\(sentence), at byte \(range.lowerBound + 1) of \(quoted(predicate))" }

  /// What is wrong and what would be right.
  package var sentence: String {
    switch problem {
    case .empty: "a predicate is missing, such as 'noalc.current >= 7'"
    case .tooLong(let bytes): "the predicate has \(bytes) bytes; at most \(Predicate.longest) are allowed"
    case .tooDeep: "parentheses and `not` nested deeper than \(Predicate.deepest) levels"
    case .unclosed: "this parenthesis is never closed"
    case .unopened: "this parenthesis closes nothing"
    case .unendedText: "this text has no closing quote"
    case .strangeCharacter(let found, let meant):
      "\(quoted(found)) has no meaning here"
        + (meant.map { "; write \($0)" } ?? "; other text needs \"quotes\"")
    case .expectedComparison, .expectedRelation, .expectedOperand, .expectedJoint: expectation
    case .noSuchDay(let text): "there is no day \(text); it must be \(Forms.day)"
    case .badNumber(let text):
      "\(quoted(text)) is no number; a number has at most 3 decimals, and text needs \"quotes\""
    case .noField: "two values are compared here; one side must be a field, such as noalc.current"
    default: meaning
    }
  }

  /// Sentences about what is missing.
  private var expectation: String {
    func instead(_ found: String?) -> String { found.map { ", not \(quoted($0))" } ?? ", not the end" }
    switch problem {
    case .expectedComparison(let found):
      return "expected a comparison, such as noalc.current >= 7" + instead(found)
    case .expectedRelation(let left, let found):
      let known = Relation.allCases.map(\.rawValue).joined(separator: " ")
      return "expected one of \(known) after \(quoted(left))" + instead(found)
    case .expectedOperand(let relation, let found):
      return "expected a field or a value after \(relation)" + instead(found)
    case .expectedJoint(let found):
      return "expected and, or, or the end" + instead(found) + Nearest.hint(found, among: ["and", "or"])
    default: return ""
    }
  }

  /// Sentences about names, and about fields and values that do not go together.
  private var meaning: String {
    switch problem {
    case .unknownName(let name, let known):
      return "\(quoted(name)) is no field of a state" + Nearest.hint(name, among: known)
    case .unknownHabit(let habit, let known):
      return "no habit \(quoted(habit)) is defined" + Nearest.hint(habit, among: known)
    case .unknownField(let field, let habit, let known):
      return "\(quoted(habit)) has no field \(quoted(field))" + Nearest.hint(field, among: known)
    case .habitWithoutField(let habit):
      return "\(quoted(habit)) is a habit; say which field of it, such as \(habit).current"
    case .truthCompared(let word): return "no field is true or false; use \(word) alone"
    case .mismatch(let field, let other, let kind):
      let mine = field.kind.phrase
      guard let kind else { return "\(field) is \(mine), and \(quoted(other)) is none" }
      return "\(field) is \(mine) and \(other) is \(kind.phrase), which do not compare"
    case .neverNull(let field): return "\(field) is never null"
    case .unordered(let what, let relation):
      return "\(what) has no order, so \(relation.rawValue) cannot be asked; == and != can"
    case .unknownWord(let word, let field, let known):
      return "\(field) is never \(quoted(word))" + Nearest.hint(word, among: known) + "; it is one of "
        + known.joined(separator: ", ")
    case .keysWithoutHas(let field):
      return "\(field) is a list; ask what it has, such as "
        + (field == .ledger(.achievements)
          ? "achievements has tri-threat" : "celebrations has perfect-day:2025-11-03")
    case .hasWithoutKeys(let left):
      return "only achievements and celebrations have something; \(quoted(left)) is neither"
    case .unknownKey(let key, let set, let known):
      return "\(quoted(key)) is no key of \(set.rawValue)" + Nearest.hint(key, among: known)
        + (set == .achievements
          ? "" : "; one is completed:HABIT:DAY, perfect-day:DAY, milestone:HABIT:N:DAY or achievement:KEY")
    default: return ""
    }
  }
}

extension StateValue.Kind {
  /// With its article.
  fileprivate var phrase: String {
    switch self {
    case .number: "a number"
    case .day: "a day"
    case .text: "text"
    case .keys: "a list"
    }
  }
}
