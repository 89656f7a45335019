import CommandFixtures
import Imports
import StreakCommands
import StreakDomain
import Testing

struct ForeignNumberTests {
  @Test(arguments: ["0", "12", "-3", "0.5", ".5", "1e3", "+2", "1E-2"])
  func `a decimal number from another app is read`(text: String) {
    #expect(ForeignNumber.read(text) == Double(text) && Double(text) != nil)
  }

  @Test(arguments: ["", "0x10", "0X1p2", "-0x1", "1,5", "twelve", "1 2", "nan"])
  func `a number from another app in any other form is refused`(text: String) {
    #expect(ForeignNumber.read(text) == nil)
  }

  @Test(arguments: ["0x10", "nan", "inf"])
  func `a value of Loop that is not a decimal number is refused`(amount: String) throws {
    let ledger = try TemporaryLedger(running: "init meditation")
    let path = try ledger.file(
      "Checkmarks.csv", "Date,Meditation,\n2025-11-01,9000,\n2025-11-02,\(amount),\n")
    let output = ledger.run(["import", "loop", path])
    #expect(output.status == .badData && output.errors.contains("a number of thousandths"))
  }

  @Test func `a Health record with hexadecimal drinks is left out`() throws {
    let ledger = try TemporaryLedger(running: "init noalc")
    #expect(
      try ledger.importHealth([HealthXML.drinks("2025-11-01 19:00", "0x4")], "--json")[
        "leftOut.0.count"]
        == "1")
  }
}
