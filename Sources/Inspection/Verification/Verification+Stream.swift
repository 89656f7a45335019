import EventLog
import StreakDomain

extension Verification {
  /// Adds findings about the events of all segments, about the files, and about the folded ledger.
  mutating func checkStream() throws(Failure) {
    var options = ReadingOptions()
    options.wantsEvents = true
    options.skipsUnreadable = true
    options.disk = disk
    var stream = try EventStream(folder: folder, options: options)

    var covered = CoveredEvents(covered, of: stream.segments)
    let events = try checkIDs(&stream, &covered)
    findings += try lateEvents(among: events, covered, options)
    try checkFiles(stream, events)
    checkEvents(events)
    try removeAccepted(stream)
  }

  /// Reads `stream`, and returns the events that count.
  ///
  /// Adds findings about events that have the id of an earlier event.
  private mutating func checkIDs(
    _ stream: inout EventStream, _ covered: inout CoveredEvents
  ) throws(Failure) -> [Stored] {
    var duplicates = Duplicates(in: stream.segments)
    var events: [Stored] = []
    var names = SymbolTable()
    var index = EventIndex()
    var item = StreamItem()
    var offsets = [Int](repeating: 0, count: stream.segments.count)
    var read = 0
    let size = stream.size
    while try stream.next(&item, names: &names) {
      read += item.offset - offsets[item.segment]
      offsets[item.segment] = item.offset
      report(.reading, read, size)

      guard let event = item.event else { continue }
      let stored = Stored(event: event, item: item, segment: stream.segments[item.segment])
      duplicates.countEvent(ofSegment: item.segment)

      if let position = index.insert(item.id) {
        let first = (position: position, item: events[position - 1].item)
        try check(stored, withIDOf: first, in: stream, names, &covered, &duplicates)
      } else {
        covered.note(item)
        stream.keepLocation(of: item)
        events.append(stored)
      }
    }
    findings += duplicates.findings
    return events
  }

  /// Adds a finding about `repeated`, which has the id of the earlier event `first`.
  ///
  /// There is none if two devices imported the same event.
  private mutating func check(
    _ repeated: Stored, withIDOf first: (position: Int, item: StreamItem), in stream: EventStream,
    _ names: SymbolTable, _ covered: inout CoveredEvents, _ duplicates: inout Duplicates
  ) throws(Failure) {
    let place = stream.place(of: first.item)

    do throws(Failure) {
      guard try stream.isCopy(repeated.item, of: first.position, names: names) else {
        let isOld = covered.coversLine(of: repeated.item)
        let isFirstNew = isOld && covered.isNew(first.item)
        let problem = ReusedID.finding(countedAt: place, isNew: isFirstNew)
        findings.append(Finding(.reusedID, problem, repeated, onlyInforms: true))
        covered.noteSuperseded(repeated)
        return
      }
      // Two devices that import one file record the same events at different times.
      if repeated.item.recorded != first.item.recorded {
        covered.noteSuperseded(repeated)
      } else {
        covered.note(repeated.item)
        let problem = "is a duplicate; first at \(place.file):\(place.line)"
        let finding = Finding(.identity, problem, repeated, onlyInforms: true)
        duplicates.add(finding, of: repeated.item.segment, first: first.item.segment)
      }
    } catch {
      guard error.kind == .reusedID else { throw error }
      findings.append(Finding(.identity, error.sentence, repeated))
    }
  }

  /// Removes the findings that a `segment.dropped` accepts.
  ///
  /// A finding about a whole file comes back as soon as the file has grown.
  private mutating func removeAccepted(_ stream: EventStream) throws(Failure) {
    let accepted = stream.droppedLines
    var open: [Finding] = []
    for finding in findings {
      let line =
        finding.line > 0 ? finding.line : try stream.length(ofSegment: finding.segment)?.lines ?? 0
      // An accepted `seen` finding isn't made again, so each of these is a new one.
      let isOpen = !finding.onlyInforms || finding.check == .seen
      if isOpen || line > accepted[finding.segment] ?? 0 { open.append(finding) }
    }
    findings = open
  }

  /// Adds findings about segments that are missing or evicted, and about lines that can't be read
  /// or are incomplete.
  private mutating func checkFiles(_ stream: EventStream, _ events: [Stored]) throws(Failure) {
    let health = try FolderHealth(of: stream)

    var seenLines = SeenLines()
    for stored in events where [.dayChanged, .segmentDropped].contains(stored.item.type) {
      seenLines.add(stored.event, at: stream.place(of: stored.item), of: stored.segment)
    }
    let changed = try stream.changedSegments(since: seenLines)
    let changedNames = Set(changed.map(\.name))
    let short = health.shortSegments.filter { !changedNames.contains($0.name) }
    findings += (changed + short).map {
      Finding(
        check: .seen, says: $0.finding, segment: $0.name, event: $0.event,
        onlyInforms: changedNames.contains($0.name))
    }
    findings += health.evictedSegments.map {
      Finding(check: .seen, says: $0.finding, segment: $0.name)
    }
    findings += health.skippedLines.map {
      let line = $0.failure.place?.line ?? 0
      return Finding(check: .form, says: "\($0.failure.says)", segment: $0.segment, line: line)
    }
    let rest = health.skippedCount - health.skippedLines.count
    if rest > 0 {
      let problem = "\(counted(rest, "more line")) cannot be read"
      findings.append(Finding(check: .form, says: problem, segment: ""))
    }
    for torn in health.tornTails {
      let name = stream.segments.first { Text(path($0)) == Text(torn.path) } ?? Text(torn.path)
      findings.append(Finding(check: .torn, says: torn.finding, segment: name))
    }
  }

  /// Returns findings about late events, and about corrections of a clock.
  ///
  /// There is one for each segment with late events. An event is late if the heads in `covered`
  /// don't cover it, although it is older than the newest event that they cover. There is also one
  /// for each correction that makes the heads less reliable.
  private func lateEvents(
    among events: [Stored], _ covered: CoveredEvents, _ options: ReadingOptions
  ) throws(Failure) -> [Finding] {
    guard !covered.isEmpty else { return [] }
    let times = try WrittenTimes(
      of: EventStream(folder: folder, options: options),
      lastRecorded: events.last?.item.recorded, now: now ?? .end)
    return covered.lateEvents(among: events, times)
      + covered.discounted(among: events)
  }

  /// Adds findings about references, the clock, and the invariants of the folded ledger.
  private mutating func checkEvents(_ events: [Stored]) {
    var ledger = Ledger()
    // The number of lines of each other segment that a segment's own events recorded as seen.
    var seen: [Int: [Text: Int]] = [:]
    let moves = events.filter { [.ledgerOpened, .dayChanged].contains($0.item.type) }
    let zones = Set(moves.map(\.event.zone))
    for (index, stored) in events.enumerated() {
      report(.folding, index, events.count)
      if let problem = falseExcuse(by: stored.event, zones) {
        findings.append(Finding(.form, problem, stored, onlyInforms: true))
      }
      let problem =
        strayBase(of: stored.event, in: ledger)
        ?? otherBeginning(of: stored, in: ledger, events, seen)
      if let problem {
        findings.append(Finding(.reference, problem, stored, onlyInforms: true))
      }
      for other in stored.event.payload.seen {
        seen[stored.item.segment, default: [:]][other.segment] = other.lines
      }
      ledger.apply(stored.event)
    }
    ledger.settle()

    // A celebration is due only for some days, so an event about one can't be checked against the
    // final state.
    let reused = Set(findings.filter { $0.check == .reusedID }.compactMap(\.event))
    for (index, stored) in events.enumerated()
    where stored.event.payload.type != .celebrationSeen {
      report(.events, index, events.count)
      if let problem = strayCorrection(by: stored.event, in: ledger, reused) {
        findings.append(Finding(.form, problem, stored))
      }
      for problem in referenceFindings(about: stored.event, in: ledger) {
        findings.append(Finding(.reference, problem, stored))
      }
    }
    for habit in ledger.habits {
      let problem = Invariants.violation(of: habit.state, book: habit.jokerBook, in: ledger)
      guard let problem else { continue }
      findings.append(Finding(check: .invariant, says: problem, segment: ""))
    }
    checkClock(ledger, events)
    checkStamps(events)
  }

  /// Returns what is wrong with the habits and events that `event` refers to.
  private func referenceFindings(about event: Event, in ledger: Ledger) -> [String] {
    var problems: [String] = []
    let definition = event.defined
    if let habit = definition?.id,
      let member = ledger[habit]?.circularMember(ofDefinition: event.id)
    {
      problems.append(
        "names \(member), which leads back, so \(member) counts as missed here on every day; "
          + "`streaks undo \(event.id)` takes this definition back")
    }

    let lacking = event.payload.moved.filter { ledger.facts.position(of: $0) == nil }
    if let first = lacking.first {
      problems.append("names \(first), which is no event here; a segment may be missing")
    }

    if let refusal = Admission(to: ledger).refusal(of: event),
      ![.untimely, .nothingToCount, .overLimit].contains(refusal.kind)
    {
      // Circular definitions are reported above.
      let isOfCircle = definition.map { definition in
        definition.rule.members.contains { refusal == .circular($0, of: definition.id) }
      }
      guard !(isOfCircle ?? false) else { return problems }
      let isAbsent = [.unknownHabit, .unknownMember, .unknownEntry].contains(refusal.kind)
      problems.append(isAbsent ? "\(refusal.says); a segment may be missing" : refusal.sentence)
    }
    return problems
  }

  /// Returns what is wrong with an excuse for the reason `zone`, or `nil` if nothing is.
  ///
  /// `zones` are the zones of the ledger. The check matters because seals don't cover a reason, and
  /// nothing withdraws an excuse with this one. Excuses of a ledger that moved to another zone
  /// aren't checked: the move can skip a date that both zones have.
  private func falseExcuse(by event: Event, _ zones: Set<String>) -> String? {
    guard case .daysExcused(let from, let to, _, "zone"?) = event.payload,
      zones.count == 1, let zone = zones.first,
      let clock = DayClock(zone: zone, start: .midnight),
      let day = (from...max(from, to ?? from)).first(where: clock.hasDate)
    else { return nil }
    return
      """
      excuses \(day) because of the zone, but \(zone) has that date, and the ledger was in no \
      other zone: look who wrote this reason
      """
  }

  /// Returns what is wrong with the events that a `day.corrected` names, or `nil` if nothing is.
  ///
  /// No program names an event that didn't move today too far. Such a line was forged, to hide that
  /// another event was late. An id in `reused` isn't checked, because the correction may mean the
  /// event that doesn't count.
  private func strayCorrection(
    by event: Event, in ledger: Ledger, _ reused: Set<String>
  ) -> String? {
    guard case .dayCorrected(let to, let moved, _) = event.payload else { return nil }
    let stray = moved.filter { id in
      guard ledger.facts.position(of: id) != nil, !reused.contains(id) else { return false }
      return ledger.facts.dayReached(by: id).map { $0 <= to } ?? true
    }
    guard let first = stray.first else { return nil }
    return
      """
      corrects today to \(to), but names \(counted(stray.count, "event")) that \
      \(stray.count == 1 ? "does" : "do") not move today past that day, such as \(first); no \
      command writes this, so look who added the line
      """
  }

  /// Adds a finding if the ledger's today is after the current date.
  private mutating func checkClock(_ ledger: Ledger, _ events: [Stored]) {
    guard let now, let clock = ledger.facts.clock, let today = ledger.today,
      let position = ledger.facts.todaysPosition,
      events.indices.contains(position - 1), case let date = clock.date(of: now), date < today
    else { return }

    let stored = events[position - 1]
    // In a zone further east, the day may already have begun, even if the clock is correct.
    if stored.event.zone != clock.zone, stored.event.at.instant <= now { return }
    findings.append(Finding(.clock, ClockText.ahead(today: today, date: date), stored))
  }

  /// Adds a finding about each segment with an event that was recorded more than a day after now.
  ///
  /// The finding is about the first such event of the segment. It is omitted if `checkClock` has a
  /// finding about the segment, or if a `day.corrected` names the event.
  private mutating func checkStamps(_ events: [Stored]) {
    guard let now else { return }
    // A segment that follows stamps just below the bound may be a little beyond it.
    let bound = now + AppendOptions.mostStampAhead + AppendOptions.mostAhead
    let ahead = events.filter { $0.item.recorded > bound }
    let moved = Set(ahead.isEmpty ? [] : events.flatMap(\.event.payload.moved))
    let named = Set(findings.filter { $0.check == .clock }.map(\.segment))

    var checked: Set<Int> = []
    for stored in ahead where checked.insert(stored.item.segment).inserted {
      guard !moved.contains(stored.event.id), !named.contains(stored.segment) else { continue }
      let problem =
        """
        was recorded \(stored.item.recorded), more than a day after now, so a wrong clock stamped \
        it; until then other segments come before it, and this one goes on from that time
        """
      findings.append(Finding(.clock, problem, stored, onlyInforms: true))
    }
  }

  /// Returns a warning if `event` changes a definition that wasn't in force; otherwise `nil`.
  ///
  /// This happens if two devices change a habit before they exchange their segments.
  private func strayBase(of event: Event, in ledger: Ledger) -> String? {
    guard case .habitDefined(let definition) = event.payload, let cause = event.cause,
      !event.isUndo,
      ledger.facts.definition(of: definition.id, by: cause) != nil,
      let dated = ledger.facts.base(of: definition.id, on: event.day),
      case let base = ledger.facts.id(at: dated.position), base != cause
    else { return nil }
    return
      """
      changes \(definition.id) as \(cause) defined it, while \(base) was in force: look \
      whether both changes are 
      """
        + "there, with `streaks habits \(definition.id)`"
  }

  /// Returns a warning if another segment had already defined the habit differently; otherwise
  /// `nil`.
  ///
  /// Only the first definition of a habit in its segment is checked. Two devices that define a
  /// habit before they exchange their segments cause this.
  private func otherBeginning(
    of stored: Stored, in ledger: Ledger, _ events: [Stored], _ seen: [Int: [Text: Int]]
  ) -> String? {
    guard case .habitDefined(let definition) = stored.event.payload, stored.event.cause == nil,
      let base = ledger.facts.base(of: definition.id, on: stored.event.day),
      !definition.saysTheSame(as: base.source)
    else { return nil }

    let segment = stored.item.segment
    let other = events[base.position - 1]
    let isOwn = ledger.facts.definitions(of: definition.id).contains {
      events[$0.position - 1].item.segment == segment
    }
    let isKnown = seen[segment]?[other.segment] ?? 0 >= other.item.line
    guard !isOwn, !isKnown else { return nil }
    return
      """
      defines \(definition.id), which \(other.event.id) in \(other.segment).jsonl \
      had defined otherwise, and replaces that definition: look which one you want, with `streaks \
      habits \(definition.id)`
      """
  }
}

/// The events of a stream that duplicate an event of another segment.
private struct Duplicates {
  private let segments: [Text]
  /// The number of events in each segment.
  private var counts: [Int]
  /// The findings about duplicates, by the index of the segment that is probably a copy.
  ///
  /// `original` is the index of the other segment with the event, which is probably the original.
  private var bySegment: [Int: [(finding: Finding, original: Int)]] = [:]

  init(in segments: [Text]) {
    self.segments = segments
    counts = Array(repeating: 0, count: segments.count)
  }

  mutating func countEvent(ofSegment segment: Int) { counts[segment] += 1 }

  /// Adds a finding about an event of `segment`, which duplicates an earlier event of `first`.
  mutating func add(_ finding: Finding, of segment: Int, first: Int) {
    let isFirstCopy = isWriter(segment) && !isWriter(first)
    let copy = isFirstCopy ? first : segment
    let original = isFirstCopy ? segment : first
    bySegment[copy, default: []].append((finding, original))
  }

  private func isWriter(_ segment: Int) -> Bool { Syntax.isWriter(segments[segment].string) }

  /// A finding about each duplicate, or one finding about a segment with many.
  var findings: [Finding] {
    bySegment.flatMap { segment, duplicates in
      // Many duplicates in one segment mean that a sync program left a copy of a file.
      duplicates.count > 1 || duplicates.count == counts[segment]
        ? [findingAboutCopy(segment, duplicates.count, of: duplicates[0].original)]
        : duplicates.map(\.finding)
    }
  }

  private func findingAboutCopy(_ segment: Int, _ count: Int, of original: Int) -> Finding {
    let hasOthers = count < counts[original] || count == counts[segment]
    let problem =
      "\(count) of its \(counts[segment]) events are also in \(segments[original]).jsonl"
      + (hasOthers ? "" : ", which has no others")
      + ": if a file is only a copy, remove it; if two devices "
      + "write them, give each the name of a writer, such as phone-2.jsonl"
    return Finding(
      check: .identity, says: problem, segment: segments[segment], onlyInforms: true)
  }
}
