import Foundation
import StreakCommands
import TestSupport
import Testing

struct UndoTests {
  private func ledger() throws -> TemporaryLedger {
    let ledger = try TemporaryLedger(now: "2025-11-03T12:00:00+01:00")
    ledger.run("init noalc meditation game")
    for day in 3...9 {
      ledger.now = "2025-11-0\(day)T12:00:00+01:00"
      ledger.run("log noalc steady --id n\(day)")
      ledger.run("log meditation 12m --id m\(day)")
    }
    return ledger
  }

  /// All numbers of the state on the next day, without what names events; `longest` remembers the path and stands
  /// apart.
  private func numbers(_ ledger: TemporaryLedger) -> (all: [String: String?], longest: [String?]) {
    let state = ledger.run("replay --json --on 2025-11-11")
    let habits = ["noalc", "meditation", "game"]
    let fields =
      ["current", "start", "best", "status", "ifMissed", "safeThrough", "jokers.held", "jokers.earned"]
      + ["totals.entries", "days.good", "days.healed", "days.missed", "days.excused", "days.bad"]
    var all: [String: String?] = ["xp": state["xp"]]
    for habit in habits {
      for field in fields { all["\(habit).\(field)"] = state["habits.\(habit).\(field)"] }
    }
    all["achievements"] = "\(state.text.components(separatedBy: "\"key\":").count)"
    return (all, habits.map { state["habits.\($0).longest"] })
  }

  @Test(arguments: [
    "log game completed", "log noalc wild", "delete n5", "log noalc easy --replaces n9",
    "define noalc --preset noalc-strict", "define meditation --retire", "remind --set noalc 09:00",
    "log noalc steady --on 2025-10-30",
  ])
  func `undone twice, every number is as the command left it`(command: String) throws {
    let ledger = try ledger()
    let before = numbers(ledger)
    #expect(ledger.run(command).status == .done)
    let after = numbers(ledger)
    #expect(ledger.run("undo").status == .done)
    #expect(numbers(ledger).all == before.all, "\(command)")
    #expect(ledger.run("undo").status == .done)
    #expect(numbers(ledger).all == after.all, "\(command) again")
    #expect(numbers(ledger).longest == after.longest, "\(command) again")
    #expect(ledger.run("verify").status == .done)
  }

  @Test
  func `a retirement comes back with the undo of its undo, and with that of the definition that ended it`()
    throws
  {
    let ledger = try ledger()
    func status() -> String? { ledger.run("replay --json --on 2025-11-12")["habits.game.status"] }
    ledger.run("define game --retire")
    #expect(status() == "retired")
    ledger.run("undo")
    #expect(status() == "new")
    ledger.run("undo")
    #expect(status() == "retired")
    ledger.run("define game")
    #expect(status() == "new")
    ledger.run("undo")
    #expect(status() == "retired")
  }

  @Test func `an entry logged and deleted in one batch leaves nothing to undo`() throws {
    let ledger = try ledger()
    let batch = [
      #"{"id":"x","type":"entry.logged","habit":"noalc","level":"wild"}"#,
      #"{"id":"y","type":"entry.deleted","entry":"x"}"#,
      #"{"id":"z","type":"entry.logged","habit":"game","completed":true}"#,
    ]
    #expect(ledger.run("append", input: batch.joined(separator: "\n")).status == .done)
    #expect(ledger.run("undo").text.hasPrefix("undid z with entry.deleted"))
  }

  @Test func `a subject undoes its own last command`() throws {
    let ledger = try TemporaryLedger()
    ledger.run("init noalc --owner anna")
    ledger.run("define noalc --preset noalc --subject bob")
    ledger.run("log noalc steady --subject bob --id b")
    ledger.run("log noalc steady --id a")
    #expect(ledger.run("undo --subject bob").text.hasPrefix("undid b with entry.deleted"))
    #expect(ledger.run("undo --subject anna").text.hasPrefix("undid a with entry.deleted"))
  }

  @Test func `batches of others behind the last one are passed over`() throws {
    let ledger = try TemporaryLedger()
    ledger.run("init noalc --owner anna")
    ledger.run("define noalc --preset noalc --subject bob")
    let entry = #"{"type":"entry.logged","habit":"noalc","level":"steady","id":""#
    ledger.run("append", input: "\(entry)a1\"}\n\(entry)b1\",\"subject\":\"bob\"}\n\(entry)a2\"}\n")
    ledger.run("append", input: "\(entry)b2\",\"subject\":\"bob\"}\n\(entry)b3\",\"subject\":\"bob\"}\n")
    let undone = ledger.run("undo --dry-run").text
    #expect(undone.contains("entry.deleted a1") && undone.contains("entry.deleted a2"), "\(undone)")
    #expect(!undone.contains("deleted b"))
  }

  @Test func `given again with the same id nothing is done twice`() throws {
    let ledger = try ledger()
    ledger.run("log game completed --id g1")
    for command in ["log game failed --replaces g1 --id g2", "delete --last --id d1", "undo --id u1"] {
      #expect(ledger.run(command).status == .done, "\(command)")
      let stored = ledger.stored()
      #expect(ledger.run(command).status == .done, "\(command) again")
      #expect(ledger.stored() == stored, "\(command) again")
    }
  }

  @Test func `what makes up for an event names it as its cause`() throws {
    let ledger = try ledger()
    ledger.run("log game completed --id g")
    ledger.run("undo")
    #expect(ledger.stored().last?["cause"] == "g")
    #expect(ledger.stored().last?["entry"] == "g")
  }

  @Test func `of entries of the same moment the order comes back, too`() throws {
    let ledger = try ledger()
    ledger.now = "2025-11-10T12:00:00+01:00"
    ledger.run("log noalc wild --id first")
    ledger.run("log noalc steady --id second")
    let before = numbers(ledger)
    ledger.run("delete first")
    let after = numbers(ledger)
    for wanted in [before, after, before, after] {
      let output = ledger.run("undo")
      #expect(output.status == .done, "\(output.errors)")
      #expect(numbers(ledger).all == wanted.all)
    }
  }

  @Test func `of several deleted at once the order comes back, too`() throws {
    let ledger = try ledger()
    ledger.now = "2025-11-10T12:00:00+01:00"
    for (id, level) in [("x", "wild"), ("y", "easy"), ("z", "steady")] {
      ledger.run("log noalc \(level) --id \(id)")
    }
    let before = numbers(ledger)
    let batch = ["x", "z"].map { #"{"type":"entry.deleted","entry":"\#($0)"}"# }
    ledger.run("append", input: batch.joined(separator: "\n"))
    #expect(numbers(ledger).all != before.all)
    #expect(ledger.run("undo").status == .done)
    #expect(numbers(ledger).all == before.all)
  }

  @Test func `what another device deleted, too, is not brought back`() throws {
    let ledger = try ledger()
    let phone = try TemporaryLedger(now: ledger.now)
    try phone.write(ledger.bytes(), to: "main.jsonl")
    #expect(phone.run("delete n5 --writer phone --id theirs").status == .done)
    ledger.now = "2025-11-09T12:01:00+01:00"
    ledger.run("delete n5 --id mine")
    try ledger.write(phone.bytes(of: "phone"), to: "phone.jsonl")
    let (before, stored) = (numbers(ledger), ledger.stored())
    let output = ledger.run("undo")
    #expect(output.status == .conflict)
    #expect(output.errors.contains("entry.deleted mine: theirs deletes the same entry"), "\(output.errors)")
    #expect(numbers(ledger).all == before.all)
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
    let ledger = try ledger()
    var undone = 0
    for step in 0..<20 {
      let before = numbers(ledger)
      let command = command(&random, step)
      guard ledger.run(command).status == .done else { continue }
      // What follows may be undone later, too, or built upon.
      guard random.chance(60) else { continue }
      let stored = ledger.stored()
      let output = ledger.run("undo")
      if output.status == .done {
        undone += 1
        #expect(numbers(ledger).all == before.all, "step \(step): \(command)")
      } else {
        #expect(output.status == .conflict || output.status == .failed, "\(command): \(output.errors)")
        #expect(ledger.stored() == stored)
      }
    }
    #expect(undone > 3)
  }

  @Test func `a definition by the owner's own name is one of the owner's`() throws {
    let ledger = try TemporaryLedger(now: "2025-11-03T12:00:00+01:00")
    try ledger.run(
      all: """
        init --owner anna
        define run --preset game --name One --subject anna
        define run --preset game --name Two
        """)
    #expect(ledger.run("replay --json")["habits.run.name"] == "Two")
    #expect(ledger.run("undo").status == .done)
    #expect(ledger.run("replay --json")["habits.run.name"] == "One")
  }

  @Test(arguments: [
    ("excuse 2025-11-20", "days once excused stay excused"), ("celebrate --seen", "what was seen stays seen"),
    ("expect 'xp == 0'", "an expectation stands for what held then"),
    ("define chess --preset game", "there is no definition before it"),
  ])
  func `what cannot be undone says so and writes nothing`(command: String, reason: String) throws {
    let ledger = try ledger()
    #expect(ledger.run(command).status == .done)
    let stored = ledger.stored()
    let output = ledger.run("undo")
    #expect(output.status == .failed)
    #expect(output.errors.contains(reason), "\(output.errors)")
    #expect(ledger.stored() == stored)
  }
}
