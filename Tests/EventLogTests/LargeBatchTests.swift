import CommandFixtures
import DomainFixtures
import EventLog
import StreakDomain
import Testing

/// A batch of which most lines wait in a file is the same batch.
struct LargeBatchTests {
  private let now = Instant(microseconds: 1_762_160_400_000_000)

  private func entry(_ number: Int, _ id: String? = nil) -> Draft {
    var entry = Entry(habit: "noalc")
    entry.level = "steady"
    entry.note = "number \(number)"
    var draft = Draft(.entryLogged(entry), zone: nil)
    draft.id = id ?? "entry-\(number)"
    draft.day = Day("2025-10-30")
    return draft
  }

  private var beginning: [Draft] {
    let at = Timestamp("2025-10-30T12:00:00+01:00")
    let payloads: [Payload] = [
      .ledgerOpened(), .habitDefined(Preset.noalc.definition(for: "noalc")),
    ]
    return payloads.map {
      var draft = Draft($0, zone: "Europe/Berlin")
      draft.at = at
      return draft
    }
  }

  /// Days that begin between entries, each with a seal.
  private var drafts: [Draft] {
    let days = ["2025-10-31", "2025-11-01", "2025-11-02", "2025-11-03"].compactMap { Day($0) }
    return (0..<40).map { number in
      guard number % 10 == 0 else { return entry(number) }
      var draft = Draft(.dayChanged(to: days[number / 10], seal: nil), zone: nil)
      draft.id = "day-\(number)"
      draft.day = days[number / 10]
      return draft
    }
  }

  /// Appends, holding at most `limit` bytes of lines; nil holds all of them.
  @discardableResult
  private func append(_ drafts: [Draft], limit: Int?, to disk: SimulatedDisk) throws -> Decision {
    var options = AppendOptions(now: now, machineZone: "Europe/Berlin")
    options.reading.disk = disk
    let log = try LogWriter(folder: "events", writer: "main", wait: 0, makesFolder: true, on: disk)
    if let limit {
      options.overflow = log.overflow
      options.overflow?.limit = limit
    }
    let decision = try Transaction.decide(
      drafts, stream: try EventStream(folder: "events", options: options.reading, mayBegin: true),
      writer: "main",
      options: options, random: SeededRandom(seed: 1))
    try log.write(decision)
    return decision
  }

  @Test(arguments: [0, 1, 300, 5000, 1 << 20])
  func `its bytes are the same however much of it is held`(limit: Int) throws {
    let (held, spilt) = (SimulatedDisk(seed: 1), SimulatedDisk(seed: 1))
    for (disk, limit) in [(held, nil), (spilt, limit)] {
      try append(beginning, limit: limit, to: disk)
      let decision = try append(drafts, limit: limit, to: disk)
      #expect(decision.results.map(\.id) == drafts.compactMap(\.id))
      var events: [String] = []
      try decision.batch.each { events.append($0.id) }
      #expect(events == decision.ids && events.suffix(40) == decision.results.map(\.id)[...])
    }
    let bytes = try #require(spilt.contents(of: "events")["main.jsonl"])
    #expect(bytes == held.contents(of: "events")["main.jsonl"])
    #expect(Set(spilt.contents(of: "events").keys) == [".lock", "main.jsonl"])
    #expect(
      String(decoding: bytes, as: UTF8.self).split(separator: "\n").count { $0.contains("\"seal\"") } >= 4)
    let ledger = try TemporaryLedger()
    try ledger.write(Array(bytes), to: "main.jsonl")
    let verified = ledger.run("verify")
    #expect(verified.screen.isEmpty, "\(verified.screen)")
  }

  @Test func `an id that stands in the batch before is found there, wherever its line waits`() throws {
    for limit in [nil, 0, 1 << 20] {
      let disk = SimulatedDisk(seed: 1)
      try append(beginning, limit: limit, to: disk)
      let decision = try append([entry(1), entry(2), entry(1)], limit: limit, to: disk)
      #expect(decision.results.map(\.status) == [.recorded, .recorded, .exists])
      #expect(decision.results[2].position == decision.results[0].position)
      #expect(throws: Failure.self) {
        try append([entry(3), entry(4), entry(5, "entry-3")], limit: limit, to: disk)
      }
      #expect(try append([entry(1), entry(2)], limit: limit, to: disk).batch.isEmpty)
    }
  }

  @Test func `what a killed process left of a batch that waited is taken away`() throws {
    let disk = SimulatedDisk(seed: 1)
    try append(beginning, limit: nil, to: disk)
    let left = try disk.open("events/.batch", .create)
    _ = try left.write([1, 2, 3], at: 0)
    try append(drafts, limit: 0, to: disk)
    #expect(Set(disk.contents(of: "events").keys) == [".lock", "main.jsonl"])
  }
}
