import CommandFixtures
import StreakCommands
import StreakDomain
import Testing

struct CalendarRowsTests {
  private func sample(_ words: String, columns: String = "") -> Output {
    TemporaryLedger.run(
      TemporaryLedger.words(words), input: "", events: Repository.root + "/events",
      now: "2025-11-20T21:00:00+01:00", seed: 0, variables: columns.isEmpty ? [:] : ["COLUMNS": columns])
  }

  @Test(arguments: [("60", 7), ("80", 14), ("120", 14)])
  func `a row a habit and a column a day fit the terminal`(columns: String, days: Int) throws {
    let lines = sample("calendar", columns: columns).text.split(separator: "\n")
    let width = try #require(Int(columns))
    #expect(lines.allSatisfy { $0.count <= width }, "\(lines)")
    #expect(lines[2].split(separator: " ").last == "20" && lines[2].split(separator: " ").count == days)
    let gym = try #require(lines.first { $0.contains("Gym") })
    #expect(gym.hasSuffix("2 of 3 this week"), "\(gym)")
    #expect(lines.first { $0.contains("NoAlc") }?.hasSuffix("?  28 days") == true)
  }

  @Test func `the sum of a week is behind its row`() throws {
    let ledger = try TemporaryLedger()
    try ledger.run(
      all: "init")
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

  @Test func `a habit given up before these days has no row, and one without days an empty one`() throws {
    let ledger = try TemporaryLedger(now: "2025-10-01T12:00:00+02:00")
    try ledger.run(all: "init noalc\nlog noalc steady\ndefine noalc --retire")
    ledger.now = "2025-11-03T12:00:00+01:00"
    try ledger.run(all: "define tea --any")
    let text = ledger.run("calendar").text
    #expect(!text.contains("NoAlc") && text.contains("tea"), "\(text)")
  }

  @Test(arguments: [
    ("calendar --ahead 3 --month 2025-10", "--ahead and --month do not go together"),
    ("calendar --ahead 0", "--ahead is \"0\"; it must be a number of days, 1 to 366"),
    ("calendar --month 2025-10 --to today", "--month and --to do not go together"),
    ("calendar gym --from today --to yesterday", "is after --to"),
  ])
  func `what does not go together is refused`(command: String, says: String) {
    let output = sample(command)
    #expect(output.status == .usage && output.errors.contains(says), "\(output.screen)")
  }
}
