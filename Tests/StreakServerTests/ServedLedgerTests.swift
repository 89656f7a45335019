import CommandFixtures
import DomainFixtures
import EventLog
import StreakCommands
import StreakDomain
import StreakServer
import Testing

struct ServedLedgerTests {
  private func invocation(_ disk: SimulatedDisk) -> Invocation {
    var context = WebRequest.context(now: "2025-11-03T12:00:00+01:00")
    context.reading.disk = disk
    return Invocation(
      forOtherProgram: CommandList.append,
      Arguments(positionals: [], values: ["--events": ["events"]]), context)
  }

  private func append(
    _ drafts: [Draft], to ledger: ServedLedger, on disk: SimulatedDisk
  ) throws(Problem) -> [AppendResult] {
    try ledger.append(drafts, invocation(disk), wait: .zero).results
  }

  private func events(in ledger: ServedLedger, on disk: SimulatedDisk) throws -> Ledger {
    var invocation = invocation(disk)
    return try ledger.begin(&invocation)
  }

  private func draft(_ id: String, _ payload: Payload) -> Draft {
    var draft = Draft(payload, zone: "UTC")
    draft.id = id
    return draft
  }

  private func entry(_ id: String) -> [Draft] {
    var entry = Entry(habit: "noalc")
    entry.level = "steady"
    return [draft(id, .entryLogged(entry))]
  }

  private var first: [Draft] {
    [
      draft("opened", .ledgerOpened()),
      draft("defined", .habitDefined(Preset.noalc.definition(for: "noalc"))),
    ]
  }

  @Test(arguments: UInt64(1)...40)
  func `after a failed sync, repeating the request records the event once and on disk`(
    seed: UInt64
  ) throws {
    let disk = SimulatedDisk(seed: seed)
    let ledger = ServedLedger()
    _ = try append(first, to: ledger, on: disk)
    disk.faults.syncPercent = 100
    let failure = #expect(throws: Problem.self) {
      try append(entry("unknown"), to: ledger, on: disk)
    }
    #expect(failure?.kind == .outcomeUnknown)
    disk.faults = SimulatedDisk.Faults()
    let found = try events(in: ledger, on: disk).position
    #expect(
      try append(entry("unknown"), to: ledger, on: disk).map(\.status) == [
        found == 3 ? .exists : .recorded
      ])
    disk.restart(losesPower: true)
    #expect(try events(in: ServedLedger(), on: disk).position == 3, "seed \(seed)")
  }

  @Test(arguments: UInt64(1)...60)
  func `a power failure loses no event that was acknowledged`(seed: UInt64) throws {
    let disk = SimulatedDisk(seed: seed)
    let ledger = ServedLedger()
    _ = try append(first, to: ledger, on: disk)
    var random = SeededRandom(seed: seed)
    disk.faults.callsUntilStop = 1 + random.below(200)
    var acknowledged: [String] = []
    for number in 0..<12 {
      let id = "e\(number)"
      do {
        _ = try append(entry(id), to: ledger, on: disk)
        acknowledged.append(id)
      } catch { break }
    }
    disk.faults = SimulatedDisk.Faults()
    disk.restart(losesPower: true)
    let found = try events(in: ServedLedger(), on: disk)
    let ids = Set((1...found.position).map { found.id(at: $0) })
    #expect(ids.isSuperset(of: acknowledged), "seed \(seed)")
  }
}
