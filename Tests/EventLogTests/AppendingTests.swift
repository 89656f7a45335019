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

  @Test(arguments: [
    (#"{"type":"entry.logged","habit":"noalk","level":"steady"}"#, "did you mean \"noalc\""),
    (#"{"type":"entry.logged","habit":"noalc","level":"stedy"}"#, "did you mean \"steady\""),
    (#"{"type":"entry.logged","habit":"noalc"}"#, "needs level or drinks"),
    (#"{"type":"entry.logged","habit":"noalc","level":"steady","drinks":3}"#, "3 drinks are \"easy\""),
    (#"{"type":"entry.logged","habit":"meditation"}"#, "needs minutes"),
    (#"{"type":"entry.logged","habit":"game"}"#, "needs completed"),
    (#"{"type":"entry.logged","habit":"noalc","level":"easy","day":"2025-11-04"}"#, "after the local day"),
    (
      #"{"type":"entry.logged","habit":"noalc","level":"easy","at":"2025-11-03T12:06:00+01:00"}"#, "5 minutes"
    ),
    (#"{"type":"entry.logged","habit":"noalc","level":"easy","zone":"Europe/Berlim"}"#, "Europe/Berlin"),
    (#"{"type":"entry.deleted","entry":"nothing"}"#, "no entry with the id"),
    (#"{"type":"day.changed","to":"2025-11-03","day":"2025-11-03"}"#, "not after today"),
    (#"{"type":"day.changed","to":"2025-11-03","day":"2025-11-02"}"#, "both are the new day"),
    (#"{"type":"habit.retired","habit":"yoga"}"#, "no habit \"yoga\""),
    (
      #"{"type":"days.excused","from":"2025-11-01","to":"2025-11-02","habits":["yoga"]}"#, "no habit \"yoga\""
    ),
    (#"{"type":"reminder.set","habit":"yoga","time":"20:00","enabled":true}"#, "no habit \"yoga\""),
    (
      #"{"type":"habit.defined","habit":"c","rule":{"kind":"all","of":["noalc","d"]}}"#,
      "which is not defined"
    ),
    (#"{"type":"habit.defined","habit":"c","rule":{"kind":"all","of":["c"]}}"#, "leads back to it"),
    (#"{"type":"habit.defined","habit":"c","rule":{"kind":"any","latBy":1}}"#, "did you mean \"lateBy\""),
    (
      #"{"type":"habit.defined","habit":"c","rule":{"kind":"any"},"forgiveness":{"kind":"joker","every":7,"cap":3,"heals":["mised"]}}"#,
      "did you mean \"missed\""
    ),
  ])
  func `what other events forbid is refused and nothing of the batch is written`(line: String, says: String)
    throws
  {
    let ledger = try ledger()
    let bytes = ledger.bytes()
    let good = #"{"id":"good","type":"entry.logged","habit":"noalc","level":"steady"}"#
    let output = ledger.run("append", input: good + "\n" + line + "\n")
    #expect(output.status == .badData)
    #expect(output.errors.contains(says), "\(output.errors)")
    #expect(output.errors.hasPrefix("-:2:"), "\(output.errors)")
    #expect(ledger.bytes() == bytes)
  }

  @Test func `drinks in no level are refused, and so is what lies beyond the calendar`() throws {
    let ledger = try ledger()
    ledger.run(#"define beer --rule '{"kind":"level","levels":{"few":[0,5]},"good":["few"]}'"#)
    #expect(ledger.run("log beer 50drinks").errors.contains("in no level of \"beer\""))
    ledger.now = "2199-12-31T23:59:00-10:00"
    #expect(ledger.run("log noalc steady").errors.contains("outside the supported range"))
  }

  @Test func `a refused beginning leaves no folder behind`() throws {
    let ledger = try TemporaryLedger()
    let entry = #"{"type":"entry.logged","habit":"nobody"}"#
    #expect(ledger.run("append", input: entry).status == .failed)
    #expect(ledger.run("append", input: #"{"type":"ledger.opened"}"# + "\n" + entry).status == .badData)
    #expect(!FileManager.default.fileExists(atPath: ledger.events))
  }

  @Test(arguments: ["log awareness 'a\tb'", "log awareness 'a\u{2028}b'", "log cardio 'a\u{1}' 20m"])
  func `no command writes what the reader refuses`(command: String) throws {
    let ledger = try ledger("awareness cardio")
    let bytes = ledger.bytes()
    #expect(ledger.run(command).status == .badData)
    #expect(ledger.bytes() == bytes)
  }

  @Test func `a habit retired takes no entry, reminder, excuse or second retirement`() throws {
    let ledger = try ledger()
    ledger.run("define noalc --retire")
    ledger.now = "2025-11-05T12:00:00+01:00"
    for line in [
      #"{"type":"entry.logged","habit":"noalc","level":"steady"}"#,
      #"{"type":"reminder.set","habit":"noalc","time":"20:00","enabled":true}"#,
      #"{"type":"days.excused","from":"2025-11-01","to":"2025-11-09","habits":["noalc"]}"#,
      #"{"type":"habit.retired","habit":"noalc"}"#,
    ] {
      let output = ledger.run("append", input: line)
      #expect(output.status == .badData)
      #expect(output.errors.contains("retired"), "\(output.errors)")
    }
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
}

struct FarStampTests {
  private func ledger(recorded: String) throws -> TemporaryLedger {
    let ledger = try TemporaryLedger(running: "init noalc\nlog noalc steady --id first")
    let line =
      #"{"id":"far","type":"entry.logged","at":"2025-11-03T12:00:00+01:00","recorded":"\#(recorded)","#
      + #""day":"2025-11-03","zone":"Europe/Berlin","habit":"noalc","level":"steady"}"# + "\n"
    try ledger.write([UInt8](line.utf8), to: "phone.jsonl")
    return ledger
  }

  @Test func `stamps go on after one that is far ahead, and nothing else is held up`() throws {
    let ledger = try ledger(recorded: "2026-12-31T23:59:59.000000Z")
    for (place, id) in ["a", "b"].enumerated() {
      let output = ledger.run("log noalc steady --id \(id)")
      #expect(output.status == .done, "\(output.errors)")
      #expect(ledger.stored(id, "recorded") == "2026-12-31T23:59:59.00000\(place + 1)Z")
    }
    #expect(ledger.run("replay --json")["position"] == "6")
    #expect(ledger.run("verify").status == .done)
  }

  @Test func `a time is read with a notice of what is stamped ahead of now`() throws {
    let ledger = try ledger(recorded: "2026-12-31T23:59:59.000000Z")
    ledger.run("log noalc steady")
    let output = ledger.run("replay --at 2025-11-03T12:00:00+01:00")
    #expect(output.status == .done)
    #expect(
      output.errors
        == "a wrong clock stamped events later than they happened, so this answer misses some; "
        + "what happened by 2025-11-03T12:00:00+01:00 ends at position 5\n")
    #expect(ledger.run("replay --at 3").errors.isEmpty)
  }
}
