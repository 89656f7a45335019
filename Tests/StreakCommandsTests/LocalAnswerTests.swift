import CommandFixtures
import StreakCommands
import StreakDomain
import Testing

struct LocalAnswerTests {
  private func ledger() throws -> TemporaryLedger {
    let ledger = try TemporaryLedger(now: "2025-11-03T12:00:00+01:00")
    try ledger.run(all: "init noalc --zone Europe/Berlin\nlog noalc steady --id a")
    return ledger
  }

  @Test(arguments: [
    ("2025-11-04T07:30", "2025-11-04T07:30:00+01:00"), ("07:30", "2025-11-03T07:30:00+01:00"),
    ("23:59", "2025-11-03T23:59:00+01:00"), ("2025-11-04T06:30:00Z", "2025-11-04T07:30:00+01:00"),
  ])
  func `now is read in the ledger's zone where it has no offset`(word: String, at: String) throws {
    let ledger = try ledger()
    #expect(ledger.run("log noalc steady --id b --now \(word)").status == .done)
    #expect(ledger.run("why b --json")["event.at"] == at)
  }

  @Test(arguments: ["2025-11-04", "yesterday", "25:00", "2025-11-04_07:30"])
  func `what is no time says what one is`(word: String) throws {
    let output = try ledger().run(["show", "--now", word])
    #expect(output.status == .usage)
    #expect(output.errors.contains("it must be a time such as 08:00, 2025-11-03T08:00, or"))
  }

  @Test func `an undo after which no run is another says what the day rests on`() throws {
    let ledger = try ledger()
    try ledger.run(all: "log noalc easy --id b\ndelete a --id one\ndelete b --id two")
    let text = ledger.run("undo two").text
    #expect(text.contains("\n  2025-11-03 is bad again, by easy "), "\(text)")
    try ledger.run(all: "define tea --any\nlog tea --id t\ndelete t --id three")
    let gone = ledger.run("undo three").text
    #expect(!gone.contains(" stays ") && !gone.contains(" again"), "\(gone)")
  }

  @Test func `the way back is said until it was once gone, and of a day that was over`() throws {
    let ledger = try ledger()
    #expect(ledger.run("log noalc steady").text.contains("`streaks undo` takes it back"))
    try ledger.run(all: "undo")
    #expect(!ledger.run("log noalc steady").text.contains("takes it back"))
    #expect(ledger.run("log noalc easy --on yesterday").text.contains("`streaks undo` takes it back"))
  }

  @Test func `a habit retired today asks for nothing more`() throws {
    let ledger = try ledger()
    try ledger.run(all: "define tea --any\nlog tea\ndefine tea --retire\ndefine noalc --retire")
    #expect(ledger.run("show").text.hasSuffix("\n2 off or retired · `--all` shows them\n"))
    #expect(ledger.run("show tea").text.contains("retired from tomorrow"))
  }

  @Test(arguments: ["init --now 2026-03-02T07:00", "init noalc --now 07:00 --zone Europe/Berlin"])
  func `the first now of all needs no offset, either`(command: String) throws {
    let ledger = try TemporaryLedger(now: "2026-03-02T12:00:00+01:00")
    #expect(
      TemporaryLedger.run(
        TemporaryLedger.words(command), input: "", events: ledger.events, now: "", seed: 1
      ).status == .done)
  }

  @Test func `now is the ledger's time where an entry has another zone`() throws {
    let ledger = try ledger()
    try ledger.run(all: "log noalc steady --id b --now 2025-11-04T20:00 --zone America/New_York")
    #expect(ledger.run("why b --json")["event.at"] == "2025-11-04T14:00:00-05:00")
  }

  @Test(arguments: [
    ("define gym --per-week 3", "`--schedule 3/week` says that"),
    ("define gym --every 2", "`--schedule every:2` says that"),
    ("log noalc steady --date yesterday", "`--on DAY` says that"),
    ("zone Europe/Paris", "`streaks day --zone ZONE`"),
  ])
  func `an option or command that people try leads to the right one`(command: String, says: String) throws {
    let output = try ledger().run(command)
    #expect(output.status == .usage && output.errors.contains(says), "\(output.errors)")
  }

  @Test func `a conversion that is not exact is refused, but of times and miles`() throws {
    let ledger = try ledger()
    try ledger.run(
      all: "define water --at-least 2l\ndefine walk --at-least 1hours\ndefine run --at-least 5km")
    #expect(ledger.run("log water 0.5ml").status == .usage)
    #expect(ledger.run("log water 5ml").status == .done)
    #expect(ledger.run("log walk 20min").status == .done)
    #expect(ledger.run("log run 5000m").errors.contains("m is minutes, and the habit counts km; say 5km"))
  }

  @Test func `a goal planned for a retired habit is no goal, and help knows other words`() throws {
    let ledger = try ledger()
    try ledger.run(
      all: "define tea --at-least 2cups\ndefine tea --at-least 3cups --on tomorrow\ndefine tea --retire")
    #expect(!ledger.run("show tea").text.contains("3 cups"))
    #expect(ledger.run("help pause").errors.contains("`streaks excuse` does that"))
  }
}
