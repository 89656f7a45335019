import EventLog
package import StreakDomain
import TimeZones

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
    var events: [(event: Event, item: StreamItem)] = []
    var repeats = Repeats(segments: segments)
    while try stream.next(&item, names: &names) {
      guard let event = item.event else { continue }
      repeats.count(item)
      if let known = index.insert(item.id) {
        do throws(Failure) {
          let first = stream.place(of: events[known - 1].item)
          if try stream.isCopy(item, of: known, names: names) {
            // Two devices that import one file record the same events at different times.
            if item.recorded == events[known - 1].item.recorded {
              repeats.add(event.id, item, first: events[known - 1].item.segment, first)
            }
          } else {
            add(
              .reusedID, segments[item.segment], item.line, event.id,
              "has the id of another event, at \(first.file):\(first.line), which comes first and counts",
              onlyInforms: true)
          }
        } catch {
          guard error.kind == .reusedID else { throw error }
          add(.identity, segments[item.segment], item.line, event.id, error.sentence)
        }
        continue
      }
      stream.keepPlace(of: item)
      events.append((event, item))
    }
    findings += repeats.findings
    for short in try stream.shortSegments() {
      let remedy = "bring it back, or accept the loss with `streaks verify --accept \(short.name)`"
      add(.seen, short.name, 0, short.event, "\(short.finding); \(remedy)")
    }
    for name in stream.leftovers.evicted where !findings.contains(where: { $0.isSeen(of: name) }) {
      add(.seen, name, 0, nil, "was evicted by a sync program; bring it back")
    }
    for line in stream.skipped {
      add(.form, line.segment, line.failure.place?.line ?? 0, nil, line.failure.sentence)
    }
    for torn in stream.tornTails {
      let name = segments.first { Text(path($0)) == Text(torn.path) } ?? Text(torn.path)
      let advice =
        torn.isOfWriter ? "" : "; no device writes it: remove it if the segment of which it is a copy is here"
      add(
        .torn, name, 0, nil,
        "the last \(torn.bytes) bytes, from byte \(torn.offset), were never finished\(advice)")
    }
    let ledger = checkReferences(events, segments)
    checkClock(events, segments, ledger)
    try leaveOutAccepted(stream)
  }

  /// Removes the findings that were accepted with `verify --accept`.
  ///
  /// A finding about a whole file is reported again when the file has grown.
  private mutating func leaveOutAccepted(_ stream: EventStream) throws(Failure) {
    let accepted = stream.droppedLines
    var kept: [Finding] = []
    for finding in findings {
      let line = finding.line > 0 ? finding.line : try stream.length(ofSegment: finding.segment)?.lines ?? 0
      if finding.onlyInforms, line <= accepted[finding.segment] ?? 0 { continue }
      kept.append(finding)
    }
    findings = kept
  }

  private mutating func checkReferences(
    _ events: [(event: Event, item: StreamItem)], _ segments: [Text]
  ) -> Ledger {
    var ledger = Ledger()
    for (event, item) in events {
      if let says = strayBase(of: event, in: ledger) {
        add(.reference, segments[item.segment], item.line, event.id, says, onlyInforms: true)
      }
      ledger.apply(event)
    }
    // A celebration is due only for some days, so an event about one can't be checked against the final state.
    for (event, item) in events where event.payload.type != .celebrationSeen {
      if let member = ledger.circularMember(ofDefinition: event.id) {
        add(
          .reference, segments[item.segment], item.line, event.id,
          "names \(member), which leads back, so \(member) counts as missed here on every day; "
            + "`streaks undo \(event.id)` takes this definition back")
      }
      guard let refusal = ledger.refusal(of: event), refusal.kind.standsInAStream,
        !refusal.isOfCircle(in: event)
      else { continue }
      add(
        .reference, segments[item.segment], item.line, event.id, refusal.sentence,
        absent: refusal.kind.absent(in: event))
    }
    checkInvariants(ledger)
    return ledger
  }

  /// Returns a warning if `event` changes a definition that wasn't in force; otherwise `nil`.
  ///
  /// This happens if two devices change a habit before they exchange their segments.
  private func strayBase(of event: Event, in ledger: Ledger) -> String? {
    guard case .habitDefined(let definition) = event.payload, let cause = event.cause,
      !event.isUndo
    else { return nil }
    guard ledger.definition(of: definition.id, by: cause) != nil,
      let base = ledger.base(of: definition.id, on: event.day), base.event != cause
    else { return nil }
    return
      "changes \(definition.id) as \(cause) defined it, while \(base.event) was in force: look whether both changes are "
      + "there, with `streaks habits \(definition.id)`"
  }

  /// Adds a finding for the event that moved today past the current date, if there is one.
  private mutating func checkClock(
    _ events: [(event: Event, item: StreamItem)], _ segments: [Text], _ ledger: Ledger
  ) {
    guard let now, let clock = ledger.clock, let today = ledger.today, let position = ledger.todaysPosition,
      events.indices.contains(position - 1), case let date = clock.date(of: now), date < today
    else { return }
    let (event, item) = events[position - 1]
    // In a zone further east, the day may already have begun, even if the clock is correct.
    if event.zone != clock.zone, event.at.instant <= now { return }
    add(
      .clock, segments[item.segment], item.line, event.id, ClockText.ahead(today: today, date: date))
  }

  private mutating func checkInvariants(_ ledger: Ledger) {
    for state in ledger.states() {
      if let violation = Invariants.violation(
        of: state, book: ledger.jokerBook(of: state.habit), in: ledger)
      {
        add(.invariant, "", 0, nil, violation)
      }
    }
  }
}

extension Finding {
  fileprivate func isSeen(of name: Text) -> Bool { check == .seen && segment == name }
}

extension Failure {
  /// Whether this failure refuses the definition in `event` because of a circle.
  ///
  /// A circle that exists on any day is reported elsewhere.
  fileprivate func isOfCircle(in event: Event) -> Bool {
    guard case .habitDefined(let definition) = event.payload else { return false }
    return definition.rule.members.contains { self == .circular($0, of: definition.id) }
  }
}

extension FailureKind {
  fileprivate var standsInAStream: Bool { ![.untimely, .nothingToCount].contains(self) }

  fileprivate func absent(in event: Event) -> Finding.Absent? {
    switch self {
    case .unknownHabit, .unknownMember: .habit(event.payload.type)
    case .unknownEntry: .entry
    default: nil
    }
  }
}

/// The duplicate events, grouped by the two segments that contain them.
///
/// Many duplicates in the same two segments mean that a sync program left a copy of a file.
struct Repeats {
  private let segments: [Text]
  private var counts: [Int]
  private var repeats: [Pair: [Finding]] = [:]

  private struct Pair: Hashable {
    let copy: Int
    let original: Int
  }

  init(segments: [Text]) {
    self.segments = segments
    counts = Array(repeating: 0, count: segments.count)
  }

  mutating func count(_ item: StreamItem) { counts[item.segment] += 1 }

  mutating func add(_ event: String, _ item: StreamItem, first: Int, _ place: Place) {
    // The copy is probably the file that no device writes, or else the file with the longer name.
    func rank(_ name: Text) -> (Int, Int, Text) {
      (Forms.isWriter(name.string) ? 0 : 1, name.string.utf8.count, name)
    }
    let isCopy = rank(segments[first]) < rank(segments[item.segment])
    let pair = isCopy ? Pair(copy: item.segment, original: first) : Pair(copy: first, original: item.segment)
    repeats[pair, default: []].append(
      Finding(
        check: .identity, segment: segments[item.segment], line: item.line, event: event,
        says: "is a duplicate; first at \(place.file):\(place.line)"))
  }

  /// The findings: one for each file that is a complete or partial copy, and one for each other duplicate event.
  var findings: [Finding] {
    repeats.flatMap { pair, found -> [Finding] in
      let total = counts[pair.copy]
      guard found.count > 1 || found.count == total else { return found }
      let original = "\(segments[pair.original]).jsonl"
      // Sync programs append to the name of the original. If writers can have both names, either file may be the
      // original.
      let isNamedAfter =
        !Forms.isWriter(segments[pair.copy].string)
        || segments[pair.copy].string.begins(with: segments[pair.original].string)
      let advice =
        isNamedAfter
        ? "a sync program may have left it; remove it"
        : "keep the one that a device writes, and remove the other"
      let says =
        found.count == total
        ? "is a copy of \(original), which has all of its events, \(total): \(advice)"
        : "is in part a copy of \(original): \(found.count) of its \(total) events are there, too; "
          + (Forms.isWriter(segments[pair.copy].string)
            ? "a sync program may have left it"
            : "to keep the others, rename it to a writer's name, such as phone-2.jsonl")
      return [Finding(check: .identity, segment: segments[pair.copy], line: 0, event: nil, says: says)]
    }.map { finding in
      var finding = finding
      finding.onlyInforms = true
      return finding
    }
  }
}

package enum Invariants {
  package static func violation(of state: Streak, book: [JokerLine], in ledger: Ledger) -> String? {
    let jokers = state.jokers
    let counted = JokerLine.Action.allCases.map { action in book.count { $0.action == action } }
    if counted != [jokers.earned, jokers.spent, jokers.forfeited, jokers.penalised] {
      return "\(state.habit): the book's lines do not add up to \(jokers)"
    }
    if let last = book.last, last.held != jokers.held {
      return "\(state.habit): the book ends with \(last.held) held, the state with \(jokers.held)"
    }
    if jokers.earned != jokers.held + jokers.spent + jokers.penalised {
      return
        "\(state.habit): \(jokers.earned) jokers earned, but \(jokers.held) held, \(jokers.spent) spent and "
        + "\(jokers.penalised) penalised"
    }
    let caps = ledger.definitions(of: state.habit).compactMap(\.definition.forgiveness?.cap)
    if jokers.held < 0 || jokers.held > caps.max() ?? 0 {
      return "\(state.habit): \(jokers.held) jokers held, more than any definition allows"
    }
    let folded = ledger.firstFoldedDay(of: state.habit).map { (ledger.today ?? $0) - $0 + 1 } ?? 0
    if Verdict.allCases.reduce(0, { $0 + state.days[$1] }) != folded {
      return "\(state.habit): the verdicts do not add up to the \(folded) days folded"
    }
    if state.current > state.best || state.best > state.longest {
      return "\(state.habit): current \(state.current), best \(state.best), longest \(state.longest)"
    }
    return nil
  }
}
