import CommandFixtures
import StreakCommands
import StreakDomain
import Testing

struct WeekSumTests {
  /// A habit, its days as digits, and the expected verdicts, written by hand.
  struct Kept: Sendable {
    let bound: String
    let first: String
    let unit: String
    let days: String
    let verdicts: String
    let runs: String
    let sums: [String]
    let says: String
  }

  private static let kept = [
    // The first Tuesday decides at once, the second week only on its Sunday, the third on its
    // Wednesday.
    Kept(
      bound: "--at-least 10pages/week", first: "2025-11-03", unit: "pages",
      days: "55.....5......4.6..", verdicts: "rgrrrrrrrrrrrmrrgrr", runs: "0111111111111000111",
      sums: "5 10 10 10 10 10 10 5 5 5 5 5 5 5 4 4 10 10 10".split(separator: " ").map(String.init),
      says: " 1 week  10 of 10 pages this week · done for this week"),
    // Within the limit on the first Sunday, over it on the next Wednesday; 8 are left in the third
    // week.
    Kept(
      bound: "--at-most 14drinks/week", first: "2025-11-03", unit: "drinks",
      days: "3.5....9.7....6", verdicts: "rrrrrrgrrbrrrro", runs: "000000111000000",
      sums: "3 3 8 8 8 8 8 9 9 16 16 16 16 16 6".split(separator: " ").map(String.init),
      says: " 0 weeks  kept so far · 6 of at most 14 drinks this week · 8 left"),
    // The 19 km of November are too few on its last day; December reaches 20 on its third day.
    Kept(
      bound: "--at-least 20km/month", first: "2025-11-27", unit: "km",
      days: "9.91992..", verdicts: "rrrmrrgrr", runs: "000000111",
      sums: "9 9 18 19 9 18 20 20 20".split(separator: " ").map(String.init),
      says: " 1 month  20 of 20 km this month"),
  ]

  private func ledger(_ kept: Kept, upTo count: Int = .max) throws -> TemporaryLedger {
    let first = try #require(Day(kept.first))
    let ledger = try TemporaryLedger(now: "\(first)T11:00:00+01:00")
    try ledger.run(all: "init --zone Europe/Berlin\ndefine h \(kept.bound)")
    for (offset, amount) in kept.days.prefix(count).enumerated() {
      ledger.now = "\(first + offset)T12:00:00+01:00"
      if amount != "." { try ledger.run(all: "log h \(amount)\(kept.unit)") }
    }
    return ledger
  }

  @Test(arguments: kept)
  func `a weekly sum has the verdicts, runs and sums that were worked out by hand`(kept: Kept)
    throws
  {
    let ledger = try ledger(kept)
    let rows = ledger.run("export csv days h").text.split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    #expect(rows[0].last == "sum")
    #expect(rows.dropFirst().map { String($0[2].prefix(1)) }.joined() == kept.verdicts)
    #expect(rows.dropFirst().map { $0[5] }.joined() == kept.runs)
    #expect(rows.dropFirst().map { $0[7] } == kept.sums)
    #expect(ledger.run("show h").text.contains(kept.says), "\(ledger.run("show h").text)")
    #expect(ledger.run("replay --json")["habits.h.progress.total"] == kept.sums.last)
    #expect(ledger.run("verify").status == .done)
  }

  @Test
  func `a predicate can compare the sum of a week, and when finds the event that reached the goal`()
    throws
  {
    let ledger = try ledger(WeekSumTests.kept[0])
    #expect(ledger.run(["when", "h.progress.total >= 10", "--json"])["flips.0.position"] == "5")
    #expect(ledger.run(["log", "h", "1", "--if", "h.progress.total < 10"]).status == .conflict)
    #expect(ledger.run("show --json")["habits.h.progress.per"] == "week")
  }

  @Test func `why explains the sum of a week with the entries of that week`() throws {
    let ledger = try TemporaryLedger.ofMarch(
      "define sport --at-least 150min/week\ndefine gym --any --schedule 3/week")
    for day in [2, 4, 5, 9, 11] {
      try ledger.log("sport 80", onMarch: [day])
      try ledger.log("gym", onMarch: [day])
    }
    for (field, day) in [("sport.progress.total", 9), ("gym.quota.good", 9)] {
      let days = ledger.run("why \(field)").text.split(separator: "\n").filter {
        $0.contains(" good, run ")
      }
      #expect(!days.isEmpty && days.allSatisfy { $0 >= "2026-03-0\(day)" }, "\(days)")
    }
    ledger.now = "2026-03-12T12:00:00Z"
    #expect(ledger.run("show").text.contains("160 of 150 min this week · done for this week"))
  }
}
