import CommandFixtures
import DomainFixtures
import EventLog
import Inspection
import StreakDomain

/// A history of appends, faults, kills and power failures on a simulated disk, from one seed.
///
/// Two writers append batches, some of them repeated, and some with an entry longer than a page.
/// Between two calls of one writer, a reader or the other writer may act. Each batch must be stored
/// completely or not at all, and never twice. Acknowledged batches must be stored, and set-aside
/// bytes must be the torn ones.
final class Simulation {
  /// Counters that show whether all situations occurred.
  struct Tally {
    var recorded = 0
    var refused = 0
    var unknown = 0
    var kills = 0
    var powerFailures = 0
    var torn = 0
    var slowReaders = 0
    var busy = 0
    var meddlings = 0
    /// Writers that noticed an interference before writing, and those that did before
    /// acknowledging.
    var warned = 0
    var late = 0
    var followed = 0
    var redactions = 0

    static func + (a: Tally, b: Tally) -> Tally {
      Tally(
        recorded: a.recorded + b.recorded, refused: a.refused + b.refused,
        unknown: a.unknown + b.unknown,
        kills: a.kills + b.kills, powerFailures: a.powerFailures + b.powerFailures,
        torn: a.torn + b.torn,
        slowReaders: a.slowReaders + b.slowReaders, busy: a.busy + b.busy,
        meddlings: a.meddlings + b.meddlings, warned: a.warned + b.warned, late: a.late + b.late,
        followed: a.followed + b.followed, redactions: a.redactions + b.redactions)
    }
  }

  struct Violation: Error, CustomStringConvertible {
    let description: String
  }

  struct Batch {
    let number: Int
    let sizes: [Int]
    var ids: [String] { sizes.indices.map { "b\(number)-\($0)" } }
    var isRecorded = false
    /// Whether two writers used its ids for different contents, and whether the other one was
    /// acknowledged.
    var isContested = false
    var isTaken = false
  }

  let disk: SimulatedDisk
  var random: SeededRandom
  private let isSyncingBad: Bool
  private let isMeddledWith: Bool
  private(set) var now = Instant(microseconds: 1_762_160_400_000_000)
  var batches: [Batch] = []
  var tally = Tally()
  var onlooker = Onlooker()
  /// The cached logs of long-running writers, until they are killed.
  var logs: [String: FoldedLog] = [:]
  var aside: [String: [UInt8]] = [:]
  /// The entries with redacted notes, each with the writers of the redacted segments.
  var redacted: [String: Set<String>] = [:]

  init(seed: UInt64) {
    disk = SimulatedDisk(seed: seed)
    random = SeededRandom(seed: seed ^ 0xFFFF)
    isSyncingBad = seed % 3 == 0
    isMeddledWith = seed % 2 == 0
  }

  func run(steps: Int) throws {
    try begin()
    for _ in 0..<steps {
      now = now + Int64(random.below(30)) * 1_800_000_000
      makeFaults()
      let writer = random.chance(50) ? "a" : "b"
      if isMeddledWith, random.chance(50) { meddle(with: writer) } else { look(on: writer) }
      // A segment that is set back has its texts again, which only `verify` can detect.
      if !isMeddledWith, random.chance(20) { try redact(writer) } else { try step(writer) }
      disk.onCall = nil
      var hasLostPower = false
      if disk.faults.callsUntilStop != nil || random.chance(10) {
        hasLostPower = restart()
        if hasLostPower { onlooker.forget() }
      }
      disk.faults = SimulatedDisk.Faults()
      try finishLooking()
      try check()
      if hasLostPower { try verify(allowsTorn: true) }
    }
    for writer in ["a", "b"] {
      guard try append([draft("end-\(writer)", 0)], writer) == nil else {
        throw Violation(description: "a sound disk refuses to append")
      }
    }
    try check()
    try verify(allowsTorn: false)
  }

  private func begin() throws {
    let definitions: [Payload] = [
      .ledgerOpened(), .habitDefined(Preset.noalc.definition(for: "noalc")),
    ]
    // After an error, the opening is tried again on the same disk.
    repeat {
      if disk.faults.callsUntilStop != nil { restart() }
      makeFaults()
    } while try append(definitions.map { Draft($0, zone: "Europe/Berlin") }, "a", isNew: true)
      != nil
    if disk.faults.callsUntilStop != nil { restart() }
  }

  private func makeFaults() {
    disk.faults.percent = random.below(3) == 0 ? 8 : 0
    disk.faults.syncPercent = isSyncingBad ? 40 : 0
    disk.faults.callsUntilStop = random.below(3) == 0 ? random.below(40) : nil
  }

  /// Restarts after a kill or a power failure; returns true for the latter.
  @discardableResult
  private func restart() -> Bool {
    let losesPower = random.chance(50)
    if losesPower { tally.powerFailures += 1 } else { tally.kills += 1 }
    logs = [:]
    disk.faults = SimulatedDisk.Faults()
    disk.restart(losesPower: losesPower)
    return losesPower
  }

  private func step(_ writer: String) throws {
    var chosen = [addBatch()]
    let newest = chosen[0]
    if random.chance(40) {
      let earlier = random.below(batches.count)
      if !batches[earlier].isContested {
        chosen = random.chance(50) ? [earlier] : [earlier, newest]
      }
    }
    chosen = Array(Set(chosen)).sorted()
    let failure = try append(chosen.flatMap { drafts(of: $0) }, writer, stays: random.chance(40))
    switch failure {
    case nil:
      tally.recorded += 1
      for index in chosen {
        guard !batches[index].isTaken else {
          throw Violation(description: "two writers were told that batch \(index) is theirs")
        }
        batches[index].isRecorded = true
      }
    case let failure? where failure.kind == .outcomeUnknown:
      tally.unknown += 1
      if failure.isOfMeddling { tally.late += 1 }
    case let failure? where failure.kind == .notWritten && failure.isOfMeddling:
      tally.refused += 1
      tally.warned += 1
    default: tally.refused += 1
    }
  }

  func addBatch() -> Int {
    batches.append(Batch(number: batches.count, sizes: sizes()))
    return batches.count - 1
  }

  func drafts(of batch: Int, filler: String = "n") -> [Draft] {
    zip(batches[batch].ids, batches[batch].sizes).map { draft($0, $1, filler) }
  }

  private func sizes() -> [Int] {
    let count = random.chance(30) ? 1 + random.below(60) : 1 + random.below(3)
    return (0..<count).map { _ in random.chance(3) ? 900 : random.below(60) }
  }

  private func draft(_ id: String, _ size: Int, _ filler: String = "n") -> Draft {
    var entry = Entry(habit: "noalc")
    entry.level = "steady"
    entry.note = "\(id) \(String(repeating: "n", count: size))\(filler)"
    var draft = Draft(.entryLogged(entry))
    draft.id = id
    return draft
  }

  /// Appends like a command: lock, read, decide, write.
  ///
  /// A writer that `stays` has the ledger cached, and reads only what was appended since.
  /// - Returns: The error, if it is one of the disk.
  func append(
    _ drafts: [Draft], _ writer: String, isNew: Bool = false, on machine: SimulatedDisk? = nil,
    isForced: Bool = false, stays: Bool = false
  ) throws -> Failure? {
    let disk = machine ?? disk
    let meddlings = tally.meddlings
    var options = AppendOptions(now: now, machineZone: "Europe/Berlin")
    options.reading.disk = disk
    options.isForced = isForced
    var torn: TornEnd?
    var isWritten = false
    var failure: Failure?
    do throws(Failure) {
      let log = try LogWriter(
        folder: "events", writer: writer, wait: 0, makesFolder: true, on: disk)
      let stream = try EventStream(folder: "events", options: options.reading, mayBegin: true)
      var drafts = drafts
      if isNew {
        // The opening isn't repeated if it is stored, although it was never acknowledged.
        var position = 0
        var names = SymbolTable()
        var item = StreamItem()
        var events = try EventStream(folder: "events", options: options.reading, mayBegin: true)
        while try events.next(&item, names: &names) { position += 1 }
        if position > 0 {
          drafts = [Draft(.reminderSet(habit: "noalc", time: "21:30", enabled: true))]
        }
      }
      tally.torn += stream.tornTails.count
      torn = stream.tornTails.first { $0.path == log.path }.map {
        TornEnd(writer, at: $0.offset, on: disk)
      }
      if machine != nil { torn = nil }
      var cache = stays ? logs.removeValue(forKey: writer) : nil
      if cache != nil { tally.followed += 1 }
      defer { if stays { logs[writer] = cache } }
      let batch = Drafts(drafts)
      let decision = try log.append(
        to: &cache, if: options, random: SeededRandom(seed: random.next())
      ) { _ in batch }
      isWritten = decision?.batch.isEmpty == false
    } catch {
      switch error.kind {
      case .system, .vanished, .notWritten, .outcomeUnknown, .busy: failure = error
      case .conflict where batches.contains { $0.isContested }: failure = error
      // Only a segment that was set back can be too short, never after a crash; its writer accepts
      // the loss.
      case .shortSegment where self.tally.meddlings > 0 && !isForced:
        return try append(drafts, writer, isNew: isNew, on: machine, isForced: true, stays: stays)
      default: throw Violation(description: "\(error)")
      }
    }
    if meddlings != tally.meddlings { torn = nil }
    try note(torn, isWritten: isWritten)
    return failure
  }

  func note(_ torn: TornEnd?, isWritten: Bool) throws {
    if let torn, let put = try torn.putAside(isWritten: isWritten, on: disk) {
      aside[put.name] = put.bytes
    }
  }

  private func check() throws {
    try check(try ids())
    let files = disk.contents(of: "events")
    try checkRedactions()
    for (name, bytes) in aside where files[name]?.starts(with: bytes) != true {
      throw Violation(description: "\(name) has not what was put aside")
    }
  }

  /// Checks that each batch is stored completely or not at all, and acknowledged batches are
  /// stored.
  func check(_ ids: [String]) throws {
    var counts: [String: Int] = [:]
    for id in ids { counts[id, default: 0] += 1 }
    if let id = counts.first(where: { $0.value > 1 })?.key {
      throw Violation(description: "\(id) stands twice")
    }
    for batch in batches {
      let standing = batch.ids.count { counts[$0] != nil }
      if standing != batch.ids.count, standing > 0 || batch.isRecorded {
        throw Violation(
          description: "\(standing) of the \(batch.ids.count) events of batch \(batch.number) stand"
            + (batch.isRecorded ? ", and it was recorded" : ""))
      }
    }
  }

  /// Runs all checks of `streaks verify`; only a torn end may be found, until the next append.
  private func verify(allowsTorn: Bool) throws {
    var verification = Verification("events", on: disk)
    try verification.run()
    for finding in verification.findings where !allowsTorn || finding.check != .torn {
      // A removed segment was seen, so it is found until its writer accepts the loss.
      if finding.check == .seen, tally.meddlings > 0 { continue }
      throw Violation(description: "verify finds \(finding)")
    }
  }
}

extension Failure {
  /// Whether the file that was read or locked has been replaced.
  var isOfMeddling: Bool { says.text.contains("cannot rely on ") }
}
