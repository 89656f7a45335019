import CommandFixtures
import StreakCommands
import StreakDomain
import Testing

struct CalendarRowsTests {
  private func sample(_ words: String) -> Output {
    TemporaryLedger.run(
      TemporaryLedger.words(words), input: "", events: Repository.root + "/events",
      now: "2025-11-20T21:00:00+01:00", seed: 0)
  }

  @Test func `the sum of a week is behind its row`() throws {
    let ledger = try TemporaryLedger(running: "init")
    let rule = #"{"kind":"sum","of":"minutes","atLeast":150,"per":"week"}"#
    #expect(ledger.run(["define", "sport", "--rule", rule]).status == .done)
    try ledger.run(all: "log sport 80m")
    #expect(
      ledger.run("calendar").text.contains("80 of 150 min this week"), "\(ledger.run("calendar").screen)")
  }

  @Test func `JSON has the same days as each habit's own calendar`() throws {
    let all = sample("calendar --json").text
    for habit in ["noalc", "gym"] {
      let own = sample("calendar \(habit) --from -13 --to today --json").text
      let document = own.dropFirst(#"{"format":1,"habits":["#.count).dropLast(3)
      #expect(all.contains(document), "\(habit)")
    }
    #expect(all.matches(of: #/"day":/#).count == 18 * 14)
  }

  @Test func `a span that ends before it begins is refused`() {
    let output = sample("calendar gym --from today --to yesterday")
    #expect(output.status == .usage && output.errors.contains("is after --to"), "\(output.screen)")
  }

  @Test func `a habit given up before these days has no row, and one without days an empty one`() throws {
    let ledger = try TemporaryLedger(now: "2025-10-01T12:00:00+02:00")
    try ledger.run(all: "init noalc\nlog noalc steady\ndefine noalc --retire")
    try ledger.run(all: "define tea --any", at: "2025-11-03T12:00:00+01:00")
    let text = ledger.run("calendar").text
    #expect(!text.contains("NoAlc") && text.contains("tea"), "\(text)")
  }
}
