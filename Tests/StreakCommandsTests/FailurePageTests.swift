import CommandFixtures
import Foundation
import StreakDomain
import Testing

/// Every kind of failure, met for real, and the tables of docs/errors.md that show each.
struct FailurePageTests {
  static let sections = [
    ("What a command was asked", FailureScenario.asked),
    ("A line that is no event", FailureScenario.lines),
    ("An event that does not fit the ledger", FailureScenario.events),
    ("The ledger's files", FailureScenario.ledgers),
    ("A file of another program", FailureScenario.imports),
  ]

  @Test func `every kind has a scenario, in order`() {
    #expect(FailurePageTests.sections.flatMap(\.1).map(\.kind) == FailureKind.allCases)
  }

  @Test(.enabled(if: TestPrograms.has("unzip"), "there is no unzip"))
  func `every kind is met, ends as its row says, and is in docs errors with its message`() throws {
    var tables = ""
    for (title, scenarios) in FailurePageTests.sections {
      tables += "### \(title)\n\n| kind | exit | HTTP | library | example |\n|---|---|---|---|---|\n"
      for scenario in scenarios {
        let row = scenario.kind.row
        let met = try scenario.run()
        #expect(met.kind == scenario.kind.rawValue && met.status == row.exit, "\(scenario.kind): \(met.says)")
        let cells = [
          "`\(scenario.kind.rawValue)`", "\(row.exit.rawValue)", "`\(row.problem.rawValue)`", "`\(row.app)`",
          FailurePageTests.code(met.says),
        ]
        tables += "| " + cells.joined(separator: " | ") + " |\n"
      }
      tables += "\n"
    }
    let path = "docs/errors.md"
    let page = try Repository.text(path)
    let start = try #require(page.range(of: "\n## Every kind\n"))
    let from = try #require(page.range(of: "\n### ", range: start.upperBound..<page.endIndex)).lowerBound
    let end = try #require(page.range(of: "\n## ", range: from..<page.endIndex)).lowerBound
    guard ProcessInfo.processInfo.environment["RECORD"] != nil else {
      #expect(
        Transcript.agree(tables, String(page[from..<end])),
        "RECORD=1 swift test --filter FailurePageTests writes the tables of \(path) again")
      return
    }
    try (page[..<from] + "\n" + tables.dropLast() + page[end...]).write(
      toFile: "\(Repository.root)/\(path)", atomically: true, encoding: .utf8)
  }

  /// Text as code in a cell of a table.
  private static func code(_ text: String) -> String {
    let escaped = text.replacing("|", with: "\\|")
    return text.contains("`") ? "`` \(escaped) ``" : "`\(escaped)`"
  }
}
