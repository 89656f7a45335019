import CommandFixtures
import EventLog
import Foundation
import StreakDomain
import Testing

struct AppendingTests {
  private func ledger(_ presets: String = "noalc meditation game") throws -> TemporaryLedger {
    let ledger = try TemporaryLedger()
    #expect(ledger.run("init \(presets)").status == .done)
    return ledger
  }

  @Test func `the same id with the same content exists, with other content it is a conflict`() throws {
    let ledger = try ledger()
    let event = #"{"id":"x","type":"entry.logged","habit":"noalc","level":"steady"}"#
    #expect(ledger.run("append", input: event).text == #"{"id":"x","position":5,"status":"recorded"}"# + "\n")
    let bytes = ledger.bytes()
    #expect(ledger.run("append", input: event).text == #"{"id":"x","position":5,"status":"exists"}"# + "\n")
    let other = ledger.run("append", input: event.replacingOccurrences(of: "steady", with: "easy"))
    #expect(other.status == .conflict)
    #expect(other.errors.contains("main.jsonl:5"))
    #expect(ledger.bytes() == bytes)
  }

  @Test func `of a batch with known and new events only the new are written`() throws {
    let ledger = try ledger()
    let one = #"{"id":"x1","type":"entry.logged","habit":"noalc","level":"steady"}"#
    let two = #"{"id":"x2","type":"entry.logged","habit":"noalc","level":"easy"}"#
    ledger.run("append", input: one)
    let output = ledger.run("append", input: one + "\n" + two + "\n")
    #expect(output.text.contains(#""id":"x1","position":5,"status":"exists""#))
    #expect(output.text.contains(#""id":"x2","position":6,"status":"recorded""#))
  }

  private static func definition(_ habit: String, _ rule: String, _ more: String = "") -> String {
    #"{"type":"habit.defined","habit":"\#(habit)","rule":\#(rule)\#(more)}"#
  }

  private static func levels(_ bands: String) -> String {
    definition("beer", #"{"kind":"level","levels":{\#(bands)},"good":["few"]}"#)
  }

  private static func joker(_ rule: String) -> String {
    definition("beer", #"{"kind":"any"}"#, #","forgiveness":{"kind":"joker",\#(rule)}"#)
  }

  @Test(arguments: [
    (#"{"type":"entry.logged","habit":"noalk","level":"steady"}"#, "did you mean \"noalc\""),
    (#"{"type":"entry.logged","habit":"noalc","level":"stedy"}"#, "\"level\" … did you mean \"steady\""),
    (#"{"type":"entry.logged","habit":"noalc"}"#, "needs level or drinks"),
    (
      #"{"type":"entry.logged","habit":"noalc","level":"wild","drinks":5}"#,
      "\"level\" … 5 drinks are \"easy\""
    ),
    (#"{"type":"entry.logged","habit":"noalc","drinks":2.5}"#, "\"drinks\" … a whole number, 0 to 100"),
    (#"{"type":"entry.logged","habit":"noalc","drinks":"2"}"#, "\"drinks\" … a number, not text"),
    (#"{"type":"entry.logged","habit":"meditation"}"#, "needs minutes"),
    (#"{"type":"entry.logged","habit":"game"}"#, "needs completed"),
    (#"{"type":"entry.logged","habit":"noalc","level":"easy","day":"2025-11-04"}"#, "after the local day"),
    (
      #"{"type":"entry.logged","habit":"noalc","level":"easy","at":"2025-11-03T12:06:00+01:00"}"#, "5 minutes"
    ),
    (#"{"type":"entry.logged","habit":"noalc","level":"easy","zone":"Europe/Berlim"}"#, "Europe/Berlin"),
    (#"{"type":"entry.logged","subject":"ana","habit":"noalc"}"#, "\"subject\" … give each person a folder"),
    (#"{"type":"ledger.opened","owner":"ana","zone":"UTC"}"#, "\"owner\" … give each person a folder"),
    (#"{"type":"entry.deleted","entry":"nothing"}"#, "no entry with the id"),
    (#"{"type":"day.changed","to":"2025-11-03","day":"2025-11-03"}"#, "not after today"),
    (#"{"type":"day.changed","to":"2025-11-03","day":"2025-11-02"}"#, "both are the new day"),
    (#"{"type":"habit.retired","habit":"yoga"}"#, "no habit \"yoga\""),
    (
      #"{"type":"days.excused","from":"2025-11-01","to":"2025-11-02","habits":["yoga"]}"#, "no habit \"yoga\""
    ),
    (
      #"{"type":"days.excused","from":"2025-11-05","to":"2025-11-01"}"#,
      "\"to\" … not before \"from\", 2025-11-05"
    ),
    (#"{"type":"reminder.set","habit":"yoga","time":"20:00","enabled":true}"#, "no habit \"yoga\""),
    (#"{"type":"reminder.set","habit":"noalc","time":"25:00","enabled":true}"#, "\"time\" … HH:MM"),
    (
      #"{"type":"celebration.seen","celebration":"perfect-day:2025-11-03"}"#,
      "\"celebration\" … pending are completed:noalc:2025-11-03"
    ),
    (
      #"{"type":"celebration.seen","celebration":"completed:noalk:2025-11-03"}"#,
      "\"celebration\" … did you mean \"completed:noalc:2025-11-03\""
    ),
    (definition("c", #"{"kind":"all","of":["noalc","d"]}"#), "which is not defined"),
    (definition("c", #"{"kind":"all","of":["noalc","noalk"]}"#), "\"rule.of\" … did you mean \"noalc\""),
    (definition("c", #"{"kind":"all","of":["c"]}"#), "leads back to it"),
    (definition("c", #"{"kind":"either","of":["noalc","c"]}"#), "\"rule.of\" … leave it out"),
    (definition("morning_ritual", #"{"kind":"all","of":["daily_complete"]}"#), "\"rule.of\" … leave it out"),
    (levels(#""few":[0,2],"many":[2,null]"#), "\"rule.levels\" … begins at 2, not 3"),
    (levels(#""few":[0,2],"many":[4,null]"#), "\"rule.levels\" … begins at 4, not 3"),
    (levels(#""few":[1,2],"many":[3,null]"#), "\"rule.levels\" … begins at 1, not 0"),
    (levels(#""few":[2,0]"#), "\"rule.levels.few\" … 2 to 100"),
    (joker(#""every":1,"cap":3"#), "\"forgiveness.every\" … 2 to 100000"),
    (joker(#""every":7,"cap":0"#), "\"forgiveness.cap\" … 1 to 60000"),
    (joker(#""every":7,"cap":3,"heals":["mised"]"#), "did you mean \"missed\""),
  ])
  func `what other events forbid is refused and nothing of the batch is written`(line: String, says: String)
    throws
  {
    let ledger = try ledger("noalc meditation game morning_ritual evening_reflection daily_complete")
    try ledger.run(all: "log noalc steady")
    let before = ledger.contents()
    let good = #"{"id":"good","type":"entry.logged","habit":"noalc","level":"steady"}"#
    try ledger.write([UInt8]("\(good)\n\(line)\n".utf8), to: "../batch.jsonl")
    let output = ledger.run("append \(ledger.folder)/batch.jsonl")
    #expect(output.status == .badData && output.text.isEmpty)
    let message = output.errors.prefix { $0 != "\n" }
    #expect(message.hasPrefix("\(ledger.folder)/batch.jsonl:2:"), "\(message)")
    for part in says.components(separatedBy: " … ") { #expect(message.contains(part), "\(message)") }
    #expect(ledger.contents() == before)
  }

  @Test func `a refused beginning leaves no folder behind`() throws {
    let ledger = try TemporaryLedger()
    let entry = #"{"type":"entry.logged","habit":"nobody"}"#
    #expect(ledger.run("append", input: entry).status == .failed)
    #expect(ledger.run("append", input: #"{"type":"ledger.opened"}"# + "\n" + entry).status == .badData)
    #expect(!FileManager.default.fileExists(atPath: ledger.events))
  }

  @Test func `a new day is opened and sealed before the first append on it`() throws {
    let ledger = try ledger()
    ledger.run("log noalc steady")
    try ledger.run(all: "log noalc steady", at: "2025-11-05T08:00:00+01:00")
    let lines = String(decoding: ledger.bytes(), as: UTF8.self).split(separator: "\n")
    #expect(lines[5].contains(#""type":"day.changed""#))
    #expect(lines[5].contains(#""to":"2025-11-05","seal":""#))
    #expect(lines[5].hasSuffix(#""more":true}"#))
    #expect(ledger.run("verify").status == .done)
  }

  @Test func `recorded always comes after what was seen, even when the clock goes back`() throws {
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

  @Test func `stamps go on after one that is far ahead, and nothing else is held up`() throws {
    let ledger = try TemporaryLedger(running: "init noalc\nlog noalc steady --id first")
    let line =
      #"{"id":"far","type":"entry.logged","at":"2025-11-03T12:00:00+01:00","#
      + #""recorded":"2026-12-31T23:59:59.000000Z","day":"2025-11-03","zone":"Europe/Berlin","#
      + #""habit":"noalc","level":"steady"}"# + "\n"
    try ledger.write([UInt8](line.utf8), to: "phone.jsonl")
    for (place, id) in ["a", "b"].enumerated() {
      let output = ledger.run("log noalc steady --id \(id)")
      #expect(output.status == .done, "\(output.errors)")
      #expect(ledger.stored(id, "recorded") == "2026-12-31T23:59:59.00000\(place + 1)Z")
    }
    #expect(ledger.run("replay --json")["position"] == "6")
    #expect(ledger.run("verify").status == .done)
  }
}
