package import EventLog
public import Foundation
@_exported public import Inspection
@_exported public import StreakDomain
import TimeZones

/// A ledger in memory, as seen on a day; appending to it writes no file.
///
/// ``StreakFolder/ledger(now:)`` reads one from a folder, and a copy answers what would be if events were added. An
/// app creates its own for guests, previews and tests. The same code as for the command line checks new events and
/// computes the streaks.
///
/// ```swift
/// var ledger = try StreakLedger(timeZone: .current, now: .now)
/// try ledger.append(.habit(Habit(preset: "meditation")), .entry("meditation", minutes: 12), now: .now)
/// ledger.streak(of: "meditation")?.current  // 1
/// ```
public struct StreakLedger: Sendable {
  /// The events of the folder, or `nil` for a ledger that was created in memory.
  private let stored: EventStream?
  private let storedCount: Int
  /// The events that were appended in memory, after those of the folder.
  private var added: [Event] = []
  /// The ledger on its own today, which its events determine.
  private var own = Ledger()
  /// The time at which the last event was recorded.
  private var lastRecorded: Instant?
  /// `own` with today moved on to the day of `now`, or equal to `own` if that day isn't later.
  package private(set) var ledger = Ledger()
  private var now = Instant(microseconds: 0)
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
    (stored, storedCount) = (nil, 0)
    try append([.opened(daysFrom: dayStart, zone: timeZone)], now: now)
  }

  /// Reads the ledger in `folder`, skipping lines that cannot be read.
  init(salvaging folder: String, now: Date, on disk: any Disk) throws(Failure) {
    var options = ReadingOptions()
    (options.disk, options.skipsUnreadable) = (disk, true)
    let log = try FoldedLog(EventStream(folder: folder, options: options), writer: "")
    try self.init(log, now: now)
    leftOut = log.stream.skipped.map { StreakError($0.failure) }
  }

  init(_ log: FoldedLog, now: Date) throws(Failure) {
    (stored, storedCount) = (log.stream, log.ledger.position)
    (own, lastRecorded) = (log.ledger, log.lastRecorded)
    look(now: Instant(now))
    if let zone = ledger.zone, ledger.clock == nil {
      throw Failure(
        .doesNotFit, "the time zone \(quoted(zone)) is unknown to this machine\(Zones.nearest(to: zone))")
    }
  }

  /// Appends the events given as arguments as one batch.
  @discardableResult
  public mutating func append(_ events: NewEvent..., now: Date = .now) throws(StreakError) -> [Appended] {
    try append(events, now: now)
  }

  /// Appends events as one batch, after checking them; on an error, nothing is appended.
  ///
  /// - Returns: One result per event, in the same order.
  /// - Throws: `StreakError`, which describes the problem and its remedy.
  /// - Complexity: O(events of the ledger).
  @discardableResult
  public mutating func append(_ events: [NewEvent], now: Date = .now) throws(StreakError) -> [Appended] {
    do throws(Failure) {
      let decision = try decision(on: events.map(\.draft), now: Instant(now))
      try decision.batch.each { event in
        added.append(event)
        lastRecorded = event.recorded
      }
      own = decision.ledgerAfter
      look(now: Instant(now))
      return Appended.all(of: decision.results, from: decision.ledgerBefore.today, to: own.today)
    } catch { throw StreakError(error) }
  }

  package func decision(on drafts: [Draft], now: Instant) throws(Failure) -> Decision {
    try Transaction.decide(
      Drafts(drafts), on: FoldedLog(stream(), writer: "memory"),
      options: AppendOptions(now: now, machineZone: TimeZone.current.identifier))
  }

  /// Returns this ledger as seen on the day of `now`, unless its own today is later.
  public func seen(now: Date = .now) -> StreakLedger {
    var ledger = self
    ledger.look(now: Instant(now))
    return ledger
  }

  private mutating func look(now: Instant) {
    self.now = now
    guard let today = own.today, let clock = own.clock else { return ledger = own }
    let day = max(today, now < Instant.end ? clock.day(of: now) : Day.last)
    if ledger.position == own.position, ledger.today == day { return }
    ledger = own
    ledger.advance(to: day)
  }

  /// The day on which the ledger is seen, or `nil` before its first event.
  public var today: Day? { ledger.today }

  /// Returns the state of a habit, or `nil` if it isn't defined.
  public func streak(of habit: Habit.ID) -> Streak? { ledger.state(of: habit) }

  /// The states of all habits, in the order of their first definitions.
  public var streaks: [Streak] { ledger.states() }

  /// The complete state of the ledger; its JSON is the output of `streaks show --json`.
  public var state: LedgerState {
    LedgerState(ledger, event: lastRecorded.map { _ in own.id(at: own.position) }, recorded: lastRecorded)
  }

  /// The current definitions of the habits, in the order of their first definitions.
  public var habits: [Habit] {
    ledger.definedHabits.compactMap { ledger.definition(of: $0) }
  }

  /// Returns the definitions and retirements of a habit, by day.
  ///
  /// - Complexity: O(definitions).
  public func definitions(of habit: Habit.ID) -> [HabitDefinition] {
    let found = own.definitionHistory(of: habit).map { day, event, definition in
      HabitDefinition(day: day, event: event, habit: definition)
    }
    // The sort is stable, so the later of two definitions for one day stays last and wins.
    return found.sorted { $0.day < $1.day }
  }

  /// Returns a habit's days up to today with their verdicts, by default those of this month.
  ///
  /// ```swift
  /// for day in ledger.calendar(of: "gym") { print(day.day.dayOfMonth, day.verdict) }  // 1 rest, 2 good, …
  /// ```
  /// - Returns: The folded days in ascending order; empty if the habit isn't defined.
  /// - Complexity: O(days from the first of `days` to today).
  public func calendar(of habit: Habit.ID, in days: ClosedRange<Day>? = nil) -> [CalendarDay] {
    guard let span = days ?? ledger.today?.wholeMonth else { return [] }
    return ledger.verdicts(of: habit, in: span)
  }

  /// The excuses that haven't been withdrawn, by first day.
  public var excuses: [StandingExcuse] { ledger.standingExcuses }

  /// Returns the jokers that a habit earned, spent or lost, by day.
  public func jokerBook(of habit: Habit.ID) -> [JokerLine] { ledger.jokerBook(of: habit) }

  /// Returns a habit's run with its unit, such as `6 weeks`, or `nil` if the habit isn't defined.
  public func runInWords(of habit: Habit.ID) -> String? {
    streak(of: habit).map { ledger.runWords(of: $0) }
  }

  /// Returns the name of an achievement, such as `365 days of Meditation`.
  public func title(of achievement: Achievement) -> String { AchievementText.name(achievement.key, ledger) }

  /// Returns the text of a celebration, such as `🎉 🧘 Meditation: a run of 30 days`.
  public func title(of celebration: Celebration) -> String {
    AchievementText.celebration(celebration, ledger)
  }

  /// The achievements reached, by day and then key.
  public var achievements: [Achievement] { ledger.achievements() }

  /// The celebrations that haven't been shown yet, by day and then key.
  public var celebrations: [Celebration] { ledger.celebrations() }

  /// The reminders that are due now, in the order in which their habits were defined.
  public var reminders: [DueReminder] {
    ledger.clock.map { ledger.dueReminders(at: now, by: $0) } ?? []
  }

  /// Returns the logged entries by day and then time, by default those of all habits and days.
  ///
  /// - Returns: The entries; empty if the habit isn't defined.
  /// - Throws: `StreakError` if the lines of the entries cannot be read, for example after the folder was moved.
  /// - Complexity: O(entries), plus reading the returned ones.
  public func entries(
    of habit: Habit.ID? = nil, in days: ClosedRange<Day>? = nil, includesDeleted: Bool = false
  ) throws(StreakError) -> [LoggedEntry] {
    let asked = own.entries(of: habit, in: days ?? Day.first...Day.last)
      .filter { includesDeleted || !$0.isDeleted }
    var events: [Int: Event] = [:]
    do throws(Failure) {
      let positions = asked.map(\.position).sorted()
      try stored?.eachEvent(at: positions.filter { $0 <= storedCount }) { events[$0] = $1 }
      for position in positions where position > storedCount {
        events[position] = added[position - storedCount - 1]
      }
    } catch { throw StreakError(error) }
    return asked.compactMap { position, isDeleted in
      guard let event = events[position], case .entryLogged(let entry) = event.payload else { return nil }
      return LoggedEntry(event: event, entry: entry, isDeleted: isDeleted)
    }
  }

  /// Returns the entry with the given event id, even if it was deleted, or `nil` if there is none.
  ///
  /// - Throws: `StreakError` as ``entries(of:in:includesDeleted:)``.
  public func entry(withID id: String) throws(StreakError) -> LoggedEntry? {
    guard let day = own.entry(of: id)?.day else { return nil }
    return try entries(in: day...day, includesDeleted: true).first { $0.id == id }
  }

  /// Returns the values of a habit that apps cache, or `nil` if the habit isn't defined.
  public func streakData(for habit: Habit.ID) -> StreakData? {
    ledger.state(of: habit).map { state in
      StreakData(
        currentStreakDays: state.current, rewardsEarned: state.jokers.held,
        lastActivityDate: state.lastGood.flatMap { ledger.clock?.begin(of: $0) }?.date)
    }
  }

  /// Returns the ledger's state as of a point; its JSON is the output of `streaks replay --json`.
  ///
  /// - Parameters:
  ///   - point: The point up to which events are folded.
  ///   - day: The day to use as today, earlier or later. By default it is the day of the point; if the point
  ///     has none, it is the ledger's own today at that point.
  /// - Returns: The state at the point.
  /// - Throws: `StreakError` of kind `notFound` if the ledger has no such point.
  /// - Complexity: O(events + days).
  public func state(at point: Point = .end, on day: Day? = nil) throws(StreakError) -> LedgerState {
    let (ledger, last) = try folded(to: point, seenFrom: day)
    return LedgerState(ledger, event: last?.id, recorded: last?.recorded)
  }

  /// Returns the difference between the ledger's states at two points.
  ///
  /// The states are those that ``state(at:on:)`` returns without a `day`.
  public func changes(from: Point, to: Point) throws(StreakError) -> LedgerDifference {
    let (before, first) = try folded(to: from, seenFrom: nil)
    let (after, second) = try folded(to: to, seenFrom: nil)
    return LedgerDifference(from: (before, first?.id), to: (after, second?.id))
  }

  /// Folds the ledger again, and returns the changes of each event, in stream order.
  ///
  /// Each state uses its own today. The sum of all changes is the state, so an app can show a history, or
  /// only the changes that are new to it.
  ///
  /// - Throws: `StreakError` if the events cannot be read, for example after the folder was moved.
  /// - Complexity: O(events).
  public func timeline() throws(StreakError) -> [StreakChange] {
    do throws(Failure) {
      var timeline = Timeline()
      var difference = Difference()
      var changes: [StreakChange] = []
      var replay = Replay(try stream())
      while try replay.next() {
        timeline.note(&replay.ledger, in: &difference)
        let position = replay.ledger.position
        changes.append(
          StreakChange(replay.item, at: position, of: replay.stream, replay.ledger, difference))
      }
      return changes
    } catch { throw StreakError(error) }
  }

  /// Returns the events at which a condition began or ceased to hold.
  ///
  /// The condition is evaluated after each event, with the ledger's own today at that point. It compares
  /// fields of the state with numbers, days and words, joined by `and`, `or`, `not` and parentheses.
  ///
  /// ```swift
  /// try ledger.when("noalc.current >= 7 and noalc.jokers.held == 0").first?.event
  /// ```
  /// - Throws: `StreakError` of kind `refused`, which describes and locates a mistake in the condition.
  /// - Complexity: O(events).
  public func when(_ condition: String) throws(StreakError) -> [StreakFlip] {
    do throws(Failure) {
      var watch = PredicateWatch(try Predicate(parsing: condition, habits: ledger.definedHabits))
      var flips: [StreakFlip] = []
      var replay = Replay(try stream())
      while try replay.next() {
        guard watch.look(at: &replay.ledger) else { continue }
        flips.append(
          StreakFlip(
            position: replay.ledger.position, event: replay.item.id.text(replay.ledger.names),
            recorded: replay.item.recorded, holds: watch.holds))
      }
      return flips
    } catch { throw StreakError(error) }
  }

  /// Explains the verdict of a habit's day, by default the ledger's today.
  ///
  /// ```swift
  /// for sentence in try ledger.why("noalc", on: "2025-10-22").sentences { print(sentence) }
  /// ```
  /// - Throws: `StreakError` of kind `unknownHabit` or `notFound` if there is no such habit or day.
  /// - Complexity: O(events + days).
  public func why(_ habit: Habit.ID, on day: Day? = nil) throws(StreakError) -> Explanation {
    guard ledger.definition(of: habit) != nil else {
      throw StreakError(.unknownHabit(habit, among: ledger.currentHabits))
    }
    guard let asked = day ?? ledger.today, let account = ledger.account(of: habit, on: asked) else {
      throw StreakError(.notFound, "\(habit) has no day \(day?.description ?? "yet")")
    }
    do throws(Failure) {
      var causes = Causes()
      var replay = Replay(try stream())
      while let event = try replay.nextEvent() { causes.note(event) }
      return Explanation(of: account, in: ledger, causes)
    } catch { throw StreakError(error) }
  }

  private func folded(
    to point: Point, seenFrom day: Day?
  ) throws(StreakError) -> (ledger: Ledger, last: (id: String, recorded: Instant)?) {
    let count = try position(of: point)
    let today = day ?? point.today { ledger.clock?.day(of: $0) }
    let bound: Instant? =
      switch point {
      case .day(let day): ledger.clock?.end(of: day)
      case .time(let time): time.instant
      case .position, .event, .end: nil
      }
    do throws(Failure) {
      var replay = Replay(try stream(), into: Ledger(cutoff: today, capacity: count))
      (replay.stopPosition, replay.bound) = (count, bound)
      while try replay.next() {}
      guard let last = replay.last else {
        if bound == nil || own.position == 0 { return (replay.ledger, nil) }
        throw Failure(.notFound, "the ledger begins after that, at \(replay.item.recorded)")
      }
      if let today { replay.ledger.advance(to: today) }
      return (replay.ledger, (last.id.text(replay.ledger.names), last.recorded))
    } catch { throw StreakError(error) }
  }

  /// Returns the position of `point`; for a point in time, an upper bound.
  private func position(of point: Point) throws(StreakError) -> Int {
    switch point {
    case .end, .time: return own.position
    case .day: return ledger.clock == nil ? 0 : own.position
    case .position(let position):
      guard (0...own.position).contains(position) else {
        throw StreakError(
          .notFound, "there is no position \(position); the ledger ends at \(own.position)")
      }
      return position
    case .event(let id):
      guard let position = own.position(of: id) else {
        throw StreakError(.notFound, "there is no event \(quoted(id))")
      }
      return position
    }
  }

  /// Returns the events from the first on: those of the folder, then those appended in memory.
  private func stream() throws(Failure) -> EventStream {
    var options = stored?.options ?? ReadingOptions()
    options.supposed = added.map { SupposedEvent($0) }
    return try stored?.restarted(options) ?? EventStream(options: options)
  }
}
