import CommandFixtures
import Imports
import StreakCommands
import StreakDomain
import Testing

/// Numbers of other programs are decimal, in every file that is imported.
struct ForeignNumberTests {
  @Test(arguments: ["0", "12", "-3", "0.5", ".5", "1e3", "+2", "1E-2"])
  func `decimal numbers are read`(text: String) {
    #expect(ForeignNumber.read(text) == Double(text) && Double(text) != nil)
  }

  @Test(arguments: ["", "0x10", "0X1p2", "-0x1", "1,5", "twelve", "1 2", "nan"])
  func `nothing else is`(text: String) { #expect(ForeignNumber.read(text) == nil) }

  @Test(arguments: ["0x10", "nan", "inf", "1,5"])
  func `an amount in harsh's log that is none is refused`(amount: String) throws {
    let ledger = try TemporaryLedger()
    try ledger.run(all: "init meditation")
    let path = try ledger.file("log", "2025-11-02 : Meditation : y : : \(amount)\n")
    let output = ledger.run(["import", "harsh", path])
    #expect(output.status == .badData && output.errors.contains("a number, 0 or more"))
  }

  @Test func `drinks in hexadecimal are left out`() throws {
    let ledger = try TemporaryLedger()
    try ledger.run(all: "init noalc")
    #expect(
      try ledger.importHealth([HealthXML.drinks("2025-11-01 19:00", "0x4")], "--json")["leftOut.0.count"]
        == "1")
  }
}
