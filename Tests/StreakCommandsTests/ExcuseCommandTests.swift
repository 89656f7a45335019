import CommandFixtures
import StreakCommands
import StreakDomain
import Testing

struct ExcuseCommandTests {
  private func ledger() throws -> TemporaryLedger {
    let ledger = try TemporaryLedger(running: "init workout", now: "2025-11-03T12:00:00+01:00")
    for day in ["03", "04", "05", "08"] {
      try ledger.run(all: "log workout 20m --id w\(day)", at: "2025-11-\(day)T12:00:00+01:00")
    }
    return ledger
  }

  @Test func `it says which closed days change, and withdrawing says it the other way`() throws {
    let ledger = try ledger()
    let given = ledger.run("excuse 2025-11-06 2025-11-09 --reason ill --id x")
    #expect(
      given.text == """
        2025-11-06 to 2025-11-09: excused for all habits (x)
          💪 workout: 2025-11-06 to 2025-11-07 missed → excused
          💪 workout: run 1 → 4
          `streaks undo` takes it back

        """)
    let dry = ledger.run("excuse --withdraw x --dry-run")
    #expect(
      dry.text.contains(
        "would write 1 event\n  2025-11-08  withdrew the excuse of 2025-11-06 to 2025-11-09\n"), "\(dry.text)"
    )
    #expect(dry.text.contains("  2025-11-06…2025-11-07 excused → missed\n"))
    let taken = ledger.run("excuse --withdraw x --reason 'not ill'")
    #expect(
      taken.text == """
        withdrew the excuse of 2025-11-06 to 2025-11-09
          💪 workout: 2025-11-06 to 2025-11-07 excused → missed
          💪 workout: run 4 → 1
          `streaks undo` takes it back

        """)
    #expect(ledger.stored().last?["excuse"] == "x" && ledger.stored().last?["reason"] == "not ill")
    #expect(ledger.run("why workout 2025-11-06").text.contains("missed"))
    #expect(ledger.run("verify").status == .done)
    #expect(ledger.run("excuse 2025-12-24").text.contains("  no day that is over changes\n"))
  }

  @Test func `without words it lists the excuses that stand, in the order of their days`() throws {
    let ledger = try ledger()
    #expect(ledger.run("excuse").text == "no days are excused\n")
    try ledger.run(
      all: "excuse 2025-11-15 2025-11-23 --reason vacation --id later\nexcuse 2025-11-06 --id gone")
    try ledger.run(all: "excuse 2025-11-06 2025-11-07 --habit workout --id ill\nexcuse --withdraw gone")
    #expect(
      ledger.run("excuse").text == """
        2025-11-06 to 2025-11-07  workout  ill
        2025-11-15 to 2025-11-23  all habits: vacation  later

        """)
    #expect(
      ledger.run("excuse --json").text
        == #"{"excuses":[{"excuse":"ill","from":"2025-11-06","habits":["workout"],"reason":null,"to":"2025-11-07"},{"excuse":"later","from":"2025-11-15","habits":null,"reason":"vacation","to":"2025-11-23"}],"format":1}"#
        + "\n")
    for words in ["--habit workout", "--reason x", "--dry-run", "--id x"] {
      let output = ledger.run("excuse \(words)")
      #expect(output.status == .usage && output.errors.contains("FROM"), "\(output.screen)")
    }
  }

  @Test func `show announces the next excuse within two weeks`() throws {
    let ledger = try ledger()
    func announced() -> [String] {
      ledger.run("show").text.split(separator: "\n").map(String.init).filter { $0.hasPrefix("from ") }
    }
    try ledger.run(all: "excuse 2025-12-20 --reason later\nexcuse 2025-11-08 --reason today")
    #expect(announced() == [])
    try ledger.run(all: "excuse 2025-11-20 --habit workout")
    #expect(announced() == ["from 11-20: excused for workout, 1 day"])
    try ledger.run(all: "excuse 2025-11-13 2025-11-21 --reason vacation --id v")
    #expect(announced() == ["from Thursday: vacation, 9 days"])
    #expect(ledger.run("show workout").text.contains("\nfrom Thursday: vacation, 9 days\n"))
    try ledger.run(all: "excuse --withdraw v")
    #expect(announced() == ["from 11-20: excused for workout, 1 day"])
    ledger.now = "2025-12-07T12:00:00+01:00"
    #expect(announced() == ["from 12-20: later, 1 day"])
  }

  @Test func `more than 62 days need a word more`() throws {
    let ledger = try ledger()
    let before = ledger.contents()
    for words in ["excuse 2025-08-01 2025-10-02", "excuse 2025-08-01 2026-08-14 --dry-run"] {
      let output = ledger.run(words)
      #expect(output.status == .usage)
      #expect(output.errors.contains("more than 62 need --force"), "\(output.errors)")
    }
    #expect(ledger.contents() == before)
    #expect(ledger.run("excuse 2025-08-01 2025-10-01").status == .done)
    #expect(ledger.run("excuse 2025-08-01 2025-10-02 --force").status == .done)
  }

  @Test func `what is no excuse, or none any more, is not withdrawn, and nothing is written`() throws {
    let ledger = try ledger()
    try ledger.run(all: "excuse 2025-11-06 --id x\nexcuse --withdraw x --id y")
    let before = ledger.contents()
    for (id, says) in [
      ("x", "the excuse \"x\" is withdrawn already"),
      ("w03", "there is no excuse with the id \"w03\" to withdraw"),
      ("nothing", "there is no excuse with the id \"nothing\" to withdraw"),
    ] {
      let output = ledger.run("excuse --withdraw \(id)")
      #expect(output.status == .badData && output.errors.contains(says), "\(output.errors)")
      let line = ledger.run("append", input: #"{"type":"excuse.withdrawn","excuse":"\#(id)"}"#)
      #expect(line.status == .badData && line.errors.contains("-:1:1: " + says), "\(line.errors)")
    }
    #expect(ledger.run("excuse --withdraw x 2025-11-06").status == .usage)
    #expect(ledger.run("excuse --withdraw x --habit workout").status == .usage)
    #expect(ledger.run("append", input: #"{"type":"excuse.withdrawn"}"#).errors.contains("\"excuse\""))
    #expect(ledger.contents() == before)
    #expect(ledger.run("excuse --withdraw x --id y").text.contains("recorded before"))
  }

  @Test func `a date that never was stays excused`() throws {
    let ledger = try TemporaryLedger(now: "2011-12-29T12:00:00-10:00")
    try ledger.run(all: "init game --zone Pacific/Apia\nlog game completed")
    try ledger.run(all: "log game completed", at: "2011-12-31T12:00:00+14:00")
    let zone = try #require(ledger.stored().first { $0["reason"] == "zone" }?["id"])
    let output = ledger.run("excuse --withdraw \(zone)")
    #expect(output.status == .badData)
    #expect(output.errors.contains("excuses 2011-12-30, a date that never was; that cannot be withdrawn"))
  }

  @Test func `two devices that withdraw the same excuse withdraw it once`() throws {
    let ledger = try ledger()
    try ledger.run(all: "excuse 2025-11-06 2025-11-07 --id x")
    let phone = try TemporaryLedger(now: ledger.now)
    try phone.write(ledger.bytes(), to: "main.jsonl")
    try phone.run(all: "excuse --withdraw x --id theirs --writer phone")
    try ledger.run(all: "excuse --withdraw x --id mine", at: "2025-11-08T12:01:00+01:00")
    try ledger.write(phone.bytes(of: "phone"), to: "phone.jsonl")
    #expect(ledger.run("show --json")["habits.workout.current"] == "1")
    #expect(ledger.run("verify").screen.isEmpty)
  }

  @Test func `days to excuse in the wrong order are not those of a year`() throws {
    let ledger = try TemporaryLedger(running: "init reading coffee", now: "2026-03-12T12:00:00Z")
    #expect(
      ledger.run("excuse 03-20 03-14").errors.contains("before FROM, 2026-03-20; say the earlier one first"))
    #expect(ledger.run("excuse 12-28 01-03").status == .done)
    #expect(ledger.run("excuse sun sat").status == .done)
  }

  @Test func `a date to excuse that has just been is not silently next year's`() throws {
    let ledger = try TemporaryLedger.ofMarch("define med --any")
    ledger.now = "2026-03-15T12:00:00Z"
    #expect(
      ledger.run("excuse 03-13").errors.contains("03-13 is 2027-03-13, the next that comes; if 2026-03-13"))
    #expect(ledger.run("excuse 03-20").errors == "")
  }

  @Test func `an excuse that what was logged overrides is told`() throws {
    let ledger = try TemporaryLedger.ofMarch(
      "define coffee --at-most 2cups\nexcuse today\nlog coffee 3 --force")
    #expect(ledger.run("why coffee").text.contains("The day is excused ("))
  }

  @Test func `a reason stays beside its excuse where a change is planned`() throws {
    let ledger = try TemporaryLedger.ofMarch(
      "define pages --at-least 20pages\nlog pages 20\nexcuse tomorrow +3 --reason trip")
    try ledger.run(all: "define pages --at-least 10pages --on tomorrow", at: "2026-03-03T12:00:00Z")
    #expect(ledger.run("show").text.contains("excused through Thursday · trip · from tomorrow: 10 pages"))
  }

  @Test func `an excused day on which too little was logged is none of the run`() throws {
    let ledger = try TemporaryLedger.ofMarch("define med --at-least 10min\nlog med 12m")
    try ledger.run(all: "excuse today", at: "2026-03-03T12:00:00Z")
    #expect(ledger.run("log med 4m").text.contains("4 of 10 min today · run 1 day\n"))
    let meditation = try TemporaryLedger.ofMarch(
      "define meditation --preset meditation\ndefine meditation --at-least 10min\nlog meditation 12m")
    try meditation.run(all: "excuse today", at: "2026-03-03T12:00:00Z")
    let words = meditation.run("log meditation 4m").text
    #expect(
      words.contains("4 of 10 min today · run 1 day\n") && words.contains("; the day is excused"), "\(words)")
  }

  @Test func `what a command gives back is not said to be lost`() throws {
    let ledger = try TemporaryLedger(running: "init\ndefine gym --any\nlog gym")
    ledger.now = "2025-11-06T12:00:00+01:00"
    let text = ledger.run("excuse 2025-11-04 2025-11-05").text
    #expect(!text.contains("are over"), "\(text)")
    #expect(ledger.run("show gym").text.contains("1 day"))
  }

  @Test func `an excuse does not deny what days that are over cost`() throws {
    let ledger = try TemporaryLedger(running: "init\ndefine p --any\nlog p")
    ledger.now = "2025-11-05T12:00:00+01:00"
    let text = ledger.run("excuse sat sun").text
    #expect(text.contains("2025-11-03 to 2025-11-04 are over:\n    p: run 1 → 0\n"), "\(text)")
    #expect(!text.contains("no day that is over changes"))
    #expect(ledger.run("excuse 2025-11-15").text.contains("no day that is over changes"))
  }
}
