import CommandFixtures
import EventLog
import Foundation
import StreakCommands
import StreakDomain
import Testing

struct AppendingTests {
  private func ledger() throws -> TemporaryLedger {
    try TemporaryLedger(running: "init noalc meditation game")
  }

  @Test
  func `appending an event again answers exists, and other content with the same id is a conflict`()
    throws
  {
    let ledger = try ledger()
    let event = #"{"id":"x","type":"entry.logged","habit":"noalc","level":"steady"}"#
    #expect(
      ledger.run("append", input: event).text == #"{"id":"x","position":5,"status":"recorded"}"#
        + "\n")
    let bytes = ledger.bytes()
    #expect(
      ledger.run("append", input: event).text == #"{"id":"x","position":5,"status":"exists"}"#
        + "\n")
    let other = ledger.run("append", input: event.replacingOccurrences(of: "steady", with: "easy"))
    #expect(other.status == .conflict)
    #expect(other.errors.contains("main.jsonl:5"))
    #expect(ledger.bytes() == bytes)
  }

  @Test func `append writes only the new events of a batch`() throws {
    let ledger = try ledger()
    let one = #"{"id":"x1","type":"entry.logged","habit":"noalc","level":"steady"}"#
    let two = #"{"id":"x2","type":"entry.logged","habit":"noalc","level":"easy"}"#
    ledger.run("append", input: one)
    let output = ledger.run("append", input: one + "\n" + two + "\n")
    #expect(output.text.contains(#""id":"x1","position":5,"status":"exists""#))
    #expect(output.text.contains(#""id":"x2","position":6,"status":"recorded""#))
  }

  @Test(arguments: [
    (#"{"type":"entry.logged","habit":"noalc","level":"stedy"}"#, "did you mean \"steady\""),
    (#"{"type":"entry.deleted","entry":"nothing"}"#, "no entry with the id"),
    (
      #"{"type":"habit.defined","habit":"c","rule":{"kind":"all","of":["noalc","d"]}}"#,
      "which is not defined"
    ),
  ])
  func `append refuses a batch with an event that the ledger does not allow, and writes nothing`(
    line: String, says: String
  )
    throws
  {
    let ledger = try ledger()
    let before = ledger.contents()
    let good = #"{"id":"good","type":"entry.logged","habit":"noalc","level":"steady"}"#
    try ledger.write([UInt8]("\(good)\n\(line)\n".utf8), to: "../batch.jsonl")
    let output = ledger.run("append \(ledger.folder)/batch.jsonl")
    #expect(output.status == .badData && output.text.isEmpty)
    let message = output.errors.prefix { $0 != "\n" }
    #expect(message.hasPrefix("\(ledger.folder)/batch.jsonl:2:"), "\(message)")
    #expect(message.contains(says), "\(message)")
    #expect(ledger.contents() == before)
  }

  @Test func `a refused first append creates no folder`() throws {
    let ledger = try TemporaryLedger()
    let entry = #"{"type":"entry.logged","habit":"nobody"}"#
    #expect(ledger.run("append", input: entry).status == .failed)
    #expect(
      ledger.run("append", input: #"{"type":"ledger.opened"}"# + "\n" + entry).status == .badData)
    #expect(!FileManager.default.fileExists(atPath: ledger.events))
  }

  @Test func `the first append of a new day begins with a day change and a seal`() throws {
    let ledger = try ledger()
    ledger.run("log noalc steady")
    try ledger.run(all: "log noalc steady", at: "2025-11-05T08:00:00+01:00")
    let lines = String(decoding: ledger.bytes(), as: UTF8.self).split(separator: "\n")
    #expect(lines[5].contains(#""type":"day.changed""#))
    #expect(lines[5].contains(#""to":"2025-11-05","seal":""#))
    #expect(lines[5].hasSuffix(#""more":true}"#))
    #expect(ledger.run("verify").status == .done)
  }

  @Test func `log with a clock that is a month slow is refused unless --force is given`() throws {
    let ledger = try ledger()
    ledger.now = "2025-11-03T11:00:00+01:00"
    #expect(ledger.run("log noalc steady --writer phone").status == .done)
    #expect(ledger.run("verify").status == .done)
    ledger.now = "2025-10-01T11:00:00+01:00"
    let output = ledger.run("log noalc steady")
    #expect(output.status == .badData)
    #expect(output.errors.contains("--force"))
    #expect(ledger.run("log noalc steady --force --at 2025-10-01T11:00:00+01:00").status == .done)
  }
}
