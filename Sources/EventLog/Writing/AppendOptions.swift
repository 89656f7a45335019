package import StreakDomain

/// The conditions of an append, and the clock and time zone for events that don't specify theirs.
package struct AppendOptions: Sendable {
  package var now: Instant
  /// The maximum number of microseconds by which `at` of an event may be after `now`, because
  /// clocks differ.
  package static let mostAhead: Int64 = 5 * 60_000_000
  /// The number of microseconds after `now` from which a stamp of another segment doesn't count.
  ///
  /// New events are recorded after any earlier stamp, but before such a one.
  package static let mostStampAhead: Int64 = 86_400_000_000
  /// The time zone of events that don't specify a zone, or `nil` for the zone of the ledger.
  package var zone: String?
  /// The time zone of this computer, for a ledger without a zone, or the failure to name it.
  private let machineZone: Result<String, Failure>
  /// The acceptable numbers of events in the ledger before the append; empty if any number is
  /// acceptable.
  package var expected: [Int] = []
  /// A check of the ledger before the append, or `nil` if there is none.
  ///
  /// If the check returns a failure, nothing is appended.
  package var condition: (@Sendable (Ledger) -> Failure?)?
  /// Whether to append even if today is more than a day after `now`, or if lines of the writer's
  /// segment are missing.
  package var isForced = false
  /// Whether the batch corrects the ledger's today after a wrong clock; if so, today may be after
  /// `now`.
  package var correctsDay = false

  /// Whether the decision keeps no lines and no results, because the batch is only rehearsed and
  /// may be large.
  package var isRehearsal = false
  /// Whether the decision keeps neither the results nor the ledger before the batch, because the
  /// batch is one of several large ones.
  package var isOneOfMany = false

  /// The options for reading the log before the append.
  package var reading = ReadingOptions()

  package init(now: Instant, machineZone: Result<String, Failure>) {
    self.now = now
    self.machineZone = machineZone
  }

  package init(now: Instant, machineZone: String) {
    self.init(now: now, machineZone: .success(machineZone))
  }

  /// Returns `known`, or else the time zone of this computer.
  func zone(known: String?) throws(Failure) -> String {
    if let known { return known }
    return try machineZone.get()
  }
}
