import CommandFixtures
import StreakCommands
import StreakDomain
import Testing

struct MeasureTests {
  @Test(arguments: [("log reading 0,5", "0.5"), ("log coffee 1,5cups", "1.5cups")])
  func `a decimal comma is answered with a point`(line: String, right: String) throws {
    #expect(
      try TemporaryLedger(running: "init reading coffee", now: "2026-03-12T12:00:00Z").run(line).errors
        .contains("decimals follow a point, as in \(right)"))
  }

  @Test func `a word behind a number that is no unit is refused with the order in which it counts`() throws {
    let ledger = try TemporaryLedger.ofMarch("define sport --at-least 150min/week")
    #expect(ledger.run("log sport 60 walk").errors.contains("a word of your own comes first: walk 60"))
    #expect(ledger.run("log sport walk 60").text.hasPrefix("sport · 60 min walk"))
    #expect(ledger.run("log sport 60 minuts").errors.contains("did you mean \"60minutes\"?"))
  }

  @Test func `a number below nothing is no text`() throws {
    let ledger = try TemporaryLedger(running: "init\ndefine gym --any")
    let output = ledger.run("log gym -5m")
    #expect(
      output.status == .usage && output.errors.contains("\"-5m\" is less than nothing"), "\(output.errors)")
    #expect(ledger.run("log gym --value -5m").status == .done)
    #expect(ledger.run("log gym -- -so-so").text.contains("-so-so"))
  }

  @Test func `a number that measures nothing is named, and undo says each day once`() throws {
    let ledger = try TemporaryLedger.ofMarch("define gym --any\nlog gym 45\ndelete --last")
    #expect(ledger.run("log gym 45").text.contains("45 is kept as a text; 45m is minutes"))
    try ledger.run(all: "undo")
    #expect(ledger.run("undo").text.hasPrefix("undid: deleted gym of 2026-03-02 (…"))
  }
}
