import CommandFixtures
import Foundation
import StreakDomain
import Testing

/// Causes every kind of failure, and compares its message with its row in docs/errors.md.
struct FailurePageTests {
  static let sections = [
    ("A command, or a file of another program", FailureScenario.asked),
    ("A line that is no event", FailureScenario.lines),
    ("An event that does not fit the ledger", FailureScenario.events),
    ("The ledger's files", FailureScenario.ledgers),
  ]

  @Test func `every kind has a scenario, in order`() {
    #expect(FailurePageTests.sections.flatMap(\.1).map(\.kind) == FailureKind.allCases)
  }

  @Test(.enabled(if: TestPrograms.has("unzip"), "there is no unzip"))
  func `every kind is met, ends as its row says, and is in docs errors with its message`() throws {
    var tables = ""
    var messages = ""
    for (title, scenarios) in FailurePageTests.sections {
      tables += "### \(title)\n\n| kind | exit | example |\n|---|---|---|\n"
      for scenario in scenarios {
        let (kind, row) = (scenario.kind.rawValue, scenario.kind.row)
        let met = try scenario.run()
        #expect(met.kind == kind && met.status == row.exit, "\(kind): \(met.says)")
        messages += "\(kind) \(row.exit.rawValue) \(row.problem.rawValue) \(row.app): \(met.says)\n"
        let wrong = met.says.components(separatedBy: "; ")[0]
        tables += "| `\(kind)` | \(row.exit.rawValue) | \(FailurePageTests.code(wrong)) |\n"
      }
      tables += "\n"
    }
    let path = "docs/errors.md"
    let messagesPath = "Tests/Fixtures/failures.txt"
    let page = try Repository.text(path)
    let start = try #require(page.range(of: "\n## Every kind\n"))
    let from = try #require(page.range(of: "\n### ", range: start.upperBound..<page.endIndex)).lowerBound
    let end = try #require(page.range(of: "\n## ", range: from..<page.endIndex)).lowerBound
    guard ProcessInfo.processInfo.environment["RECORD"] != nil else {
      #expect(
        Transcript.agree(tables, String(page[from..<end])),
        "RECORD=1 swift test --filter FailurePageTests writes the tables of \(path) again")
      let recorded = try Repository.text(messagesPath)
      #expect(
        Transcript.agree(messages, recorded),
        "\(Transcript.difference(messages, recorded, recordable: false))")
      return
    }
    try (page[..<from] + "\n" + tables.dropLast() + page[end...]).write(
      toFile: "\(Repository.root)/\(path)", atomically: true, encoding: .utf8)
    try messages.write(
      toFile: "\(Repository.root)/\(messagesPath)", atomically: true, encoding: .utf8)
  }

  @Test(arguments: [
    ("log noalc stedy", "steady"), ("log pages 25pags", "25pages"), ("log pages 5page7", nil),
    ("log gym runing", "running"), ("log meditation 12minuts", "12minutes"),
    ("define x --schedule 3/weak", "3/week"), ("define x --at-least 5km/weak", "5km/week"),
    ("undo --writer man", "main"), ("shwo", "show"), ("show --jsno", "--json"),
    ("show noalk", "noalc"), ("why noalc.curent", "noalc.current"), ("init noalk", "noalc"),
    ("define meditatoin", "meditation"), ("when 'noalc.curent > 1'", "current"),
    ("export tabl", nil), ("day --zone Europe/Berln", "Europe/Berlin"),
  ])
  func `the names that a message offers are in its document`(line: String, name: String?) throws {
    let ledger = try TemporaryLedger()
    try ledger.run(all: "init noalc meditation --writer main")
    try ledger.run(all: "define pages --at-least 20pages --writer main")
    let rule = #"{"kind":"activity","thresholds":{"running":{"km":1}}}"#
    #expect(ledger.run(["define", "gym", "--rule", rule, "--writer", "main"]).status == .done)
    let output = ledger.run(line + " --json")
    let document = Output(text: output.errors, errors: "", status: output.status)
    let says = try #require(document["error.says"])
    if let name { #expect(says.contains("did you mean \"\(name)\""), "\(says)") }
    #expect(says.contains("did you mean") == output.errors.contains("\"nearest\":["), "\(output.errors)")
    if let name { #expect(output.errors.contains("\"nearest\":[\"\(name)\""), "\(output.errors)") }
  }

  private static func code(_ text: String) -> String {
    let escaped = text.replacing("|", with: "\\|")
    return text.contains("`") ? "`` \(escaped) ``" : "`\(escaped)`"
  }
}
