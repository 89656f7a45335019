import EventLog
import StreakDomain

extension Command {
  static let day = Command(
    name: "day", group: .everyday, words: "",
    summary: "start the new day if one has begun: close and seal the old one (for cron)",
    options: [
      json, Option("--to", "DAY", "the new day (default: the local date of now)"),
      Option(
        "--starts", "HH:MM", "from now on days begin then, up to 11:59; days already logged stay as they are"),
    ] + writing,
    details: ["  5 0 * * *  streaks day --events ~/streaks", "  streaks day --starts 04:00"],
    example: Example(
      line: "streaks day",
      answer: [
        "still 2025-11-20"
      ])
  ) { invocation throws(CommandError) in
    let loaded = try invocation.reader.load()
    let zone = invocation.arguments.value("--zone") ?? loaded.ledger.zone ?? invocation.context.machineZone()
    if let start = try invocation.dayStart("--starts") {
      return try begin(daysAt: start, zone, loaded.ledger, invocation)
    }
    let clock = try invocation.reader.clock(in: zone, from: loaded.ledger.dayStart)
    let now = try invocation.now()
    let date = try invocation.words.day("--to") ?? clock.day(of: now)
    if !invocation.arguments.has("--to"), let today = loaded.ledger.today, date <= today {
      invocation.print(
        invocation.isJSON
          ? JSON.object(["today": .day(today), "changed": .bool(false)]).line : "still \(today)")
      return .done
    }
    var draft = try invocation.writer.draft(.dayChanged(to: date, seal: nil))
    draft.day = date
    draft.zone = zone
    guard let written = try invocation.writer.write([draft]) else { return .done }
    if invocation.isJSON {
      invocation.writer.printDocument(written.results)
    } else {
      invocation.print("\(date) has begun")
      invocation.writer.printChanges(of: written)
    }
    return .done
  }
}

/// Opens the ledger again, with days that begin at another time.
private func begin(
  daysAt start: ClockTime, _ zone: String, _ ledger: Ledger, _ invocation: Invocation
) throws(CommandError) -> ExitStatus {
  guard !invocation.arguments.has("--to") else { throw .usage("--starts and --to do not go together") }
  guard ledger.position > 0 else { throw .log(.noLedger(folder: invocation.folder)) }
  var draft = try invocation.writer.draft(.ledgerOpened(owner: nil, dayStart: start))
  draft.event.subject = nil
  draft.zone = zone
  let isAlready = ledger.dayStart == start && ledger.zone == zone && draft.id == nil
  guard let written = try invocation.writer.write(isAlready ? [] : [draft]) else { return .done }
  if invocation.isJSON {
    invocation.writer.printDocument(written.results)
  } else {
    invocation.print(isAlready ? "days begin at \(start) already" : "days begin at \(start) from now on")
    invocation.writer.printChanges(of: written)
  }
  return .done
}
