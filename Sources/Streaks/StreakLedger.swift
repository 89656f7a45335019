package import EventLog
public import Foundation
package import StreakDomain

/// A ledger in memory: events in, streaks out, nothing ever written.
///
/// An app uses it for a guest, for previews and tests, or to read a ledger's folder (``StreakFolder`` writes there). What
/// an event may be and what it brings is decided by the same code that serves the command line.
///
/// ```swift
/// var ledger = try StreakLedger(timeZone: .current, now: .now)
/// try ledger.define("meditation", now: .now)
/// try ledger.append(#"{"type":"entry.logged","habit":"meditation","minutes":12}"#, now: .now)
/// ledger.streak(of: "meditation", now: .now)?.current  // 1
/// ```
public struct StreakLedger: Sendable {
  /// The stream so far, each event once.
  private(set) var events: [Event] = []
  private var ledger = Ledger()

  /// A new ledger whose days are read in a time zone.
  ///
  /// - Parameters:
  ///   - timeZone: where the person lives.
  ///   - dayStart: when their days begin, `HH:MM` up to 11:59; with `"04:00"` half past two at night belongs to the day before.
  ///   - now: the clock.
  /// - Throws: `StreakError` where no day may begin then.
  public init(timeZone: TimeZone, dayStart: String? = nil, now: Date) throws(StreakError) {
    try append([Draft(try .opened(daysFrom: dayStart), zone: timeZone.identifier)], now: now)
  }

  /// The ledger that stands in a folder, read once; what is appended here does not reach the folder.
  ///
  /// - Throws: `StreakError` with file, line and column of what cannot be read.
  public init(contentsOf folder: URL) throws(StreakError) {
    do throws(LogError) {
      var options = ReadingOptions()
      options.wantsEvents = true
      var stream = try EventStream(folder: folder.path, options: options)
      var item = StreamItem()
      while try stream.next(&item, names: &ledger.names) {
        guard let event = item.event else { continue }
        if let known = ledger.apply(event) {
          _ = try stream.judgeRepeat(of: known, item, names: ledger.names)
          continue
        }
        stream.keepPlace(of: item)
        events.append(event)
      }
      ledger.settle()
    } catch { throw StreakError(error) }
    guard let zone = ledger.zone, ledger.clock == nil else { return }
    throw StreakError(
      .refused, "the time zone \(quoted(zone)) is unknown to this machine\(Zones.nearest(to: zone))")
  }

  /// The ids of the habits, in the order they were first defined.
  public var habits: [String] { ledger.definedHabits }

  /// Defines a habit by the preset of its own name or of another one.
  ///
  /// - Throws: `StreakError` where there is no such preset.
  public mutating func define(
    _ habit: String, preset: String? = nil, now: Date
  ) throws(StreakError) {
    let name = preset ?? habit
    guard let preset = Preset(rawValue: name) else {
      let known = Preset.allCases.map(\.rawValue)
      throw StreakError(.notFound, "there is no preset \(quoted(name))" + Nearest.hint(name, among: known))
    }
    try append([Draft(.habitDefined(preset.definition(for: habit)), zone: nil)], now: now)
  }

  /// Appends one event, a JSON object as `streaks append` takes it, and returns its id; all checks apply.
  ///
  /// - Throws: `StreakError` with what is wrong and what would be right; then nothing has changed.
  /// - Complexity: O(events).
  @discardableResult
  public mutating func append(_ line: String, now: Date) throws(StreakError) -> String {
    let draft: Draft
    do throws(LogError) {
      draft = try Draft(line: Array(line.utf8), file: "event", number: 1)
    } catch { throw StreakError(error) }
    return try append([draft], now: now).last ?? ""
  }

  /// Where a habit stands at a time; nil for one that is not defined.
  public func streak(of habit: String, now: Date) -> Streak? {
    ledger(at: now).state(of: habit).map { Streak($0) }
  }

  /// The numbers that apps keep of a habit; nil for one that is not defined.
  public func streakData(for habit: String, now: Date) -> StreakData? {
    let ledger = ledger(at: now)
    return ledger.state(of: habit).map { StreakData($0, ledger.clock) }
  }

  /// The ledger with the local date of a time as its today, if that is later.
  func ledger(at now: Date) -> Ledger {
    var ledger = ledger
    if let clock = ledger.clock { ledger.advance(to: clock.day(of: Instant(now))) }
    ledger.settle()
    return ledger
  }

  @discardableResult
  private mutating func append(_ drafts: [Draft], now: Date) throws(StreakError) -> [String] {
    let now = Instant(now)
    var options = AppendOptions(now: now, machineZone: TimeZone.current.identifier)
    options.reading.supposed = events.map { SupposedEvent($0) }
    do throws(LogError) {
      let decision = try Appender.decide(
        drafts, stream: EventStream(options: options.reading), writer: "memory", options: options,
        random: SystemRandomNumberGenerator())
      try decision.batch.each { event in
        events.append(event)
        _ = ledger.apply(event)
      }
      ledger.settle()
      return decision.results.map(\.id)
    } catch { throw StreakError(error) }
  }
}

extension Payload {
  /// The opening of a ledger whose days begin at a time.
  static func opened(daysFrom start: String?) throws(StreakError) -> Payload {
    guard let start else { return .ledgerOpened(owner: nil) }
    guard let time = Forms.readDayStart(start) else {
      throw StreakError(.refused, "dayStart is \(quoted(start)); it must be \(Forms.dayStart)")
    }
    return .ledgerOpened(owner: nil, dayStart: time)
  }
}

extension StreakData {
  /// What a state amounts to; the latest good day is given as its first moment.
  package init(_ state: HabitState, _ clock: DayClock?) {
    let start = state.lastGood.flatMap { clock?.begin(of: $0) }
    self.init(
      currentStreakDays: state.current, rewardsEarned: state.jokers.held,
      lastActivityDate: start.map { Date(timeIntervalSince1970: Double($0.microseconds) / 1_000_000) })
  }
}

extension Instant {
  init(_ date: Date) {
    self.init(microseconds: Int64((date.timeIntervalSince1970 * 1_000_000).rounded()))
  }
}
