package import EventLog
import Inspection
package import StreakDomain

// What reading says on standard error.
extension LedgerReader {
  /// Says on standard error what was left out, and what is missing of what others saw.
  package func report(_ stream: EventStream) throws(Failure) {
    for torn in stream.tornTails {
      invocation.warn(
        "\(Escaping.visible(torn.path)): the last \(torn.bytes) bytes, from byte \(torn.offset), were never finished and are left "
          + "out; the next append to that segment sets them aside")
    }
    if let place = stream.skipped.first?.failure.place {
      let lines = counted(stream.skipped.count, "line") + (stream.skipped.count == 1 ? "" : ", the first")
      invocation.warn("left out \(lines) at \(place)")
    }
    let short = try stream.shortSegments()
    for segment in short {
      let name = Escaping.visible(segment.name)
      invocation.warn("\(segment.says); bring it back, or accept it with `streaks verify --accept \(name)`")
    }
    for segment in stream.leftovers.evicted where !short.contains(where: { $0.name == segment }) {
      invocation.warn(
        "\(Escaping.visible("\(invocation.folder)/\(segment)")).jsonl was evicted by a sync program; bring it back"
      )
    }
  }

  /// Says on standard error how many events a clock that was ahead has put behind every time up to now, and where what
  /// happened up to some bounds ends; `isCorrected` where such a clock was corrected by then.
  func reportStamps(
    _ stream: EventStream, upTo bounds: [Instant] = [], isCorrected: Bool = false
  ) throws(Failure) {
    guard let now = try? invocation.now() else { return }
    // Those of one command are a microsecond apart.
    let count = try stream.count(recordedAfter: now + 1_000_000)
    guard count > 0 || isCorrected else { return }
    let (are, come) = count == 1 ? ("is", "comes") : ("are", "come")
    let says =
      count == 0
      ? "a clock that was ahead was corrected, and what followed is stamped later than it happened"
      : "\(counted(count, "event")) \(are) stamped ahead of now, by a clock that was ahead, and \(come) after every day "
        + "and time up to now"
    let positions = Set(try positions(happenedBy: bounds)).sorted().map(String.init)
    let ends = "what happened by then ends at position" + (positions.count > 1 ? "s " : " ")
    let way =
      positions.isEmpty || positions.count > LedgerReader.mostPositions
      ? "a position reaches each, see `streaks timeline`" : ends + positions.joined(separator: ",")
    invocation.warn("\(says); \(way)")
  }

  /// How many positions are named in a line.
  private static let mostPositions = 31

  /// Where what happened by each of some instants ends, by what the events say themselves.
  ///
  /// What is logged later may say an earlier time, but a day that begins does not, unless its clock was ahead.
  private func positions(happenedBy bounds: [Instant]) throws(Failure) -> [Int] {
    guard !bounds.isEmpty else { return [] }
    var moved: Set<String> = []
    var walk = try walk(wanting: .events)
    while try walk.next() { moved.formUnion(walk.item.event?.payload.moved ?? []) }
    walk = try self.walk(wanting: .events)
    let now = try invocation.now()
    var positions = bounds.map { _ in 0 }
    var begun = Instant(microseconds: .min)
    while try walk.next() {
      guard let event = walk.item.event else { continue }
      let at = event.at.instant
      if event.newToday != nil, at <= now, !moved.contains(event.id) { begun = at }
      for (place, bound) in bounds.enumerated() where max(begun, at) <= bound {
        positions[place] = walk.fold.position
      }
    }
    return positions
  }

  /// Says on standard error where a day ended in the zone that a ledger had then, where its clock at the end of the
  /// stream has another.
  func reportEnd(of day: Day, by last: DayClock, _ ledger: Ledger) throws(Failure) {
    guard let zone = ledger.zone, zone != last.zone else { return }
    let end = try clock(in: zone, from: last.start).end(of: day)
    var walk = try walk(to: .time(Timestamp(instant: end, offset: 0)))
    while try walk.next() {}
    guard walk.fold.position != ledger.position else { return }
    invocation.warn(
      "in \(zone), where the ledger was then, \(day) ended at position \(walk.fold.position)")
  }

  /// Says on standard error which line moved today past the clock's date, where one did.
  func reportClock(_ ledger: Ledger) throws(Failure) {
    guard let today = ledger.today, let date = try clock(of: ledger)?.date(of: try invocation.now()),
      date < today
    else { return }
    guard let position = ledger.todaysPosition, let stream = try whole().stream,
      let event = try events(at: [position]).first?.event
    else { return }
    if event.zone != ledger.zone, event.at.instant <= (try invocation.now()) {
      invocation.warn(
        "today is \(today) because of an event in \(event.zone); here, in \(ledger.zone ?? "UTC"), it is \(date), "
          + "which `log` counts for until then"
      )
      return
    }
    let place = try stream.place(at: position)
    invocation.warn(
      "\(Escaping.visible(place.file)):\(place.line): \(ClockText.ahead(today: today, date: date))")
  }
}
