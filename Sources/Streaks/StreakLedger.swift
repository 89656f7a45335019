package import EventLog
public import Foundation
@_exported public import Inspection
@_exported public import StreakDomain

/// A ledger in memory, as seen on a given day; appending events to such a ledger writes no file.
///
/// ``StreakFolder/ledger(now:skipping:)`` reads a ledger from a folder. Every call of the ledger
/// runs on the calling thread. Those with events in their complexity read them again, in some tens
/// of milliseconds for 5,000 events, so call them in a task off the main actor.
///
/// To see the effect of events without storing them, append the events to a copy. An app can also
/// create a ledger for guests, previews and tests. The checks of new events and the computation of
/// streaks are the same as for a folder and on the command line.
///
/// ```swift
/// var ledger = try StreakLedger(timeZone: .current, now: .now)
/// try ledger.append(
///   .habit(Habit(preset: "meditation")), .entry("meditation", minutes: 12), now: .now)
/// ledger.streak(of: "meditation")?.current  // 1
/// ```
public struct StreakLedger: Sendable {
  /// The stream of the folder's events, or `nil` for a ledger that was created in memory.
  private let stored: EventStream?
  /// The events that were appended in memory, which come after the folder's events.
  private var added: [Event] = []
  /// The ledger as seen on its own today, which the events determine.
  private var recordedLedger = Ledger()
  /// The time at which the last event was recorded, or `nil` if there is no event.
  private var lastRecorded: Instant?
  /// `recordedLedger`, with today moved to the day of `now` if that is later.
  package private(set) var ledger = Ledger()
  private var now = Instant(microseconds: 0)
  /// The errors of the lines that ``StreakFolder/ledger(now:skipping:)`` left out.
  ///
  /// Other ledgers have none.
  public private(set) var leftOut: [StreakError] = []
  /// The damage in the folder that doesn't stop a reader, as texts for people.
  ///
  /// They are the warnings of the program `streaks`, without its commands: at most ten, and then
  /// the number of the others.
  ///
  /// A ledger with notices may lack events. A segment may have fewer lines than another writer saw,
  /// for example because it came from an older backup. Or it is missing, was evicted by a sync
  /// program, has an incomplete end, or reuses an id. Show the notices, or log them.
  ///
  /// ```swift
  /// for notice in ledger.notices { print(notice) }
  /// // events/app.jsonl is short: 4 of the 7 lines that events/widget.jsonl:1 saw are missing; …
  /// ```
  public private(set) var notices: [String] = []

  /// Creates a ledger without habits, whose days follow the given time zone.
  ///
  /// - Parameters:
  ///   - timeZone: The time zone of the ledger's owner.
  ///   - dayStart: The time at which days begin, up to 11:59, or `nil` for midnight. With
  ///     `"04:00"`, 2:30 at night belongs to the day before.
  ///   - weekStart: The weekday on which weeks begin, or `nil` for Monday.
  ///   - now: The current time.
  /// - Throws: `StreakError` if `dayStart` is too late.
  public init(
    timeZone: TimeZone, dayStart: ClockTime? = nil, weekStart: Weekday? = nil, now: Date = .now
  ) throws(StreakError) {
    stored = nil
    try append(
      .settings(timeZone: timeZone, dayStart: dayStart, weekStart: weekStart), now: now)
  }

  /// Reads the ledger in `folder`, and skips lines that can't be read.
  init(skippingUnreadableIn folder: StreakFolder, now: Date) throws(Failure) {
    var options = folder.reading
    options.skipsUnreadable = true
    let log = try FoldedLog(EventStream(folder: folder.path, options: options), writer: "")
    try self.init(log, now: now)
    leftOut = log.stream.skipped.map { StreakError($0.failure) }
  }

  init(_ log: FoldedLog, now: Date) throws(Failure) {
    stored = log.stream
    recordedLedger = log.ledger
    lastRecorded = log.lastRecorded
    notices = try FolderHealth(of: log.stream).warnings.map(\.libraryText)
    advanceToday(to: Instant(now))
    if let zone = ledger.facts.zone, ledger.facts.clock == nil {
      throw Failure(
        .doesNotFit,
        "the time zone \(quoted(zone)) is unknown to this machine\(Zones.nearest(to: zone))")
    }
  }

  /// Appends the events given as arguments as one batch.
  @discardableResult
  public mutating func append(_ events: NewEvent..., now: Date = .now) throws(StreakError)
    -> [Appended]
  {
    try append(events, now: now)
  }

  /// Checks events, and appends them as one batch; if an event is rejected, nothing is appended.
  ///
  /// - Returns: One result per event, in the same order.
  /// - Throws: `StreakError`, which describes the problem and its remedy.
  /// - Complexity: O(events of the ledger).
  @discardableResult
  public mutating func append(_ events: [NewEvent], now: Date = .now) throws(StreakError)
    -> [Appended]
  {
    do throws(Failure) {
      let decision = try decision(on: events.map(\.draft), now: Instant(now))
      try decision.batch.each { event in
        added.append(event)
        lastRecorded = event.recorded
      }
      recordedLedger = decision.ledgerAfter
      advanceToday(to: Instant(now))
      return Appended.all(
        of: decision.results, from: decision.ledgerBefore.today, to: recordedLedger.today)
    } catch { throw StreakError(error) }
  }

  package func decision(on drafts: [Draft], now: Instant) throws(Failure) -> Decision {
    try Transaction.decide(
      Drafts(drafts), on: FoldedLog(stream(), writer: "memory"),
      options: AppendOptions(now: now, machineZone: TimeZone.current.identifier))
  }

  /// Returns this ledger with today moved to the day of `now`, or to the day that its events
  /// determine if that is later.
  public func seen(now: Date = .now) -> StreakLedger {
    var ledger = self
    ledger.advanceToday(to: Instant(now))
    return ledger
  }

  private mutating func advanceToday(to now: Instant) {
    self.now = now
    guard let today = recordedLedger.today, let date = day(of: now) else {
      return ledger = recordedLedger
    }
    let day = max(today, date)
    if ledger.position == recordedLedger.position, ledger.today == day { return }
    ledger = recordedLedger
    ledger.advance(to: day)
  }

  /// The day that counts as today in the ledger, or `nil` if it has no today yet.
  public var today: Day? { ledger.today }

  /// Returns the day of the ledger that contains `date`, or `nil` if the ledger has no time zone
  /// yet.
  ///
  /// Days are those of the ledger's time zone, not of this device's. They begin at the ledger's
  /// start of days, which can be after midnight.
  ///
  /// ```swift
  /// if let day = ledger.day(of: .now), let start = ledger.start(of: day) { print(day, start) }
  /// ```
  public func day(of date: Date) -> Day? { day(of: Instant(date)) }

  private func day(of instant: Instant) -> Day? {
    recordedLedger.facts.clock.map { clock in
      min(max(clock.day(of: min(instant, Instant.end)), Day.first), Day.last)
    }
  }

  /// Returns the time at which `day` begins in the ledger, or `nil` if the ledger has no time zone
  /// yet.
  public func start(of day: Day) -> Date? { recordedLedger.facts.clock?.begin(of: day).date }

  /// Returns the state of a habit, or `nil` if it isn't defined.
  public func streak(of habit: Habit.ID) -> Streak? { ledger[habit]?.state }

  /// The states of all habits, in the order of their first definitions.
  public var streaks: [Streak] { ledger.habits.map(\.state) }

  /// The complete state of the ledger.
  ///
  /// It decodes from the output of `streaks show --json`, which also has `format` and each `null`.
  public var state: LedgerState {
    LedgerState(
      ledger, event: lastRecorded.map { _ in recordedLedger.facts.id(at: recordedLedger.position) },
      recorded: lastRecorded)
  }

  /// The current definitions of the habits, in the order of their first definitions.
  public var habits: [Habit] {
    ledger.facts.definedHabits.compactMap { ledger.facts.definition(of: $0) }
  }

  /// Returns the definitions and retirements of a habit, sorted by day.
  ///
  /// - Complexity: O(definitions).
  public func definitions(of habit: Habit.ID) -> [HabitDefinition] {
    HabitDefinition.all(of: habit, in: recordedLedger)
  }

  /// Returns a habit's days up to today that have a verdict, by default in the month of today.
  ///
  /// ```swift
  /// for day in ledger.calendar(of: "gym") {
  ///   print(day.day.dayOfMonth, day.verdict)  // 1 rest, 2 good, …
  /// }
  /// ```
  /// - Returns: The days in ascending order, or an empty array if the habit isn't defined.
  /// - Complexity: O(days from the first of `days` to today).
  public func calendar(of habit: Habit.ID, in days: ClosedRange<Day>? = nil) -> [CalendarDay] {
    guard let span = days ?? ledger.today?.wholeMonth else { return [] }
    return ledger[habit]?.calendar(in: span) ?? []
  }

  /// The excuses that are in force, sorted by first day.
  public var excuses: [StandingExcuse] { ledger.facts.standingExcuses }

  /// Returns a habit's joker book, in the order of days: the jokers earned, spent, forfeited or
  /// lost.
  public func jokerBook(of habit: Habit.ID) -> [JokerLine] { ledger[habit]?.jokerBook ?? [] }

  /// Returns the length of a habit's run with its unit, such as `6 weeks`, or `nil` if the habit
  /// isn't defined.
  public func runInWords(of habit: Habit.ID) -> String? {
    ledger[habit].map { $0.runWords(of: $0.state) }
  }

  /// Returns the name of an achievement, such as `365 days of Meditation`.
  public func title(of achievement: Achievement) -> String {
    AchievementText.name(achievement.key, ledger)
  }

  /// Returns the text of a celebration, such as `🎉 🧘 Meditation: a run of 30 days`.
  public func title(of celebration: Celebration) -> String {
    AchievementText.celebration(celebration.key, ledger)
  }

  /// The achievements that the current entries and runs justify, sorted by day, then by key.
  public var achievements: [Achievement] { Achievements(of: ledger).all }

  /// The recent celebrations that haven't been shown yet, sorted by day, then by key.
  public var celebrations: [Celebration] { Celebrations(of: ledger).unseen() }

  /// The reminders that are due now, in the order in which their habits were defined.
  public var reminders: [DueReminder] {
    ledger.facts.clock.map { Reminders(of: ledger).due(at: now, by: $0) } ?? []
  }

  /// Returns the logged entries, by default of all habits and days, sorted by day, then by time.
  ///
  /// - Returns: The entries, with deleted and replaced ones only if `includesDeleted` is true.
  /// - Throws: `StreakError` if the lines of the entries can't be read, for example after the
  ///   folder was moved.
  /// - Complexity: O(entries), plus the time to read the returned entries from the disk.
  public func entries(
    of habit: Habit.ID? = nil, in days: ClosedRange<Day>? = nil, includesDeleted: Bool = false
  ) throws(StreakError) -> [LoggedEntry] {
    let matching = recordedLedger.facts.entries(of: habit, in: days ?? Day.first...Day.last)
      .filter { includesDeleted || $0.isStanding }

    var events: [Int: Event] = [:]
    let storedCount = recordedLedger.position - added.count
    do throws(Failure) {
      let positions = matching.map { Int($0.position) }.sorted()
      try stored?.eachEvent(at: positions.filter { $0 <= storedCount }) { events[$0] = $1 }
      for position in positions where position > storedCount {
        events[position] = added[position - storedCount - 1]
      }
    } catch { throw StreakError(error) }

    let facts = recordedLedger.facts
    return matching.compactMap { fact in
      let position = Int(fact.position)
      guard let event = events[position], let entry = event.payload.entry else { return nil }
      let successor = facts.replacement(ofEntryAt: position)
      return LoggedEntry(
        entry, of: event, isDeleted: fact.isDeleted && successor == nil,
        replacement: successor.map { facts.id(at: $0) })
    }
  }

  /// Returns the entry with the event id `id`, even if the entry was deleted, or `nil` if there is
  /// none.
  ///
  /// - Throws: `StreakError` in the same cases as ``entries(of:in:includesDeleted:)``.
  public func entry(withID id: String) throws(StreakError) -> LoggedEntry? {
    guard let day = recordedLedger.facts.entry(of: id)?.day else { return nil }
    return try entries(in: day...day, includesDeleted: true).first { $0.id == id }
  }

  /// Returns the data of a habit for an app's cache, or `nil` if the habit isn't defined.
  public func streakData(for habit: Habit.ID) -> StreakData? {
    streak(of: habit).map { state in
      StreakData(
        currentStreakDays: state.current, rewardsEarned: state.jokers.held,
        lastActivityDate: state.lastGood.flatMap { start(of: $0) })
    }
  }

  /// Returns the ledger's state at a point, which also decodes from `streaks replay --json`.
  ///
  /// - Parameters:
  ///   - point: The point up to which events are folded.
  ///   - day: The day to use as today, which can be before or after the point. If `nil`, it is the
  ///     day of the point, or the ledger's own today at a point that has no day.
  /// - Returns: The state at the point.
  /// - Throws: `StreakError` of kind `notFound` if the ledger has no such point.
  /// - Complexity: O(events + days).
  public func state(at point: Point = .end, on day: Day? = nil) throws(StreakError) -> LedgerState {
    let (ledger, last) = try folded(to: point, seenFrom: day)
    return LedgerState(ledger, event: last?.id, recorded: last?.recorded)
  }

  /// Returns the difference between the ledger's states at two points.
  ///
  /// Each state is the one that ``state(at:on:)`` returns if `day` is `nil`.
  public func changes(from: Point, to: Point) throws(StreakError) -> LedgerDifference {
    let (before, first) = try folded(to: from, seenFrom: nil)
    let (after, second) = try folded(to: to, seenFrom: nil)
    return LedgerDifference(from: (before, first?.id), to: (after, second?.id))
  }

  /// Folds the ledger again, and returns its events in stream order, with the changes made by each
  /// step.
  ///
  /// Today is always the ledger's own today after the event. The changes of all events add up to
  /// the current state, so an app can show a history, or only the changes since its last look.
  ///
  /// - Throws: `StreakError` if the events can't be read, for example after the folder was moved.
  /// - Complexity: O(events).
  public func timeline() throws(StreakError) -> [StreakChange] {
    do throws(Failure) {
      var timeline = Timeline()
      var changes: [StreakChange] = []
      var replay = Replay(try stream())
      var lines: [StepLine] = []
      while try replay.nextStep(into: &lines) {
        let difference = timeline.note(&replay.ledger)
        changes += try StreakChange.all(
          of: lines, in: replay.stream, replay.ledger.facts, difference)
      }
      return changes
    } catch { throw StreakError(error) }
  }

  /// Folds the events up to a point into a value of your own, in stream order.
  ///
  /// Each event comes once, even if several segments contain it, and without its redacted texts.
  /// Its `isDeleted` and `replacement` say what became of it by the point.
  ///
  /// ```swift
  /// let minutes = try ledger.fold(at: .day("2025-11-03"), into: 0.0) { minutes, event in
  ///   if event.isStanding { minutes += Double(event.entry?.minutes ?? 0) }
  /// }
  /// ```
  /// - Parameters:
  ///   - point: The point up to which events are folded, as in ``state(at:on:)``.
  ///   - initial: The value before the first event.
  ///   - update: The function that updates the value by the next event.
  /// - Returns: The value after the last event up to the point, or `initial` if nothing was
  ///   recorded until then.
  /// - Throws: `StreakError` of kind `notFound` if the ledger has no such position or event.
  /// - Complexity: O(events).
  public func fold<Value>(
    at point: Point = .end, into initial: Value, _ update: (inout Value, StreakEvent) -> Void
  ) throws(StreakError) -> Value {
    guard let facts = try recorded(until: point, seenFrom: nil)?.ledger.facts else {
      return initial
    }
    var value = initial

    do throws(Failure) {
      var replay = Replay(try stream(wantsEvents: true))
      replay.countsSupposed = true
      replay.stop = .after(position: facts.position)
      while let event = try replay.nextEvent() {
        let item = replay.item
        update(
          &value,
          StreakEvent(
            event, at: replay.position, habit: item.habit(in: replay.ledger.facts),
            writer: replay.stream.writer(of: item)?.string, fate: facts.fate(of: event.id)))
      }
    } catch { throw StreakError(error) }
    return value
  }

  /// Returns the steps that made a condition become true or false, in stream order.
  ///
  /// The condition is evaluated after each step, with the ledger's own today at that point. It
  /// compares fields of the state with numbers, days and words, joined by `and`, `or`, `not` and
  /// parentheses.
  ///
  /// ```swift
  /// try ledger.when("noalc.current >= 7 and noalc.jokers.held == 0").first?.event
  /// ```
  /// - Throws: `StreakError`, of kind `refused` if the condition has a mistake, which the error
  ///   describes and locates.
  /// - Complexity: O(events).
  public func when(_ condition: String) throws(StreakError) -> [StreakFlip] {
    do throws(Failure) {
      var watch = PredicateWatch(
        try Predicate(parsing: condition, habits: ledger.facts.definedHabits))
      var flips: [StreakFlip] = []
      var replay = Replay(try stream())
      var lines: [StepLine] = []
      while try replay.nextStep(into: &lines) {
        if let flip = watch.flip(after: lines, in: &replay.ledger) { flips.append(flip) }
      }
      return flips
    } catch { throw StreakError(error) }
  }

  /// Returns an explanation of the verdict of a habit's day, by default of today.
  ///
  /// ```swift
  /// for sentence in try ledger.why("noalc", on: "2025-10-22").sentences { print(sentence) }
  /// ```
  /// - Throws: `StreakError`, of kind `unknownHabit` if there is no such habit, or `notFound` if
  ///   the day has no verdict.
  /// - Complexity: O(events + days).
  public func why(_ habit: Habit.ID, on day: Day? = nil) throws(StreakError) -> Explanation {
    guard ledger.facts.definition(of: habit) != nil else {
      throw StreakError(.unknownHabit(habit, among: ledger.facts.currentHabits))
    }
    guard let explainedDay = day ?? ledger.today,
      let view = ledger[habit], let account = view.account(of: explainedDay)
    else {
      throw StreakError(.notFound, "\(habit) has no day \(day?.description ?? "yet")")
    }

    do throws(Failure) {
      var history = ValueHistory(of: habit, on: explainedDay)
      let replay = try replay(noting: &history)
      let facts = replay.ledger.facts
      let undone = try replay.stream.undoneEvents(in: facts)
      var counting = history
      if !undone.isEmpty || facts.hasCorrectedMoves {
        counting = history.restarted(without: undone, facts)
        _ = try self.replay(noting: &counting)
      }

      var explanation = try Explanation(of: account, view, replay.stream)
      for turn in counting.explains(history) ? counting.turns : history.turns {
        guard let change = try ValueChange(turn, in: replay.stream) else { continue }
        explanation.changes.append(change)
      }
      return explanation
    } catch { throw StreakError(error) }
  }

  /// Replays the ledger that `history` is about to its end, and notes each step in `history`.
  private func replay(noting history: inout ValueHistory) throws(Failure) -> Replay {
    var events = try stream(without: history.undone)
    events.keepsLocations = true
    var replay = Replay(events)
    if let facts = history.corrections { replay.ledger.ignoreMoves(correctedIn: facts) }
    var lines: [StepLine] = []
    while try replay.nextStep(into: &lines) { history.note(&replay.ledger, lines) }
    return replay
  }

  private func folded(
    to point: Point, seenFrom day: Day?
  ) throws(StreakError) -> (ledger: Ledger, last: (id: String, recorded: Instant)?) {
    if let folded = try recorded(until: point, seenFrom: day) { return folded }
    do throws(Failure) {
      var replay = Replay(try stream())
      _ = try replay.next()
      throw Failure(
        .notFound,
        "nothing was recorded until then: the first event is of \(replay.item.recorded)")
    } catch { throw StreakError(error) }
  }

  /// Returns the ledger at a point, with its last event.
  ///
  /// The result is `nil` if the ledger has events, but none was recorded until the point's day or
  /// time.
  private func recorded(
    until point: Point, seenFrom day: Day?
  ) throws(StreakError) -> (ledger: Ledger, last: (id: String, recorded: Instant)?)? {
    let count = try position(of: point)
    let today = day ?? point.today { ledger.facts.clock?.day(of: $0) }
    let bound: Instant? =
      switch point {
      case .day(let day): ledger.facts.clock?.end(of: day)
      case .time(let time): time.instant
      case .position, .event, .end: nil
      }

    do throws(Failure) {
      var replay = Replay(try stream(), into: Ledger(cutoff: today, capacity: count))
      replay.countsSupposed = true
      replay.stop =
        try bound.map { (bound) throws(Failure) in try stop(at: bound) }
        ?? .after(position: count)
      while try replay.nextStep() {}
      guard let last = replay.last else {
        return bound == nil || recordedLedger.position == 0 ? (replay.ledger, nil) : nil
      }
      if let today { replay.ledger.advance(to: today) }
      return (replay.ledger, (last.id.text(replay.ledger.names), last.recorded))
    } catch { throw StreakError(error) }
  }

  /// Returns the end of a replay of all that was written by `bound`.
  ///
  /// A wrong clock can have stamped it later.
  private func stop(at bound: Instant) throws(Failure) -> Replay.Stop {
    let times = try WrittenTimes(of: stream(), lastRecorded: lastRecorded, now: now)
    return times.position(by: bound).map { .after(position: $0) } ?? .at(bound)
  }

  /// Returns the position of `point`; for a day or a time, it is only an upper bound.
  private func position(of point: Point) throws(StreakError) -> Int {
    switch point {
    case .end, .time: return recordedLedger.position
    case .day: return ledger.facts.clock == nil ? 0 : recordedLedger.position
    case .position(let position):
      guard (0...recordedLedger.position).contains(position) else {
        throw StreakError(
          .notFound,
          "there is no position \(position); the ledger ends at \(recordedLedger.position)")
      }
      return position
    case .event(let id):
      guard let position = recordedLedger.facts.position(of: id) else {
        throw StreakError(.notFound, "there is no event \(quoted(id))")
      }
      return position
    }
  }

  /// Returns the stream of all events: first the folder's events, then the events appended in
  /// memory.
  private func stream(
    wantsEvents: Bool = false, without omitted: Set<String> = []
  ) throws(Failure) -> EventStream {
    var options = stored?.options ?? ReadingOptions()
    options.wantsEvents = wantsEvents
    options.omitted = omitted
    options.supposed = added.map { SupposedEvent($0) }
    options.wantsLines = true
    return try stored?.restarted(options) ?? EventStream(options: options)
  }
}
