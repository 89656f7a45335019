import CommandFixtures
import DomainFixtures
import Foundation
import StreakDomain
import Testing

@Suite(.enabled(if: Node.isThere, "there is no node to run the page"))
struct ReportExplainTests {
  /// Returns a ledger of 60 days: one week was logged late, and one day is deleted at the end.
  private func ledger() throws -> TemporaryLedger {
    let ledger = try TemporaryLedger(now: "2025-09-01T20:00:00+02:00")
    try ledger.run(all: "init noalc\ndefine reading --at-least 20pages --jokers 5/2")
    let first: Day = "2025-09-01"
    var random = SeededRandom(seed: 11)
    for number in 0..<60 {
      let day = first + number
      ledger.now = "\(day)T20:00:00+02:00"
      guard !(20..<27).contains(number) else { continue }
      try ledger.run(all: "log noalc \(random.below(9) == 0 ? "wild" : "steady") --id n\(number)")
      if random.below(6) > 0 { try ledger.run(all: "log reading 25pages") }
      guard number == 30 else { continue }
      for late in 20..<27 { try ledger.run(all: "log noalc steady --on \(first + late)") }
    }
    try ledger.run(all: "delete n40")
    return ledger
  }

  @Test(arguments: [0, 1])
  func `the report explains a number with the events of why, and each event leads to its step`(
    card: Int
  ) throws {
    let ledger = try ledger()
    let text = ledger.run("report -").text
    let page = try ShownPage.after(["number \(card)", "show"], on: text)[0]
    let title = try #require(page.chain.title)
    #expect(title.hasPrefix("Why ") && page.scrolledTo == "chain-part")
    let fields = ["current"] + (title.contains("joker") ? ["jokers.held"] : [])
    let lines = ledger.run("timeline --json").lines
    let positions = Dictionary(
      uniqueKeysWithValues: lines.map { ($0["event"] ?? "", Int($0["position"] ?? "")) })
    let ends = lines.filter { $0["more"] == nil }.compactMap { Int($0["position"] ?? "") }
    let chained = fields.flatMap { field in
      ledger.run("why \(page.habit ?? "").\(field) --json").text
        .matches(of: #/"event":"([^"]+)"/#).compactMap { positions[String($0.output.1)] }
    }
    #expect(
      !page.chain.lines.joined().contains(#/noalc|/\d/#), "names, no ids: \(page.chain.lines)")
    let rows = page.chain.positions
    #expect(rows.count > 5 && Set(rows).isSubset(of: Set(chained)))
    let end = try #require(rows.max())
    let place = try #require(rows.indices.filter { rows[$0] < end }.max { rows[$0] < rows[$1] })
    let there = try ShownPage.after(["number \(card)", "follow chain \(place)", "show"], on: text)[
      0]
    // There is a state only after the step of the event.
    let position = try #require(ends.first { $0 >= rows[place] })
    #expect(there.state.contains("\"position\": \(position),"))
    #expect(there.chain.positions == [])
    #expect(there.chain.note.hasPrefix("The reasons are listed for the end of the history"))
    let back = try ShownPage.after(
      ["number \(card)", "follow chain \(place)", "click chain-end", "show"], on: text)[0]
    #expect(back.chain.positions == rows && page.chain.note == "")
  }

  @Test func `the report explains a run of weeks in weeks`() throws {
    let ledger = try TemporaryLedger(running: "init sport-week\nlog sport-week 150min")
    #expect(
      try ShownPage.after(["show"], on: ledger.run("report -").text)[0].chain.title == "Why 1 week")
  }

  @Test func `a habit without a run has no number to explain in the report`() throws {
    let ledger = try TemporaryLedger(running: "init noalc\ndefine mood --any")
    #expect(try ShownPage.after(["show"], on: ledger.run("report -").text)[0].chain.title == nil)
  }
}
