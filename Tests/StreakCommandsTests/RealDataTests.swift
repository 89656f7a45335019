import CommandFixtures
import DomainFixtures
import Foundation
import StreakCommands
import StreakDomain
import Testing

/// A thousand commits of one maintainer, 2020 to 2021, 43 of them out of order
/// (Fixtures/commit-times.tsv).
struct RealDataTests {
  private func lines() throws -> [String] {
    try Repository.text("Tests/Fixtures/commit-times.tsv").split(separator: "\n").map { line in
      let fields = line.split(separator: "\t")
      return
        #"""
        {"id":"commit-\#(fields[0])","type":"entry.logged","at":"\#(fields[1])","day":\#
        "\#(fields[1].prefix(10))",
        """#
          + #""zone":"UTC","habit":"commit"}"#
    }
  }

  private func ledger(of lines: [String]) throws -> TemporaryLedger {
    let ledger = try TemporaryLedger(running: "init --zone UTC", now: "2020-06-01T00:00:00Z")
    ledger.run("define commit --rule '{\"kind\":\"any\"}'")
    ledger.now = "2026-11-20T00:00:00Z"
    #expect(ledger.run("append", input: lines.joined(separator: "\n")).status == .done)
    return ledger
  }

  @Test
  func `a thousand commit times give 236 good days and a best run of 23, in any order`() throws {
    let lines = try lines()
    #expect(lines.count == 1000)
    let ordered = try ledger(of: lines)
    let state = ordered.run("replay --json --on 2020-11-30").text
    #expect(state.contains(#""current":23"#))
    #expect(state.contains(#""start":"2020-11-08""#))
    let end = ordered.run("show --json --on 2026-11-19").text
    #expect(end.contains(#""good":236"#))
    #expect(end.contains(#""best":23"#))
    var random = SeededRandom(seed: 11)
    let shuffled = try ledger(of: lines.shuffled(using: &random))
    let calendar = "calendar commit --all --json --on 2026-11-19"
    let verdicts = { (ledger: TemporaryLedger) in
      ledger.run(calendar).text.components(separatedBy: "\"verdict\":").map { $0.prefix(8) }
    }
    #expect(verdicts(shuffled) == verdicts(ordered))
    #expect(shuffled.run("show --json --on 2026-11-19").text.contains(#""best":23"#))
  }
}
