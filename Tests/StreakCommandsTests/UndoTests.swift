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

  @Test func `what cannot be undone says so and writes nothing`() throws {
    let ledger = try UndoneLedger.make()
    #expect(ledger.run("celebrate --seen").status == .done)
    let stored = ledger.stored()
    let output = ledger.run("undo")
    #expect(output.status == .failed)
    #expect(output.errors.contains("a celebration that was shown stays shown"), "\(output.errors)")
    #expect(ledger.stored() == stored)
  }

  @Test func `undo says why nothing changed, and which achievements went`() throws {
    let ledger = try TemporaryLedger.ofMarch("define med --any\nlog med --id one\nlog med --id two")
    let same = ledger.run("undo one").text
    #expect(same.contains("2026-03-02 stays good, by two · `streaks why med 2026-03-02`"), "\(same)")
    try ledger.log("med", onMarch: [3, 4])
    let gone = ledger.run("undo").text
    #expect(gone.contains("  no longer achieved: ") && gone.contains("3 days of med"), "\(gone)")
    let revoked = ledger.run(["why", "3 days of med"]).text
    #expect(
      revoked.contains("3 days of med: a run of 3 days.\nIt is not achieved.")
        && revoked.contains(" revoked it."), "\(revoked)")
  }

  @Test func `a day that began in another zone is not passed over by undo`() throws {
    let ledger = try TemporaryLedger.ofMarch("define med --any\nlog med")
    ledger.now = "2026-03-03T17:00:00Z"
    #expect(ledger.run("day --zone America/New_York").text.hasPrefix("2026-03-03 has begun"))
    let refused = ledger.run("undo")
    #expect(
      refused.status == .failed && refused.errors.contains("moves the ledger back"), "\(refused.screen)")
    #expect(ledger.run("show --json")["habits.med.current"] == "1")
    let later = try TemporaryLedger.ofMarch("define med --any\nlog med")
    try later.run(all: "day", at: "2026-03-03T17:00:00Z")
    #expect(later.run("undo").text.hasPrefix("undid: med"))
  }

  @Test func `undo of one of two commands under a wrong clock says that the day stays`() throws {
    let ledger = try TemporaryLedger.ofMarch("define med --any\nlog med")
    try ledger.run(all: "log med\nlog med", at: "2026-04-02T12:00:00Z")
    ledger.now = "2026-03-03T12:00:00Z"
    #expect(ledger.run("undo").text.contains("today stays 2026-04-02: other events moved it there, too"))
    #expect(ledger.run("undo").text.contains("today is 2026-03-03 again"))
  }

  @Test func `a goal that brought a habit back is not undone if another one does so too`() throws {
    let ledger = try TemporaryLedger.ofMarch("define med --any\nlog med\ndefine med --retire")
    ledger.now = "2026-03-05T12:00:00Z"
    try ledger.run(all: "define med --grace 1\ndefine med --grace 2 --on tomorrow\nundo")
    let refused = ledger.run("undo")
    #expect(
      refused.status == .conflict && refused.errors.contains("defined again from 2026-03-06 on"),
      "\(refused.screen)")
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

  @Test func `who took back what is to be undone is named, with the way back`() throws {
    let ledger = try TemporaryLedger.ofMarch("define med --any\nlog med --id x\ndelete x --id gone\nlog med")
    let refused = ledger.run("undo x")
    #expect(refused.errors.contains("gone took it back since; `streaks undo gone` brings it back"))
    #expect(ledger.run("undo gone").status == .done)
    let standing = ledger.stored().last { $0["type"] == "entry.logged" }?["id"] ?? ""
    try ledger.run(all: "delete \(standing) --id again")
    #expect(ledger.run("undo x").errors.contains("`streaks undo again` brings it back"))
    #expect(ledger.run("undo again").status == .done)
  }

  @Test func `a return long after a retirement is undone, and so is one further back`() throws {
    let ledger = try TemporaryLedger.ofMarch("define r --any")
    try ledger.run(all: "define r --retire", at: "2026-03-04T12:00:00Z")
    ledger.now = "2026-03-09T12:00:00Z"
    try ledger.run(all: "define r --grace 1\ndefine r --grace 2 --on 2026-03-06\nundo")
    let status = { (day: String) in ledger.run("replay --json --on \(day)")["habits.r.status"] }
    #expect([status("2026-03-06"), status("2026-03-09")] == ["retired", "new"])
    try ledger.run(all: "undo")
    #expect([status("2026-03-04"), status("2026-03-09")] == ["new", "retired"])
  }

  @Test func `a deleted entry that an undo brought back is named by its new id`() throws {
    let ledger = try TemporaryLedger.ofMarch(
      "define med --any\nlog med --id first\ndelete first\nundo\ndelete --last\nundo")
    let output = ledger.run("delete first")
    #expect(output.status == .badData)
    let id = ledger.run("entries").text.split(separator: "\n").last?.split(separator: "…").last ?? ""
    #expect(output.errors.contains("is deleted already, and was logged again as …\(id)\n"))
    #expect(ledger.run("delete …\(id)").status == .done)
    #expect(ledger.run("delete first").errors.contains("is deleted already\n"))
  }

  @Test func `a deletion sent again is there, and an entry with a cause is no other entry`() throws {
    let ledger = try TemporaryLedger.ofMarch(
      "define med --any\ndefine gym --any\nlog med --id a\ndelete a --id d\nundo")
    #expect(ledger.run("delete a --id d").status == .done, "\(ledger.run("delete a --id d").screen)")
    ledger.run("append", input: #"{"id":"w","type":"entry.logged","habit":"gym"}"# + "\n")
    ledger.run("append", input: #"{"id":"c","type":"entry.logged","habit":"med","cause":"w"}"# + "\n")
    try ledger.run(all: "delete w")
    #expect(ledger.run("delete w").errors.contains("is deleted already\n"))
  }

  @Test func `an undo that cannot be names the earlier command that it offers`() throws {
    let ledger = try TemporaryLedger(
      running: "init meditation noalc\nlog noalc steady --id early\ndefine n1 --any\ncelebrate --seen")
    #expect(ledger.run("undo").errors.contains("` undoes an earlier command, defined n1"))
    #expect(ledger.run("undo early").text.hasPrefix("undid: noalc steady, 2025-11-03 (early)"))
  }
}
