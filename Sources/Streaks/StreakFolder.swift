import Dispatch
import EventLog
public import Foundation
import StreakDomain

/// A ledger's folder: appended to for good, read whole, and followed while others append to it, too.
///
/// No call blocks the actor or the thread it is made on: the disk is waited for elsewhere.
///
/// ```swift
/// let folder = StreakFolder(URL(filePath: "events"), writer: "phone")
/// try await folder.append(.entry("meditation", minutes: 12), now: .now)
/// try await folder.ledger(now: .now).streak(of: "meditation")?.current  // 1
/// ```
///
/// ## Topics
/// ### Writing
/// - ``create(_:timeZone:dayStart:now:)``
/// - ``append(_:now:)-(NewEvent...,_)``
/// ### Reading
/// - ``ledger(now:)``
/// ### Following
/// - ``values(of:now:)``
/// - ``changes(after:)``
public struct StreakFolder: Hashable, Sendable {
  /// Where the ledger is.
  public let url: URL
  /// The segment that is appended to: one for each device or program, so that folders can be brought together by
  /// copying files.
  public let writer: String
  private let isNamed: Bool

  /// How long an append waits while another program writes.
  public let wait: Duration

  /// Names a folder; nothing of it is read yet.
  ///
  /// - Parameters:
  ///   - url: where the ledger is, or is to be.
  ///   - writer: the segment to append to; nil is the machine's own for this folder, named after the host and the
  ///     folder's path. Give a name, and keep it, where that path may change, as an app's container does.
  ///   - wait: how long an append waits while another program writes.
  public init(_ url: URL, writer: String? = nil, wait: Duration = .seconds(5)) {
    self.url = url
    self.writer = writer ?? Machine.current().segment(in: url.path)
    self.wait = wait
    isNamed = writer != nil
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
    _ habits: [Habit] = [], timeZone: TimeZone, dayStart: ClockTime? = nil, now: Date
  ) async throws(StreakError) {
    let opened = try NewEvent.opened(daysFrom: dayStart, zone: timeZone)
    _ = try await write([opened] + habits.map { .habit($0) }, now: now, isFirst: true)
  }

  /// Appends events as one batch, all or nothing, and returns when they are on the disk.
  ///
  /// - Parameters:
  ///   - events: what happened; each with an id of its own may be appended again without being counted twice.
  ///   - now: the clock.
  /// - Returns: a result for each, in their order.
  /// - Throws: `StreakError`; unless it is of kind `unknownOutcome` nothing was written.
  /// - Complexity: O(events of the ledger): the whole log is read under its lock.
  @discardableResult
  public func append(_ events: NewEvent..., now: Date) async throws(StreakError) -> [Appended] {
    try await append(events, now: now)
  }

  /// Appends events as one batch, all or nothing, and returns when they are on the disk.
  ///
  /// - Parameters:
  ///   - events: what happened.
  ///   - now: the clock.
  ///   - isForced: go on although today lies more than a day after the date of now, or lines of this writer's segment
  ///     that another device saw are missing, which are given up for good.
  /// - Returns: a result for each, in their order.
  /// - Throws: `StreakError`; unless it is of kind `unknownOutcome` nothing was written.
  @discardableResult
  public func append(
    _ events: [NewEvent], now: Date, isForced: Bool = false
  ) async throws(StreakError) -> [Appended] {
    try await write(events, now: now, isFirst: false, isForced: isForced)
  }

  /// The ledger as it is, seen from the local date of now, if its own today is not later.
  ///
  /// - Throws: `StreakError` with file, line and column of what cannot be read.
  /// - Complexity: O(events + days).
  public func ledger(now: Date) async throws(StreakError) -> StreakLedger {
    try await elsewhere { () throws(StreakError) in try StreakLedger(contentsOf: url, now: now) }
  }

  private func write(
    _ events: [NewEvent], now: Date, isFirst: Bool, isForced: Bool = false
  ) async throws(StreakError) -> [Appended] {
    try await elsewhere { () throws(StreakError) in
      do throws(Failure) {
        return try decide(events.map(\.draft), now: now, isFirst: isFirst, isForced: isForced)
      } catch {
        throw StreakError(error)
      }
    }
  }

  private func decide(
    _ drafts: [Draft], now: Date, isFirst: Bool, isForced: Bool
  ) throws(Failure) -> [Appended] {
    var options = AppendOptions(now: Instant(now), machineZone: TimeZone.current.identifier)
    options.isForced = isForced
    if isFirst { options.expected = 0 }
    let first = try FirstWrite(of: writer, isNamed: isNamed, in: url.path)
    let log = try LogWriter(folder: url.path, writer: writer, wait: wait / .seconds(1), makesFolder: isFirst)
    options.overflow = log.overflow
    do throws(Failure) {
      let stream = try EventStream(folder: url.path, options: options.reading, mayBegin: isFirst)
      try stream.requireNothingAway(isForced: isForced)
      let decision = try Transaction.decide(
        drafts, stream: stream, writer: writer, options: options, random: SystemRandomNumberGenerator())
      try log.write(decision)
      if !decision.batch.isEmpty { first.makeGitFiles() }
      return Appended.results(of: decision)
    } catch {
      log.discardFolder()
      throw error
    }
  }
}

/// Runs what waits for a disk or a lock on a thread that nobody else waits for.
func elsewhere<Value: Sendable>(
  _ body: @escaping @Sendable () throws(StreakError) -> Value
) async throws(StreakError) -> Value {
  let result: Result<Value, StreakError> = await withCheckedContinuation { continuation in
    DispatchQueue.global(qos: .userInitiated).async { continuation.resume(returning: Result(catching: body)) }
  }
  return try result.get()
}
