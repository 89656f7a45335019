import CommandFixtures
import StreakCommands
import StreakDomain
import Testing

/// `timeline --json` of events that a name makes the owner's: one batch, with one cursor.
struct OwnerClaimTests {
  private func line(_ id: String, _ second: Int, _ rest: String) -> String {
    #"{"id":"\#(id)","type":"\#(rest),"at":"2025-11-03T12:00:00Z","recorded":"2025-11-03T12:00:0\#(second).000000Z","#
      + #""day":"2025-11-03","zone":"UTC"}"# + "\n"
  }

  @Test(arguments: ["", "-n 1", "tea", "tea -n 1"])
  func `a batch is printed whole, and its last line has the cursor whatever the filter says`(options: String)
    throws
  {
    let ledger = try TemporaryLedger(now: "2025-11-03T13:00:00Z")
    let tea = line("d", 2, #"habit.defined","habit":"tea","rule":{"kind":"any"},"subject":"ana""#)
    let entry = line("a", 3, #"entry.logged","habit":"tea","subject":"ana""#)
    let own = line("b", 4, #"habit.defined","habit":"other","rule":{"kind":"any"}"#)
    try ledger.write(Array((tea + entry + own).utf8), to: "phone.jsonl")
    let before = ledger.run("timeline --json --after start")
    let cursor = try #require(before["cursor"], "\(before.screen)")
    for second in [1, 5] {
      try ledger.write(Array(line("o", second, #"ledger.opened","owner":"ana""#).utf8), to: "main.jsonl")
      let after = ledger.run("timeline --json --after \(cursor) \(options)")
      let lines = after.text.split(separator: "\n")
      #expect(after.status == .done && !lines.isEmpty, "\(after.screen)")
      #expect(lines.dropLast().allSatisfy { !$0.contains(#""cursor""#) }, "\(after.text)")
      let last = try #require(lines.last)
      let end = Output(text: String(last), errors: "", status: .done)
      let next = try #require(end["cursor"], "\(after.text)")
      #expect(ledger.run("timeline --json --after \(next)").text.isEmpty)
      if options.isEmpty || options == "-n 1" { #expect(lines.count == 3, "\(after.text)") }
    }
  }
}
