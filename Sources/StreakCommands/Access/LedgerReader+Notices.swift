package import EventLog
import Inspection
package import StreakDomain

extension LedgerReader {
  /// Warns about damage in `stream`: incomplete or unreadable lines, reused ids, and missing lines
  /// or segments.
  package func report(_ stream: EventStream) throws(Failure) {
    for warning in try FolderHealth(of: stream).warnings { invocation.warn(warning.text) }
  }

  private static let wrongClock = "a wrong clock stamped events later than they happened"

  /// Warns if one of `times` is in the future.
  func reportAhead(_ times: [Instant?]) throws(Failure) {
    // The later events of one command may be slightly in the future.
    let soon = try invocation.now() + 1_000_000
    if times.contains(where: { $0 ?? soon > soon }) { invocation.warn(LedgerReader.wrongClock) }
  }

  /// Returns the position of the last step that was written by `point`, if a wrong clock stamped
  /// steps later.
  ///
  /// A notice tells the position. The result is `nil` if the stamps are right, or if `point` is
  /// neither a day nor a time.
  func writtenPosition(_ point: Point) throws(Failure) -> Int? {
    guard let bound = try bound(of: point) else { return nil }
    let times = try ofStored.writtenTimes()
    guard let position = times.position(by: bound) else { return nil }
    let later = times.laterSteps(than: bound, upTo: position)
    let others =
      later == 0 ? "" : " and, because they stand before it, \(counted(later, "later step"))"

    let name =
      switch point {
      case .day(let day): "\(day)"
      case .time(let time): "\(time)"
      case .position, .event, .end: "then"
      }
    invocation.warn(
      """
      \(LedgerReader.wrongClock): \(name) is position \(position) here, with all that was written \
      by then\(others)
      """)
    return position
  }

  /// Warns if a change stands in the stream after steps that were made later.
  ///
  /// The clock of its device was ahead.
  func reportOrder(_ changes: [ValueChange?]) throws(Failure) {
    for case let change? in changes where change.time < change.recorded {
      let later = try ofStored.writtenTimes().laterSteps(
        than: change.time, upTo: change.position)
      guard later > 0 else { continue }
      invocation.warn(
        """
        \(LedgerReader.wrongClock): @\(change.position) stands after \
        \(counted(later, "later step")), and tells what it changed there
        """)
    }
  }

  /// Returns when those steps were written that a wrong clock stamped too late.
  ///
  /// Each run of a command computes this at most once.
  private func writtenTimes() throws(Failure) -> WrittenTimes {
    let now = try invocation.now()
    return try invocation.session.cached(\.ledger.writtenTimes) { () throws(Failure) in
      try WrittenTimes(of: stream(), lastRecorded: whole().recorded, now: now)
    }
  }

  /// Returns the time at which the event of `line` was recorded.
  ///
  /// If a wrong clock stamped it later, it is the latest time at which the event can have been
  /// written.
  func time(of line: StepLine) -> Instant {
    // Without a correction, an event that was stamped at once has the right stamp, so the ledger
    // needn't be read for it.
    let isSuspect = line.item.at + 60_000_000 < line.item.recorded
    let mayBeWrong = (try? isSuspect || hasCorrections()) ?? false
    guard mayBeWrong, let times = try? ofStored.writtenTimes() else { return line.item.recorded }
    return times.latestTime(at: line.position) ?? line.item.recorded
  }

  private func hasCorrections() throws(Failure) -> Bool {
    try invocation.session.cached(\.ledger.hasCorrections) { () throws(Failure) in
      try !opened().storedEvents(ofType: .dayCorrected).isEmpty
    }
  }

  /// Warns if the ledger's today is after the current day.
  func reportClock(_ ledger: Ledger) throws(Failure) {
    guard let today = ledger.today, let clock = try clock(of: ledger),
      case let now = try invocation.now(), case let day = clock.day(of: now), day < today,
      let position = ledger.facts.todaysPosition, let stream = try whole().stream,
      let event = try events(at: [position]).first?.event
    else { return }

    // Either the event's writer was in a zone further east, where the day had begun, or days begin
    // later than they did at the time of the event.
    let isAbroad = event.zone != ledger.facts.zone && event.at.instant <= now
    if isAbroad || clock.date(of: now) >= today {
      let cause =
        isAbroad
        ? " because of an event in \(event.zone); here, in \(ledger.facts.zone ?? "UTC"),"
        : ", but days begin at \(clock.start) now, so"
      invocation.warn(
        "today is \(today)\(cause) it is still \(day), and `log` records for that day")
      return
    }

    let place = try stream.place(at: position)
    invocation.warn(
      "\(Escaping.visible(place.file)):\(place.line): \(ClockText.ahead(today: today, date: day))")
  }
}
