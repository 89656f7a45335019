import StreakDomain

extension Appender {
  /// How far ahead of its time an event's day may be: a goal may begin tomorrow, all else has happened.
  private func daysAhead(of event: Event) -> Int {
    guard case .habitDefined(let definition) = event.payload,
      ledgers.isDefined(definition.habit, by: event.subject)
    else { return 0 }
    return 366
  }

  /// Refuses an event that is not allowed there, or whose line no reader accepts.
  ///
  /// - Returns: the fact that a reader takes the line for; nil where it is decoded in full.
  mutating func check(
    _ event: Event, _ line: [UInt8], _ draft: Draft
  ) throws(LogError) -> EntryScanner.Scanned? {
    func refuse(_ refusal: Refusal) -> LogError { .refused(draft.place, text: draft.text, refusal) }
    if event.at.instant.microseconds > options.now.microseconds + 5 * 60_000_000 {
      throw refuse(.inTheFuture(at: event.at, now: options.now))
    }
    let clock = clock(in: event.zone, for: event.payload)
    let start = clock?.start ?? .midnight
    let own = event.at.localDay(from: start)
    let localDay = clock.map { max(own, $0.day(of: event.at.instant)) } ?? own
    guard (Day.first...Day.last).contains(event.at.localDay), (Day.first...Day.last).contains(event.day),
      options.now < Instant.end, event.at.instant < Instant.end
    else {
      throw refuse(.beyondTheCalendar(at: event.at))
    }
    if event.day > localDay + daysAhead(of: event) {
      throw refuse(.dayAfterItsTime(day: event.day, localDay: localDay, dayStart: start))
    }
    if ledgers.position == 0, event.payload.type != .ledgerOpened { throw refuse(.notOpened) }
    if let refusal = ledgers.refusal(of: event) { throw refuse(refusal) }
    if case .expectationStated(let expects) = event.payload, let expectation = options.expectation,
      let objection = judged(event.subject, { expectation(expects, $0, $1) })
    {
      throw .objected(draft.expectsPlace, objection)
    }
    // What is written is read the way it will be read, so that no command can write what no reader takes.
    var scanned = EntryScanner.Scanned()
    let buffer = LineBuffer(line)
    let length = withExtendedLifetime(buffer) {
      scanner.scan(buffer.window(at: 0), into: &scanned, names: &log.ledgers.names)
    }
    do throws(LineError) {
      if length != line.count { _ = try EventDecoder.event(Array(line.dropLast())) }
      if line.count + 80 > LineLimits.bytes {
        throw LineError(column: 1, problem: .tooLong)
      }
    } catch {
      throw .badLine(draft.place, text: draft.text, error.problem)
    }
    return length == line.count ? scanned : nil
  }
}
