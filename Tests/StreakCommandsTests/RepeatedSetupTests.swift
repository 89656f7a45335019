import CommandFixtures
import StreakCommands
import Testing

/// Repeated setup commands report the existing setting with exit code 0 and write nothing.
struct RepeatedSetupTests {
  private func ledger() throws -> TemporaryLedger {
    try TemporaryLedger(
      running: "init noalc gym --day-start 04:00\ndefine reading --at-least 20pages")
  }

  @Test(arguments: [
    ("init", "is a ledger already, in Europe/Berlin"),
    ("init noalc gym", "in Europe/Berlin, with noalc, gym"),
    ("init --day-start 04:00 --zone Europe/Berlin", "is a ledger already"),
    ("init --dry-run", "is a ledger already"), ("init --id other", "is a ledger already"),
    ("define gym", "gym already has this definition"),
    ("define gym --preset gym", "gym already has this definition"),
    ("define reading --at-least 20pages", "reading already has this definition"),
    ("define reading --at-least 20pages --id again", "reading already has this definition"),
    ("define reading --dry-run", "reading already has this definition"),
    ("day", "still 2025-11-03"), ("day --starts 04:00", "days begin at 04:00 already"),
    ("celebrate --seen", "nothing to celebrate yet"),
    ("remind --off gym", "gym has no reminder that is on"),
  ])
  func `a setting that exists already is reported, and nothing is written`(
    command: String, says: String
  ) throws {
    let ledger = try ledger()
    let before = ledger.contents()
    let output = ledger.run(command)
    #expect(output.screen.contains(says), "\(output.screen)")
    #expect(output.status == .done && ledger.contents() == before)
  }

  @Test(arguments: [
    "remind --set gym 20:00", "remind --set noalc", "excuse 2025-11-05 2025-11-06",
    "excuse fri --habit gym --habit noalc --reason trip", "define gym --retire",
    "define gym --retire --on yesterday", "define reading --at-least 10pages --on tomorrow",
    "define 'Read a book' --any", "define gym --icon 🏋",
  ])
  func `a command that sets something up can be repeated, and writes nothing the second time`(
    command: String
  ) throws {
    let ledger = try ledger()
    #expect(ledger.run(command).status == .done)
    let before = ledger.bytes()

    let again = ledger.run(command)
    #expect(again.status == .done && again.text.contains("already"), "\(again.screen)")
    let json = ledger.run(command + " --json")
    #expect(json["results"] != nil && json.status == .done, "\(json.screen)")
    #expect(ledger.bytes() == before)
  }

  @Test(arguments: [
    ("init --zone Europe/Paris", "which is in Europe/Berlin; `streaks day --zone Europe/Paris`"),
    ("init --day-start 05:00", "begin at 04:00; `streaks day --starts 05:00` changes that"),
    ("init meditation", "which has no habit meditation; `streaks define meditation` adds it"),
    ("init noalc", "which defines noalc otherwise; `streaks define noalc --preset noalc`"),
    ("init gym", "which has retired gym; `streaks define gym` resumes it"),
  ])
  func `init with other settings names the command that changes them`(
    command: String, says: String
  ) throws {
    let ledger = try ledger()
    try ledger.run(all: "define noalc --jokers 5/1\ndefine gym --retire --on yesterday")
    let before = ledger.contents()
    let output = ledger.run(command)
    #expect(output.errors.contains(says), "\(output.errors)")
    #expect(output.status == .usage && ledger.contents() == before)
  }

  @Test func `a reminder, excuse or retirement that differs from the existing one is written`()
    throws
  {
    let ledger = try ledger()
    try ledger.run(all: "remind --set gym 20:00\nexcuse fri")
    let count = ledger.stored().count
    try ledger.run(all: "remind --set gym 21:00\nexcuse fri --habit gym\nexcuse fri --reason trip")
    try ledger.run(all: "define gym --retire\ndefine gym --retire --on yesterday")
    #expect(ledger.stored().count == count + 5)
  }
}
