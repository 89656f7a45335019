import CommandFixtures
import Inspection
import StreakCommands
import StreakDomain
import Testing

struct PredicateErrorTests {
  @Test
  func `the error for a predicate that is too long or too deep shows only a part of the predicate`()
    throws
  {
    let ledger = try TemporaryLedger(running: "init noalc")
    let deep = String(repeating: "(", count: 70) + "xp > 1"
    #expect(
      ledger.run(["when", deep]).errors.hasPrefix(
        "streaks: parentheses and `not` nested deeper than 64"))
    let long = ledger.run(["when", String(repeating: "xp > 1 or ", count: 500)])
    #expect(long.status == .usage)
    #expect(
      long.errors.hasPrefix("streaks: the predicate has 5000 bytes; at most 4096 are allowed"))
    #expect(long.errors.utf8.count < 400)
  }

  @Test func `the mark of an error is below the wrong token, even after wide characters`() throws {
    let ledger = try TemporaryLedger(running: "init noalc")
    let errors = ledger.run(["when", "noalc.icon == \"🍀\" or xpp > 1"]).errors
    #expect(
      errors.hasSuffix(
        "  noalc.icon == \"🍀\" or xpp > 1\n" + String(repeating: " ", count: 24) + "^\n"))
  }

  @Test func `control characters of a predicate are not sent to the terminal`() throws {
    let ledger = try TemporaryLedger(running: "init noalc")
    #expect(!ledger.run(["when", "xpp > \u{1B}[2J"]).errors.contains("\u{1B}"))
  }

  @Test func `every field can be compared in a predicate and is listed in docs domain`() throws {
    let ledger = try TemporaryLedger()
    // The gym habit has a quota.
    ledger.run("init noalc gym")
    ledger.run("log noalc steady")
    for field in HabitField.allCases {
      #expect(ledger.run(["when", "noalc.\(field.path) != noalc.\(field.path)"]).status == .failed)
    }
    let verdicts = Set(Verdict.allCases.map { "days.\($0.rawValue)" })
    let domain = try Repository.text("docs/domain.md")
    let rows = domain.split(separator: "\n").drop { $0 != "## A habit's state" }.dropFirst()
      .prefix { !$0.hasPrefix("## ") }.filter { $0.hasPrefix("|") }
    for field in HabitField.allCases where field != .name && field != .icon {
      let path = field.path.split(separator: ".")
      let isListed = rows.contains { row in
        verdicts.contains(field.path)
          ? row.contains("`days`") : path.allSatisfy { row.contains("`\($0)`") }
      }
      #expect(isListed, "docs/domain.md, \"A habit's state\", does not list \(field.path)")
    }
    let document = ledger.run("replay --json").text
    for field in LedgerField.allCases.map(\.rawValue) {
      let last = field.split(separator: ".").last ?? ""
      #expect(document.contains("\"\(last)\":"), "\(field)")
    }
  }
}
