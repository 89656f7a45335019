import StreakDomain
import StreakCommands
import CommandFixtures
import DomainFixtures
import Testing

struct MachineZoneTests {
  private static let zones = [
    "UTC", "Pacific/Honolulu", "Asia/Tokyo", "Australia/Lord_Howe", "America/St_Johns",
  ].prefix(Cases.areAll ? 5 : 2)

  @Test(arguments: [
    "replay --json", "replay --json --at 2025-03-30", "replay --json --at 2025-10-26T00:30:00Z",
    "show --json --now 2025-11-20T23:30:00Z",
    "calendar noalc meditation --all --json --on 2025-11-20",
    "audit --json --on 2025-11-20", "remind --json --now 2025-11-20T23:30:00Z",
    "celebrate --json --now 2025-11-20T23:30:00Z",
    "export streak-data meditation --now 2025-11-20T23:30:00Z",
  ])
  func `commands print the same output for the sample in every time zone of the machine`(
    command: String
  ) throws {
    let words = TemporaryLedger.words(command) + ["--events", Repository.root + "/events"]
    let outputs = try MachineZoneTests.zones.map {
      try BuiltProgram.output(words, environment: ["TZ": $0])
    }
    #expect(outputs[0].count > 20)
    #expect(Set(outputs).count == 1)
  }

  @Test func `commands write the same bytes in every time zone of the machine`() throws {
    let host = try TemporaryLedger(now: "2025-11-03T20:00:00+09:00")
    try host.run(all: "init awareness game --zone Asia/Tokyo")
    let start = host.bytes()
    let written = try MachineZoneTests.zones.map { zone in
      let ledger = try TemporaryLedger()
      try ledger.write(start, to: "main.jsonl")
      for (command, now) in [
        ("log awareness calm --id a", "2025-11-03T14:59:59.999Z"),
        ("day --id b", "2025-11-03T15:00:00Z"),
        ("log game completed --id c", "2025-11-03T15:00:00.001Z"),
        ("excuse 2025-11-06 --id d", "2025-11-04T14:00:00Z"),
      ] {
        let words = TemporaryLedger.words(command) + ["--now", now, "--events", ledger.events]
        _ = try BuiltProgram.output(words, environment: ["TZ": zone, "STREAKS_WRITER": "main"])
      }
      #expect(ledger.stored("a", "day") == "2025-11-03")
      #expect(ledger.stored("c", "day") == "2025-11-04")
      return ledger.bytes()
    }
    #expect(Set(written).count == 1)
  }
}
