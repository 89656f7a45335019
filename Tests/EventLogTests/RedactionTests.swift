import CommandFixtures
import DomainFixtures
import EventLog
import Inspection
import StreakDomain
import Testing

struct RedactionTests {
  private static let secret = "met Lena at the clinic"

  /// Returns a disk with a ledger of two days: `e0` to `e3` have notes, and that of `e1` is
  /// redacted later.
  private func disk(seed: UInt64) throws -> SimulatedDisk {
    let disk = SimulatedDisk(seed: seed)
    let beginning: [Payload] = [
      .ledgerOpened(), .habitDefined(Preset.noalc.definition(for: "noalc")),
    ]
    try append(
      beginning.map { Draft($0, zone: "Europe/Berlin") } + [entry("e0", "first")], on: disk, day: 0)
    try append([entry("e1", RedactionTests.secret)], on: disk, day: 0)
    try append([entry("e2", "after")], on: disk, day: 1)
    return disk
  }

  private func entry(_ id: String, _ note: String) -> Draft {
    var entry = Entry(habit: "noalc")
    entry.level = "steady"
    entry.note = Text(note)
    var draft = Draft(.entryLogged(entry))
    draft.id = id
    return draft
  }

  private func options(_ disk: SimulatedDisk, day: Int) -> AppendOptions {
    var options = AppendOptions(
      now: Instant(microseconds: 1_762_160_400_000_000 + Int64(day) * 86_400_000_000),
      machineZone: "Europe/Berlin")
    options.reading.disk = disk
    return options
  }

  private func append(_ drafts: [Draft], on disk: SimulatedDisk, day: Int) throws {
    let log = try LogWriter(
      folder: "events", writer: "main", wait: 0, makesFolder: day == 0, on: disk)
    var cache: FoldedLog?
    _ = try log.append(
      to: &cache, if: options(disk, day: day), random: SeededRandom(seed: UInt64(day))
    ) { _ in Drafts(drafts) }
  }

  @discardableResult
  private func redact(on disk: SimulatedDisk, day: Int) throws -> Bool {
    try disk.redact("e1", of: "main", options(disk, day: day), seed: 9)
  }

  private func findings(on disk: SimulatedDisk, heads: String? = nil) throws -> [Finding] {
    let kept = try heads.map { try SegmentHead.list(Array($0.utf8), of: "heads") }
    var verification = Verification("events", against: kept ?? [], on: disk)
    try verification.run()
    return verification.findings
  }

  private func heads(on disk: SimulatedDisk) throws -> String {
    var verification = Verification("events", on: disk)
    try verification.run()
    return verification.heads.map { "\($0)\n" }.joined() + "segments \(verification.heads.count)\n"
  }

  private func holders(_ disk: SimulatedDisk) -> [String] {
    disk.contents(of: "events").filter {
      BytePattern(RedactionTests.secret).first(in: $0.value) != nil
    }.keys
      .sorted()
  }

  @Test(arguments: [1, 2, 9])
  func `a redaction removes the text, moves no offset and keeps earlier heads valid`(day: Int)
    throws
  {
    let disk = try disk(seed: 1)
    let heads = try heads(on: disk)
    let before = try #require(disk.contents(of: "events")["main.jsonl"])
    try redact(on: disk, day: day)
    let after = try #require(disk.contents(of: "events")["main.jsonl"])
    let changed = before.indices.filter { before[$0] != after[$0] }
    #expect(changed.count <= RedactionTests.secret.utf8.count + 1)
    #expect(holders(disk) == [])
    #expect(try findings(on: disk, heads: heads) == [])
    // The next seal refers to the original lines, too.
    try append([entry("e3", "later")], on: disk, day: 10)
    #expect(try findings(on: disk, heads: heads) == [])
  }

  @Test
  func `a redaction killed at any moment damages nothing, and a second one completes it`() throws {
    var isDone = false
    var outcomes: Set<Bool> = []
    for call in 0..<400 where !isDone {
      for losesPower in [false, true] {
        let disk = try disk(seed: UInt64(call))
        let heads = try heads(on: disk)
        try tear(disk)
        disk.faults.callsUntilStop = call
        isDone = (try? redact(on: disk, day: 2)) != nil
        disk.faults = SimulatedDisk.Faults()
        disk.restart(losesPower: losesPower)
        let found = try findings(on: disk, heads: heads).filter { $0.check != .torn }
        #expect(found == [], "call \(call), loses power: \(losesPower)")
        let isGone = try stored("e1", on: disk) == ""
        outcomes.insert(isGone)
        if isDone { #expect(isGone, "call \(call)") }
        #expect(try redact(on: disk, day: 2) == !isGone, "call \(call)")
        #expect(holders(disk) == [], "call \(call), loses power: \(losesPower)")
        #expect(try findings(on: disk, heads: heads) == [], "call \(call)")
        try append([entry("e3", "later")], on: disk, day: 3)
        #expect(disk.contents(of: "events")[".batch"] == nil)
        #expect(try findings(on: disk, heads: heads) == [], "call \(call)")
      }
    }
    #expect(isDone)
    #expect(outcomes == [false, true])
  }

  @Test(arguments: 0..<8 as Range<UInt64>)
  func `an event appended after a killed redaction survives a power failure`(seed: UInt64) throws {
    var isDone = false
    for call in 0..<400 where !isDone {
      let disk = try disk(seed: seed)
      disk.faults.callsUntilStop = call
      isDone = (try? redact(on: disk, day: 2)) != nil
      disk.faults = SimulatedDisk.Faults()
      disk.restart(losesPower: false)

      try append([entry("e3", "later")], on: disk, day: 3)
      disk.restart(losesPower: true)
      var replay = Replay(
        try EventStream(folder: "events", options: options(disk, day: 0).reading))
      while try replay.nextStep() {}
      #expect(replay.ledger.facts.position(of: "e3") != nil, "call \(call)")
    }
    #expect(isDone)
  }

  @Test func `a redaction on a failing disk reports whether the text was removed`() throws {
    var refused = 0
    for seed in UInt64(0)..<150 {
      let disk = try disk(seed: seed)
      let heads = try heads(on: disk)
      disk.faults.percent = 6
      disk.faults.syncPercent = seed % 2 == 0 ? 30 : 0
      var failure: Failure?
      do { try redact(on: disk, day: 2) } catch let error as Failure { failure = error }
      disk.faults = SimulatedDisk.Faults()
      let isGone = try stored("e1", on: disk) == ""
      switch failure?.kind {
      case nil: #expect(isGone, "seed \(seed)")
      case .outcomeUnknown: break
      default:
        refused += 1
        #expect(!isGone, "seed \(seed): \(String(describing: failure))")
      }
      disk.restart(losesPower: true)
      let found = try findings(on: disk, heads: heads).filter { $0.check != .torn }
      #expect(found == [], "seed \(seed): \(found), \(String(describing: failure)), \(isGone)")
      try redact(on: disk, day: 2)
      #expect(holders(disk) == [], "seed \(seed)")
    }
    #expect(refused > 10)
  }

  private func tear(_ disk: SimulatedDisk) throws {
    let bytes = try #require(disk.contents(of: "events")["main.jsonl"])
    disk.put(
      bytes + Array(#"{"id":"e9","note":"\#(RedactionTests.secret)"#.utf8), at: "events/main.jsonl")
    disk.put(Array("…\(RedactionTests.secret)".utf8), at: "events/main.torn-100")
  }

  private func stored(_ id: String, on disk: SimulatedDisk) throws -> String? {
    var note: String?
    try EventStream(folder: "events", options: options(disk, day: 0).reading).eachLine(of: "main") {
      line in
      guard line.id == id else { return }
      note = RedactableTexts(line.bytes).texts.first.map {
        String(decoding: line.bytes[$0.content], as: UTF8.self)
      }
    }
    return note
  }

  @Test func `a redaction leaves the torn files of other writers unchanged`() throws {
    let disk = try disk(seed: 3)
    let torn = Array(RedactionTests.secret.utf8)
    for name in ["phone.torn-7", "main.torn-7.old", "main-2.torn-9"] {
      disk.put(torn, at: "events/\(name)")
    }
    try redact(on: disk, day: 1)
    #expect(holders(disk) == ["main-2.torn-9", "main.torn-7.old", "phone.torn-7"])
  }
}
