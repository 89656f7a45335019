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

  @Test func `a ledger begins with ledger opened, once`() throws {
    let ledger = try TemporaryLedger()
    let definition = #"{"type":"habit.defined","habit":"a","rule":{"kind":"any"}}"#
    let output = ledger.run("append", input: definition)
    #expect(output.status == .failed)
    #expect(output.errors.contains("there is no ledger"))
    #expect(ledger.contents() == nil)
    try ledger.write([UInt8]("{\"type\":\"else\"}\n".utf8), to: "main.jsonl")
    let unopened = ledger.run("append --skip", input: definition)
    #expect(unopened.status == .badData)
    #expect(unopened.errors.contains("begins with ledger.opened"), "\(unopened.errors)")
    try FileManager.default.removeItem(atPath: ledger.events)
    #expect(ledger.run("init").status == .done)
    #expect(ledger.run("init").status == .usage)
  }

  @Test func `a refused beginning leaves no folder behind`() throws {
    let ledger = try TemporaryLedger()
    let lines = #"{"type":"ledger.opened"}"# + "\n" + #"{"type":"entry.logged","habit":"nobody"}"#
    #expect(ledger.run("append", input: lines).status == .badData)
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

  @Test func `expect appends only at that position`() throws {
    let ledger = try ledger()
    let output = ledger.run("log noalc steady --expect 3")
    #expect(output.status == .conflict)
    #expect(output.errors.contains("has 4"))
    #expect(ledger.run("log noalc steady --expect 4").status == .done)
  }

  @Test func `a new day is opened and sealed before the first append on it`() throws {
    let ledger = try ledger()
    ledger.run("log noalc steady")
    ledger.now = "2025-11-05T08:00:00+01:00"
    ledger.run("log noalc steady")
    let lines = String(decoding: ledger.bytes(), as: UTF8.self).split(separator: "\n")
    #expect(lines[5].contains(#""type":"day.changed""#))
    #expect(lines[5].contains(#""to":"2025-11-05","seal":""#))
    #expect(lines[5].hasSuffix(#""more":true}"#))
    #expect(ledger.run("verify").status == .done)
  }

  @Test func `days that a change of zone jumps over, or a zone never had, are excused`() throws {
    let apia = try TemporaryLedger(now: "2011-12-29T12:00:00-10:00")
    apia.run("init awareness --zone Pacific/Apia")
    apia.run("log awareness calm")
    apia.now = "2011-12-31T12:00:00+14:00"
    apia.run("day")
    #expect(apia.run("log awareness calm").text.contains("day 2"))
    let flown = try TemporaryLedger(now: "2025-03-01T11:00:00Z")
    flown.run("init awareness --zone Pacific/Pago_Pago")
    flown.run("log awareness calm")
    flown.now = "2025-03-02T10:30:00Z"
    flown.run("day --zone Pacific/Kiritimati")
    let text = String(decoding: flown.bytes(), as: UTF8.self)
    #expect(text.contains(#""from":"2025-03-02","to":"2025-03-02","reason":"zone""#), "\(text)")
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

  @Test func `a lock that is held is waited for, and then it is exit 5`() throws {
    let ledger = try ledger()
    let log = try LogWriter(folder: ledger.events, writer: "main", wait: 0, makesFolder: false)
    #expect(ledger.run("log noalc steady --wait 0.05").status == .notWritten)
    _ = consume log
    #expect(ledger.run("log noalc steady --wait 0.05").status == .done)
  }

  @Test(arguments: ["../x", ".x", "-x", "a/b", ""])
  func `a writer is a file name`(name: String) throws {
    let ledger = try ledger()
    #expect(ledger.run(["log", "noalc", "steady", "--writer", name]).status == .usage)
  }

  @Test func `two segments are one stream, and a copied line counts once`() throws {
    let ledger = try ledger()
    ledger.run("log noalc steady --id a --writer phone")
    ledger.run("log noalc steady --id b --writer laptop")
    let before = ledger.run("replay --json").text
    try ledger.write(ledger.bytes(of: "phone"), to: "copy.jsonl")
    #expect(ledger.run("replay --json").text == before)
    #expect(ledger.run("verify").text.contains("is a copy of copy.jsonl"))
    var changed = String(decoding: ledger.bytes(of: "phone"), as: UTF8.self)
    changed = changed.replacingOccurrences(of: "steady", with: "easy")
    try ledger.write([UInt8](changed.utf8), to: "copy.jsonl")
    // Of events recorded at the same time, the one in the segment with the first name counts.
    #expect(ledger.run("replay").status == .done)
    #expect(ledger.run("verify").text.contains("phone.jsonl:1: reused-id: "), "\(ledger.run("verify").text)")
  }
}

struct FarStampTests {
  private func ledger(recorded: String) throws -> TemporaryLedger {
    let ledger = try TemporaryLedger()
    try ledger.run(all: "init noalc\nlog noalc steady --id first")
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

  @Test func `the last stamp of the calendar leaves no time for another`() throws {
    let end = "2199-12-31T23:59:59.999999Z"
    let output = try ledger(recorded: end).run("log noalc steady")
    #expect(output.status == .badData)
    #expect(output.errors.contains("phone.jsonl:1:1: recorded \(end) leaves no time"), "\(output.errors)")
  }
}
