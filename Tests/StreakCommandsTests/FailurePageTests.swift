import CommandFixtures
import Foundation
import StreakDomain
import Testing

/// Every kind of failure, met for real: its message, and its row in docs/errors.md, which has the beginning of it.
struct FailurePageTests {
  /// The tables; files of other programs are read by commands only, so theirs lacks the other surfaces.
  static let sections = [
    ("What a command was asked", FailureScenario.asked, isEverywhere: true),
    ("A line that is no event", FailureScenario.lines, isEverywhere: true),
    ("An event that does not fit the ledger", FailureScenario.events, isEverywhere: true),
    ("The ledger's files", FailureScenario.ledgers, isEverywhere: true),
    ("A file of another program", FailureScenario.imports, isEverywhere: false),
  ]

  @Test func `every kind has a scenario, in order`() {
    #expect(FailurePageTests.sections.flatMap(\.1).map(\.kind) == FailureKind.allCases)
  }

  @Test(.enabled(if: TestPrograms.has("unzip"), "there is no unzip"))
  func `every kind is met, ends as its row says, and is in docs errors with its message`() throws {
    var tables = ""
    var messages = ""
    for (title, scenarios, isEverywhere) in FailurePageTests.sections {
      let surfaces = isEverywhere ? ["HTTP", "library"] : []
      let columns = ["kind", "exit"] + surfaces + ["example"]
      tables +=
        "### \(title)\n\n" + FailurePageTests.row(columns) + FailurePageTests.row(columns.map { _ in "---" })
      for scenario in scenarios {
        let row = scenario.kind.row
        let met = try scenario.run()
        #expect(met.kind == scenario.kind.rawValue && met.status == row.exit, "\(scenario.kind): \(met.says)")
        messages += "\(scenario.kind.rawValue): \(met.says)\n"
        // What to do follows; whoever meets the failure is told.
        let wrong = met.says.components(separatedBy: "; ")[0]
        tables += FailurePageTests.row(
          ["`\(scenario.kind.rawValue)`", "\(row.exit.rawValue)"]
            + (isEverywhere ? ["`\(row.problem.rawValue)`", "`\(row.app)`"] : [])
            + [FailurePageTests.code(wrong)])
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

  /// Sentences that offer a name, each made in another place.
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

  private static func row(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |\n" }

  /// Text as code in a cell of a table.
  private static func code(_ text: String) -> String {
    let escaped = text.replacing("|", with: "\\|")
    return text.contains("`") ? "`` \(escaped) ``" : "`\(escaped)`"
  }
}
