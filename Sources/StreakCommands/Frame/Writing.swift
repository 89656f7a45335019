import EventLog
import StreakDomain

extension AppendResult {
  var json: JSON {
    .object(["id": .text(id), "position": .whole(position), "status": .text(status.rawValue)])
  }
}

extension Invocation {
  /// Appends drafts as one batch under the lock.
  ///
  /// `ifEmpty` writes only into a ledger that has no event yet, judged under the lock.
  mutating func write(
    _ drafts: [Draft], makesFolder: Bool = false, ifEmpty: Bool = false
  ) throws(CommandError) -> Decision {
    var options = AppendOptions(now: try now(), machineZone: context.machineZone())
    options.zone = arguments.value("--zone")
    if let zone = options.zone, !Zones.isKnown(zone) {
      let near = Zones.nearest(to: zone)
      throw .usage(
        "--zone is \(quoted(zone)), which is no known time zone" + Nearest.hint(zone, among: near)
          + "; it must be \(Forms.zone)")
    }
    options.expected = try arguments.read("--expect", "a number of events, 0 or more") { text in
      Int(text).flatMap { $0 >= 0 ? $0 : nil }
    }
    if ifEmpty { options.expected = 0 }
    options.reading = try readingOptions()
    options.isForced = arguments.has("--force")
    let wait =
      try arguments.read("--wait", "a number of seconds, 0 to 86400") { text in
        Double(text).flatMap { (0...86_400).contains($0) ? $0 : nil }
      } ?? 5
    let writer = arguments.value("--writer") ?? variable("STREAKS_WRITER") ?? "main"
    do throws(LogError) {
      guard !isGuest else {
        warn("guest: nothing is written")
        return try decide(drafts, writer, options)
      }
      let log = try OpenLog(folder: folder, writer: writer, wait: wait, makesFolder: makesFolder)
      let decision = try decide(drafts, writer, options)
      try log.write(decision)
      return decision
    } catch {
      if makesFolder, !isGuest { OpenLog.discardEmpty(folder) }
      throw .log(error)
    }
  }

  private func decide(
    _ drafts: [Draft], _ writer: String, _ options: AppendOptions
  ) throws(LogError) -> Decision {
    let isNew = command == "init" && isGuest
    return try Appender.decide(
      drafts,
      stream: isNew
        ? EventStream(options: options.reading) : EventStream(folder: folder, options: options.reading),
      writer: writer, options: options, random: context.random)
  }

  /// A draft of one payload with the options that every writing command has.
  func draft(_ payload: Payload) throws(CommandError) -> Draft {
    var draft = Draft(payload, command: command)
    draft.id = try arguments.read("--id", Forms.id) { Forms.isID($0) ? $0 : nil }
    draft.event.subject = try arguments.read("--subject", Forms.id) { Forms.isID($0) ? $0 : nil }
    return draft
  }

  /// Prints one JSON document with all results.
  func printDocument(_ results: [AppendResult]) {
    print(JSON.object(["format": .whole(1), "results": .list(results.map(\.json))]).line)
  }

  /// The ledger of this command's subject, settled.
  func settled(_ ledgers: SubjectLedgers) -> Ledger {
    var ledger = ledgers[subject] ?? Ledger(subject: subject)
    ledger.settle()
    return ledger
  }

  /// Refuses a habit that is not defined, with the nearest names.
  func require(_ habit: String, in ledger: Ledger) throws(CommandError) {
    guard ledger.state(of: habit) == nil else { return }
    throw .notFound(
      "no habit \(quoted(habit)) is defined" + Nearest.hint(habit, among: ledger.definedHabits))
  }
}
