import EventLog
package import StreakDomain
import TimeZones

private typealias Stored = (event: Event, item: StreamItem)

extension Finding {
  fileprivate init(
    _ check: Check, _ says: String, _ stored: Stored, in segments: [Text], onlyInforms: Bool = false
  ) {
    self.init(
      check: check, says: says, segment: segments[stored.item.segment], line: stored.item.line,
      event: stored.event.id, onlyInforms: onlyInforms)
  }
}

extension Verification {
  mutating func checkStream() throws(Failure) {
    var options = ReadingOptions()
    options.wantsEvents = true
    options.skipsUnreadable = true
    options.disk = disk
    var stream = try EventStream(folder: folder, options: options)
    let segments = stream.segments
    var names = SymbolTable()
    var index = EventIndex()
    var item = StreamItem()
    var events: [Stored] = []
    /// The number of events in each segment, and the duplicates by the index of the segment that is
    /// probably a copy.
    var counts = Array(repeating: 0, count: segments.count)
    var duplicates: [Int: [(finding: Finding, original: Int)]] = [:]
    while try stream.next(&item, names: &names) {
      guard let event = item.event else { continue }
      counts[item.segment] += 1
      guard let known = index.insert(item.id) else {
        stream.keepPlace(of: item)
        events.append((event, item))
        continue
      }
      let (first, place) = (events[known - 1].item, stream.place(of: events[known - 1].item))
      do throws(Failure) {
        if try !stream.isCopy(item, of: known, names: names) {
          let says =
            """
            has the id of another event, at \(place.file):\(place.line), which comes first and \
            counts; 
            """
            + "this one does not, so record it again with another id unless it is a copy"
          findings.append(Finding(.reusedID, says, (event, item), in: segments, onlyInforms: true))
        } else if item.recorded == first.recorded {
          // Two devices that import one file record the same events at different times.
          let says = "is a duplicate; first at \(place.file):\(place.line)"
          let finding = Finding(.identity, says, (event, item), in: segments, onlyInforms: true)
          func isWriter(_ segment: Int) -> Bool { Forms.isWriter(segments[segment].string) }
          let isFirstCopy = isWriter(item.segment) && !isWriter(first.segment)
          let (copy, original) =
            isFirstCopy ? (first.segment, item.segment) : (item.segment, first.segment)
          duplicates[copy, default: []].append((finding, original))
        }
      } catch {
        guard error.kind == .reusedID else { throw error }
        findings.append(Finding(.identity, error.sentence, (event, item), in: segments))
      }
    }
    for (segment, found) in duplicates {
      // Many duplicates in one segment mean that a sync program left a copy of a file.
      guard found.count > 1 || found.count == counts[segment] else {
        findings += found.map(\.finding)
        continue
      }
      let original = found[0].original
      let hasOthers = found.count < counts[original] || found.count == counts[segment]
      let says =
        "\(found.count) of its \(counts[segment]) events are also in \(segments[original]).jsonl"
        + (hasOthers ? "" : ", which has no others")
        + ": if a file is only a copy, remove it; if two devices "
        + "write them, give each the name of a writer, such as phone-2.jsonl"
      findings.append(
        Finding(check: .identity, says: says, segment: segments[segment], onlyInforms: true))
    }
    try checkFiles(stream)
    checkEvents(events, segments)
    // A finding about a whole file that was accepted is reported again when the file has grown.
    let accepted = stream.droppedLines
    var open: [Finding] = []
    for finding in findings {
      let line =
        finding.line > 0 ? finding.line : try stream.length(ofSegment: finding.segment)?.lines ?? 0
      if !finding.onlyInforms || line > accepted[finding.segment] ?? 0 { open.append(finding) }
    }
    findings = open
  }

  /// Adds findings about missing, evicted, unreadable and unfinished parts of segments.
  private mutating func checkFiles(_ stream: EventStream) throws(Failure) {
    let short = try stream.shortSegments()
    for short in short {
      let says =
        """
        \(short.finding); bring it back, or accept the loss with `streaks verify --accept \
        \(short.name)`
        """
      findings.append(Finding(check: .seen, says: says, segment: short.name, event: short.event))
    }
    for name in stream.leftovers.evicted where !short.contains(where: { $0.name == name }) {
      findings.append(
        Finding(check: .seen, says: "was evicted by a sync program; bring it back", segment: name))
    }
    for line in stream.skipped {
      findings.append(
        Finding(
          check: .form, says: "\(line.failure.says)", segment: line.segment,
          line: line.failure.place?.line ?? 0))
    }
    for torn in stream.tornTails {
      let name = stream.segments.first { Text(path($0)) == Text(torn.path) } ?? Text(torn.path)
      let advice =
        torn.isOfWriter
        ? "" : "; no device writes this file, so remove it if it is a copy of a segment here"
      let part = "the last \(torn.bytes) bytes, from byte \(torn.offset),"
      findings.append(
        Finding(
          check: .torn, says: "\(part) are an incomplete line or batch\(advice)", segment: name))
    }
  }

  /// Adds findings about references, the clock, and the invariants of the folded ledger.
  private mutating func checkEvents(_ events: [Stored], _ segments: [Text]) {
    var ledger = Ledger()
    for stored in events {
      if let says = strayBase(of: stored.event, in: ledger) {
        findings.append(Finding(.reference, says, stored, in: segments, onlyInforms: true))
      }
      ledger.apply(stored.event)
    }
    ledger.settle()
    // A celebration is due only for some days, so an event about one can't be checked against the
    // final state.
    for stored in events where stored.event.payload.type != .celebrationSeen {
      let event = stored.event
      if let member = circularMember(of: event, in: ledger) {
        let says =
          "names \(member), which leads back, so \(member) counts as missed here on every day; "
          + "`streaks undo \(event.id)` takes this definition back"
        findings.append(Finding(.reference, says, stored, in: segments))
      }
      guard let refusal = Admission(to: ledger).refusal(of: event),
        ![.untimely, .nothingToCount].contains(refusal.kind), !isOfCircle(refusal, event)
      else { continue }
      let isAbsent = [.unknownHabit, .unknownMember, .unknownEntry].contains(refusal.kind)
      let says = isAbsent ? "\(refusal.says); a segment may be missing" : refusal.sentence
      findings.append(Finding(.reference, says, stored, in: segments))
    }
    for habit in ledger.habits {
      let violation = Invariants.violation(of: habit.state, book: habit.jokerBook, in: ledger)
      guard let says = violation else { continue }
      findings.append(Finding(check: .invariant, says: says, segment: ""))
    }
    guard let now, let clock = ledger.facts.clock, let today = ledger.today,
      let position = ledger.facts.todaysPosition,
      events.indices.contains(position - 1), case let date = clock.date(of: now), date < today
    else { return }
    let event = events[position - 1].event
    // In a zone further east, the day may already have begun, even if the clock is correct.
    if event.zone != clock.zone, event.at.instant <= now { return }
    findings.append(
      Finding(.clock, ClockText.ahead(today: today, date: date), events[position - 1], in: segments)
    )
  }

  /// Returns a warning if `event` redefines a habit based on a definition that wasn't in force, or
  /// `nil` if it doesn't.
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

  /// Returns a member in the definition that `event` made that contains the composite in turn, or
  /// `nil` if there is none.
  private func circularMember(of event: Event, in ledger: Ledger) -> String? {
    event.defined.flatMap { ledger[$0.id]?.circularMember(ofDefinition: event.id) }
  }

  /// Whether `refusal` refuses a circular definition in `event`; `checkEvents` reports circular
  /// definitions separately.
  private func isOfCircle(_ refusal: Failure, _ event: Event) -> Bool {
    guard case .habitDefined(let definition) = event.payload else { return false }
    return definition.rule.members.contains { refusal == .circular($0, of: definition.id) }
  }
}

package enum Invariants {
  /// Describes the first invariant that `state` violates, or returns `nil`; `book` is the joker
  /// book of the habit.
  package static func violation(of state: Streak, book: [JokerLine], in ledger: Ledger) -> String? {
    let jokers = state.jokers
    let counted = JokerLine.Action.allCases.map { action in book.count { $0.action == action } }
    let cap =
      ledger.facts.definitions(of: state.habit).compactMap(\.source.forgiveness?.cap).max() ?? 0
    let folded = ledger[state.habit]?.firstDay.map { (ledger.today ?? $0) - $0 + 1 } ?? 0
    if counted != [jokers.earned, jokers.spent, jokers.forfeited, jokers.penalised]
      || jokers.held != book.last?.held ?? jokers.held
    {
      return "\(state.habit): the book's lines do not add up to \(jokers)"
    }
    if jokers.earned != jokers.held + jokers.spent + jokers.penalised {
      return "\(state.habit): the jokers earned are not those held, spent and penalised: \(jokers)"
    }
    if !(0...cap).contains(jokers.held) {
      return "\(state.habit): \(jokers.held) jokers held, more than any definition allows"
    }
    if Verdict.allCases.reduce(0, { $0 + state.days[$1] }) != folded {
      return "\(state.habit): the verdicts do not add up to the \(folded) days folded"
    }
    if state.current > state.best || state.best > state.longest {
      return
        "\(state.habit): current \(state.current), best \(state.best), longest \(state.longest)"
    }
    return nil
  }
}
