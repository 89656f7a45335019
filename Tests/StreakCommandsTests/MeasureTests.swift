import CommandFixtures
import StreakCommands
import StreakDomain
import Testing

/// The measures of `log`, one word each.
struct MeasureTests {
  @Test(arguments: [
    ("12m", "minutes", "12"), ("0.5h", "minutes", "30"), ("1.5h", "minutes", "90"),
    ("24h", "minutes", "1440"),
    ("5.2km", "km", "5.2"), ("3mi", "km", "4.828"), ("621mi", "km", "999.403"), ("0007.500km", "km", "7.5"),
    ("4sets", "sets", "4"),
  ])
  func `a measure is kept in minutes, kilometres or sets`(word: String, field: String, value: String) throws {
    let ledger = try TemporaryLedger()
    ledger.run("init cardio")
    #expect(ledger.run("log cardio running \(word) --id e1").status == .done)
    #expect(ledger.stored("e1", field) == value)
  }

  @Test(arguments: [
    (".5h", "such as 12 or 0.5"), ("5.km", "such as 12 or 0.5"), ("1.0005km", "at most 3 decimals"),
    ("25h", "0 to 1440"), ("622mi", "0 to 1000"), ("999999999999999h", "0 to 1440"),
    ("9999999999999mi", "0 to 1000"), ("99999999999999999999km", "0 to 1000"),
    ("99999999999999999999h", "0 to 1440"),
    ("1.5sets", "whole"),
  ])
  func `what is no measure or too much is refused, and nothing is written`(word: String, says: String) throws
  {
    let ledger = try TemporaryLedger()
    ledger.run("init cardio")
    let before = ledger.contents()
    let output = ledger.run("log cardio running \(word)")
    #expect(output.status == .usage)
    #expect(output.errors.contains(says), "\(output.errors)")
    #expect(ledger.contents() == before)
  }
}
