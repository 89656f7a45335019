import EventLog
public import Foundation
import StreakDomain

/// A ledger's folder: appended to for good, read whole, and followed while others append to it, too.
///
/// ```swift
/// let folder = StreakFolder(URL(filePath: "events"), writer: "phone")
/// try folder.append([#"{"type":"entry.logged","habit":"meditation","minutes":12}"#], now: .now)
/// try folder.ledger().streak(of: "meditation", now: .now)?.current  // 1
/// ```
public struct StreakFolder: Hashable, Sendable {
  public let url: URL
  /// The segment that is appended to: one for each device or program, so that folders can be brought together by
  /// copying files.
  public let writer: String

  /// Names a folder; nothing is read yet.
  public init(_ url: URL, writer: String = "main") {
    self.url = url
    self.writer = writer
  }

  /// What became of one event given to `append`.
  public struct Appended: Hashable, Sendable {
    public let event: String
    /// Its place in the stream, from 1; 0 of a `segment.dropped`, which is left out.
    public let position: Int
    /// False where the same event was there already.
    public let isNew: Bool
  }

  /// Makes a new ledger whose days are read in a time zone, with habits by the presets of their names.
  ///
  /// `dayStart` is when the person's days begin, `HH:MM` up to 11:59; without one at midnight.
  /// - Throws: `StreakError`; of kind `conflict` where the folder holds a ledger already.
  public func create(
    _ habits: [String] = [], timeZone: TimeZone, dayStart: String? = nil, now: Date
  ) throws(StreakError) {
    var drafts = [Draft(try .opened(daysFrom: dayStart), zone: timeZone.identifier)]
    for habit in habits {
      guard let preset = Preset(rawValue: habit) else {
        let hint = Nearest.hint(habit, among: Preset.allCases.map(\.rawValue))
        throw StreakError(.notFound, "there is no preset \(quoted(habit))\(hint)")
      }
      drafts.append(Draft(.habitDefined(preset.definition(for: habit)), zone: nil))
    }
    _ = try write(drafts, now: now, isFirst: true)
  }

  /// Appends events as one batch, all or nothing, and returns when they are on the disk.
  ///
  /// Each is a JSON object as `streaks append` takes it. Give each an id of your own, and appending the same again, after a
  /// crash or without a network, changes nothing.
  /// - Parameters:
  ///   - lines: the events.
  ///   - now: the clock.
  /// - Returns: a result for each, in their order.
  /// - Throws: `StreakError`; unless it is of kind `unknownOutcome` nothing was written.
  /// - Complexity: O(events of the ledger): the whole log is read under its lock.
  @discardableResult
  public func append(_ lines: [String], now: Date) throws(StreakError) -> [Appended] {
    var drafts: [Draft] = []
    do throws(LogError) {
      for (index, line) in lines.enumerated() {
        drafts.append(try Draft(line: Array(line.utf8), file: "event", number: index + 1))
      }
    } catch { throw StreakError(error) }
    return try write(drafts, now: now, isFirst: false)
  }

  /// The ledger as it stands.
  ///
  /// - Throws: `StreakError` with file, line and column of what cannot be read.
  public func ledger() throws(StreakError) -> StreakLedger { try StreakLedger(contentsOf: url) }

  /// What each event changes that a cursor has not had, and then as they are appended.
  ///
  /// Each event comes once, with a cursor to go on after it. One of a segment that is copied in later comes when it arrives, as
  /// ``StreakChange/isLate`` if it stands before others that came. All changes added up are the state.
  /// It ends when its task is cancelled, or with a `StreakError` of kind `refused` where events that were given are gone.
  /// - Parameters:
  ///   - cursor: that of the change handled last.
  ///   - interval: how often to look.
  /// - Returns: a sequence that many may iterate, each from its beginning.
  /// - Complexity: O(events) where something is new; an event that is late costs once more those after it.
  public func changes(
    after cursor: StreakCursor = .start, every interval: Duration = .milliseconds(250)
  ) -> StreakChanges {
    StreakChanges(folder: self, cursor: cursor, interval: interval)
  }

  private func write(_ drafts: [Draft], now: Date, isFirst: Bool) throws(StreakError) -> [Appended] {
    var options = AppendOptions(now: Instant(now), machineZone: TimeZone.current.identifier)
    options.reading.wantsEvents = true
    if isFirst { options.expected = 0 }
    do throws(LogError) {
      let log = try OpenLog(folder: url.path, writer: writer, wait: 5, makesFolder: isFirst)
      options.overflow = log.overflow
      do throws(LogError) {
        let stream = try EventStream(folder: url.path, options: options.reading, mayBegin: isFirst)
        try stream.requireNothingAway(isForced: false)
        let decision = try Appender.decide(
          drafts, stream: stream, writer: writer, options: options, random: SystemRandomNumberGenerator())
        try log.write(decision)
        return decision.results.map {
          Appended(event: $0.id, position: $0.position, isNew: $0.status == .recorded)
        }
      } catch {
        log.discardFolder()
        throw error
      }
    } catch { throw StreakError(error) }
  }

  /// The segments and their sizes, which tell whether anything was added.
  func sizes() throws(StreakError) -> [String] {
    do throws(LogError) { return try EventStream(folder: url.path).sizes } catch { throw StreakError(error) }
  }
}
