import StreakDomain

/// The checks before anything is added to the batch: the caller's conditions, the clock, and this
/// writer's segment.
extension Transaction {
  func checkPosition() throws(Failure) {
    guard let expected = options.expected.first, !options.expected.contains(ledger.position) else {
      return
    }
    throw Failure(
      .wrongPosition, "expected \(expected) events, and the ledger has \(ledger.position)",
      remedy: .readAgain, detail: .position(ledger.position))
  }

  /// Throws for values that an app can give, but a line can't have.
  ///
  /// These are NaN, infinity, and an app's own fields whose names don't begin with `x_`.
  func checkApp(_ event: Event, of draft: Draft) throws(Failure) {
    if let field = event.unknown.first(where: { !$0.isOwn })?.key {
      throw draft.fails(
        Failure(.badForm, "the app's field \(quoted(field)) must have a name that begins with x_"))
    }
    for field in event.unknown where (try? JSONValue(parsing: field.json.string)) == nil {
      throw draft.fails(
        Failure(.outOfRange, "\(quoted(field.key)) is \(field.json), which no JSON can have"))
    }
    for (field, value) in EventEncoder.payloadMembers(of: event.payload) {
      guard let name = value.nonFinite else { continue }
      let most = Measure(rawValue: field.string)?.most
      let range = most.map { " from 0 to \($0)" } ?? ""
      throw draft.fails(
        Failure(.outOfRange, "\(quoted(field)) has \(name); it must have a number\(range)"))
    }
  }

  func checkCallersCondition() throws(Failure) {
    guard var failure = options.condition?(ledger) else { return }
    if let today = ledger.today, let zone = options.zone ?? ledger.facts.zone,
      let date = clock(in: zone)?.day(of: options.now), date > today
    {
      failure.remedy = .beginDay(today: today, date: date)
    }
    throw failure
  }

  /// Returns a failure if the ledger's today is more than one day after the current date.
  ///
  /// With this failure, only a `day.corrected` can be appended. The result is `nil` if today is no
  /// such day. It is also `nil` if the options have `isForced` or `correctsDay`.
  func dayAhead() throws(Failure) -> Failure? {
    guard !options.isForced, !options.correctsDay, let zone = options.zone ?? ledger.facts.zone,
      let date = clock(in: zone)?.day(of: options.now)
    else { return nil }
    guard let today = ledger.today, today > date.next, let id = ledger.facts.todaysEvent,
      let position = ledger.facts.position(of: id)
    else { return nil }
    return Failure(
      .clockAhead,
      "the ledger is already at \(today), set by this event, but the clock says \(date)",
      remedy: .correctDay,
      at: try stream.place(at: position))
  }

  /// Returns this writer's segment if it lacks lines that others saw, and may still be written.
  ///
  /// It may be written only if `options.isForced` is true. Otherwise this throws. The result is
  /// `nil` if no lines are missing, or if `draft` accepts the loss.
  func shortOwnSegment(before draft: Draft) throws(Failure) -> ShortSegment? {
    guard let short = try stream.shortSegments().first(where: { $0.name == Text(writer) })
    else { return nil }
    if case .segmentDropped(let dropped, _) = draft.event.payload, dropped == short.seen {
      return nil
    }

    guard options.isForced else {
      throw Failure(
        .shortSegment, "\(short.says), so nothing is appended to it",
        remedy: .restoreSegment)
    }
    return short
  }
}

/// The checks of a completed event.
extension Transaction {
  /// Returns the value of `recorded` for the next event; throws if a wrong clock has left no later
  /// time.
  func recordedNext() throws(Failure) -> Instant {
    let recorded = batch.nextRecorded
    if recorded >= Instant.end, options.now < Instant.end,
      let own = stream.reader(of: Text(writer)), let newest = own.progress.newestRecorded
    {
      throw Failure(
        .noTimeLeft, "recorded \(newest) leaves no time for a later event in this segment",
        remedy: .useOtherWriter, at: Place(file: own.path, line: own.progress.line, column: 1))
    }
    return recorded
  }

  /// Throws unless the event's `at` and `day` fit the current time and each other.
  ///
  /// If `isOfDay` is true, `at` may be later today.
  func checkTimes(of event: Event, isOfDay: Bool) throws(Failure) {
    if !isOfDay, event.at.instant > options.now + AppendOptions.mostAhead {
      throw Failure(
        .untimely, "\"at\" is \(event.at), more than 5 minutes after now, \(options.now)",
        remedy: "check its offset, then the clock")
    }

    // An `asOf` ahead of now is right only if the key's holder has it or the instant before it, or
    // in an event of an undo.
    let held = heldAsOf(by: event.payload.entry)
    if let asOf = event.payload.entry?.asOf, asOf > options.now + AppendOptions.mostAhead,
      asOf != held, asOf != held.map({ $0 + 1 }), !event.isUndo
    {
      throw Failure(
        .untimely, "\"asOf\" is \(asOf), more than 5 minutes after now, \(options.now)",
        remedy: "leave it out, or check the clock")
    }

    let days = Day.first...Day.last
    guard days.contains(event.at.localDay), days.contains(event.day),
      options.now < Instant.end, event.at.instant < Instant.end
    else {
      throw Failure(
        .doesNotFit, "\(event.at) is outside the supported range, 1900-01-01 to 2199-12-31",
        remedy: "check the clock")
    }

    let clock = clock(in: event.zone, for: event.payload)
    let start = clock?.start ?? .midnight
    // The day by the offset of `at`, or by the zone's clock, whichever is later.
    let dayByOffset = event.at.localDay(from: start)
    let localDay = clock.map { max(dayByOffset, $0.day(of: event.at.instant)) } ?? dayByOffset
    guard event.day > localDay + daysAhead(of: event) else { return }

    // A later start of days doesn't change the day of an entry that was logged before the change.
    let hasBegun = ledger.today.map { event.day <= $0 } ?? false
    if hasBegun, event.day <= event.at.localDay { return }

    let begins = start == .midnight ? "" : " (days begin at \(start))"
    let ahead =
      event.payload.type == .habitDefined ? "; a known habit may change up to 366 days ahead" : ""
    throw Failure(
      .untimely,
      """
      \"day\" is \(event.day), after \(localDay)\(begins), the local day of \"at\" (default: \
      now)\(ahead)
      """
    )
  }

  /// The instant as of which the holder of the entry's key is known.
  ///
  /// The result is `nil` if there is no holder.
  func heldAsOf(by entry: Entry?) -> Instant? {
    guard let entry, let key = entry.key else { return nil }
    return ledger.facts.holder(of: key, in: entry.habit)?.asOf
  }

  /// Returns the number of days that `event.day` may be after the local day of `at`.
  ///
  /// It is 366 for the redefinition of a habit, and 0 otherwise.
  private func daysAhead(of event: Event) -> Int {
    guard case .habitDefined(let definition) = event.payload,
      ledger.facts.handle(of: definition.id) != nil
    else { return 0 }
    return 366
  }

  /// Throws if the ledger so far doesn't admit `event`.
  func checkState(for event: Event) throws(Failure) {
    if ledger.position == 0, event.payload.type != .ledgerOpened {
      throw Failure(
        .notOpened, "a new ledger begins with ledger.opened", remedy: .openLedger)
    }
    if let refusal = Admission(to: ledger).refusal(of: event) { throw refusal }
  }

  /// Returns a clock for `zone`, or `nil` if the zone is unknown.
  ///
  /// Its days begin as `payload` says, or else as the ledger says.
  func clock(in zone: String, for payload: Payload? = nil) -> DayClock? {
    var start = ledger.facts.dayStart
    if case .ledgerOpened(let specified?, _) = payload { start = specified }
    return DayClock(zone: zone, start: start)
  }
}
