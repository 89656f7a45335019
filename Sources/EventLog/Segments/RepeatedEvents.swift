package import StreakDomain

/// The events that don't count because an earlier event has the same id, except copies of the
/// earlier event, which do no harm.
struct RepeatedEvents {
  /// The repetitions in the segment of the earlier event, which `--skip` skips.
  private(set) var skipped: [SkippedLine] = []
  /// The events with other content whose id an earlier event of another segment has.
  private(set) var reusedIDs: [ReusedID] = []

  mutating func skip(_ line: SkippedLine) { skipped.append(line) }

  mutating func add(_ event: ReusedID) { reusedIDs.append(event) }
}

/// An event that doesn't count, because an earlier event of another segment has the same id.
package struct ReusedID: Sendable {
  package let id: String
  /// The position of the earlier event with the same id, which counts.
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
