@testable package import StreakDomain

/// The result of a day's entries according to the rule, before any forgiveness.
package struct Outcome: Hashable, BitwiseCopyable, Sendable {
  package let code: UInt16

  static let good = Outcome(code: 0)
  static let missed = Outcome(code: 1)
  static let restarted = Outcome(code: 2)
  static let failed = Outcome(code: 3)
  static let slip = Outcome(code: 4)
  static let over = Outcome(code: 5)
  /// The code of a bad level whose index in the definition is 0.
  static let firstBadLevel: UInt16 = 6

  /// Returns the outcome of a bad level by its index in the definition.
  static func level(_ index: Int) -> Outcome { Outcome(code: firstBadLevel + UInt16(index)) }

  static func name(of outcome: Outcome, levels: [Text]) -> Text {
    switch outcome {
    case .good: "good"
    case .missed: "missed"
    case .restarted: "restarted"
    case .failed: "failed"
    case .slip: "slip"
    case .over: "over"
    default: levels[Int(outcome.code - firstBadLevel)]
    }
  }

  /// The verdict if nothing forgives the outcome.
  var unforgivenVerdict: Verdict {
    switch self {
    case .good: .good
    case .missed: .missed
    case .restarted: .restarted
    default: .bad
    }
  }
}
