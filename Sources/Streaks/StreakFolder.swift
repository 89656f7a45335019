import Dispatch
package import EventLog
public import Foundation
public import StreakDomain

/// A ledger's folder: appended to for good, read whole, and followed while others append to it, too.
///
/// No call blocks the actor or the thread it is made on: the disk is waited for elsewhere.
///
/// ```swift
/// let folder = StreakFolder(URL(filePath: "events"), writer: "phone")
/// try await folder.append(.entry("meditation", minutes: 12), now: .now)
/// try await folder.ledger(now: .now).streak(of: "meditation")?.current  // 1
/// ```
public struct StreakFolder: Hashable, Sendable {
  /// Where the ledger is.
  public let url: URL
  /// The segment that is appended to: one for each device or program, so that folders can be brought together by
  /// copying files.
  public let writer: String
  private let isNamed: Bool

  /// How long an append waits while another program writes.
  public let wait: Duration
  let shared: SharedLedger
  /// How many seconds go by between two looks at a folder of which nothing is heard.
  let pause: Double

  /// Names a folder; nothing of it is read yet.
  ///
  /// - Parameters:
  ///   - url: where the ledger is, or is to be.
  ///   - writer: the segment to append to; nil is the machine's own for this folder, named after the host and the
  ///     folder's path. Give a name, and keep it, where that path may change, as an app's container does.
  ///   - wait: how long an append waits while another program writes.
  ///   - memory: how many bytes of memory the folded ledger may take while nobody observes it, at about 256 an event;
  ///     a larger one is let go after each call, and read again.
  public init(
    _ url: URL, writer: String? = nil, wait: Duration = .seconds(5), memory: Int = 128 << 20
  ) {
    self.init(url, writer, wait, pause: 5, SharedLedger.of(url.path, memory: memory))
  }

  /// A folder on another disk, with a ledger of its own.
  package init(_ url: URL, writer: String, on disk: any Disk, pause: Double, memory: Int = .max) {
    self.init(
      url, writer, .seconds(5), pause: pause, SharedLedger(url.path, memory: memory, on: disk))
  }

  private init(_ url: URL, _ writer: String?, _ wait: Duration, pause: Double, _ shared: SharedLedger) {
    self.url = url
    self.writer = writer ?? Machine.current().segment(in: url.path)
    (self.wait, self.pause, self.shared, isNamed) = (wait, pause, shared, writer != nil)
  }

  /// Makes a new ledger with some habits.
  ///
  /// - Parameters:
  ///   - habits: what is asked for.
  ///   - timeZone: where the person lives, whose days are counted.
  ///   - dayStart: when their days begin, up to 11:59; nil is midnight.
  ///   - now: the clock.
  /// - Throws: `StreakError`; of kind `conflict` where the folder holds a ledger already.
  public func create(
    _ habits: [Habit] = [], timeZone: TimeZone, dayStart: ClockTime? = nil, now: Date = .now
  ) async throws(StreakError) {
    let opened = try NewEvent.opened(daysFrom: dayStart, zone: timeZone)
    let events = [opened] + habits.map { .habit($0) }
    _ = try await write(now: now, isFirst: true) { _ in events.map(\.draft) }
  }

  /// Appends events as one batch: what `append` of a list does, with each as an argument.
  @discardableResult
  public func append(
    _ events: NewEvent..., now: Date = .now, isForced: Bool = false
  ) async throws(StreakError) -> [Appended] {
    try await append(events, now: now, isForced: isForced)
  }

  /// Appends events as one batch, all or nothing, and returns when they are on the disk.
  ///
  /// - Parameters:
  ///   - events: what happened; each with an id of its own may be appended again without being counted twice.
  ///   - now: the clock.
  ///   - isForced: go on although today lies more than a day after the date of now, or lines of this writer's segment
  ///     that another device saw are missing, which are given up for good.
  /// - Returns: a result for each, in their order.
  /// - Throws: `StreakError`; unless it is of kind `unknownOutcome` nothing was written.
  /// - Complexity: O(events given, and events appended since the ledger was read here).
  @discardableResult
  public func append(
    _ events: [NewEvent], now: Date = .now, isForced: Bool = false
  ) async throws(StreakError) -> [Appended] {
    try await write(now: now, isForced: isForced) { _ in events.map(\.draft) }
  }

  /// Changes some fields of a habit from a day on, and keeps the others: what `streaks define` does.
  ///
  /// The definition is read under the lock, so what another program changed meanwhile is kept, too. Where the rule
  /// changes and the forgiveness does not, jokers go on to cover what they covered.
  ///
  /// ```swift
  /// try await folder.define("reading") { $0.schedule = .times(5, per: .week) }
  /// ```
  /// - Parameters:
  ///   - habit: its id.
  ///   - day: from which on, at most 366 days ahead; nil is today.
  ///   - now: the clock.
  ///   - isForced: as of `append`.
  ///   - change: what is changed; the id stays.
  /// - Returns: what was appended; nothing where nothing is changed. A later definition that says something else stays:
  ///   ``StreakLedger/definitions(of:)`` lists it.
  /// - Throws: `StreakError`, of kind `unknownHabit` where there is no such habit; nothing was written then.
  @discardableResult
  public func define(
    _ habit: Habit.ID, on day: Day? = nil, now: Date = .now, isForced: Bool = false,
    change: @escaping @Sendable (inout Habit) -> Void
  ) async throws(StreakError) -> [Appended] {
    try await write(now: now, isForced: isForced) { (ledger) throws(Failure) in
      try ledger.redefining(habit, on: day, now: Instant(now), change)
    }
  }

  /// The ledger as it is, seen from the local date of now, if its own today is not later.
  ///
  /// - Throws: `StreakError` with file, line and column of what cannot be read.
  /// - Complexity: O(events appended since it was read); O(events + days) the first time.
  public func ledger(now: Date = .now) async throws(StreakError) -> StreakLedger {
    try await elsewhere { () throws(Failure) in try shared.ledger(now: now) }
  }

  /// The ledger without the lines that cannot be read, which ``StreakLedger/leftOut`` names.
  ///
  /// - Throws: `StreakError` where there is no ledger, or the disk is in the way.
  /// - Complexity: O(events + days).
  public func salvagedLedger(now: Date = .now) async throws(StreakError) -> StreakLedger {
    try await elsewhere { () throws(Failure) in
      try StreakLedger(salvaging: url.path, now: now, on: shared.disk)
    }
  }

  /// Takes back the last append of this writer that stands, or the one that an event is of.
  ///
  /// Nothing is removed: an entry is deleted, a deleted one is logged again, an excuse is withdrawn, and a definition
  /// is followed by the one before it. Called again it goes one append further back. What others did since stays.
  ///
  /// ```swift
  /// let undone = try await folder.undo(now: .now)
  /// for change in undone.difference.changes { show("\(change.path) is \(change.after) again") }
  /// ```
  /// - Parameters:
  ///   - event: the id of an event of the append to undo, by any writer; nil is the last append of this writer. With
  ///     an event that an undo appended, that undo is undone, which restores what it reverted.
  ///   - now: the clock.
  ///   - isForced: as of `append`.
  /// - Returns: what it changed, and the events that say so.
  /// - Throws: `StreakError`, of kind `notFound` where there is nothing to undo, or it has no counterpart, and of kind
  ///   `conflict` where it would not bring back what was; nothing was written then.
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
    if isFirst { options.expected = 0 }
    return try await elsewhere { [options] () throws(Failure) in
      try shared.append(
        by: writer, isNamed: isNamed, wait: wait, options, isFirst: isFirst, drafts: drafts)
    }
  }

  /// Appends drafts as one batch, on the thread that calls.
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

/// Runs what waits for a disk or a lock on a thread that nobody else waits for.
package func elsewhere<Value: Sendable>(
  _ body: @escaping @Sendable () throws(Failure) -> Value
) async throws(StreakError) -> Value {
  let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
    DispatchQueue.global(qos: .userInitiated).async { continuation.resume(returning: Result(catching: body)) }
  }
  return try result.mapError(StreakError.init).get()
}

/// Runs elsewhere what takes its time, and gives nil as soon as the task that waits for it is cancelled.
func untilCancelled<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value? {
  let (results, result) = AsyncStream<Value>.makeStream()
  DispatchQueue.global(qos: .userInitiated).async {
    result.yield(body())
    result.finish()
  }
  var found = results.makeAsyncIterator()
  return await found.next()
}
