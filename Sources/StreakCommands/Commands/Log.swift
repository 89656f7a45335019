import EventLog
import StreakDomain
import TimeZones

extension Command {
  static let log = Command(
    name: "log", group: .everyday, words: "HABIT [MEASURE…]", summary: "record what you did",
    options: [
      json, Option("--on", .day, "the day it counts for (default: today)"),
      Option("--at", .time, "when it happened (default: now)"), Option("--note", .text, "a note"),
      Option("--value", .text, "any text as its value, even if it looks like a measure"),
      Option(
        "--replaces", .event, "delete that entry in the same batch and keep its day and time"),
    ] + writing,
    details: [
      "Measures: 12m, 1.5h, 1h30m, 31:20, 5.2km, 3mi, 4sets, 2drinks, a level's name, completed, failed; an amount such",
      "as 12pages where the habit counts one, with or without its unit. Any other word is the activity where the habit's",
      "rule looks at activities, else the value. Without a measure it is one, where the habit counts whole things such as",
      "cups. ml, cl, dl and l, g and kg, s, min and h, km and mi become the habit's unit; m is minutes.", "",
      "  streaks log meditation 12m", "  streaks log noalc steady --on yesterday",
      "  streaks log cardio running 5.2km 31:20", "  streaks log reading 12pages",
      "  streaks log chess completed --replaces …2b3c4d",
    ],
    example: Example(
      line: "streaks log reading 12pages",
      answer: [
        "📖 Reading · 12 pages · 20 of 20 pages today · day 1",
        "  `streaks undo` takes it back",
      ])
  ) { invocation throws(Failure) in
    let run = LogRun(invocation: invocation)
    let word = invocation.word(0)
    var habit = word
    let written = try invocation.writer.write { (ledger) throws(Failure) in
      habit = try invocation.words.habit(toRecord: word, in: ledger)
      return try run.drafts(habit, ledger)
    }
    guard let written else { return .done }
    try invocation.reader.reportClock(written.ledgerAfter)
    if invocation.isJSON {
      invocation.writer.printDocument(written.results)
    } else if let result = written.results.last {
      let (before, after) = try invocation.writer.states(around: written)
      // The ledger doesn't store the entry's texts, so they come from the batch if the entry is new.
      var entry = after.entry(of: result.id)?.entry ?? Entry(habit: habit)
      try written.batch.each { if case .entryLogged(let own) = $0.payload { entry = own } }
      let answer = LogAnswer(entry, result: result, before: before, after: after)
      for line in answer.lines { invocation.print(Escaping.visible(line)) }
      if !invocation.arguments.has("--on"), let zone = after.zone, result.day == after.today,
        let here = DayClock(zone: invocation.context.machineZone(), start: after.dayStart)?.day(
          of: try invocation.now()),
        here != result.day
      {
        invocation.print("  for \(result.day), today in \(zone); here it is \(here)")
      }
      if let word = invocation.arguments.value("--replaces") {
        let replaced = EventText(ledger: after).entry(try invocation.words.event(named: word))
        invocation.print("  " + Escaping.visible("replaces \(replaced)"))
      }
      invocation.writer.printClosed(by: written, before, for: habit, after)
      invocation.writer.printWayBack(after: result, about: result.day, in: after)
    }
    return .done
  }
}

private struct LogRun {
  let invocation: Invocation

  func drafts(_ habit: String, _ ledger: Ledger) throws(Failure) -> [Draft] {
    let reading = EntryReading(
      habit: habit, rule: ledger.definition(of: habit)?.rule ?? Rule(.any),
      value: invocation.text("--value"))
    var entry = try reading.entry(of: Array(invocation.arguments.positionals.dropFirst()))
    entry.note = invocation.text("--note")
    var draft = try invocation.writer.draft(.entryLogged(entry))
    draft.day = try invocation.words.dayToRecord("--on", in: ledger)
    draft.at = try invocation.words.time("--at", on: draft.day, in: ledger)
    let deletion = try replace(in: &draft)
    return (deletion.map { [$0] } ?? []) + [draft]
  }

  /// Returns the deletion of the entry named by `--replaces`; `draft` takes over its day and time.
  func replace(in draft: inout Draft) throws(Failure) -> Draft? {
    guard let word = invocation.arguments.value("--replaces") else { return nil }
    let id = try invocation.words.event(named: word)
    guard let replaced = try invocation.reader.event(id), case .entryLogged = replaced.payload else {
      throw .notFound("there is no entry with the id \(quoted(id)) to replace")
    }
    // The current time would make a correction late; a time in the future comes from a wrong clock.
    if replaced.at.instant <= (try invocation.now()) {
      draft.day = draft.day ?? replaced.day
      draft.at = draft.at ?? replaced.at
    }
    draft.event.cause = id
    var deletion = Draft(.entryDeleted(entry: id, reason: "replaced"), command: invocation.command)
    // A retry with the same `--id` must produce the same ids for both events.
    deletion.id = draft.id.map { $0 + ":replaced" }
    if let id = deletion.id, !Forms.isID(id) {
      throw .usage("--id is too long for --replaces; at most \(64 - ":replaced".count) characters fit")
    }
    return deletion
  }
}
