import EventLog
import Inspection
import StreakDomain
import TimeZones

extension Command {
  static let when = Command(
    name: "when", group: .lookBack, words: .predicate,
    summary: "when a predicate first became true, or every change",
    options: [
      json, Option("--all", nil, "every event after which it became true or false"),
      Option(
        "--from", .point, "only events after this point; up to it the predicate counts as false (default: 0)"),
      Option(
        "--at", .point, "whether it holds there; exit code 1 if not", excludes: ["--all", "--from"]),
      Option("--on", .day, "with --at: pretend today is DAY", needs: ["--at"]),
    ] + whatIf,
    details: [
      "The predicate is evaluated after every event, on the state with its own today, in one pass. It compares fields of",
      "the state with == != < <= > >= has, joined by and, or, not and parentheses: `streaks help predicates` lists the fields.",
      "Put it in quotes. Exit code 1 if it was never true. With --at it is evaluated once, as in a test:",
      "`streaks when -q 'noalc.ifMissed == breaks' --at end --on today && echo 'log noalc'`.", "",
      "  streaks when 'noalc.current >= 7 and noalc.jokers.held == 0'",
      "  streaks when 'meditation.status == broken' --all",
      "  streaks when 'achievements has tri-threat' --from 2025-10-01 --json",
    ],
    example: Example(
      line: "streaks when 'noalc.current == 41'",
      answer: ["412  2024-10-30 22:33  noalc steady  …199eec  phone  noalc.current = 41"])
  ) { invocation throws(Failure) in
    try invocation.searchHistory()
  }
}

private struct Search {
  struct Flip {
    let position: Int
    let event: String
    let recorded: Instant
    /// The time of the last correction of a wrong clock, if `recorded` is too late because of that clock.
    ///
    /// `nil` if `recorded` is right.
    let corrected: Instant?
    let holds: Bool
    let found: String
  }

  let predicate: Predicate
  let from: String?
  let flips: [Flip]
  /// The values that came closest to the predicate, such as `6 at 1204, event …`, or `nil` if there are none.
  let closest: String?
  let loaded: LoadedLedger

  var members: JSON.Members {
    let flips = flips.map { flip in
      JSON.object([
        "position": .whole(flip.position), "event": .text(flip.event),
        "recorded": .text(flip.recorded.description), "holds": .bool(flip.holds),
      ])
    }
    return ["predicate": .text(predicate.text), "flips": .list(flips)]
  }

  func lines(isAll: Bool, _ invocation: Invocation) throws(Failure) -> [String] {
    let now = try invocation.now()
    if flips.contains(where: { $0.recorded > now && $0.corrected == nil }) {
      invocation.warn(LedgerReader.wrongClock)
    }
    let style = invocation.style
    let words = EventText(ledger: loaded.ledger)
    var says: [Int: String] = [:]
    var times: [Int: (happened: Instant, zone: String)] = [:]
    try loaded.stream?.eachEvent(at: flips.map(\.position)) {
      says[$0] = Escaping.visible(words.text(of: $1))
      times[$0] = ($1.at.instant, $1.zone)
    }
    let writers = loaded.stream?.segments.count ?? 0
    let width = flips.last.map { String($0.position).count } ?? 0
    return flips.map { flip in
      let number = String(flip.position)
      let sign = flip.holds ? style.paint("holds", .green) : style.paint("ended", .grey)
      let time = times[flip.position]
      // An entry of an earlier day is recorded only after the correction.
      let instant = flip.corrected.map { max($0, time?.happened ?? $0) } ?? flip.recorded
      let shown = RecordedTime.minute(
        instant, by: time.flatMap { DayClock(zone: $0.zone, start: .midnight) })
      let parts = [
        String(repeating: " ", count: width - number.count) + number, isAll ? sign : "", shown,
        says[flip.position] ?? "", style.paint(Event.shortID(flip.event), .grey),
        writers > 1 ? loaded.stream?.writer(at: flip.position).map(Escaping.visible) ?? "" : "", flip.found,
      ]
      return parts.filter { !$0.isEmpty }.joined(separator: "  ")
    }
  }

  var never: String {
    "\(quoted(predicate.text)) was never true" + (from.map { " after \($0)" } ?? "")
      + (closest.map { "; the closest was \($0)" } ?? "")
  }
}

extension Invocation {
  fileprivate func searchHistory() throws(Failure) -> ExitStatus {
    let predicate = try reader.predicate(arguments.phrase)
    if arguments.has("--at") { return try testPredicate(predicate) }
    let search = try search(for: predicate)
    if isJSON {
      printJSON(search.members)
    } else {
      for line in try search.lines(isAll: arguments.has("--all"), self) { print(line) }
    }
    guard search.flips.isEmpty else { return .done }
    if arguments.has("-q") { return .failed }
    throw .notFound(Sentence(search.never))
  }

  /// Prints whether the predicate is true at the point of `--at`.
  ///
  /// The exit code reports the same.
  private func testPredicate(_ predicate: Predicate) throws(Failure) -> ExitStatus {
    let loaded = try reader.loadAtPoint()
    if let error = predicate.firstUnknown(among: loaded.ledger.definedHabits) { throw error }
    let holds = predicate.holds(in: loaded.ledger)
    if isJSON {
      printJSON([
        "predicate": .text(predicate.text), "position": .whole(loaded.ledger.position),
        "event": .text(loaded.event), "holds": .bool(holds),
      ])
    } else {
      print((holds ? "true: " : "false: ") + predicate.found(in: loaded.ledger))
    }
    return holds ? .done : .failed
  }

  private func search(for predicate: Predicate) throws(Failure) -> Search {
    let from = try words.point("--from") ?? .position(0)
    var watch = PredicateWatch(predicate)
    var flips: [Search.Flip] = []
    let isAll = arguments.has("--all")
    var walk = try reader.walk(wanting: isJSON ? [] : .places)
    var corrected: (recorded: Instant, happened: Instant)?
    func note(_ item: StreamItem) {
      guard item.type == .dayCorrected, let event = item.event else { return }
      corrected = (event.recorded, event.at.instant)
    }
    let isReached = try walk.advance(to: from) { item, _ in note(item) }
    // After the first match, reading continues only until every habit of the predicate is known to exist.
    while isAll || flips.isEmpty || !watch.knowsHabits(of: walk.ledger), try walk.next() {
      note(walk.item)
      guard isAll || flips.isEmpty, watch.look(at: &walk.ledger) else { continue }
      let ledger = walk.ledger
      let recorded = walk.item.recorded
      flips.append(
        Search.Flip(
          position: ledger.position, event: walk.item.id.text(ledger.names), recorded: recorded,
          corrected: corrected.flatMap { recorded < $0.recorded + 1_000_000 ? $0.happened : nil },
          holds: watch.holds,
          found: predicate.found(in: ledger)))
    }
    let loaded = try walk.end()
    if let error = predicate.firstUnknown(among: loaded.ledger.definedHabits) { throw error }
    if !isReached { try reader.check(from, reached: loaded) }
    let closest = watch.closest.map { closest in
      let found = closest.readings.map { Escaping.visible($0.description) }.joined(separator: ", ")
      return "\(found) at \(closest.position), event \(loaded.ledger.id(at: closest.position))"
    }
    return Search(
      predicate: predicate, from: arguments.value("--from"), flips: flips, closest: closest, loaded: loaded)
  }
}
