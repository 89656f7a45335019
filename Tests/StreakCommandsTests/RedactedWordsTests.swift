import CommandFixtures
import Foundation
import StreakCommands
import StreakDomain
import Testing

struct RedactedWordsTests {
  /// The events with a text in `field`; `stays` is true if `redact` cannot remove it.
  private static let places: [(line: String, field: String, stays: Bool)] = [
    (
      #""type":"entry.deleted","entry":"e0","reason":"no: met Lena at 5, which was wrong""#,
      "reason", false
    ),
    (
      #""type":"entry.logged","habit":"noalc","level":"steady","note":"then met Lena at 5""#,
      "note", false
    ),
    (
      #""type":"entry.logged","habit":"noalc","level":"steady","note":"met \u004cena at 5""#,
      "note", false
    ),
    (
      #""type":"entry.logged","habit":"noalc","level":"steady","x_mood":"met Lena at 5!""#,
      "x_mood", true
    ),
    (
      #""type":"entry.logged","habit":"noalc","level":"steady","x_y":{"a":["x met Lena at 5"]}"#,
      "x_y", true
    ),
    (
      #""type":"entry.logged","habit":"noalc","level":"steady","x_y":{"met Lena at 5":1}"#, "x_y",
      true
    ),
    (
      #""type":"entry.logged","habit":"noalc","level":"steady","activity":"met Lena at 5""#,
      "activity", true
    ),
    (#""type":"entry.logged","habit":"noalc","level":"steady","by":"met Lena at 5""#, "by", true),
  ]

  private func ledger(_ fields: String = "") throws -> TemporaryLedger {
    let ledger = try TemporaryLedger(running: "init noalc\nlog noalc steady --id e0")
    let line =
      #"""
      {"id":"e1","type":"entry.logged","habit":"noalc","level":"steady","note":"met Lena at \#
      5"\#(fields)}
      """#
    #expect(ledger.run("append", input: line).status == .done)
    return ledger
  }

  @Test(arguments: 0..<places.count)
  func `redact lists every other event that still contains the text, with the field`(index: Int)
    throws
  {
    let (line, field, stays) = RedactedWordsTests.places[index]
    let ledger = try ledger()
    #expect(ledger.run("append", input: "{\"id\":\"other\",\(line)}").status == .done)
    if line.contains("u004c") {
      // The store doesn't escape this letter, but another program may.
      let text = String(decoding: ledger.bytes(), as: UTF8.self)
      let place = try #require(text.range(of: "met Lena at 5", options: .backwards))
      try ledger.write(
        Array(text.replacingCharacters(in: place, with: #"met \u004cena at 5"#).utf8),
        to: "main.jsonl")
    }
    let redacted = ledger.run("redact e1")
    #expect(redacted.status == .failed, "\(redacted.screen)")
    #expect(redacted.text.contains("still has it in \(field)"), "\(redacted.screen)")
    #expect(redacted.text.contains("is not a text and stays") == stays, "\(redacted.screen)")
  }

  @Test
  func
    `redact lists fields that still contain the text, but no event with only a part of the text`()
    throws
  {
    let ledger = try ledger(#","x_who":"met Lena at 5","value":"met Lena at 5 again""#)
    try ledger.run(all: "log noalc steady --note 'met Lena'")
    let redacted = ledger.run("redact e1 --fields note --json")
    #expect(redacted.status == .failed)
    #expect(redacted["remains.0.event"] == "e1" && redacted["remains.1.event"] == nil)
    #expect(redacted["remains.0.fields.0"] == "value" && redacted["remains.0.fields.1"] == "x_who")
    #expect(ledger.run("redact e1 --json")["redacted.0.fields.0"] == "value")
  }

  @Test
  func `a redaction whose reason repeats the text is refused, and nothing is written`() throws {
    let ledger = try ledger()
    let before = ledger.contents()
    let refused = ledger.run(["redact", "e1", "--reason", "she met Lena at 5"])
    #expect(
      refused.status == .usage && refused.errors.contains("use other words"), "\(refused.screen)")
    #expect(ledger.contents() == before)
  }

  @Test func `redact succeeds if nothing else contains the text`() throws {
    let ledger = try ledger(#","x_who":"met Len""#)
    let redacted = ledger.run("redact e1")
    #expect(redacted.status == .done, "\(redacted.screen)")
  }
}
