/// A kind of input to fuzz, with laws that hold for any bytes.
///
/// The tests check stored and seeded random inputs; `.ci/fuzz` runs one target guided by coverage.
package enum FuzzTarget: String, CaseIterable, Sendable {
  /// Lines of a segment: both decoders agree, and an encoded event decodes to the same event.
  case lines
  /// Predicates: a printed predicate parses to the same predicate.
  case predicates
  /// JSON: Foundation's parser accepts the same inputs with the same values, except for
  /// `WantedDifference`.
  case json
  /// Cells of a table: a strict reader finds the same cells, and none of them is a formula.
  case csv
  /// Texts in the page of `report`: none ends its element, and the page's data contain them
  /// unchanged.
  case page
  /// Heads of requests: the pieces in which a head arrives don't matter, and one that is accepted
  /// has one reading.
  case requests

  /// The number of seeded mutations per seed; pages are long, so they get fewer.
  package var rounds: Int { self == .page ? 20 : 500 }

  package func check(_ input: [UInt8]) throws(Finding) {
    switch self {
    case .lines: try LineLaws.check(input)
    case .predicates: try PredicateLaws.check(input)
    case .json: try JSONLaws.check(input)
    case .csv: try CSVLaws.check(input)
    case .page: try PageLaws.check(input)
    case .requests: try RequestLaws.check(input)
    }
  }
}

package struct Finding: Error, CustomStringConvertible {
  package let description: String

  init(_ description: String) {
    self.description = description
  }
}

func demand(_ holds: Bool, _ law: @autoclosure () -> String) throws(Finding) {
  guard holds else { throw Finding(law()) }
}
