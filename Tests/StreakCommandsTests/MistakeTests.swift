import CommandFixtures
import Foundation
import StreakCommands
import StreakDomain
import Testing

/// User mistakes that are reported before an event is recorded, or when a ledger is read.
struct MistakeTests {
  private func ledger(_ commands: String = "init noalc") throws -> TemporaryLedger {
    let ledger = try TemporaryLedger(now: "2025-11-20T12:00:00+01:00")
    try ledger.run(all: commands)
    return ledger
  }

  @Test func `append recognizes an event on several lines as a mistake and skips blank lines`()
    throws
  {
    let ledger = try ledger("init\ndefine reading --any")
    let output = ledger.run("append", input: "{\n  \"type\": \"entry.logged\"\n}\n")
    #expect(
      output.status == .badData && output.errors.contains("; each event is one line; `jq -c .`"))
    let entry = #"{"type":"entry.logged","habit":"reading"}"#
    #expect(ledger.run("append", input: entry + "\n\n \r\n").status == .done)
    #expect(ledger.run("append", input: entry + "\n\n" + entry).status == .done)
  }

  @Test func `init in a file with an incomplete line sets the line aside and reports the bytes`()
    throws
  {
    let ledger = try TemporaryLedger(now: "2025-11-20T12:00:00+01:00")
    try FileManager.default.createDirectory(
      atPath: ledger.events, withIntermediateDirectories: true)
    try ledger.write(Array("{\"type\":".utf8), to: "main.jsonl")
    let output = ledger.run("init noalc")
    #expect(
      output.status == .done
        && output.errors.contains("last 8 bytes, from byte 0, are an incomplete line"))
    #expect(ledger.files().contains("main.torn-0"))
  }

  @Test func `show reports all mistakes in a line written by hand at once`() throws {
    let ledger = try ledger()
    try ledger.write(
      Array(#"{"type":"entry.logged","level":5,"minutes":"9","day":"2025-11-1"}"#.utf8) + [0x0A],
      to: "hand.jsonl")
    let output = ledger.run("show")
    #expect(output.status == .badData)
    for part in [
      #"needs the fields "habit", "id", "at", "recorded", "zone"; "#, #""day" is "2025-11-1""#,
      #""minutes" must be a number"#, #""level" must be text"#, "`streaks append FILE`",
    ] {
      #expect(output.errors.contains(part), "\(output.errors)")
    }
  }

  @Test func `show and verify suggest to remove a copied file with an incomplete line`() throws {
    let ledger = try TemporaryLedger(running: "init noalc")
    try ledger.write(Array(#"{"id":"e9","no"#.utf8), to: "phone (1).jsonl")
    try ledger.write(Array(#"{"id":"e9","no"#.utf8), to: "phone.jsonl")
    for errors in [ledger.run("show").errors, ledger.run("verify").text] {
      let lines = errors.split(separator: "\n")
      #expect(lines.count == 2, "\(errors)")
      for line in lines {
        #expect(line.contains("incomplete line"), "\(errors)")
        #expect(
          line.contains("remove it if it is a copy") == line.contains("phone (1).jsonl"),
          "\(errors)")
      }
    }
  }

  @Test func `define refuses a habit while the segment that defines the habit is missing`() throws {
    let ledger = try TemporaryLedger(running: "init noalc --writer phone")
    try ledger.run(all: "log noalc steady", at: "2025-11-04T12:00:00+01:00")
    let phone = ledger.bytes(of: "phone")
    try FileManager.default.removeItem(atPath: ledger.events + "/phone.jsonl")
    let logged = ledger.run("log noalc steady")
    #expect(
      logged.status == .badData && logged.errors.contains("bring the missing lines back first"))
    #expect(!logged.errors.contains("streaks define"), "\(logged.errors)")
    let refused = ledger.run("define noalc --any")
    #expect(
      refused.status == .badData && refused.errors.contains("may define it"), "\(refused.errors)")
    #expect(ledger.run("define other --any --force").status == .done)
    try ledger.write(phone, to: "phone.jsonl")
    #expect(ledger.run("define noalc --strict").status == .done)
  }
}
