import CommandFixtures
import Foundation
import StreakCommands
import StreakDomain
import Testing

struct WhySinceTests {
  private func since(_ definitions: (day: Int, words: String)...) throws -> String {
    let ledger = try TemporaryLedger(now: "2025-11-03T12:00:00+01:00")
    try ledger.run(all: "init\ndefine reading --at-least 10pages --id first\nlog reading 12")
    for (number, definition) in definitions.enumerated() {
      ledger.now = "2025-11-0\(definition.day)T12:00:00+01:00"
      let output = ledger.run("define reading \(definition.words) --id d\(number)")
      #expect(output.status == .done, "\(output.screen)")
    }
    ledger.now = "2025-11-09T12:00:00+01:00"
    let lines = ledger.run("why reading 2025-11-08").text.split(separator: "\n").map(String.init)
    return lines.first { $0.hasPrefix("Since ") }?.components(separatedBy: " the rule").first ?? ""
  }

  @Test func `another name, icon or color leaves the rule as long as it was`() throws {
    #expect(try since((5, "--name Books")) == "Since 2025-11-03 (first)")
    #expect(
      try since((5, "--name Books"), (6, "--icon 📚"), (7, "--color '#112233'")) == "Since 2025-11-03 (first)")
  }

  @Test(arguments: ["--at-least 20pages", "--schedule mon-sat", "--jokers 7/3", "--grace 1"])
  func `another rule, schedule or forgiveness holds since then, whatever was before`(words: String) throws {
    #expect(try since((5, words)) == "Since 2025-11-05 (d0)")
    #expect(try since((5, words), (6, "--name Books")) == "Since 2025-11-05 (d0)")
    #expect(try since((5, words), (6, "--name Books"), (7, "--at-least 5pages")) == "Since 2025-11-07 (d2)")
  }

  @Test func `a rule that came back is so since it came back, and so is a habit that was retired`() throws {
    #expect(try since((5, "--at-least 20pages"), (6, "--at-least 10pages")) == "Since 2025-11-06 (d1)")
    #expect(try since((5, "--retire"), (7, "--name Books")) == "Since 2025-11-07 (d1)")
  }
}
