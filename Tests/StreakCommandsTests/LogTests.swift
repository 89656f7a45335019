import CommandFixtures
import StreakCommands
import StreakDomain
import Testing

struct DrinksTests {
  private func ledger(_ presets: String = "noalc") throws -> TemporaryLedger {
    try TemporaryLedger(running: "init \(presets)")
  }

  private func outcome(_ ledger: TemporaryLedger, _ day: String = "2025-11-03") -> String? {
    ledger.run("calendar noalc --all --json")["habits.0.days.\(day).outcome"]
  }

  @Test(arguments: [
    ("0drinks", "good"), ("1drinks", "good"), ("2drinks", "easy"), ("3drinks", "easy"),
    ("5drinks", "easy"), ("6drinks", "wild"), ("100drinks", "wild"), ("4drinks", "easy"),
    ("steady", "good"), ("easy", "easy"), ("wild", "wild"), ("easy 4drinks", "easy"),
  ])
  func `log accepts a level by name or derives the level from the number of drinks`(
    words: String, outcome: String
  ) throws {
    for preset in ["noalc", "noalc-strict"] {
      let ledger = try TemporaryLedger(
        running: "init\ndefine noalc --preset \(preset)\nlog noalc \(words)")
      #expect(self.outcome(ledger) == outcome)
    }
  }

  @Test(arguments: [(0, "good"), (4, "easy"), (6, "wild")])
  func `an appended entry with drinks from a health app has the matching level`(
    value: Int, outcome: String
  ) throws {
    let ledger = try ledger()
    let line = #"{"type":"entry.logged","habit":"noalc","drinks":\#(value),"by":"health"}"#
    #expect(ledger.run("append", input: line).status == .done)
    #expect(self.outcome(ledger) == outcome)
  }

  @Test(arguments: [
    ("log noalc 101drinks", "0 to 100"), ("log noalc -- -1drinks", "-1drinks"),
    ("log noalc 2.5drinks", "whole"),
    ("log noalc steady 3drinks", "3 drinks are \"easy\""),
    ("log noalc 2drinks 3drinks", "a second time"),
    ("log noalc", "needs a level (steady, easy, wild) or drinks"),
  ])
  func `log refuses missing, malformed and contradictory drinks and writes nothing`(
    command: String, says: String
  ) throws {
    let ledger = try ledger()
    let before = ledger.bytes()
    #expect(ledger.run(command).errors.contains(says))
    #expect(ledger.bytes() == before)
  }

  @Test func `log --on a missed day makes the day good and restores the run`() throws {
    let ledger = try ledger()
    try ledger.run(all: "log noalc steady")
    ledger.now = "2025-11-05T12:00:00+01:00"
    #expect(
      ledger.run("log noalc steady").text == """
        🍀 NoAlc · steady · day 1
          2025-11-03 to 2025-11-04 are over:
            🍀 NoAlc: run 1 → 0
          `streaks undo` reverts it

        """)
    #expect(
      ledger.run("log noalc steady --on 2025-11-04").text
        == """
        🍀 NoAlc · steady · for 11-04 · run 1 → 3 days
          🍀 NoAlc: 2025-11-04 missed → good
          🏆 Devotee, bronze
          🏆 3 days of NoAlc
          🏆 Streak master, bronze
          `streaks undo` reverts it

        """)
    #expect(outcome(ledger, "2025-11-04") == "good")
  }

  @Test(arguments: [
    (
      [
        "log noalc steady --at 2025-11-03T11:00:00+01:00",
        "log noalc wild --at 2025-11-03T10:00:00+01:00",
      ],
      "good"
    ),
    (
      [
        "log noalc steady --at 2025-11-03T10:00:00+01:00",
        "log noalc wild --at 2025-11-03T11:00:00+01:00",
      ],
      "wild"
    ),
    (["log noalc wild", "log noalc easy"], "easy"),
    (["log noalc easy", "log noalc steady"], "good"),
  ])
  func `the latest entry of a day decides the level, by its time and then by its recording`(
    commands: [String], outcome: String
  ) throws {
    let ledger = try ledger()
    for command in commands { try ledger.run(all: command) }
    #expect(self.outcome(ledger) == outcome)
  }

  @Test func `show reports a held joker, and log reports a spent joker`() throws {
    let ledger = try ledger()
    for day in 3...9 {
      try ledger.run(all: "log noalc steady", at: "2025-11-0\(day)T12:00:00+01:00")
    }
    #expect(ledger.run("show").text.contains("🍀 NoAlc  7 days  ★☆☆  safe through tomorrow"))
    ledger.now = "2025-11-10T12:00:00+01:00"
    #expect(
      ledger.run("log noalc easy").text
        == """
        🍀 NoAlc · easy · day 8 · joker spent, 0 of 3 held
          easy; the rule is last entry steady (steady 0–1, easy 2–5, wild 6+ drinks); a joker covers the day
          `streaks undo` reverts it

        """)
  }
}

struct GameLogTests {
  private func ledger() throws -> TemporaryLedger {
    let ledger = try TemporaryLedger()
    try ledger.run(all: "init\ndefine chess --preset game\nlog chess completed --id one")
    try ledger.run(all: "log chess failed --id two", at: "2025-11-04T12:00:00+01:00")
    try ledger.run(all: "log chess completed --id three", at: "2025-11-05T12:00:00+01:00")
    return ledger
  }

  @Test func `log --replaces writes one entry with the day and time of the replaced entry`() throws
  {
    let ledger = try ledger()
    #expect(ledger.run("show --json")["habits.chess.current"] == "1")
    try ledger.run(
      all: "day\nlog chess completed --replaces two --id new", at: "2025-11-06T12:00:00+01:00")
    let lines = ledger.stored().suffix(2)
    #expect(lines.map { $0["type"] } == ["day.changed", "entry.logged"])
    #expect(lines.first?["more"] == nil)
    #expect(ledger.stored("new", "day") == "2025-11-04")
    #expect(ledger.stored("new", "at") == ledger.stored("two", "at"))
    #expect(ledger.stored("new", "cause") == "two")
    #expect(ledger.stored("new", "key") == "two")
    let state = ledger.run("show --json")
    #expect(state["habits.chess.current"] == "3")
    #expect(state["habits.chess.start"] == "2025-11-03")
    #expect(state["habits.chess.totals.played"] == "3")
    #expect(state["habits.chess.totals.completed"] == "3")
    #expect(ledger.run("verify").status == .done)
  }

  @Test(arguments: ["chess", "noalc"])
  func `log --replaces keeps the x_ fields of an app, and repeating it writes nothing`(
    habit: String
  ) throws {
    let ledger = try ledger()
    try ledger.run(all: "define noalc")
    let entry = #"{"type":"entry.logged","id":"app","habit":"chess","completed":true"#
    let fields = #""x_mood":"calm","x_pulse":61.50"#
    #expect(ledger.run("append", input: "\(entry),\(fields)}\n").status == .done)

    let level = habit == "chess" ? "failed" : "steady"
    let correction = "log \(habit) \(level) --replaces app --id new"
    try ledger.run(all: correction)
    let lines = ledger.stored()
    #expect(lines.last?["id"] == "new")
    #expect(lines.last?.text.contains(fields) == true, "\(lines.last?.text ?? "")")
    try ledger.run(all: correction)
    #expect(ledger.stored() == lines)
  }

  @Test func `a game logged twice with the same id counts once`() throws {
    let ledger = try ledger()
    try ledger.run(all: "log chess completed --id three")
    #expect(ledger.run("show --json")["habits.chess.totals.played"] == "3")
    try ledger.run(all: "log chess completed --id four")
    let state = ledger.run("show --json")
    #expect(state["habits.chess.totals.played"] == "4")
    #expect(state["habits.chess.current"] == "1")
  }

  @Test func `delete prints how the run and the achievements change`() throws {
    let ledger = try ledger()
    let output = ledger.run("delete three")
    #expect(
      output.text.hasPrefix(
        "deleted chess completed of 2025-11-05\n  🎮 chess: run 1 → 0\n  no longer achieved: "),
      "\(output.text)")
    #expect(ledger.run("show --json")["habits.chess.lastGood"] == "2025-11-03")
    #expect(ledger.run("delete three").errors.contains("is deleted already"))
  }
}
