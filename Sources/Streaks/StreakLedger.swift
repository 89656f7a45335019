package import EventLog
public import Foundation
public import StreakDomain

/// A ledger in memory, seen from a day: events in, streaks out, nothing ever written.
///
/// ``StreakFolder/ledger(now:)`` reads one; an app makes one of its own for a guest, for previews and tests. What an
/// event may be and what it brings is decided by the same code that serves the command line.
///
/// ```swift
/// var ledger = try StreakLedger(timeZone: .current, now: .now)
/// try ledger.append(.habit(Habit(preset: "meditation")), .entry("meditation", minutes: 12), now: .now)
/// ledger.streak(of: "meditation")?.current  // 1
/// ```
public struct StreakLedger: Sendable {
  /// The stream so far.
  private(set) var past = Past()
  /// With all events folded in, on its own today.
  private(set) var own = Ledger()
  /// When the last of them was recorded.
  private var lastRecorded: Instant?
  /// The ledger seen from the day of `now`, if that is later.
  package private(set) var ledger = Ledger()
  private(set) var now = Instant(microseconds: 0)
  /// Why each line was left out that could not be read; empty but for ``StreakFolder/salvagedLedger(now:)``.
  public private(set) var leftOut: [StreakError] = []

  /// A new ledger whose days are read in a time zone.
  ///
  /// - Parameters:
  ///   - timeZone: where the person lives.
  ///   - dayStart: when their days begin, up to 11:59; with `"04:00"` half past two at night belongs to the day before.
  ///   - now: the clock.
  /// - Throws: `StreakError` where no day may begin then.
  public init(timeZone: TimeZone, dayStart: ClockTime? = nil, now: Date = .now) throws(StreakError) {
    try append([.opened(daysFrom: dayStart, zone: timeZone)], now: now)
  }

  /// The ledger in a folder without the lines that cannot be read.
  init(salvaging folder: String, now: Date, on disk: any Disk) throws(Failure) {
    var options = ReadingOptions()
    (options.disk, options.salvage) = (disk, true)
    var log = try FoldedLog(EventStream(folder: folder, options: options), writer: "")
    try self.init(&log, now: now)
    leftOut = log.stream.skipped.map { StreakError($0.failure) }
  }

  /// The ledger of a log as it was read.
  init(_ log: inout FoldedLog, now: Date) throws(Failure) {
    (past, own, lastRecorded) = (Past(log), log.ledger, log.lastRecorded)
    look(now: Instant(now))
    if let zone = ledger.zone, ledger.clock == nil {
      throw Failure(
        .doesNotFit, "the time zone \(quoted(zone)) is unknown to this machine\(Zones.nearest(to: zone))")
    }
  }

  /// Appends events as one batch, all or nothing; all checks apply.
  ///
  /// - Returns: a result for each, in their order.
  /// - Throws: `StreakError` with what is wrong and what would be right; then nothing has changed.
  /// - Complexity: O(events of the ledger).
  @discardableResult
  public mutating func append(_ events: NewEvent..., now: Date = .now) throws(StreakError) -> [Appended] {
    try append(events, now: now)
  }

  /// Appends events as one batch, all or nothing; all checks apply.
  @discardableResult
  public mutating func append(_ events: [NewEvent], now: Date = .now) throws(StreakError) -> [Appended] {
    do throws(Failure) {
      let now = Instant(now)
      let decision = try decision(on: events.map(\.draft), now: now)
      var fold = LedgerFold(own)
      try decision.batch.each { event in
        past.append(event)
        _ = fold.apply(event)
        lastRecorded = event.recorded
      }
      let before = own.today
      own = fold.settled
      look(now: now)
      return Appended.all(of: decision.results, from: before, to: own.today)
    } catch { throw StreakError(error) }
  }

  /// What would become of drafts.
  package func decision(on drafts: [Draft], now: Instant) throws(Failure) -> Decision {
    try Transaction.decide(
      drafts, stream: past.stream(), writer: "memory",
      options: AppendOptions(now: now, machineZone: TimeZone.current.identifier),
      random: SystemRandomNumberGenerator())
  }

  /// This ledger seen from the local date of a time, if the ledger's own today is not later.
  public func seen(now: Date = .now) -> StreakLedger {
    var ledger = self
    ledger.look(now: Instant(now))
    return ledger
  }

  /// The day that the ledger is seen from; nil before its first event.
  public var today: Day? { ledger.today }

  /// The last event; nil before the first.
  var last: (id: String, recorded: Instant)? {
    lastRecorded.map { (own.id(at: own.position), $0) }
  }

  private mutating func look(now: Instant) {
    self.now = now
    guard let today = own.today, let clock = own.clock else { return ledger = own }
    let day = max(today, now < Instant.end ? clock.day(of: now) : Day.last)
    if ledger.position == own.position, ledger.today == day { return }
    ledger = own
    ledger.advance(to: day)
  }
}
