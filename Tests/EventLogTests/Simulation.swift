import EventLog
import StreakDomain
import TestSupport

/// A history of appends, faults, kills and power failures on a simulated disk, from one seed.
///
/// Two writers append batches, now and then one that was tried before, with one entry too long for a page here and there.
/// What must hold whatever the disk did: each batch stands whole or not at all, none twice, and those whose
/// writer was told that they are recorded stand.
struct Simulation {
  /// What went through, to see that the worst was done at all.
  struct Tally {
    var recorded = 0
    var refused = 0
    var unknown = 0
    var kills = 0
    var powerFailures = 0
    var torn = 0

    static func + (a: Tally, b: Tally) -> Tally {
      Tally(
        recorded: a.recorded + b.recorded, refused: a.refused + b.refused, unknown: a.unknown + b.unknown,
        kills: a.kills + b.kills, powerFailures: a.powerFailures + b.powerFailures, torn: a.torn + b.torn)
    }
  }

  struct Violation: Error, CustomStringConvertible {
    let description: String
  }

  private struct Batch {
    let number: Int
    let sizes: [Int]
    var ids: [String] { sizes.indices.map { "b\(number)-\($0)" } }
    var isRecorded = false
  }

  private let disk: SimulatedDisk
  private var random: SeededRandom
  private let isSyncingBad: Bool
  private var now = Instant(microseconds: 1_762_160_400_000_000)
  private var batches: [Batch] = []
  private(set) var tally = Tally()

  init(seed: UInt64) {
    disk = SimulatedDisk(seed: seed)
    random = SeededRandom(seed: seed ^ 0xFFFF)
    isSyncingBad = seed % 3 == 0
  }

  /// The files at the end.
  var files: [String: [UInt8]] { disk.contents(of: "events") }

  mutating func run(steps: Int) throws {
    try begin()
    for _ in 0..<steps {
      now = now + Int64(random.below(30)) * 1_800_000_000
      makeFaults()
      try step(random.chance(50) ? "a" : "b")
      if disk.faults.callsUntilStop != nil || random.chance(10) { restart() }
      disk.faults = SimulatedDisk.Faults()
      try check()
    }
    // Each writer clears away what it left behind.
    for writer in ["a", "b"] {
      guard try append([draft("end-\(writer)", 0)], writer) == nil else {
        throw Violation(description: "a sound disk refuses to append")
      }
    }
    try check()
  }

  private mutating func begin() throws {
    let definitions: [Payload] = [
      .ledgerOpened(owner: nil), .habitDefined(Preset.noalc.definition(for: "noalc")),
    ]
    // A ledger is begun on the same disk; who is told that it is not tries again.
    repeat {
      if disk.faults.callsUntilStop != nil { restart() }
      makeFaults()
    } while try append(definitions.map { Draft($0, zone: "Europe/Berlin") }, "a", isNew: true) != nil
    if disk.faults.callsUntilStop != nil { restart() }
  }

  /// Each kind of fault now and then; syncs that fail one after the other in some histories.
  private mutating func makeFaults() {
    disk.faults.percent = random.below(3) == 0 ? 8 : 0
    disk.faults.syncPercent = isSyncingBad ? 40 : 0
    disk.faults.callsUntilStop = random.below(3) == 0 ? random.below(40) : nil
  }

  private mutating func restart() {
    let losesPower = random.chance(50)
    if losesPower { tally.powerFailures += 1 } else { tally.kills += 1 }
    disk.faults = SimulatedDisk.Faults()
    disk.restart(losesPower: losesPower)
  }

  /// Appends a batch, now and then together with one that was tried before.
  private mutating func step(_ writer: String) throws {
    batches.append(Batch(number: batches.count, sizes: sizes()))
    var chosen = [batches.count - 1]
    if random.chance(40) {
      let earlier = random.below(batches.count)
      chosen = random.chance(50) ? [earlier] : [earlier, batches.count - 1]
    }
    chosen = Array(Set(chosen)).sorted()
    let drafts = chosen.flatMap { index in
      zip(batches[index].ids, batches[index].sizes).map { draft($0, $1) }
    }
    switch try append(drafts, writer) {
    case nil:
      tally.recorded += 1
      for index in chosen { batches[index].isRecorded = true }
    case .unknownOutcome: tally.unknown += 1
    default: tally.refused += 1
    }
  }

  private mutating func sizes() -> [Int] {
    let count = random.chance(30) ? 1 + random.below(60) : 1 + random.below(3)
    return (0..<count).map { _ in random.chance(3) ? 900 : random.below(60) }
  }

  private func draft(_ id: String, _ size: Int) -> Draft {
    var entry = Entry(habit: "noalc")
    entry.level = "steady"
    entry.note = String(repeating: "n", count: size)
    var draft = Draft(.entryLogged(entry), zone: nil)
    draft.id = id
    return draft
  }

  /// Appends as every command does: lock, read, decide, write; the error, if it is one of the disk.
  private mutating func append(
    _ drafts: [Draft], _ writer: String, isNew: Bool = false
  ) throws -> LogError? {
    var options = AppendOptions(now: now, machineZone: "Europe/Berlin")
    options.reading.disk = disk
    do throws(LogError) {
      let log = try OpenLog(folder: "events", writer: writer, wait: 0, makesFolder: true, on: disk)
      let stream = try EventStream(folder: "events", options: options.reading)
      var drafts = drafts
      if isNew {
        // What stands already is not begun again, yet nobody was told that it is recorded.
        var position = 0
        var names = Names()
        var item = StreamItem()
        var events = try EventStream(folder: "events", options: options.reading)
        while try events.next(&item, names: &names) { position += 1 }
        if position > 0 { drafts = [Draft(.expectationStated(expects: "xp >= 0"), zone: nil)] }
      }
      tally.torn += stream.tornTails.count
      let decision = try Appender.decide(
        drafts, stream: stream, writer: writer, options: options, random: SeededRandom(seed: random.next()))
      try log.write(decision)
      return nil
    } catch {
      switch error {
      case .system, .notWritten, .unknownOutcome: return error
      default: throw Violation(description: "\(error)")
      }
    }
  }

  /// Reads the stream as any command would, and counts.
  private func check() throws {
    var options = ReadingOptions()
    options.disk = disk
    var stream = try EventStream(folder: "events", options: options)
    var names = Names()
    var item = StreamItem()
    var counts: [String: Int] = [:]
    while try stream.next(&item, names: &names) { counts[item.id.text(names), default: 0] += 1 }
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
}
