import EventLog
import StreakDomain

/// What an append did, for the commands to tell.
struct Written {
  let results: [AppendResult]
  let before: SubjectLedgers
  let after: SubjectLedgers
}

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
    _ drafts: [Draft], makesFolder: Bool = false, ifEmpty: Bool = false,
    expectation: @escaping @Sendable (String, Ledger, StreamPlace) -> Objection? = ExpectationJudgement.form
  ) throws(CommandError) -> Written {
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
    options.subject = subject
    options.condition = try condition()
    options.expectation = expectation
    options.reading = readingOptions
    options.isForced = arguments.has("--force")
    let wait =
      try arguments.read("--wait", "a number of seconds, 0 to 86400") { text in
        Double(text).flatMap { (0...86_400).contains($0) ? $0 : nil }
      } ?? 5
    let writer = arguments.value("--writer") ?? variable("STREAKS_WRITER") ?? "main"
    do throws(LogError) {
      var log = try OpenLog(folder: folder, writer: writer, wait: wait, makesFolder: makesFolder)
      let decided = try Appender.decide(drafts, log: &log, options: options, random: context.random)
      if !decided.batch.isEmpty { try log.write(decided.batch) }
      return Written(results: decided.results, before: decided.before, after: decided.after)
    } catch {
      if makesFolder { OpenLog.discardEmpty(folder) }
      throw .log(error)
    }
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
