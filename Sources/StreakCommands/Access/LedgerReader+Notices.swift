package import EventLog
import Inspection
package import StreakDomain
import TimeZones

extension LedgerReader {
  /// Warns about damage in `stream`: incomplete or unreadable lines, reused ids, and missing lines
  /// or segments.
  package func report(_ stream: EventStream) throws(Failure) {
    for warning in try FolderHealth(of: stream).warnings { invocation.warn(warning) }
  }

  private static let wrongClock = "a wrong clock stamped events later than they happened"

  /// Warns if one of `times` is in the future.
  func reportAhead(_ times: [Instant?]) throws(Failure) {
    let soon = try soon()
    if times.contains(where: { $0 ?? soon > soon }) { invocation.warn(LedgerReader.wrongClock) }
  }

  /// Returns a time after now, because the later events of one command may be slightly in the
  /// future.
  private func soon() throws(Failure) -> Instant { try invocation.now() + 1_000_000 }

  /// Warns if an event at one of `positions` reached a device after that device had begun a day
  /// later than `start`.
  func reportLate(
    _ positions: ClosedRange<Int>, of habit: Habit.ID? = nil, since start: Day? = nil
  ) throws(Failure) {
    guard !invocation.context.isQuiet, try opened().hasSeveralSegments else { return }

    var replay = try replay()
    var late = LateArrival(of: habit, at: positions)
    while try replay.next() { late.note(replay.item, of: replay.stream, replay.ledger) }

    guard let last = late.last, let clock = replay.ledger.facts.clock,
      case let day = clock.day(of: last.recorded),
      day > start ?? .first, day <= replay.ledger.today ?? .last
    else { return }

    let time = RecordedTime.minute(last.recorded, by: clock)
    invocation.warn(
      "events of \(Escaping.visible(last.of)) up to @\(last.position) arrived late: on \(time) "
        + """
        \(Escaping.visible(last.lackedBy)) did not have them yet, so its numbers may have differed
        """
    )
  }

  /// Warns if a wrong clock put events that happened by `point` after `position`.
  ///
  /// Does nothing unless `point` is a day or a time.
  func reportWrongClock(_ point: Point, at position: Int) throws(Failure) {
    guard let bound = try bound(of: point) else { return }
    let stored = try ofStored.whole()
    let corrections = try stored.stream?.storedEvents(ofType: .dayCorrected) ?? []

    // A `day.corrected` that happened by `bound` but was recorded later shows that the wrong clock
    // affects this point.
    let isShifted = corrections.contains { $0.recorded > bound && $0.at.instant <= bound }
    let soon = try soon()
    guard isShifted || stored.recorded ?? soon > soon else { return }

    let right = try self.position(
      happenedBy: bound, moved: Set(corrections.flatMap(\.payload.moved)))
    guard right != position else { return }

    let name =
      switch point {
      case .day(let day): "\(day)"
      case .time(let time): "\(time)"
      case .position, .event, .end: "then"
      }
    invocation.warn(
      """
      \(LedgerReader.wrongClock), so this answer misses some events; position \(right) has all \
      that happened by \(name)
      """
    )
  }

  /// Returns the position of the last event that happened by `bound`, according to the `at` times
  /// of the events.
  ///
  /// An event after a change of the day happened no earlier than that change, even if its `at` is
  /// earlier. Changes of the day by the events in `moved` are ignored, because a later
  /// `day.corrected` reverted them.
  private func position(happenedBy bound: Instant, moved: Set<String>) throws(Failure) -> Int {
    var walk = try walk(wanting: .events)
    let now = try invocation.now()
    var position = 0
    var begun = Instant(microseconds: .min)
    while try walk.nextStep() {
      for line in walk.lines {
        guard let event = line.item.event else { continue }
        let at = event.at.instant
        if event.newToday != nil, at <= now, !moved.contains(event.id) { begun = at }
        if max(begun, at) <= bound { position = line.position }
      }
    }
    return position
  }

  /// Warns if the ledger's today is after the current date.
  func reportClock(_ ledger: Ledger) throws(Failure) {
    guard let today = ledger.today,
      let date = try clock(of: ledger)?.date(of: try invocation.now()),
      date < today, let position = ledger.facts.todaysPosition, let stream = try whole().stream,
      let event = try events(at: [position]).first?.event
    else { return }

    // The event's writer was in a zone further east, where the day had begun.
    if event.zone != ledger.facts.zone, event.at.instant <= (try invocation.now()) {
      invocation.warn(
        """
        today is \(today) because of an event in \(event.zone); here, in \
        \(ledger.facts.zone ?? "UTC"), it is still \(date), 
        """
          + "and `log` records for that day"
      )
      return
    }

    let place = try stream.place(at: position)
    invocation.warn(
      "\(Escaping.visible(place.file)):\(place.line): \(ClockText.ahead(today: today, date: date))")
  }
}
