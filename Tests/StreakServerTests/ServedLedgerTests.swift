import CommandFixtures
import DomainFixtures
import EventLog
import Foundation
import StreakDomain
import StreakServer
import Testing

struct ServedLedgerTests {
  private static let now = Instant(microseconds: 1_762_160_400_000_000)

  private func ledger(on disk: SimulatedDisk, writer: String = "main") -> ServedLedger {
    var reading = ReadingOptions()
    reading.disk = disk
    return ServedLedger(folder: "events", writer: writer, reading: reading)
  }

  private var context: ServedLedger.RequestContext {
    ServedLedger.RequestContext(machineZone: "UTC", wait: .zero, clock: { ServedLedgerTests.now })
  }

  private func draft(_ id: String, _ payload: Payload) -> Draft {
    var draft = Draft(payload, zone: "UTC")
    draft.id = id
    return draft
  }

  private func entry(_ id: String) -> PostedEvents {
    var entry = Entry(habit: "noalc")
    entry.level = "steady"
    return PostedEvents([draft(id, .entryLogged(entry))])
  }

  private var first: PostedEvents {
    PostedEvents([
      draft("opened", .ledgerOpened()),
      draft("defined", .habitDefined(Preset.noalc.definition(for: "noalc"))),
    ])
  }

  @Test(arguments: UInt64(1)...40)
  func `after a sync that failed the next answer is of what is on the disk`(seed: UInt64) throws {
    let disk = SimulatedDisk(seed: seed)
    let ledger = ledger(on: disk)
    _ = try ledger.append(first, context)
    disk.faults.syncPercent = 100
    let failure = #expect(throws: Problem.self) { try ledger.append(entry("unknown"), context) }
    #expect(failure?.kind == .outcomeUnknown)
    #expect(try ledger.state(context).ledger.position == 2)
    disk.faults = SimulatedDisk.Faults()
    let shown = try ledger.state(context).ledger.position
    disk.restart(losesPower: true)
    #expect(try self.ledger(on: disk).state(context).ledger.position == shown, "seed \(seed)")
    #expect(
      try ledger.append(entry("unknown"), context).results.map(\.status) == [
        shown == 3 ? .exists : .recorded
      ])
  }

  @Test func `what another writer has not ended is shown once it is on the disk`() throws {
    let disk = SimulatedDisk(seed: 1)
    let ledger = ledger(on: disk)
    _ = try ledger.append(first, context)
    let phone = self.ledger(on: disk, writer: "phone")
    _ = try phone.append(entry("other"), context)
    let bytes = try #require(disk.contents(of: "events")["phone.jsonl"])
    disk.put(Array(bytes.dropLast()), at: "events/phone.jsonl")
    disk.faults.syncPercent = 100
    #expect(try ledger.state(context).ledger.position == 2)
    disk.faults = SimulatedDisk.Faults()
    #expect(try ledger.state(context).ledger.position == 3)
  }

  @Test(arguments: UInt64(1)...60)
  func `a power cut loses no event that was acknowledged`(seed: UInt64) throws {
    let disk = SimulatedDisk(seed: seed)
    let ledger = ledger(on: disk)
    _ = try ledger.append(first, context)
    var random = SeededRandom(seed: seed)
    disk.faults.callsUntilStop = 1 + random.below(200)
    var acknowledged: [String] = []
    for number in 0..<12 {
      let id = "e\(number)"
      do {
        _ = try ledger.append(entry(id), context)
        acknowledged.append(id)
      } catch { break }
    }
    disk.faults = SimulatedDisk.Faults()
    disk.restart(losesPower: true)
    let found = try self.ledger(on: disk).state(context).ledger
    let ids = Set((1...found.position).map { found.id(at: $0) })
    #expect(ids.isSuperset(of: acknowledged), "seed \(seed)")
  }
}
