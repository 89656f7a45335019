import CommandFixtures
import Foundation
import StreakCommands
import StreakDomain
import Testing

struct FollowingTests {
  private func line(_ id: String, _ minute: Int, day: String = "2025-11-03") -> String {
    #"{"id":"\#(id)","type":"entry.logged","at":"\#(day)T12:0\#(minute):00+01:00","#
      + #""recorded":"\#(day)T11:0\#(minute):00.000000Z","day":"\#(day)","zone":"Europe/Berlin","#
      + #""habit":"noalc","level":"steady"}"#
  }

  @Test func `following tells new lines and new segments once, and no torn line`() throws {
    let ledger = try TemporaryLedger(running: "init noalc", now: "2025-11-03T12:00:00+01:00")
    let begun = ledger.bytes()
    var looks = 0
    let output = TemporaryLedger.run(
      ["timeline", "-f", "-n", "1"], input: "", events: ledger.events, now: ledger.now, seed: 1,
      pause: { [self] in
        looks += 1
        let added = Array((line("a", 1) + "\n").utf8)
        switch looks {
        case 1: try? ledger.write(begun + added, to: "main.jsonl")
        case 2: break
        case 3: try? ledger.write(Array((line("early", 0) + "\n").utf8), to: "phone.jsonl")
        case 4: try? ledger.write(begun + added + Array(line("torn", 2).utf8.dropLast(9)), to: "main.jsonl")
        case 5: try? ledger.write(begun + added + Array((line("torn", 2) + "\n").utf8), to: "main.jsonl")
        default: return false
        }
        return true
      })
    #expect(output.status == .done)
    let ids = output.text.split(separator: "\n").dropFirst().compactMap { line in
      ["a", "early", "torn"].first { line.contains(" \($0) ") || line.hasSuffix(" \($0)") }
    }
    #expect(ids == ["a", "early", "torn"], "\(output.text)")
  }

  @Test func `the newest of a span come last, each line with a cursor to go on from`() throws {
    let ledger = try TemporaryLedger(running: "init noalc meditation\nlog noalc steady\nlog meditation 5m")
    let all = ledger.run("timeline --json").text.split(separator: "\n")
    #expect(ledger.run("timeline --json -n 2 --to 4").text.split(separator: "\n") == Array(all[2..<4]))
    #expect(ledger.run("timeline noalc -n 1").text.contains("noalc run 0 → 1"))
    let cursor = try #require(ledger.run("timeline --json").lines[3]["cursor"])
    #expect(ledger.run("timeline --json --after \(cursor)").text.split(separator: "\n") == Array(all[4...]))
    #expect(!ledger.run("timeline --json --without 2").text.contains("cursor"))
  }
}
