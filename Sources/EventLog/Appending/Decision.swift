package import StreakDomain

package struct AppendOptions: Sendable {
  package var now: Instant
  /// The furthest that `at` may lie after `now`, in microseconds, because two clocks never agree exactly.
  package static let mostAhead: Int64 = 5 * 60_000_000
  /// The zone of events that specify none, or `nil` for the zone of the ledger.
  package var zone: String?
  package var machineZone: String
  /// The acceptable numbers of events in the stream; empty if any number is acceptable.
  package var expected: [Int] = []
  /// Returns the reason to refuse the whole append, given the ledger at the end of the stream.
  package var condition: (@Sendable (Ledger) -> Failure?)?
  /// Whether to continue despite a today after `now`, or missing lines in the writer's segment.
  package var isForced = false
  /// Whether the batch corrects a wrong today, and is therefore allowed although today is after `now`.
  package var correctsDay = false

  package var reading = ReadingOptions()

  package init(now: Instant, machineZone: String) {
    self.now = now
    self.machineZone = machineZone
  }
}

/// A batch that can be written, and the ledger before and after it.
package struct Decision: Sendable {
  package let batch: BatchLines
  /// The result of each draft, in the order of the drafts.
  package let results: [AppendResult]
  package let ledgerBefore: Ledger
  package let ledgerAfter: Ledger
  let head: LogHead
  /// The offset of the last line in each segment that was answered with `exists`, by the path of the segment.
  let known: [Text: Int]
  /// The extents of the texts that a redaction removes from the writer's segment; `nil` for other commands.
  let removedTexts: [Range<Int>]?

  package var position: Int { ledgerBefore.position }

  package var event: String? { position == 0 ? nil : ledgerBefore.id(at: position) }

  package var ids: [String] { (0..<batch.count).map { ledgerAfter.id(at: position + $0 + 1) } }
}

package struct AppendResult: Sendable, Equatable {
  package let id: String
  package let position: Int
  package let status: Status
  package let day: Day
  /// Whether the event already existed, and is now a deleted entry or a withdrawn excuse.
  package internal(set) var isDeleted = false

  package enum Status: String, Sendable {
    case recorded, exists
    /// A skipped event, because only the program may write its type; it has no position and maybe no id.
    case dropped
  }
}
