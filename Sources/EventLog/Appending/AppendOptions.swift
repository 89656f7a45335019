package import StreakDomain

package struct AppendOptions: Sendable {
  package var now: Instant
  /// The furthest that `at` may lie after `now`, in microseconds, because two clocks never agree exactly.
  package static let mostAhead: Int64 = 5 * 60_000_000
  /// The zone of events that specify none, or `nil` for the zone of the ledger.
  package var zone: String?
  package var machineZone: String
  /// The number of events that the stream must contain, or `nil` for any number.
  package var expected: Int?
  /// Returns the reason to refuse the whole append, given the ledger at the end of the stream.
  package var condition: (@Sendable (Ledger) -> Failure?)?
  /// Whether to continue despite a today after `now`, or missing lines in the writer's segment.
  package var isForced = false
  /// Whether the batch corrects a today that a wrong clock set; such a batch is allowed despite that today.
  package var correctsDay = false

  package var reading = ReadingOptions()

  package init(now: Instant, machineZone: String) {
    self.now = now
    self.machineZone = machineZone
  }
}
