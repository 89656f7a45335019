import EventLog
import StreakDomain

/// What an append did, for the commands to tell.
struct Written {
  let results: [AppendResult]
  let before: SubjectLedgers
  let after: SubjectLedgers
}

extension Invocation {
  /// Appends drafts as one batch under the lock.
  mutating func write(_ drafts: [Draft], makesFolder: Bool = false) throws(CommandError) -> Written {
    var options = AppendOptions(now: try now(), machineZone: context.machineZone())
    options.zone = try arguments.read("--zone", Forms.zone) { Zones.isKnown($0) ? $0 : nil }
    options.expected = try arguments.read("--expect", "a number of events") { Int($0) }
    options.reading = readingOptions
    options.isForced = arguments.has("--force")
    let wait = try arguments.read("--wait", "a number of seconds") { Double($0) } ?? 5
    let writer = arguments.value("--writer") ?? context.environment["STREAKS_WRITER"] ?? "main"
    do throws(LogError) {
      var log = try OpenLog(folder: folder, writer: writer, wait: wait, makesFolder: makesFolder)
      let decided = try Appender.decide(drafts, log: &log, options: options, random: context.random)
      if !decided.batch.isEmpty { try log.write(decided.batch) }
      return Written(results: decided.results, before: decided.before, after: decided.after)
    } catch { throw .log(error) }
  }

  /// A draft of one payload with the options that every writing command has.
  func draft(_ payload: Payload) throws(CommandError) -> Draft {
    var draft = Draft(payload, command: command)
    draft.id = try arguments.read("--id", Forms.id) { Forms.isID($0) ? $0 : nil }
    draft.event.subject = try arguments.read("--subject", Forms.id) { Forms.isID($0) ? $0 : nil }
    return draft
  }

  /// Prints one JSON line per result.
  func printLines(_ results: [AppendResult]) {
    for result in results {
      print(
        JSON.object([
          "id": .text(result.id), "position": .whole(result.position),
          "status": .text(result.status.rawValue),
        ]).line)
    }
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
