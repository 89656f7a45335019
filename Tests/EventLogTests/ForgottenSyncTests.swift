import CommandFixtures
import DomainFixtures
import EventLog
import StreakDomain
import Testing

/// Data that the system drops after a failed sync are written again before anything relies on them.
struct ForgottenSyncTests {
  private func append(
    _ id: String, note: Int, to disk: SimulatedDisk, beginning: [Payload] = []
  ) throws {
    var entry = Entry(habit: "noalc")
    entry.level = "steady"
    entry.note = Text(String(repeating: "n", count: note))
    var draft = Draft(.entryLogged(entry))
    draft.id = id
    var options = AppendOptions(
      now: Instant(microseconds: 1_762_160_400_000_000), machineZone: "Europe/Berlin")
    options.reading.disk = disk
    let log = try LogWriter(folder: "events", writer: "main", wait: 0, makesFolder: true, on: disk)
    let drafts = Drafts(beginning.map { Draft($0, zone: "Europe/Berlin") } + [draft])
    var cache: FoldedLog?
    _ = try log.append(to: &cache, if: options, random: SeededRandom(seed: 1)) { _ in drafts }
  }

  private func ids(on disk: SimulatedDisk) throws -> [String] {
    var options = ReadingOptions()
    options.disk = disk
    var stream = try EventStream(folder: "events", options: options)
    var names = SymbolTable()
    var item = StreamItem()
    var ids: [String] = []
    while try stream.next(&item, names: &names) { ids.append(item.id.text(names)) }
    return ids
  }

  private func size(on disk: SimulatedDisk) -> Int {
    disk.contents(of: "events")["main.jsonl"]?.count ?? 0
  }

  @Test(arguments: UInt64(1)...30)
  func `events recorded after a failed sync survive a power failure`(seed: UInt64) throws {
    let disk = SimulatedDisk(seed: seed)
    let beginning: [Payload] = [
      .ledgerOpened(), .habitDefined(Preset.noalc.definition(for: "noalc")),
    ]
    try append("one", note: 0, to: disk, beginning: beginning)
    try fillPage(disk)
    #expect(size(on: disk) % 4096 == 0)
    disk.faults.syncPercent = 100
    #expect(throws: Failure.self) { try append("unknown", note: 5, to: disk) }
    disk.faults = SimulatedDisk.Faults()
    disk.restart(losesPower: false)
    try append("after", note: 5, to: disk)
    let before = try ids(on: disk)
    disk.restart(losesPower: true)
    #expect(try ids(on: disk) == before)
    #expect(before.last == "after")
  }

  private func fillPage(_ disk: SimulatedDisk) throws {
    for number in 0..<20 {
      let before = size(on: disk)
      try append("probe\(number + 10)", note: 1, to: disk)
      let length = size(on: disk) - before - 1
      let rest = 4096 - size(on: disk) % 4096
      // The rest of the page fits into one line.
      guard (length...length + 1000).contains(rest) else { continue }
      return try append("probe99", note: rest - length, to: disk)
    }
  }
}
