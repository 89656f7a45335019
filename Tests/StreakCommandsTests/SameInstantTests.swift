import CommandFixtures
import StreakCommands
import Testing

/// Times with different offsets: the same instant is the same time, and screens show it in the
/// ledger's zone.
struct SameInstantTests {
  private let utc =
    #"{"id":"a","type":"entry.logged","habit":"noalc","drinks":1,"at":"2025-11-03T09:15:22Z"}"#

  private var local: String { utc.replacing("09:15:22Z", with: "10:15:22+01:00") }

  @Test
  func `appending an event again with the same instant in another offset answers exists`() throws {
    let ledger = try TemporaryLedger(running: "init noalc")
    #expect(ledger.run("append", input: utc).status == .done)
    let again = ledger.run("append", input: local)
    #expect(again["status"] == "exists" && again.status == .done, "\(again.screen)")
    let each = ledger.run("append --each", input: local)
    #expect(each["status"] == "exists", "\(each.screen)")

    let later = ledger.run("append", input: utc.replacing("09:15", with: "09:16"))
    #expect(later.status == .conflict && later.errors.contains("taken by a different event"))
  }

  @Test func `appending an event again with its asOf in another offset answers exists`() throws {
    let ledger = try TemporaryLedger(running: "init noalc")
    let keyed = utc.replacing(
      #""at":"#, with: #""key":"k","asOf":"2025-11-03T08:00:00Z","at":"#)
    #expect(ledger.run("append", input: keyed).status == .done)
    let again = ledger.run(
      "append", input: keyed.replacing("T08:00:00Z", with: "T09:00:00+01:00"))
    #expect(again["status"] == "exists", "\(again.screen)")
  }

  @Test func `the same event in two segments with different offsets counts once`() throws {
    let ledger = try TemporaryLedger(running: "init noalc")
    let other = try TemporaryLedger(now: ledger.now)
    try other.write(ledger.bytes(), to: "main.jsonl")
    #expect(ledger.run("append --writer tablet", input: utc).status == .done)
    other.now = "2025-11-03T12:00:01+01:00"
    #expect(other.run("append --writer phone", input: local).status == .done)
    try ledger.write(other.bytes(of: "phone"), to: "phone.jsonl")
    let verified = ledger.run("verify")
    #expect(verified.screen.isEmpty, "\(verified.screen)")
    #expect(ledger.run("entries").text.split(separator: "\n").count == 1)
  }

  @Test func `screens show a time in the ledger's zone`() throws {
    let ledger = try TemporaryLedger(running: "init noalc")
    let tokyo = utc.replacing(#""a""#, with: #""tokyo""#).replacing(
      "09:15:22Z", with: "19:30:00+09:00\",\"zone\":\"Asia/Tokyo")
    for line in [utc, tokyo] { #expect(ledger.run("append", input: line).status == .done) }
    let entries = ledger.run("entries").text
    #expect(entries.contains("2025-11-03  10:15  noalc"), "\(entries)")
    #expect(entries.contains("2025-11-03  11:30  noalc"), "\(entries)")
    #expect(ledger.run("why a").text.contains("time 2025-11-03T10:15:22+01:00"))
    for command in [
      "why tokyo", "why noalc.totals.entries", "when 'noalc.totals.entries == 2'",
      "timeline -n 1", "diff 3 4",
    ] {
      let output = ledger.run(command)
      #expect(output.text.contains("2025-11-03 12:00"), "\(command)\n\(output.text)")
    }
  }

  @Test
  func `after a change of the time zone, earlier entries keep the times of the former zone`() throws
  {
    let ledger = try TemporaryLedger(running: "init gym\nlog gym --at 08:00")
    ledger.now = "2025-11-05T12:00:00-05:00"
    try ledger.run(all: "day --zone America/New_York\nlog gym --at 09:00")
    let entries = ledger.run("entries").text
    #expect(
      entries.contains("2025-11-03  08:00  gym") && entries.contains("2025-11-05  09:00  gym"))
  }
}
