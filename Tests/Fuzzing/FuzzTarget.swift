/// What is fuzzed: a target takes any bytes and says what is wrong with them, if anything is.
///
/// The tests run all of them on kept inputs and on seeded random ones; `.ci/fuzz` runs one of them guided by coverage.
package enum FuzzTarget: String, CaseIterable, Sendable {
  /// Lines of a segment: the two roads agree, and what was encoded decodes to the same event.
  case lines
  /// A predicate: printed and read again it is the same, and judging it is judging it step by step.
  case predicates
  /// JSON: the same is accepted as by Foundation's parser, with the same value, or the difference is a wanted one.
  case json
  /// Cells of a table: a strict reader finds the same cells, and no spreadsheet a formula.
  case csv
  /// Texts in the page of `report`: none ends the element it stands in, and its data give them back.
  case page

  /// The number of seeded changes that the tests try with each seed: few of pages, which are long.
  package var rounds: Int { self == .page ? 20 : 500 }

  /// Checks every law of the target on one input.
  package func check(_ input: [UInt8]) throws(Finding) {
    switch self {
    case .lines: try LineLaws.check(input)
    case .predicates: try PredicateLaws.check(input)
    case .json: try JSONLaws.check(input)
    case .csv: try CSVLaws.check(input)
    case .page: try PageLaws.check(input)
    }
  }
}

/// A law that an input breaks.
package struct Finding: Error, CustomStringConvertible {
  package let description: String

  init(_ description: String) {
    self.description = description
  }
}

/// Throws a finding where a law does not hold.
func demand(_ holds: Bool, _ law: @autoclosure () -> String) throws(Finding) {
  guard holds else { throw Finding(law()) }
}
