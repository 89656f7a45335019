import CommandFixtures
import Foundation
import StreakCommands
import StreakDomain
import StreakServer
import Streaks
import Testing

/// Causes every kind of failure, and compares its message with the recorded one; docs/recipes.md
/// has its exit code.
struct FailurePageTests {
  static let scenarios =
    FailureScenario.asked + FailureScenario.lines + FailureScenario.events + FailureScenario.ledgers

  @Test func `every kind of failure has a scenario, in the order of FailureKind`() {
    #expect(FailurePageTests.scenarios.map(\.kind) == FailureKind.allCases)
  }

  @Test func `docs recipes lists every kind of failure under its exit code`() throws {
    let page = try Repository.text("docs/recipes.md")
    let section = try #require(page.components(separatedBy: "\n### Exit codes\n").dropFirst().first)
    let lines = section.components(separatedBy: "\n### ")[0].components(separatedBy: "\n- ")
      .dropFirst()
    #expect(lines.count == ExitStatus.allCases.count)
    for (status, line) in zip(ExitStatus.allCases, lines) {
      #expect(line.hasPrefix("\(status.rawValue): "))
      let kinds =
        line.components(separatedBy: "Kinds:").dropFirst().first.map {
          String($0.drop { $0 != "`" })
        } ?? ""
      let names = kinds.components(separatedBy: "\n\n")[0].split(separator: "`").enumerated()
        .filter { $0.offset % 2 == 0 }.map { String($0.element) }
      let own = FailureKind.allCases.filter { $0.status == status }.map(\.rawValue)
      #expect(names == own, "exit code \(status.rawValue)")
    }
  }

  @Test(.enabled(if: TestPrograms.has("unzip"), "there is no unzip"))
  func `every failure scenario ends with its kind, its exit code and the recorded message`() throws
  {
    var messages = ""
    for scenario in FailurePageTests.scenarios {
      let kind = scenario.kind
      let met = try scenario.run()
      #expect(
        met.kind == kind.rawValue && met.status == kind.status, "\(kind.rawValue): \(met.says)")
      let row = "\(kind.rawValue) \(kind.status.rawValue) \(kind.problem.rawValue) \(kind.error)"
      messages += "\(row): \(met.says)\n"
    }
    let path = "Tests/Fixtures/failures.txt"
    guard ProcessInfo.processInfo.environment["RECORD"] != nil else {
      let recorded = try Repository.text(path)
      #expect(
        Transcript.agree(messages, recorded),
        "\(Transcript.difference(messages, recorded, recordable: false))")
      return
    }
    try messages.write(toFile: "\(Repository.root)/\(path)", atomically: true, encoding: .utf8)
  }

  @Test(arguments: [
    ("log noalc stedy", "steady"), ("log pages 25pags", "25pages"), ("log pages 5page7", nil),
    ("log gym runing", "running"), ("log meditation 12minuts", "12minutes"),
    ("undo --writer man", "main"), ("shwo", "show"), ("show --jsno", "--json"),
    ("show noalk", "noalc"), ("why noalc.curent", "noalc.current"), ("init noalk", "noalc"),
    ("define meditatoin", "meditation"), ("when 'noalc.curent > 1'", "noalc.current"),
    ("export tabl", nil), ("day --zone Europe/Berln", "Europe/Berlin"),
  ])
  func `a name that an error message suggests is also in the JSON of the error`(
    line: String, name: String?
  ) throws {
    let ledger = try TemporaryLedger(running: "init noalc meditation --writer main")
    try ledger.run(all: "define pages --at-least 20pages --writer main")
    let rule = #"{"kind":"activity","thresholds":{"running":{"km":1}}}"#
    #expect(ledger.run(["define", "gym", "--rule", rule, "--writer", "main"]).status == .done)
    let output = ledger.run(line + " --json")
    let document = Output(text: output.errors, errors: "", status: output.status)
    let says = try #require(document["error.says"])
    if let name { #expect(says.contains("did you mean \"\(name)\""), "\(says)") }
    #expect(
      says.contains("did you mean") == output.errors.contains("\"nearest\":["), "\(output.errors)")
    if let name { #expect(output.errors.contains("\"nearest\":[\"\(name)\""), "\(output.errors)") }
  }
}
