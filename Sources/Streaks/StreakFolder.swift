import Dispatch
package import EventLog
public import Foundation
public import StreakDomain

/// A ledger on disk: append to it, read it, and follow what others append.
///
/// No call blocks the calling actor or thread. Other threads wait for the disk.
///
/// ```swift
/// let folder = StreakFolder(URL(filePath: "events"), writer: "phone")
/// try await folder.append(.entry("meditation", minutes: 12), now: .now)
/// try await folder.ledger(now: .now).streak(of: "meditation")?.current  // 1
/// ```
public struct StreakFolder: Hashable, Sendable {
  /// The folder of the ledger.
  public let url: URL
  /// The name of the segment that this device or program appends to.
  ///
  /// Each writes a segment of its own, so that folders can be merged by copying files.
  public let writer: String
  private let isNamed: Bool

  /// How long an append waits while another program writes.
  public let wait: Duration
  let shared: SharedLedger
  /// The time in seconds between two checks of a folder without file system events.
  let pause: Double

  /// Creates a reference to a folder without reading it.
  ///
  /// - Parameters:
  ///   - url: the folder of the ledger, which need not exist yet.
  ///   - writer: the segment to append to. If `nil`, its name is made from the host and the folder's path. Give a
  ///     fixed name if the path may change, as that of an app's container does.
  ///   - wait: the maximum time that an append waits while another program writes.
  public init(_ url: URL, writer: String? = nil, wait: Duration = .seconds(5)) {
    self.init(url, writer, wait, pause: 5, SharedLedger.of(url.path))
  }

  /// Creates a reference to a folder on another disk, which shares no ledger.
  package init(_ url: URL, writer: String, on disk: any Disk, pause: Double) {
    self.init(url, writer, .seconds(5), pause: pause, SharedLedger(url.path, on: disk))
  }

  private init(_ url: URL, _ writer: String?, _ wait: Duration, pause: Double, _ shared: SharedLedger) {
    self.url = url
    self.writer = writer ?? Machine.current().segment(in: url.path)
    (self.wait, self.pause, self.shared, isNamed) = (wait, pause, shared, writer != nil)
  }

  /// Creates a new ledger with `habits`.
  ///
  /// - Parameters:
  ///   - habits: the definitions of its habits.
  ///   - timeZone: the time zone in which days are counted.
  ///   - dayStart: the time at which days begin, up to 11:59; midnight if `nil`.
  ///   - now: the clock.
  /// - Throws: `StreakError`, of kind `conflict` if the folder already contains a ledger.
  public func create(
    _ habits: [Habit] = [], timeZone: TimeZone, dayStart: ClockTime? = nil, now: Date = .now
  ) async throws(StreakError) {
    let opened = try NewEvent.opened(daysFrom: dayStart, zone: timeZone)
    let events = [opened] + habits.map { .habit($0) }
    _ = try await write(now: now, isFirst: true) { _ in events.map(\.draft) }
  }

  /// Appends the events given as arguments as one batch.
  @discardableResult
  public func append(
    _ events: NewEvent..., now: Date = .now, isForced: Bool = false
  ) async throws(StreakError) -> [Appended] {
    try await append(events, now: now, isForced: isForced)
  }

  /// Appends events as one batch, all or nothing, and returns when they are on the disk.
  ///
  /// - Parameters:
  ///   - events: the events. Events with an id can be appended again without being counted twice.
  ///   - now: the clock.
  ///   - isForced: true to append although today lies more than a day after the date of `now`, or although lines
  ///     of this segment that another device has seen are missing. These lines are then given up permanently.
  /// - Returns: a result for each event, in their order.
  /// - Throws: `StreakError`. Nothing was written, except perhaps for the kind `unknownOutcome`.
  /// - Complexity: O(events given, and events appended since the ledger was read here).
  @discardableResult
  public func append(
    _ events: [NewEvent], now: Date = .now, isForced: Bool = false
  ) async throws(StreakError) -> [Appended] {
    try await write(now: now, isForced: isForced) { _ in events.map(\.draft) }
  }

  /// Changes some fields of a habit's definition from a day on, as `streaks define` does.
  ///
  /// The definition is read under the lock, so changes by another program are kept. If the rule changes and the
  /// forgiveness doesn't, jokers still heal the outcomes that they healed before.
  ///
  /// ```swift
  /// try await folder.define("reading") { $0.schedule = .times(5, per: .week) }
  /// ```
  /// - Parameters:
  ///   - habit: the id of the habit.
  ///   - day: the first day of the change, at most 366 days ahead; today if `nil`.
  ///   - now: the clock.
  ///   - isForced: as for `append`.
  ///   - change: changes the definition. A changed id is ignored.
  /// - Returns: the appended events, none if nothing changed. Definitions of later days stay in force;
  ///   ``StreakLedger/definitions(of:)`` lists them.
  /// - Throws: `StreakError`, of kind `unknownHabit` if there is no such habit. Nothing was written then.
  @discardableResult
  public func define(
    _ habit: Habit.ID, on day: Day? = nil, now: Date = .now, isForced: Bool = false,
    change: @escaping @Sendable (inout Habit) -> Void
  ) async throws(StreakError) -> [Appended] {
    try await write(now: now, isForced: isForced) { (ledger) throws(Failure) in
      try ledger.redefining(habit, on: day, now: Instant(now), change)
    }
  }

  /// Returns the current ledger, seen from its own today or from the local date of `now` if that is later.
  ///
  /// - Throws: `StreakError` with the file, line and column of a line that cannot be read.
  /// - Complexity: O(events appended since it was read); O(events + days) the first time.
  public func ledger(now: Date = .now) async throws(StreakError) -> StreakLedger {
    try await elsewhere { () throws(Failure) in try shared.ledger(now: now) }
  }

  /// Returns the ledger without the lines that cannot be read, which ``StreakLedger/leftOut`` lists.
  ///
  /// - Throws: `StreakError` if there is no ledger, or the disk cannot be read.
  /// - Complexity: O(events + days).
  public func salvagedLedger(now: Date = .now) async throws(StreakError) -> StreakLedger {
    try await elsewhere { () throws(Failure) in
      try StreakLedger(salvaging: url.path, now: now, on: shared.disk)
    }
  }

  /// Reverts the last append of this writer that is in force, or the append of an event.
  ///
  /// Nothing is removed: an entry is deleted, a deleted one is logged again, an excuse is withdrawn, and a definition
  /// is followed by the one before it. Called again, it reverts the append before. Later appends of others stay.
  ///
  /// ```swift
  /// let undone = try await folder.undo(now: .now)
  /// for change in undone.difference.changes { show("\(change.path) is \(change.after) again") }
  /// ```
  /// - Parameters:
  ///   - event: the id of an event of the append to revert, by any writer; the last append of this writer if `nil`.
  ///     If an undo appended the event, that undo is reverted, which restores what it reverted.
  ///   - now: the clock.
  ///   - isForced: as of `append`.
  /// - Returns: the difference between the ledgers before and after, and the appended events.
  /// - Throws: `StreakError`, of kind `notFound` if there is nothing to undo or an event has no opposite, and of kind
  ///   `conflict` if it would change what was done since. Nothing was written then.
  /// - Complexity: O(events + days).
  @discardableResult
  public func undo(
    _ event: String? = nil, now: Date = .now, isForced: Bool = false
  ) async throws(StreakError) -> LedgerDifference {
    let options = options(now: now, isForced: isForced)
    return try await elsewhere { () throws(Failure) in
      try shared.undo(event, by: writer, wait: wait, options)
    }
  }

  private func write(
    now: Date, isFirst: Bool = false, isForced: Bool = false,
    drafts: @escaping @Sendable (Ledger) throws(Failure) -> [Draft]
  ) async throws(StreakError) -> [Appended] {
    var options = options(now: now, isForced: isForced)
    if isFirst { options.expected = [0] }
    return try await elsewhere { [options] () throws(Failure) in
      try shared.append(
        by: writer, isNamed: isNamed, wait: wait, options, isFirst: isFirst, drafts: drafts)
    }
  }

  /// Appends drafts as one batch on the calling thread.
  package func append(_ drafts: [Draft], now: Date) throws(Failure) -> [Appended] {
    let options = options(now: now, isForced: false)
    return try shared.append(by: writer, isNamed: isNamed, wait: wait, options, isFirst: false) { _ in drafts
    }
  }

  private func options(now: Date, isForced: Bool) -> AppendOptions {
    var options = AppendOptions(now: Instant(now), machineZone: TimeZone.current.identifier)
    options.isForced = isForced
    return options
  }
}

/// Runs `body`, which waits for a disk or a lock, on a background thread.
package func elsewhere<Value: Sendable>(
  _ body: @escaping @Sendable () throws(Failure) -> Value
) async throws(StreakError) -> Value {
  let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
    DispatchQueue.global(qos: .userInitiated).async { continuation.resume(returning: Result(catching: body)) }
  }
  return try result.mapError(StreakError.init).get()
}

/// Runs `body` on a background thread, and returns `nil` as soon as the waiting task is cancelled.
func untilCancelled<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value? {
  let (results, result) = AsyncStream<Value>.makeStream()
  DispatchQueue.global(qos: .userInitiated).async {
    result.yield(body())
    result.finish()
  }
  var found = results.makeAsyncIterator()
  return await found.next()
}
