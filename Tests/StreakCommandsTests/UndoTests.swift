import CommandFixtures
import DomainFixtures
import Foundation
import StreakCommands
import StreakDomain
import Testing

struct UndoTests {
  @Test func `an entry logged and deleted in one batch leaves nothing to undo`() throws {
    let ledger = try UndoneLedger.make()
    let batch = [
      #"{"id":"x","type":"entry.logged","habit":"noalc","level":"wild"}"#,
      #"{"id":"y","type":"entry.deleted","entry":"x"}"#,
      #"{"id":"z","type":"entry.logged","habit":"game","completed":true}"#,
    ]
    #expect(ledger.run("append", input: batch.joined(separator: "\n")).status == .done)
    #expect(ledger.run("undo").text.hasPrefix("undid: game completed, 2025-11-09 (z)\n"))
  }

  @Test func `given again with the same id nothing is done twice`() throws {
    let ledger = try UndoneLedger.make()
    ledger.run("log game completed --id g1")
    for command in ["log game failed --replaces g1 --id g2", "delete --last --id d1", "undo --id u1"] {
      #expect(ledger.run(command).status == .done, "\(command)")
      let stored = ledger.stored()
      #expect(ledger.run(command).status == .done, "\(command) again")
      #expect(ledger.stored() == stored, "\(command) again")
    }
  }

  @Test func `of several deleted at once the order comes back, too`() throws {
    let ledger = try UndoneLedger.make()
    ledger.now = "2025-11-10T12:00:00+01:00"
    for (id, level) in [("x", "wild"), ("y", "easy"), ("z", "steady")] {
      ledger.run("log noalc \(level) --id \(id)")
    }
    let before = UndoneLedger.numbers(ledger)
    let batch = ["x", "z"].map { #"{"type":"entry.deleted","entry":"\#($0)"}"# }
    ledger.run("append", input: batch.joined(separator: "\n"))
    #expect(UndoneLedger.numbers(ledger) != before)
    #expect(ledger.run("undo").status == .done)
    #expect(UndoneLedger.numbers(ledger) == before)
  }

  @Test func `what another device deleted, too, is not brought back`() throws {
    let ledger = try UndoneLedger.make()
    let phone = try TemporaryLedger(now: ledger.now)
    try phone.write(ledger.bytes(), to: "main.jsonl")
    #expect(phone.run("delete n5 --writer phone --id theirs").status == .done)
    try ledger.run(all: "delete n5 --id mine", at: "2025-11-09T12:01:00+01:00")
    try ledger.write(phone.bytes(of: "phone"), to: "phone.jsonl")
    let (before, stored) = (UndoneLedger.numbers(ledger), ledger.stored())
    let output = ledger.run("undo")
    #expect(output.status == .conflict)
    #expect(output.errors.contains("(mine): theirs takes it back, too"), "\(output.errors)")
    #expect(UndoneLedger.numbers(ledger) == before)
    #expect(ledger.stored() == stored)
  }

  /// Commands that meet each other's entries: few moments, few ids, rules that change under them.
  private func command(_ random: inout SeededRandom, _ step: Int) -> String {
    let level = ["steady", "easy", "wild"][random.below(3)]
    let day = "2025-11-0\(7 + random.below(3))"
    let at = "--on \(day) --at \(day)T1\(random.below(2)):00:00+01:00"
    switch random.below(8) {
    case 0...2: return "log noalc \(level) \(at) --id r\(step)"
    case 3: return "log noalc \(level) \(at) --replaces r\(random.below(step + 1)) --id r\(step)"
    case 4, 5: return "delete r\(random.below(step + 1)) --id d\(step)"
    case 6: return "define noalc --preset \(random.chance(50) ? "noalc" : "noalc-strict")"
    default: return random.chance(50) ? "define meditation --retire" : "delete m\(3 + random.below(7))"
    }
  }

  @Test(arguments: UInt64(1)...8)
  func `whatever was done is undone exactly, or nothing is written`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let ledger = try UndoneLedger.make()
    var undone = 0
    for step in 0..<20 {
      let before = UndoneLedger.numbers(ledger)
      let command = command(&random, step)
      guard ledger.run(command).status == .done else { continue }
      // What follows may be undone later, too, or built upon.
      guard random.chance(60) else { continue }
      let stored = ledger.stored()
      let output = ledger.run("undo")
      if output.status == .done {
        undone += 1
        #expect(UndoneLedger.numbers(ledger) == before, "step \(step): \(command)")
      } else {
        #expect(output.status == .conflict || output.status == .failed, "\(command): \(output.errors)")
        #expect(ledger.stored() == stored)
      }
    }
    #expect(undone > 3)
  }

  @Test func `a day that another device's zone began is no move of one's own`() throws {
    let laptop = try TemporaryLedger.ofMarch("define med --any\nlog med")
    let phone = try TemporaryLedger(now: "2026-03-03T16:00:00Z")
    try phone.write(laptop.bytes(), to: "main.jsonl")
    try phone.run(all: "day --zone America/New_York --writer phone")
    try laptop.run(all: "log med --id own", at: "2026-03-03T18:00:00Z")
    try laptop.write(phone.bytes(of: "phone"), to: "phone.jsonl")
    #expect(laptop.run("undo").text.hasPrefix("undid: med"))
    #expect(UndoneLedger.restore(laptop).status == .done)
  }
}
