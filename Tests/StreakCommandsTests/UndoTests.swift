import CommandFixtures
import DomainFixtures
import Foundation
import StreakCommands
import StreakDomain
import Testing

struct UndoTests {
  @Test(arguments: [
    "log game completed", "log noalc wild", "delete n5", "log noalc easy --replaces n9",
    "define noalc --preset noalc-strict", "define meditation --retire", "remind --set noalc 09:00",
    "log noalc steady --on 2025-10-30", "excuse 2025-11-10 2025-11-12", "excuse --withdraw ill",
    "excuse 2025-11-06 --habit noalc",
  ])
  func `undone and restored, every number is as the command left it`(command: String) throws {
    let ledger = try UndoneLedger.make()
    try ledger.run(all: "delete n7\nexcuse 2025-11-06 2025-11-07 --id ill")
    let before = UndoneLedger.numbers(ledger)
    #expect(ledger.run(command).status == .done)
    let after = UndoneLedger.numbers(ledger)
    for _ in 0..<2 {
      #expect(ledger.run("undo").status == .done)
      #expect(UndoneLedger.numbers(ledger) == before, "\(command)")
      #expect(UndoneLedger.restore(ledger).status == .done)
      #expect(UndoneLedger.numbers(ledger) == after, "\(command) again")
    }
    #expect(ledger.run("verify").status == .done)
  }

  @Test
  func `a retirement comes back when its undo is taken back, and with that of the definition that ended it`()
    throws
  {
    let ledger = try UndoneLedger.make()
    func status() -> String? { ledger.run("replay --json --on 2025-11-12")["habits.game.status"] }
    ledger.run("define game --retire")
    #expect(status() == "retired")
    ledger.run("undo")
    #expect(status() == "new")
    UndoneLedger.restore(ledger)
    #expect(status() == "retired")
    ledger.run("define game")
    #expect(status() == "new")
    ledger.run("undo")
    #expect(status() == "retired")
  }

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

  @Test func `what makes up for an event names it as its cause`() throws {
    let ledger = try UndoneLedger.make()
    ledger.run("log game completed --id g")
    ledger.run("undo")
    #expect(ledger.stored().last?["cause"] == "g")
    #expect(ledger.stored().last?["entry"] == "g")
  }

  @Test func `of entries of the same moment the order comes back, too`() throws {
    let ledger = try UndoneLedger.make()
    ledger.now = "2025-11-10T12:00:00+01:00"
    ledger.run("log noalc wild --id first")
    ledger.run("log noalc steady --id second")
    let before = UndoneLedger.numbers(ledger)
    ledger.run("delete first")
    let after = UndoneLedger.numbers(ledger)
    for _ in 0..<2 {
      let output = ledger.run("undo")
      #expect(output.status == .done, "\(output.errors)")
      #expect(UndoneLedger.numbers(ledger) == before)
      #expect(UndoneLedger.restore(ledger).status == .done)
      #expect(UndoneLedger.numbers(ledger) == after)
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
    ledger.now = "2025-11-09T12:01:00+01:00"
    ledger.run("delete n5 --id mine")
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

  @Test(arguments: [
    ("celebrate --seen", "a celebration that was shown stays shown"),
    ("define chess --preset game", "there is no definition before it"),
  ])
  func `what cannot be undone says so and writes nothing`(command: String, reason: String) throws {
    let ledger = try UndoneLedger.make()
    #expect(ledger.run(command).status == .done)
    let stored = ledger.stored()
    let output = ledger.run("undo")
    #expect(output.status == .failed)
    #expect(output.errors.contains(reason), "\(output.errors)")
    #expect(ledger.stored() == stored)
  }
}
