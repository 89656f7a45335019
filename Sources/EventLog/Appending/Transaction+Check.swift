import StreakDomain

extension Transaction {
  /// Returns how far an event's day may be ahead: 366 days for a new definition of a known habit, else 0.
  private mutating func daysAhead(of event: Event) -> Int {
    guard case .habitDefined(let definition) = event.payload,
      ledger.handle(of: definition.id) != nil
    else { return 0 }
    return 366
  }

  /// Refuses an event that isn't allowed in the current state, or whose line no reader accepts.
  ///
  /// - Returns: The entry as the fast scanner reads it, or `nil` if only `EventDecoder` can read the line.
  mutating func check(
    _ event: Event, _ line: [UInt8], _ draft: Draft
  ) throws(Failure) -> StreamItem? {
    func refuse(_ kind: FailureKind, _ says: Sentence, remedy: String? = nil) -> Failure {
      draft.fails(Failure(kind, says, remedy: remedy))
    }
    if event.at.instant > options.now + AppendOptions.mostAhead {
      throw refuse(
        .untimely, "\"at\" is \(event.at), more than 5 minutes after now, \(options.now)",
        remedy: "check its offset, then the clock")
    }
    let clock = clock(in: event.zone, for: event.payload)
    let start = clock?.start ?? .midnight
    let own = event.at.localDay(from: start)
    let localDay = clock.map { max(own, $0.day(of: event.at.instant)) } ?? own
    guard (Day.first...Day.last).contains(event.at.localDay), (Day.first...Day.last).contains(event.day),
      options.now < Instant.end, event.at.instant < Instant.end
    else {
      throw refuse(
        .doesNotFit, "\(event.at) is outside the supported range, 1900-01-01 to 2199-12-31",
        remedy: "check the clock")
    }
    if event.day > localDay + daysAhead(of: event) {
      let begins = start == .midnight ? "" : " (days begin at \(start))"
      throw refuse(
        .untimely,
        "\"day\" is \(event.day), after the local day of \"at\", \(localDay)\(begins)"
          + "; it can be that day or an earlier one, and of a new definition of a known habit up to 366 days later"
      )
    }
    if ledger.position == 0, event.payload.type != .ledgerOpened {
      throw refuse(
        .notOpened, "a new ledger begins with ledger.opened", remedy: "`streaks init` writes it")
    }
    if let refusal = ledger.refusal(of: event) { throw draft.fails(refusal) }
    // The line is read with the reader's code, so that no command writes a line that readers refuse.
    var item = StreamItem()
    let padded = line.padded
    let length = scanner.scan(padded.span, into: &item, names: &log.ledger.names)
    do throws(Failure) {
      if length != line.count { _ = try EventDecoder.event(Array(line.dropLast())) }
      if line.count + 80 > LineLimits.bytes { throw .tooLong }
    } catch {
      throw draft.fails(error)
    }
    return length == line.count ? item : nil
  }
}
