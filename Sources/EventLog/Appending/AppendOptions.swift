package import StreakDomain

/// What an append goes by.
package struct AppendOptions: Sendable {
  package var now: Instant
  /// How far after `now` an event may be, in microseconds: two clocks never agree.
  package static let mostAhead: Int64 = 5 * 60_000_000
  /// The zone of events that name none; nil is the ledger's.
  package var zone: String?
  /// The zone of a ledger that has none yet.
  package var machineZone: String
  /// Refuse unless the stream has exactly so many events.
  package var expected: Int?
  /// Why the append as a whole is refused, judged on the state at the head.
  package var condition: (@Sendable (Ledger) -> Failure?)?
  /// Continue although today lies ahead of now, or lines of the writer's segment are missing.
  package var isForced = false
  /// The batch corrects a day that a wrong clock brought, so that it is not held up by it.
  package var correctsDay = false

  /// How the stream is read.
  package var reading = ReadingOptions()

  package init(now: Instant, machineZone: String) {
    self.now = now
    self.machineZone = machineZone
  }
}
