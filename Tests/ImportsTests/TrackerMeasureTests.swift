import CommandFixtures
import Foundation
import StreakCommands
import StreakDomain
import Testing

/// What an import of another tracker takes its numbers as.
struct TrackerMeasureTests {
  @Test(arguments: ["minutes", "km", "sets", "drinks", "amount"])
  func `a habit with a sum takes the number as its measure, and no plain yes`(measure: String) throws {
    let ledger = try TemporaryLedger()
    try ledger.run(all: "init")
    let rule = #"{"kind":"sum","of":"\#(measure)","atLeast":1}"#
    #expect(ledger.run(["define", "total", "--name", "Total", "--rule", rule]).status == .done)
    let path = ledger.folder + "/log"
    try Data("2025-11-01 : Total : y : : 7\n2025-11-02 : Total : y\n".utf8).write(to: URL(filePath: path))
    let output = ledger.run(["import", "harsh", path])
    #expect(ledger.run("entries --json")["entries.0.\(measure)"] == "7")
    #expect(output.text.contains(#""total" has the rule "sum", and there is nothing to measure it by"#))
  }
}
