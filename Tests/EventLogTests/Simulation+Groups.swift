import DomainFixtures
import EventLog
import StreakDomain

extension Simulation {
  /// Appends batches as commands of one group, by a writer that stays and has the ledger folded from before.
  func appendGroup(_ commands: [[Draft]], _ writer: String) throws -> Failure? {
    var options = AppendOptions(now: now, machineZone: "Europe/Berlin")
    options.reading.disk = disk
    let meddlings = tally.meddlings
    var torn: TornEnd?
    var refusal: Failure?
    var isWritten = false
    var failure: Failure?
    do throws(Failure) {
      // What this writer puts aside is only known beforehand.
      let stream = try EventStream(folder: "events", options: options.reading, mayBegin: true)
      torn = stream.tornTails.first { $0.path == "events/\(writer).jsonl" }
        .map { TornEnd(writer, at: $0.offset, on: disk) }
      var log =
        live.removeValue(forKey: writer)
        ?? LiveLog(folder: "events", writer: writer, reading: options.reading)
      let results = try log.write(
        options, wait: 0, mayBegin: true, random: SeededRandom(seed: random.next())
      ) { group in
        for command in commands {
          do throws(Failure) { _ = try group.add(command, options) } catch { refusal = error }
          if group.failure != nil { refusal = nil }
        }
      }
      live[writer] = log
      isWritten = results.contains { $0.contains { $0.status == .recorded } }
      if isWritten { tally.groups += 1 }
    } catch {
      switch error.kind {
      case .system, .vanished, .notWritten, .outcomeUnknown, .busy: failure = error
      default: throw Violation(description: "group: \(error)")
      }
    }
    if meddlings != tally.meddlings { torn = nil }
    try note(torn, isWritten: isWritten)
    if let refusal {
      switch refusal.kind {
      case .conflict where batches.contains { $0.isContested }: return refusal
      case .shortSegment where tally.meddlings > 0: return try append(commands.flatMap { $0 }, writer)
      default: throw Violation(description: "a command of a group is refused: \(refusal)")
      }
    }
    return failure
  }
}
