import EventLog
import StreakDomain

extension Command {
  static let day = Command(
    name: "day", words: "",
    summary: "open the new day if one has begun: closes and seals the old one (for cron)",
    options: [json, Option("--to", "DAY", "the new day (default: the local date of now)")] + writing,
    details: ["  5 0 * * *  streaks day --events ~/streaks"]
  ) { invocation throws(CommandError) in
    try invocation.arguments.limit(0, "")
    let loaded = try invocation.load()
    let zone = invocation.arguments.value("--zone") ?? loaded.ledger.zone ?? invocation.context.machineZone()
    let now = try invocation.now()
    guard let date = try invocation.day("--to") ?? Zones.day(of: now, in: zone) else {
      throw .usage("--zone is \(quoted(zone)); it must be \(Forms.zone)")
    }
    if !invocation.arguments.has("--to"), let today = loaded.ledger.today, date <= today {
      invocation.print(
        invocation.isJSON
          ? JSON.object(["today": .day(today), "changed": .bool(false)]).line : "still \(today)")
      return .done
    }
    var draft = try invocation.draft(.dayChanged(to: date, seal: nil))
    draft.day = date
    draft.zone = zone
    guard let written = try invocation.write([draft]) else { return .done }
    if invocation.isJSON {
      invocation.printDocument(written.results)
    } else {
      invocation.print("\(date) has begun")
      for line in invocation.changes(written) { invocation.print("  " + line) }
    }
    return .done
  }
}
