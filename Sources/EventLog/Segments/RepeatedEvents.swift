package import StreakDomain

/// An event that doesn't count, because an earlier event of another segment has the same id.
package struct ReusedID: Sendable {
  package let id: String
  /// The position of the earlier event with the same id.
  ///
  /// The earlier event counts.
  package let position: Int
  /// The segment of the event that doesn't count.
  package let segment: Text
  package let line: Int
}

/// A line of a segment that the reader skipped, because it can't be read or repeats an id.
package struct SkippedLine: Sendable {
  package let segment: Text
  package let failure: Failure
}
