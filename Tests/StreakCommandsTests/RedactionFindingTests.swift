import CommandFixtures
import EventLog
import Foundation
import StreakCommands
import StreakDomain
import Testing

struct RedactionFindingTests {
  @Test func `the same words under another id, and in other files as those write them, are listed`() throws {
    let ledger = try TemporaryLedger()
    try ledger.run(all: "init noalc\ndefine reading --any")
    let note = #"say "hi" to Lena"#
    #expect(ledger.run(["log", "noalc", "steady", "--note", note, "--id", "first"]).status == .done)
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
    try ledger.run(all: "define reading --name Heimlich --id one\ndefine reading --at-least 30pages --id two")
    let output = ledger.run("redact one")
    #expect(
      output.status == .failed && output.text.contains("`streaks redact two --writer main`"),
      "\(output.screen)")
  }

  @Test func `each byte of a redacted line that is altered is found`() throws {
    let ledger = try RedactTests.ledger()
    try ledger.run(all: "redact e1")
    ledger.now = "2025-11-05T12:00:00+01:00"
    try ledger.run(all: "day")
    #expect(ledger.run("verify").screen == "")
    let whole = ledger.bytes()
    let text = String(decoding: whole, as: UTF8.self)
    for mark in [#"{"id":"e1""#, #""type":"event.redacted""#] {
      let found = try #require(text.range(of: mark))
      let start = text.utf8.distance(from: text.startIndex, to: text.lineRange(for: found).lowerBound)
      let end = text.utf8.distance(from: text.startIndex, to: text.lineRange(for: found).upperBound)
      for place in start..<end {
        let others = [UInt8(ascii: " "), 0x09, 0x0D, UInt8(ascii: "\""), UInt8(ascii: "x"), whole[place] ^ 1]
        // In place of redacted texts, every replacement is tried, elsewhere one per byte.
        let tried = whole[place] == UInt8(ascii: " ") ? others : [others[place % others.count]]
        for byte in tried where byte != whole[place] {
          var altered = whole
          altered[place] = byte
          try ledger.write(altered, to: "main.jsonl")
          try #require(
            ledger.run("verify").status == .failed, "byte \(place - start) is \(byte): \(mark)")
        }
      }
    }
  }

  @Test func `white space that no seal shows is found behind any text`() throws {
    let ledger = try RedactTests.ledger()
    let text = String(decoding: ledger.bytes(), as: UTF8.self)
    let odd = text.replacing(#""note":"at home""#, with: #""note":"at home" "#)
    try ledger.write([UInt8](odd.utf8), to: "main.jsonl")
    #expect(ledger.run("verify").text.contains("white space behind the note"))
  }

  @Test func `a text that is put back into its own line is named, too`() throws {
    let ledger = try RedactTests.ledger()
    let old = ledger.bytes()
    try ledger.run(all: "redact e1")
    let now = ledger.bytes()
    try ledger.write(old + now[old.count...], to: "main.jsonl")
    #expect(!ledger.run("entries").text.contains(RedactTests.secret))
    let found = ledger.run("verify")
    #expect(
      found.text.contains("redaction: the note of e1 was redacted, and is still here"), "\(found.text)")
    #expect(!found.text.contains("seal:"))
    let other = String(decoding: ledger.bytes(), as: UTF8.self).replacing("clinic", with: "cinema")
    try ledger.write([UInt8](other.utf8), to: "main.jsonl")
    #expect(ledger.run("verify").text.contains("neither empty nor what it was before"))
  }

  @Test func `redactions that nobody made are found`() throws {
    let ledger = try RedactTests.ledger()
    try ledger.run(all: "redact e1 --id r1")
    let lines = String(decoding: ledger.bytes(), as: UTF8.self).split(separator: "\n").map(String.init)
    let redaction = try #require(lines.last)
    let digest = SHA256(of: Array(RedactTests.secret.utf8)).digest()
    func forged(_ event: String, _ digest: String, field: String = "note") -> String {
      redaction.replacing(#""id":"r1""#, with: #""id":"r2""#).replacing(
        #""event":"e1""#, with: #""event":"\#(event)""#
      )
      .replacing(digest == "" ? "-" : SHA256(of: Array(RedactTests.secret.utf8)).digest(), with: digest)
      .replacing(#"{"note":"#, with: #"{"\#(field)":"#)
      .replacing(
        #""recorded":"2025-11-04T11:00:00.000001Z""#, with: #""recorded":"2025-11-04T11:00:00.000002Z""#)
    }
    let zeros = String(repeating: "0", count: 64)
    for (lines, says) in [
      (lines + [forged("e1", zeros)], "says of the note of e1 that it was another text"),
      (lines + [forged("e7", digest)], "redacts the event e7, which is not before it"),
      (lines + [forged("e0", zeros)], "the note of e0 was redacted, and is neither empty nor what it was"),
      (lines + [forged("e1", digest, field: "value")], "the value of e1 was redacted, and is neither"),
    ] {
      try ledger.write([UInt8]((lines.joined(separator: "\n") + "\n").utf8), to: "main.jsonl")
      let found = ledger.run("verify")
      #expect(found.text.contains("seal: \(says)"), "\(says): \(found.text)")
    }
    try ledger.write([UInt8]((lines.joined(separator: "\n") + "\n").utf8), to: "main.jsonl")
    try ledger.write(
      [UInt8]((forged("e0", SHA256(of: Array("at home".utf8)).digest()) + "\n").utf8), to: "phone.jsonl")
    #expect(ledger.run("verify").text.contains("phone.jsonl:1: seal: redacts the event e0"))
  }

  @Test func `the lines in the format's page are sealed and redacted as it says`() throws {
    let page = try Repository.text("docs/event-format.md")
    let lines = page.components(separatedBy: "```json\n")[1].components(separatedBy: "```")[0]
    let ledger = try TemporaryLedger(now: "2025-11-04T20:00:00+01:00")
    try ledger.write([UInt8](lines.utf8), to: "main.jsonl")
    #expect(ledger.run("verify").screen == "")
    try ledger.run(all: "redact e2 --reason 'my own business'")
    let line = try #require(ledger.stored().first { $0["id"] == "e2" }?.text)
    #expect(page.contains("\n\(line)\n"), "\(line)")
    #expect(page.contains(try #require(ledger.stored().last?["texts.note"])))
  }
}
