import EventLog
import Inspection
import StreakDomain

extension Command {
  static let shrink = Command(
    name: "shrink", group: .developers, words: .predicate,
    summary: "the smallest ledger of which a predicate is still true",
    options: [
      json,
      Option("--to", .folder, "the folder to write it to (default: shrunk); it must not contain a ledger"),
    ] + whatIf,
    details: [
      "Removes events until none can be removed, and writes the rest as a valid ledger of one segment, for example",
      "to attach to a bug report. The predicate must be true of the whole ledger.", "",
      "  streaks shrink 'noalc.longest > 30 and noalc.current == 0' --to bug",
    ],
    example: Example(
      line: "streaks shrink 'coffee.current >= 1' --to bug",
      answer: [
        "5148 events → 3 in bug, 260 trials",
        "  2024-09-20  ledger opened  …a503db",
        "  2025-09-01  defined coffee  …2746d0",
        "  2025-09-02  a new day  …71ba7e",
      ])
  ) { invocation throws(Failure) in
    let text = invocation.arguments.phrase
    let predicate = try invocation.reader.predicate(text)
    let target = invocation.arguments.value("--to") ?? "shrunk"
    let isTaken = try EventStream.exists(target)
    guard !isTaken else {
      throw .usage("\(quoted(target)) already contains a ledger; name another folder with --to")
    }
    guard !invocation.isGuest else { throw .usage("a guest writes nothing, and shrink writes a folder") }
    let whole = try invocation.reader.load().ledger
    if let error = predicate.firstUnknown(among: whole.definedHabits) { throw error }
    // The first ledger.opened gives every subject its zone, and a ledger begins with it.
    let events = try allEvents(invocation).enumerated()
      .map(\.element)
    // What `append` would refuse may have been brought together from several devices; only nothing may be added to it.
    var tolerated: Set<String> = []
    let isOpened = events.first?.payload.type == .ledgerOpened
    func holds(_ candidate: [Event]) -> Bool {
      guard let first = candidate.first, !isOpened || first.payload.type == .ledgerOpened else {
        return false
      }
      var fold = LedgerFold()
      for event in candidate {
        if event.id != first.id, !tolerated.contains(event.id), fold.refusal(of: event) != nil {
          return false
        }
        _ = fold.apply(event)
      }
      let ledger = fold.settled
      return predicate.holds(in: ledger)
    }
    guard predicate.holds(in: whole) else {
      let found = predicate.found(in: whole)
      throw .notFound("\(quoted(predicate.text)) is false on the ledger: \(found)")
    }
    var fold = LedgerFold()
    for event in events {
      if fold.refusal(of: event) != nil { tolerated.insert(event.id) }
      _ = fold.apply(event)
    }
    var shrinking = Shrinking(holds)
    let small = shrinking.smallest(of: events)
    let writer = invocation.variable("STREAKS_WRITER") ?? invocation.context.machine().segment(in: target)
    try LogWriter.begin(small, in: target, writer: writer)
    if invocation.isJSON {
      invocation.print(
        JSON.object([
          "format": .whole(1), "predicate": .text(predicate.text), "folder": .text(target),
          "before": .whole(events.count), "events": .texts(small.map(\.id)),
          "trials": .whole(shrinking.trials),
        ]).line)
    } else {
      invocation.print("\(events.count) events → \(small.count) in \(target), \(shrinking.trials) trials")
      var fold = LedgerFold()
      for event in small { _ = fold.apply(event) }
      let words = EventText(ledger: fold.settled)
      for event in small {
        invocation.print(
          "  \(event.day)  \(Escaping.visible(words.text(of: event)))  \(Event.shortID(event.id))")
      }
    }
    return .done
  }
}

/// Every event of the stream in full, each once.
private func allEvents(_ invocation: Invocation) throws(Failure) -> [Event] {
  var stored = try invocation.reader.events(inFull: true)
  var events: [Event] = []
  var seen: Set<String> = []
  while let event = try stored.next() {
    if seen.insert(event.id).inserted { events.append(event) }
  }
  return events
}
