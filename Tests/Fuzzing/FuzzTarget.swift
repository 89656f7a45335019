/// What is fuzzed: a target takes any bytes and says what is wrong with them, if anything is.
///
/// The tests run all of them on kept inputs and on seeded random ones; `.ci/fuzz` runs one of them guided by coverage.
package enum FuzzTarget: String, CaseIterable, Sendable {
  /// Lines of a segment: the two roads agree, and what was encoded decodes to the same event.
  case lines
  /// A predicate: printed and read again it is the same, and judging it is judging it step by step.
  case predicates
  /// A point and the times in it: printed and read again they are the same.
  case points
  /// A measure of `log` and a JSON number: their values are what exact decimals say.
  case measures
  /// JSON: the same is accepted as by Foundation's parser, with the same value, or the difference is a wanted one.
  case json
  /// A name in a habit's drawing: the SVG is well-formed, has no strange element, and says the name.
  case svg
  /// Cells of a table: a strict reader finds the same cells, and no spreadsheet a formula.
  case csv
  /// Texts in the page of `report`: none ends the element it stands in, and its data give them back.
  case page
  /// Logins: two that differ have folders that differ, on any file system.
  case logins

  /// How many seeded changes the tests try with each seed; drawings and pages are a hundred times what others read.
  package var rounds: Int { [.page, .svg].contains(self) ? 20 : 500 }

  /// Checks every law of the target on one input.
  package func check(_ input: [UInt8]) throws(Finding) {
    switch self {
    case .lines: try LineLaws.check(input)
    case .predicates: try PredicateLaws.check(input)
    case .points: try PointLaws.check(input)
    case .measures: try MeasureLaws.check(input)
    case .json: try JSONLaws.check(input)
    case .svg: try SVGLaws.check(input)
    case .csv: try CSVLaws.check(input)
    case .page: try PageLaws.check(input)
    case .logins: try LoginLaws.check(input)
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
