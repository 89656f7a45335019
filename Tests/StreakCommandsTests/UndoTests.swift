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
