import CommandFixtures
import StreakCommands
import StreakDomain
import Testing

struct SubjectTests {
  @Test func `no subject's events touch another's, and the owner has two names`() throws {
    let ledger = try TemporaryLedger()
    ledger.run("init noalc --owner ann")
    ledger.run("define noalc --subject ben")
    ledger.run("log noalc steady")
    ledger.run("log noalc steady --subject ann --on 2025-11-03")
    ledger.run("log noalc 6drinks --subject ben")
    let own = ledger.run("replay --json").text
    #expect(own == ledger.run("replay --json --subject ann").text)
    #expect(own.contains(#""entries":2"#))
    let other = ledger.run("replay --json --subject ben").text
    #expect(other.contains(#""entries":1"#))
    #expect(other.contains(#""status":"new""#))
    #expect(ledger.run("log noalc steady --subject cleo").status == .badData)
  }
}
