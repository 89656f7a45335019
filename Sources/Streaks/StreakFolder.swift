import Dispatch
package import EventLog
public import Foundation
import Inspection
public import StreakDomain
import Synchronization

/// A ledger in a folder on disk, which can be read, appended to, and observed for changes by any
/// program.
///
/// No call of a folder blocks the calling actor or thread, because background threads wait for the
/// disk. A ``StreakLedger`` answers on the calling thread. Keep one `StreakFolder` for each folder:
/// it folds the ledger once for all its calls and observers, and then reads only new events.
///
/// ```swift
/// let folder = StreakFolder(URL(filePath: "events"), writer: "phone")
/// try await folder.append(.entry("meditation", minutes: 12), now: .now)
/// try await folder.ledger(now: .now).streak(of: "meditation")?.current  // 1
/// ```
public final class StreakFolder: Sendable {
  /// The log and the ledger that all calls and observers of the folder share.
  private struct Cache {
    var log: FoldedLog?
    /// The result of the last read, and the folder's stamp from before that read.
    var latest: (stamp: FolderStamp, result: Result<StreakLedger, Failure>)?
  }

  /// The folder of the ledger.
  public let url: URL
  /// The name of the segment that this device or program appends to.
  ///
  /// Each device or program appends to a segment of its own, so that folders can be merged by
  /// copying files.
  public let writer: String
  /// The maximum time that an append waits while another program writes.
  public let wait: Duration
  private let isNamed: Bool
  var path: String { url.path }
  let disk: any Disk
  /// The time in seconds between two checks for changes that the file system doesn't report.
  let pause: Double
  private let cache = Mutex(Cache())
  /// The options for reading the folder.
  var reading: ReadingOptions {
    var options = ReadingOptions()
    options.disk = disk
    return options
  }

  /// Creates a reference to a folder without reading it.
  ///
  /// - Parameters:
  ///   - url: The file URL of the ledger's folder, which need not exist yet.
  ///   - writer: The name of the segment to append to. If `nil`, the name is made from the host and
  ///     the folder's path. Pass a fixed name if the path can change, such as the path of an app's
  ///     container.
  ///   - wait: The maximum time that an append waits while another program writes.
  public convenience init(_ url: URL, writer: String? = nil, wait: Duration = .seconds(5)) {
    self.init(url, writer: writer, wait: wait, on: SystemDisk(), pause: 1)
  }

  package init(
    _ url: URL, writer: String?, wait: Duration = .seconds(5), on disk: any Disk, pause: Double
  ) {
    precondition(url.isFileURL, "a ledger's folder needs a file URL, which \(url) is not")
    self.url = url
    self.writer = writer ?? Machine.current().segment(in: url.path)
    self.wait = wait
    self.disk = disk
    self.pause = pause
    isNamed = writer != nil
  }

  /// Returns the ledger in the folder, after creating it if the folder has none.
  ///
  /// ```swift
  /// let gym = try Habit(preset: "gym")
  /// let ledger = try await folder.open(orCreate: [gym], timeZone: .current)
  /// ```
  /// - Parameters:
  ///   - habits: The definitions of a new ledger; a ledger that is there already keeps its own.
  ///   - timeZone: The time zone of a new ledger, which determines when days begin.
  ///   - dayStart: The time at which days of a new ledger begin, or `nil` for midnight.
  ///   - weekStart: The weekday on which weeks of a new ledger begin, or `nil` for Monday.
  ///   - now: The current time.
  /// - Returns: The ledger, as ``ledger(now:skipping:)`` returns it.
  /// - Throws: `StreakError`, but not because the ledger is there already.
  @discardableResult
  public func open(
    orCreate habits: [Habit], timeZone: TimeZone, dayStart: ClockTime? = nil,
    weekStart: Weekday? = nil, now: Date = .now
  ) async throws(StreakError) -> StreakLedger {
    do {
      return try await ledger(now: now)
    } catch {
      guard error.kind == .notFound else { throw error }
    }
    do {
      try await create(
        habits, timeZone: timeZone, dayStart: dayStart, weekStart: weekStart, now: now)
    } catch {
      // Another program was quicker.
      guard error.kind == .conflict else { throw error }
    }
    return try await ledger(now: now)
  }

  /// Creates a new ledger in the folder, which must not contain one.
  ///
  /// - Parameters:
  ///   - habits: The first definitions of habits.
  ///   - timeZone: The time zone that determines when days begin.
  ///   - dayStart: The time at which days begin, up to 11:59, or `nil` for midnight.
  ///   - weekStart: The weekday on which weeks begin, or `nil` for Monday.
  ///   - now: The current time.
  /// - Throws: `StreakError`, of kind `conflict` if the folder already contains a ledger.
  public func create(
    _ habits: [Habit] = [], timeZone: TimeZone, dayStart: ClockTime? = nil,
    weekStart: Weekday? = nil, now: Date = .now
  ) async throws(StreakError) {
    let opened = NewEvent.settings(
      timeZone: timeZone, dayStart: dayStart, weekStart: weekStart)
    let events = [opened] + habits.map { .habit($0) }
    _ = try await elsewhere { () throws(Failure) in
      try self.append(now: now, isFirst: true) { _ in events.map(\.draft) }
    }
  }

  /// Appends the events given as arguments as one batch.
  @discardableResult
  public func append(
    _ events: NewEvent..., now: Date = .now, isForced: Bool = false
  ) async throws(StreakError) -> [Appended] {
    try await append(events, now: now, isForced: isForced)
  }

  /// Appends all `events` as one batch, or none of them, and returns when they are on the disk.
  ///
  /// - Parameters:
  ///   - events: The events. Events with an id can be appended again without being counted twice.
  ///   - now: The current time.
  ///   - isForced: Whether to append even if today lies more than a day after the date of `now`, or
  ///     if lines of this segment that another device has seen are missing. These lines are then
  ///     accepted as lost, permanently.
  /// - Returns: One result per event, in the same order.
  /// - Throws: `StreakError`. Nothing was written, unless the kind is `unknownOutcome`.
  /// - Complexity: O(`events` + events appended since the ledger was last read).
  @discardableResult
  public func append(
    _ events: [NewEvent], now: Date = .now, isForced: Bool = false
  ) async throws(StreakError) -> [Appended] {
    try await elsewhere { () throws(Failure) in
      try self.append(now: now, isForced: isForced) { _ in events.map(\.draft) }
    }
  }

  /// Changes a habit's definition from a day on, in the same way as the command `streaks define`.
  ///
  /// The definition is read while the folder is locked, so changes by another program are
  /// preserved. If the rule changes and the forgiveness doesn't, jokers still heal the outcomes
  /// that they healed before.
  ///
  /// ```swift
  /// try await folder.define("reading") { $0.schedule = .times(5, per: .week) }
  /// ```
  /// - Parameters:
  ///   - habit: The id of the habit.
  ///   - day: The first day of the change, at most 366 days ahead, or `nil` for today.
  ///   - now: The current time.
  ///   - isForced: As for `append`.
  ///   - change: The function that changes the definition. A change of the id is ignored.
  /// - Returns: The results of the appended events, or an empty array if the definition is
  ///   unchanged. Definitions that apply from a later day stay in force.
  ///   ``StreakLedger/definitions(of:)`` lists them.
  /// - Throws: `StreakError`, of kind `unknownHabit` if there is no such habit. Nothing was
  ///   written, unless the kind is `unknownOutcome`.
  @discardableResult
  public func define(
    _ habit: Habit.ID, on day: Day? = nil, now: Date = .now, isForced: Bool = false,
    change: @escaping @Sendable (inout Habit) -> Void
  ) async throws(StreakError) -> [Appended] {
    try await elsewhere { () throws(Failure) in
      try self.append(now: now, isForced: isForced) { (ledger) throws(Failure) in
        try ledger.facts.redefinition(of: habit, on: day, now: Instant(now), change)
      }
    }
  }

  /// Reverts the last append of this writer that isn't reverted yet, or the append that contains
  /// `event`.
  ///
  /// The undo removes no lines, but appends opposite events: it deletes an entry, logs a deleted
  /// entry again, withdraws an excuse, or repeats the previous definition. A habit that the append
  /// defined first is retired on the day before its definition. Another call reverts the append
  /// before that. Later appends of other writers stay in force.
  ///
  /// ```swift
  /// let undone = try await folder.undo(now: .now)
  /// for change in undone.difference.changes { show("\(change.path) is \(change.after) again") }
  /// ```
  /// - Parameters:
  ///   - event: The id of an event of the append to revert, by any writer, or `nil` for this
  ///     writer's last append. If an undo appended the event, that undo is reverted, which restores
  ///     the append that the undo reverted.
  ///   - now: The current time.
  ///   - isForced: As for `append`.
  /// - Returns: The difference between the ledger before and after the undo, and the appended
  ///   events.
  /// - Throws: `StreakError`. The kind is `notFound` if there is nothing to undo or an event cannot
  ///   be undone. The kind is `conflict` if the undo would change the effect of later appends.
  ///   Nothing was written in these cases.
  /// - Complexity: O(events + days).
  @discardableResult
  public func undo(
    _ event: String? = nil, now: Date = .now, isForced: Bool = false
  ) async throws(StreakError) -> LedgerDifference {
    try await elsewhere { () throws(Failure) in
      try self.revert(event, now: now, isForced: isForced)
    }
  }

  /// Returns the current ledger as seen on the later of two days: the ledger's own today, and the
  /// local date of `now`.
  ///
  /// - Parameters:
  ///   - now: The current time.
  ///   - skipped: The lines to leave out; ``StreakLedger/leftOut`` lists the errors of those that
  ///     were left out.
  /// - Returns: The ledger.
  /// - Throws: `StreakError` if there is no ledger, if the disk can't be read, or with the location
  ///   of the first line that can't be read, unless it is skipped.
  /// - Complexity: O(events appended since the last read); O(events + days) for the first call, and
  ///   for each call that skips lines.
  public func ledger(
    now: Date = .now, skipping skipped: SkippedLines = .nothing
  ) async throws(StreakError) -> StreakLedger {
    try await elsewhere { () throws(Failure) in
      switch skipped {
      case .nothing: try self.read(now: now)
      case .unreadable: try StreakLedger(skippingUnreadableIn: self, now: now)
      }
    }
  }

  /// The lines that a call leaves out.
  public enum SkippedLines: Sendable {
    /// No line: one that can't be read is an error.
    case nothing
    /// The lines that can't be read.
    case unreadable
  }
}

// Synchronous versions, which block the calling thread while they wait for the disk.
extension StreakFolder {
  /// Returns the current ledger, and reads the folder again only if the stamp of a segment has
  /// changed.
  func read(now: Date) throws(Failure) -> StreakLedger {
    try cache.withLock { (cache) throws(Failure) in
      var attempts = 3
      while true {
        let stamp = FolderStamp(path, on: disk)
        do throws(Failure) { return try read(&cache, stamp, now: now) } catch {
          // Another program may have been replacing a file just now.
          attempts -= 1
          guard attempts > 0, FolderStamp(path, on: disk) != stamp else { throw error }
        }
      }
    }
  }

  private func read(_ cache: inout Cache, _ stamp: FolderStamp?, now: Date) throws(Failure)
    -> StreakLedger
  {
    if let latest = cache.latest, latest.stamp == stamp {
      return try latest.result.get().seen(now: now)
    }

    cache.latest = nil
    do throws(Failure) {
      let log = try FoldedLog.current(cache.log.take(), in: path, writer: "", reading)
      cache.log = log
      let ledger = try StreakLedger(log, now: now)
      if let stamp { cache.latest = (stamp, .success(ledger)) }
      return ledger
    } catch {
      if let stamp, !error.isTransient { cache.latest = (stamp, .failure(error)) }
      throw error
    }
  }

  /// Locks the folder, calls `drafts` with the current ledger, and appends the result as one batch.
  package func append(
    now: Date, isForced: Bool = false, isFirst: Bool = false,
    drafts: (Ledger) throws(Failure) -> [Draft]
  ) throws(Failure) -> [Appended] {
    var options = options(now: now, isForced: isForced)
    if isFirst { options.expected = [0] }

    let first = try FirstWrite(of: writer, isNamed: isNamed, in: path, on: disk)
    let logWriter = try logWriter(makesFolder: isFirst)
    let decision = try cache.withLock { (cache) throws(Failure) in
      cache.latest = nil
      return try logWriter.append(to: &cache.log, if: options) { (log) throws(Failure) in
        try log.stream.requireNoEvictedSegments(isForced: isForced)
        let drafts = try drafts(log.ledger)
        return drafts.isEmpty ? nil : Drafts(drafts)
      }
    }

    guard let decision else { return [] }
    if decision.results.contains(where: { $0.status == .recorded }) { first.makeGitFiles() }
    return Appended.all(
      of: decision.results, from: decision.ledgerBefore.today, to: decision.ledgerAfter.today)
  }

  private func revert(_ event: String?, now: Date, isForced: Bool) throws(Failure)
    -> LedgerDifference
  {
    let logWriter = try logWriter(makesFolder: false)

    var options = options(now: now, isForced: isForced)
    options.reading.disk = disk
    let undo = try Undo(EventStream(folder: path, options: options.reading), writer: writer)
    let date = undo.ledger.facts.clock.map { $0.day(of: options.now) }
    let reversal = try undo.reversal(of: event, date: date) { event in
      "\(event.payload.type.rawValue) \(Event.shortID(event.id)) of \(event.day)"
    }

    options.correctsDay = !reversal.corrections.isEmpty
    do throws(Failure) {
      return LedgerDifference(
        of: try logWriter.append(
          Drafts(reversal.drafts + reversal.corrections), to: undo.log, if: options))
    } catch {
      throw error.isRefusal ? Undo.refused("cannot restore what was", [error.sentence]) : error
    }
  }

  /// Locks the folder, after waiting for a writing program if necessary.
  private func logWriter(makesFolder: Bool) throws(Failure) -> LogWriter {
    try LogWriter(
      folder: path, writer: writer, wait: wait / .seconds(1), makesFolder: makesFolder, on: disk)
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
    DispatchQueue.global(qos: .userInitiated).async {
      continuation.resume(returning: Result(catching: body))
    }
  }
  return try result.mapError(StreakError.init).get()
}

/// The file stamps of a folder's segments, which change when a program writes to a segment.
struct FolderStamp: Equatable, Sendable {
  private var segments: [String: FileStamp] = [:]

  init?(_ folder: String, on disk: any Disk) {
    guard let names = try? disk.names(in: folder) else { return nil }
    for name in names where EventStream.isSegment(name) {
      segments[name] = (try? disk.stamp(of: "\(folder)/\(name)")) ?? nil
    }
  }
}

extension Failure {
  /// Whether the failure is an error of the disk, so that it can disappear without a change of a
  /// segment.
  var isTransient: Bool { [.system, .vanished].contains(kind) }
}
