package import EventLog
public import Foundation
public import StreakDomain
import TimeZones

/// A ledger in memory, as seen on a day; appending to it writes no file.
///
/// ``StreakFolder/ledger(now:)`` reads one from a folder. An app creates its own for guests, previews and
/// tests. The same code as for the command line checks new events and computes the streaks.
///
/// ```swift
/// var ledger = try StreakLedger(timeZone: .current, now: .now)
/// try ledger.append(.habit(Habit(preset: "meditation")), .entry("meditation", minutes: 12), now: .now)
/// ledger.streak(of: "meditation")?.current  // 1
/// ```
public struct StreakLedger: Sendable {
  private(set) var past = Past()
  /// The ledger on its own today, which its events determine.
  private(set) var own = Ledger()
  /// The time at which the last event was recorded.
  private var lastRecorded: Instant?
  /// The ledger as seen on the day of `now`, if that is later than its own today.
  package private(set) var ledger = Ledger()
  private(set) var now = Instant(microseconds: 0)
  /// The errors of the lines that ``StreakFolder/salvagedLedger(now:)`` skipped; otherwise empty.
  public private(set) var leftOut: [StreakError] = []

  /// Creates a ledger whose days are those of a time zone.
  ///
  /// - Parameters:
  ///   - timeZone: The time zone of the ledger's owner.
  ///   - dayStart: The time at which days begin, up to 11:59; with `"04:00"`, 2:30 at night belongs to the
  ///     day before.
  ///   - now: The current time.
  /// - Throws: `StreakError` if `dayStart` is too late.
  public init(timeZone: TimeZone, dayStart: ClockTime? = nil, now: Date = .now) throws(StreakError) {
    try append([.opened(daysFrom: dayStart, zone: timeZone)], now: now)
  }

  /// Reads the ledger in `folder`, skipping lines that cannot be read.
  init(salvaging folder: String, now: Date, on disk: any Disk) throws(Failure) {
    var options = ReadingOptions()
    (options.disk, options.skipsUnreadable) = (disk, true)
    var log = try FoldedLog(EventStream(folder: folder, options: options), writer: "")
    try self.init(&log, now: now)
    leftOut = log.stream.skipped.map { StreakError($0.failure) }
  }

  init(_ log: inout FoldedLog, now: Date) throws(Failure) {
    (past, own, lastRecorded) = (Past(log), log.ledger, log.lastRecorded)
    look(now: Instant(now))
    if let zone = ledger.zone, ledger.clock == nil {
      throw Failure(
        .doesNotFit, "the time zone \(quoted(zone)) is unknown to this machine\(Zones.nearest(to: zone))")
    }
  }

  /// Appends events as one batch, after checking them; on an error, nothing is appended.
  ///
  /// - Returns: One result per event, in the same order.
  /// - Throws: `StreakError`, which describes the problem and its remedy.
  /// - Complexity: O(events of the ledger).
  @discardableResult
  public mutating func append(_ events: NewEvent..., now: Date = .now) throws(StreakError) -> [Appended] {
    try append(events, now: now)
  }

  /// Appends events as one batch, after checking them; on an error, nothing is appended.
  @discardableResult
  public mutating func append(_ events: [NewEvent], now: Date = .now) throws(StreakError) -> [Appended] {
    do throws(Failure) {
      let now = Instant(now)
      let decision = try decision(on: events.map(\.draft), now: now)
      var fold = own
      try decision.batch.each { event in
        past.append(event)
        fold.apply(event)
        lastRecorded = event.recorded
      }
      let before = own.today
      own = fold
      look(now: now)
      return Appended.all(of: decision.results, from: before, to: own.today)
    } catch { throw StreakError(error) }
  }

  package func decision(on drafts: [Draft], now: Instant) throws(Failure) -> Decision {
    try Transaction.decide(
      Drafts(drafts), on: FoldedLog(past.stream(), writer: "memory"),
      options: AppendOptions(now: now, machineZone: TimeZone.current.identifier))
  }

  /// Returns this ledger as seen on the day of `now`, unless its own today is later.
  public func seen(now: Date = .now) -> StreakLedger {
    var ledger = self
    ledger.look(now: Instant(now))
    return ledger
  }

  /// The day on which the ledger is seen, or `nil` before its first event.
  public var today: Day? { ledger.today }

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
