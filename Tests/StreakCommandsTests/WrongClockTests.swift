import CommandFixtures
import StreakCommands
import StreakDomain
import Testing

struct WrongClockTests {
  private static let right = "2025-11-05T12:00:00+01:00"
  private static let ahead = "2025-12-05T12:00:00+01:00"

  private func ledger(_ wrong: String) throws -> TemporaryLedger {
    let ledger = try TemporaryLedger(now: "2025-11-01T12:00:00+01:00")
    ledger.run("init noalc saboteur-avoidance")
    for day in 1...4 {
      try ledger.run(all: "log noalc steady --id n\(day)", at: "2025-11-0\(day)T12:00:00+01:00")
    }
    ledger.now = WrongClockTests.ahead
    try ledger.run(all: wrong)
    ledger.now = WrongClockTests.right
    return ledger
  }

  private func state(_ ledger: TemporaryLedger) -> [String?] {
    let state = ledger.run("replay --json --at end")
    let fields = [
      "current", "start", "best", "longest", "status", "ifMissed", "safeThrough", "totals.entries",
    ]
    return [state["today"], state["xp"]]
      + ["noalc", "saboteur-avoidance"].flatMap { habit in
        (fields + ["days.good", "days.missed", "jokers.earned"]).map {
          state["habits.\(habit).\($0)"]
        }
      }
  }

  private func sound() throws -> [String?] {
    let ledger = try ledger("show")
    ledger.run("day")
    return state(ledger)
  }

  @Test func `an error after an event was recorded is a notice, and the exit code is 0`() throws {
    let ledger = try TemporaryLedger()
    let disk = SimulatedDisk(seed: 1)
    ledger.disk = disk
    try ledger.run(all: "init noalc")
    try ledger.run(all: "log noalc steady", at: "2026-11-03T12:00:00+01:00")
    ledger.now = "2025-11-04T12:00:00+01:00"
    var hasWritten = false
    var segments: [String: [UInt8]] = [:]
    disk.onCall = { operation in
      if operation == "write to" { hasWritten = true }
      guard hasWritten, operation == "list" else { return }
      segments = disk.contents(of: ledger.events)
      for name in segments.keys { disk.put(nil, at: "\(ledger.events)/\(name)") }
    }
    let output = ledger.run("log noalc steady --force")
    disk.onCall = nil
    for (name, bytes) in segments { disk.put(bytes, at: "\(ledger.events)/\(name)") }
    #expect(output.status == .done)
    #expect(output.errors.contains("recorded, but then: there is no ledger"), "\(output.screen)")
    #expect(ledger.run("entries noalc").text.split(separator: "\n").count == 2)
  }

  @Test(arguments: [
    "log noalc steady", "log noalc wild --id w", "excuse 2025-12-05", "define noalc --strict",
  ])
  func `log before a day moved by a wrong clock is refused, and undo moves the day back`(
    wrong: String
  ) throws {
    let ledger = try ledger(wrong)
    let stored = ledger.stored()
    let refused = ledger.run("log noalc steady")
    #expect(refused.status == .badData, "\(refused.errors)")
    #expect(
      refused.errors.contains(
        """
        main.jsonl:11:1: the ledger is already at 2025-12-05, set by this event, but the clock \
        says 2025-11-05; 
        """
          + """
          if the clock was wrong then, `streaks day --correct` moves the day back; if it is \
          wrong now, set it, or go 
          """
          + "on with --force"),
      "\(refused.errors)")
    #expect(ledger.stored() == stored)
    let output = ledger.run("undo")
    #expect(output.status == .done, "\(output.errors)")
    #expect(try state(ledger) == sound(), "\(wrong)")
    #expect(ledger.run("log noalc steady").status == .done)
    #expect(ledger.run("verify").screen.isEmpty)
  }

  @Test func `day --correct reverts thousands of events that moved the day, in several lines`()
    throws
  {
    let ledger = try ledger("log noalc steady")
    ledger.now = WrongClockTests.ahead
    let entry = #"{"type":"entry.logged","habit":"noalc","level":"steady"}"#
    try ledger.write(ledger.bytes(), to: "main.jsonl")
    #expect(
      ledger.run("append", input: Array(repeating: entry, count: 4000).joined(separator: "\n"))
        .status
        == .done)
    ledger.now = WrongClockTests.right
    #expect(ledger.run("day --correct").status == .done)
    #expect(ledger.stored().filter { $0["type"] == "day.corrected" }.count == 3)
    #expect(ledger.run("replay --json")["today"] == "2025-11-05")
    #expect(ledger.run("verify").screen.isEmpty)
  }

  @Test
  func `day --correct lists events on later days that another device with a wrong clock wrote`()
    throws
  {
    let laptop = try TemporaryLedger(
      running: "init noalc meditation", now: "2025-11-03T12:00:00+01:00")
    try laptop.run(
      all: "log noalc steady --id n --writer phone\nlog meditation 12m --id m --writer phone",
      at: "2025-11-06T20:00:00+01:00")
    let corrected = laptop.run("day --correct --now 2025-11-04T22:00:00+01:00")
    #expect(corrected.text.contains("2 events on later days or at a time to come"), "\(corrected)")
    #expect(corrected.text.contains("noalc steady  n\n"), "\(corrected)")
    #expect(corrected.text.contains("meditation 12 min  m\n"), "\(corrected)")
  }

  @Test
  func `a correction looks late against heads with a wrong stamp, until new heads cover it`()
    throws
  {
    let laptop = try TemporaryLedger(running: "init noalc", now: "2025-11-03T12:00:00+01:00")
    try laptop.run(
      all: "log noalc steady --writer phone", at: "2025-11-06T20:00:00+01:00")
    let against = "verify --against \(laptop.events)/heads.txt"
    try laptop.write(Array(laptop.run("verify --heads").text.utf8), to: "heads.txt")
    try laptop.run(
      all: "day --correct\nlog noalc steady", at: "2025-11-04T22:00:00+01:00")
    let found = laptop.run(against)
    #expect(found.text.contains("main.jsonl:3: late: "), "\(found.screen)")
    #expect(found.text.contains("what is late by them may be on time"), "\(found.screen)")

    try laptop.write(Array(laptop.run("verify --heads").text.utf8), to: "heads.txt")
    try laptop.run(all: "log noalc steady", at: "2025-11-04T23:00:00+01:00")
    #expect(laptop.run(against).screen.isEmpty, "\(laptop.run(against).screen)")
  }

  private func phoneAhead() throws -> TemporaryLedger {
    let ledger = try TemporaryLedger(now: "2025-11-03T12:00:00+01:00")
    try ledger.run(all: "init noalc\nlog noalc steady")
    ledger.now = "2025-11-05T12:00:00+01:00"
    try ledger.run(all: "log noalc steady --writer phone\nlog noalc steady --writer phone")
    ledger.now = "2025-11-04T20:00:00+01:00"
    return ledger
  }

  private func says(_ ledger: TemporaryLedger) -> String {
    """
    \(ledger.events)/phone.jsonl:1: this event moved the ledger to 2025-11-05, but the clock says \
    2025-11-04; 
    """
      + "if the clock that wrote the event was wrong, run `streaks day --correct`\n"
  }

  @Test(arguments: ["show", "show --json", "log noalc steady"])
  func `commands report the line that moved today while the clock was ahead`(command: String) throws
  {
    let ledger = try phoneAhead()
    let output = ledger.run(command)
    #expect(output.status == .done)
    #expect(output.errors == says(ledger))
    #expect(!ledger.run("show --on 2025-11-03").errors.contains("the clock says"))
    ledger.now = "2025-11-05T00:00:00+01:00"
    #expect(ledger.run(command).errors.isEmpty)
  }

  @Test func `verify reports a line that moved today ahead until that day has come`() throws {
    let ledger = try phoneAhead()
    let output = ledger.run("verify")
    #expect(output.status == .failed)
    #expect(output.text == says(ledger).replacing(":1: ", with: ":1: clock: "))
    let document = ledger.run("verify --json")
    #expect(document["findings.0.check"] == "clock" && document["findings.0.line"] == "1")
    #expect(document["findings.0.event"] == ledger.stored(in: "phone")[0]["id"])
    ledger.now = "2025-11-05T00:00:00+01:00"
    #expect(ledger.run("verify").screen.isEmpty)
  }
}
