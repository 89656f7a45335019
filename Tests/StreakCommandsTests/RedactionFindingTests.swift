import CommandFixtures
import EventLog
import Foundation
import StreakCommands
import StreakDomain
import Testing

struct RedactionFindingTests {
  @Test func `redact lists the same text in other events and files, even if it is escaped there`()
    throws
  {
    let ledger = try TemporaryLedger(running: "init noalc\ndefine reading --any")
    let note = #"say "hi" to Lena"#
    #expect(
      ledger.run(["log", "noalc", "steady", "--note", note, "--id", "first"]).status == .done)
    try ledger.run(all: "delete first --id gone\nundo")
    try ledger.run(["export", "csv", "entries"]).text.write(
      toFile: ledger.events + "/out.csv", atomically: true, encoding: .utf8)
    try note.write(toFile: ledger.events + "/notes.txt", atomically: true, encoding: .utf8)
    for words in [["redact", "first", "--dry-run"], ["redact", "first"]] {
      let output = ledger.run(words)
      #expect(output.status == .failed, "\(output.screen)")
      for place in ["main.jsonl:", "out.csv still has it", "notes.txt still has it"] {
        #expect(output.text.contains(place), "\(output.screen)")
      }
    }
    try ledger.run(
      all: "define reading --name Heimlich --id one\ndefine reading --at-least 30pages --id two")
    let output = ledger.run("redact one")
    #expect(
      output.status == .failed && output.text.contains("`streaks redact two --writer main`"),
      "\(output.screen)")
  }

  @Test func `redact overwrites an unfinished batch with the text and does not list that batch`()
    throws
  {
    let ledger = try RedactTests.ledger()
    let line = #"""
      {"id":"n9","type":"entry.logged","at":"2025-11-04T12:00:00Z",\#
      "recorded":"2025-11-04T12:00:00.000000Z","day":"2025-11-04","zone":"UTC","habit":"noalc",\#
      "note":"\#(RedactTests.secret)","more":true}

      """#
    try ledger.write(ledger.bytes() + Array(line.utf8), to: "main.jsonl")
    try ledger.write(Array(line.utf8), to: "phone.jsonl")
    let foretold = ledger.run("redact e1 --dry-run").text
    #expect(!foretold.contains("main.jsonl:"), "\(foretold)")
    let output = ledger.run("redact e1")
    #expect(!output.text.contains("main") && output.text.contains("phone.jsonl"), "\(output.text)")
    let text = BytePattern(RedactTests.secret)
    let holders = (ledger.contents() ?? [:]).filter { text.first(in: $0.value) != nil }.keys
    #expect(Array(holders) == ["phone.jsonl"])
  }

  @Test func `each byte of a redacted line is sealed, except texts and the space after them`()
    throws
  {
    let ledger = try RedactTests.ledger()
    try ledger.run(all: "redact e1 --reason 'not yours'")
    try ledger.run(all: "day", at: "2025-11-05T12:00:00+01:00")
    #expect(ledger.run("verify").screen == "")
    let whole = ledger.bytes()
    let text = String(decoding: whole, as: UTF8.self)
    for mark in [#"{"id":"e1""#, #""type":"event.redacted""#] {
      let found = try #require(text.range(of: mark))
      let start = text.utf8.distance(
        from: text.startIndex, to: text.lineRange(for: found).lowerBound)
      let end = text.utf8.distance(from: text.startIndex, to: text.lineRange(for: found).upperBound)
      let texts = RedactableTexts(Array(whole[start..<end - 1])).texts
      for place in start..<end {
        var altered = whole
        altered[place] = UInt8(ascii: whole[place] == UInt8(ascii: "x") ? "y" : "x")
        try ledger.write(altered, to: "main.jsonl")
        let isText = texts.contains { $0.content.contains(place - start) }
        #expect(
          ledger.run("verify").status == (isText ? .done : .failed),
          "byte \(place - start) of \(mark)")
      }
    }
  }

  @Test func `verify reports a redacted text that somebody put back into its line`() throws {
    let ledger = try RedactTests.ledger()
    let old = ledger.bytes()
    try ledger.run(all: "redact e1")
    let now = ledger.bytes()
    try ledger.write(old + now[old.count...], to: "main.jsonl")
    let found = ledger.run("verify")
    #expect(found.text.contains("redaction: the note of e1 was redacted, and is still here"))
    #expect(!found.text.contains("seal:"))
  }

  @Test func `the lines of docs event-format are sealed and redacted as the page shows`() throws {
    let page = try Repository.text("docs/event-format.md")
    let lines = page.components(separatedBy: "```json\n")[1].components(separatedBy: "```")[0]
    let ledger = try TemporaryLedger(now: "2025-11-04T20:00:00+01:00")
    try ledger.write([UInt8](lines.utf8), to: "main.jsonl")
    #expect(ledger.run("verify").screen == "")
    try ledger.run(all: "redact e2 --reason 'my own business'")
    let line = try #require(ledger.stored().first { $0["id"] == "e2" }?.text)
    #expect(page.contains("\n\(line)\n"), "\(line)")
  }
}
