/// Why a text is no predicate, and where; facts only, the sentences are in StreakCommands.
package struct PredicateError: Error, Equatable, Sendable {
  package let predicate: String
  /// The wrong token, in bytes of the predicate.
  package let range: Range<Int>
  package let problem: PredicateProblem
}

package enum PredicateProblem: Equatable, Sendable {
  case empty
  case tooLong(bytes: Int)
  case tooDeep
  /// `meant` is what would be right, where that is plain.
  case strangeCharacter(String, meant: String?)
  case unendedText
  /// Found instead of a comparison; nil is the end.
  case expectedComparison(found: String?)
  /// After a field or a value; found nil is the end.
  case expectedRelation(after: String, found: String?)
  /// After an operator; found nil is the end.
  case expectedOperand(after: String, found: String?)
  /// Between two comparisons.
  case expectedJoint(found: String)
  case unclosed
  case unopened
  case noSuchDay(String)
  case badNumber(String)
  case unknownName(String, known: [String])
  case unknownHabit(String, known: [String])
  case unknownField(String, habit: String, known: [String])
  case habitWithoutField(String)
  case noField
  case truthCompared(String)
  case mismatch(StateField, with: String, StateValue.Kind?)
  case neverNull(StateField)
  case unordered(String, Relation)
  case unknownWord(String, of: StateField, known: [String])
  case keysWithoutHas(StateField)
  case hasWithoutKeys(String)
  case unknownKey(String, of: LedgerField, known: [String])
}
