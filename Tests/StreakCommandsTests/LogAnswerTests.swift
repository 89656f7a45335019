import CommandFixtures
import StreakCommands
import StreakDomain
import Testing

struct LogAnswerTests {
  private func ledger(_ presets: String, days: Int = 0, logging words: String = "") throws -> TemporaryLedger
  {
    let ledger = try TemporaryLedger(running: "init \(presets)", now: "2025-11-01T12:00:00+01:00")
    for day in 0..<days { try ledger.run(all: "log \(words)", at: "2025-11-0\(1 + day)T12:00:00+01:00") }
    return ledger
  }

  @Test(arguments: [
    ("meditation 1h30m", "minutes", "90"), ("meditation 1h05", "minutes", "65"),
    ("meditation 31:20", "minutes", "31.333"), ("meditation 1:02:03", "minutes", "62.05"),
    ("meditation 90", "minutes", "90"), ("meditation 30 m", "minutes", "30"),
    ("cardio running 5 km", "km", "5"), ("reading 20 pages", "amount", "20"),
    ("reading 1page", "amount", "1"),
    ("meditation 20 --value 5k", "value", "5k"), ("awareness 7of10", "value", "7of10"),
    ("cardio running 12m", "minutes", "12"), ("cardio running 0.5h", "minutes", "30"),
    ("cardio running 24h", "minutes", "1440"), ("cardio running 5.2km", "km", "5.2"),
    ("cardio running 3mi", "km", "4.828"),
    ("cardio running 621mi", "km", "999.403"), ("cardio running 0007.500km", "km", "7.5"),
    ("cardio running 4sets", "sets", "4"),
  ])
  func `a measure is read as people write it`(words: String, field: String, value: String) throws {
    let ledger = try ledger("meditation cardio reading awareness")
    try ledger.run(all: "log \(words) --id x")
    #expect(ledger.stored("x", field) == value)
  }

  @Test(arguments: [
    ("cardio running 5k", "did you mean \"5km\"?"), ("cardio runing 5km", "did you mean \"running\"?"),
    ("reading 20 page", "did you mean \"20pages\"?"), ("meditation 20 page", "the units are m, h, km"),
    ("meditation 25h00", "0 to 1440"), ("awareness 5k", "--value takes any text"),
    ("meditation 12:75", "counts minutes"), ("meditation 1:30", "may be 1h30m or 90s"),
    ("awareness yesterday", "say --on yesterday"),
    ("cardio 5km mon", "say --on mon"), ("meditation 10 yesterday", "say --on yesterday"),
    ("meditation 45 legs", "\"45 legs\" looks like a measure"), ("cardio 5", "of what?"),
    ("cardio running .5h", "such as 12 or 0.5"), ("cardio running 5.km", "such as 12 or 0.5"),
    ("cardio running 1.0005km", "at most 3 decimals"), ("cardio running 25h", "0 to 1440"),
    ("cardio running 622mi", "0 to 1000"), ("cardio running 999999999999999h", "0 to 1440"),
    ("cardio running 9999999999999mi", "0 to 1000"), ("cardio running 99999999999999999999km", "0 to 1000"),
    ("cardio running 99999999999999999999h", "0 to 1440"), ("cardio running 1.5sets", "whole"),
    ("reading 5.0001pages", "at most 3 decimals"), ("reading 1000000000", "0 to 1000000"),
  ])
  func `a word that only looks like a measure is refused`(words: String, says: String) throws {
    let ledger = try ledger("meditation cardio reading awareness")
    let before = ledger.bytes()
    let output = ledger.run("log \(words)")
    #expect(output.status == .usage && output.errors.contains(says), "\(output.screen)")
    #expect(ledger.bytes() == before)
  }

  @Test(arguments: [
    ("cardio", "cardio running 0.5km", "  not good yet: cardio asks for running 10 min or 1 km\n"),
    ("meditation", "meditation 1m", "  not good yet: meditation asks for 2 min a day\n"),
    ("saboteur-avoidance", "saboteur-avoidance", "\n  a slip\n"),
    ("noalc", "noalc easy", "\n  a good day is steady\n"),
  ])
  func `why the day is not good yet is said`(preset: String, words: String, says: String) throws {
    #expect(try ledger(preset).run("log \(words)").text.contains(says))
  }

  @Test func `the answer has all that was recorded, and levels and activities whatever the case`() throws {
    let ledger = try ledger("awareness noalc cardio")
    #expect(ledger.run("log awareness good").text.hasPrefix("💭 awareness · good · day 1\n"))
    #expect(ledger.run("log noalc Steady").text.hasPrefix("🍀 NoAlc · steady · day 1\n"))
    #expect(ledger.run("log cardio Running 5km").text.contains(" · 5 km running · day 1\n"))
    let replaced = ledger.run("log noalc 3drinks --replaces \(ledger.stored()[5]["id"] ?? "")").text
    #expect(replaced.contains("\n  that is easy; a good day is steady\n"), "\(replaced)")
    #expect(replaced.contains("\n  replaces noalc steady of 2025-11-01\n"), "\(replaced)")
  }

  @Test func `the last of several levels decides, and the answer says so`() throws {
    let ledger = try ledger("noalc", days: 1, logging: "noalc steady")
    #expect(ledger.run("log noalc wild").text.contains("\n  the day's last entry decides: wild\n"))
    #expect(
      ledger.run("log noalc easy --at 2025-11-01T08:00:00+01:00").text.contains(
        "\n  the day's last entry decides: wild\n"))
  }

  @Test(arguments: [
    ("noalc", "noalc steady", "noalc wild", "  the 5-day run ended: no joker was held\n"),
    ("saboteur-avoidance", "saboteur-avoidance --on 2025-10-20", "saboteur-avoidance", "-day run ended: "),
  ])
  func `what a break cost is said, and the way back`(
    preset: String, before: String, words: String, says: String
  ) throws {
    let ledger = try ledger(preset, days: 5, logging: before)
    let text = ledger.run("log \(words)").text
    #expect(text.contains(says), "\(text)")
    #expect(text.hasSuffix("\n  `streaks undo` takes it back\n"))
  }

  @Test func `the longest run is told of on the day that it passes the one before, and no other`() throws {
    let ledger = try ledger("meditation", days: 3, logging: "meditation 5m")
    var told: [Int] = []
    for day in 6...9 {
      ledger.now = "2025-11-0\(day)T12:00:00+01:00"
      if ledger.run("log meditation 5m").text.contains("your longest run") { told.append(day) }
    }
    #expect(told == [9])
  }

  @Test func `effects are told as show has today, whatever day the ledger ended with`() throws {
    let ledger = try ledger("saboteur-avoidance", days: 1, logging: "saboteur-avoidance")
    ledger.now = "2025-11-08T12:00:00+01:00"
    let shown = ledger.run("show saboteur-avoidance --json")["habits.saboteur-avoidance.current"]
    #expect(ledger.run("excuse 2025-11-05").text.contains("run \(shown ?? "") → "))
  }

  @Test func `a day that is not decided is none of the run`() throws {
    let ledger = try TemporaryLedger.ofMarch(
      "define coffee --at-most 2cups\ndefine pages --at-least 20pages\nlog pages 20")
    ledger.now = "2026-03-03T12:00:00Z"
    #expect(ledger.run("log coffee").text.contains("1 of at most 2 cups today · run 1 day"))
    #expect(ledger.run("log pages 5").text.contains("5 of 20 pages today · run 1 day"))
    #expect(ledger.run("log pages 15").text.contains("20 of 20 pages today · day 2"))
  }

  @Test func `a day that a habit missed is told when the next is logged`() throws {
    let ledger = try TemporaryLedger.ofMarch("define med --any --jokers 2/1\nlog med")
    try ledger.run(all: "log med", at: "2026-03-03T12:00:00Z")
    ledger.now = "2026-03-05T12:00:00Z"
    #expect(ledger.run("log med").text.contains("are over:\n    med: run 2 → 3, jokers 1 → 0\n"))
    ledger.now = "2026-03-09T12:00:00Z"
    #expect(ledger.run("log med --id once").text.contains("are over:\n    med: run 4 → 0, jokers 1 → 0\n"))
    #expect(!ledger.run("log med --id once").text.contains("over"))
    ledger.now = "2026-03-11T12:00:00Z"
    #expect(!ledger.run("log med --on yesterday").text.contains("over"))
  }

  @Test func `minutes that do not reach what is asked for are added up in words`() throws {
    let ledger = try TemporaryLedger.ofMarch(
      "define meditation --preset meditation\ndefine meditation --at-least 10min\nlog meditation 4m")
    #expect(ledger.run("log meditation 4m").text.contains("8 of 10 min today"))
    #expect(ledger.run("show").text.contains("8 of 10 min"), "\(ledger.run("show").text)")
    #expect(ledger.run("replay --json")["habits.meditation.progress"] == "null")
    #expect(!ledger.run("log meditation 4m").text.contains(" of 10 min"))
  }

  @Test func `what a habit's entry does to its composites is said`() throws {
    let ledger = try TemporaryLedger(running: "init\ndefine a --any\ndefine b --any")
    ledger.run(["define", "both", "--rule", #"{"kind":"all","of":["a","b"]}"#])
    try ledger.run(all: "log a")
    #expect(ledger.run("log b").text.contains("\n  both: run 0 → 1\n"))
    try ledger.run(all: "log a", at: "2025-11-04T12:00:00+01:00")
    try ledger.run(all: "log a", at: "2025-11-05T12:00:00+01:00")
    let text = ledger.run("why both.current").text
    #expect(text.contains("2025-11-04  b missed  missed, run 0\n"), "\(text)")
    #expect(!text.contains("good, run"), "a member's run: \(text)")
  }

  @Test func `an entry without the activity that is asked for, or with another, is told so`() throws {
    let ledger = try TemporaryLedger(running: "init strength")
    #expect(ledger.run("log strength 5sets").text.contains("10 min; the entry names no activity\n"))
    #expect(ledger.run("log strength pushups 5sets").text.contains("10 min; pushups does not count\n"))
  }

  @Test func `an activity that never counts is told what does`() throws {
    let text = try TemporaryLedger(running: "init cardio").run("log cardio traditional_strength 30m").text
    #expect(text.contains("; traditional_strength does not count\n"), "\(text)")
    #expect(!text.contains("asks for ;") && !text.contains("asks for \n"), "\(text)")
  }

  @Test func `grace is told of a limit as what covers missed days only`() throws {
    let ledger = try TemporaryLedger(running: "init\ndefine sweets --at-most 2pcs --grace 1\nlog sweets 1")
    ledger.now = "2025-11-05T12:00:00+01:00"
    #expect(ledger.run("log sweets 3").text.contains("run ended: grace covers missed days only\n"))
    let why = ledger.run("why sweets").text
    #expect(why.contains("One day beyond the limit ends the run: grace covers missed days only.\n"), "\(why)")
    #expect(!why.contains("may pass"))
  }

  @Test func `a joker that was earned and spent on days without a word is told`() throws {
    let ledger = try TemporaryLedger(running: "init\ndefine m --any --jokers 3/2\nlog m")
    try ledger.run(all: "log m", at: "2025-11-04T12:00:00+01:00")
    ledger.now = "2025-11-06T12:00:00+01:00"
    let text = ledger.run("log m").text
    #expect(text.contains("2025-11-04 to 2025-11-05 are over:\n    m: run 2 → 3, 1 joker earned and spent\n"))
  }

  @Test func `what a day has come to is said where an entry goes or comes back`() throws {
    let ledger = try TemporaryLedger.ofMarch("define pages --at-least 20pages\nlog pages 12\nlog pages 5")
    #expect(ledger.run("delete --last").text.contains("\n  12 of 20 pages today\n"))
    #expect(ledger.run("undo").text.contains("\n  17 of 20 pages today\n"))
    #expect(ledger.run("why pages.run").errors.contains("did you mean \"pages.current\"?"))
    #expect(ledger.run("when 'pages.record > 1'").errors.contains("did you mean \"longest\"?"))
    #expect(ledger.run("show --writer phone").errors.contains("STREAKS_WRITER names it for all"))
    #expect(ledger.run("define cups --at-most 1cups").text.contains("at most 1 cup\n"))
  }

  @Test func `an answer says what was noted, and which ledger its way back is of`() throws {
    let ledger = try TemporaryLedger.ofMarch("define med --any\ndefine coffee --at-most 2cups")
    #expect(ledger.run("log med --note long walk").text.hasPrefix("med · walk, “long” · day 1\n"))
    #expect(ledger.run("log coffee two cups").errors.contains("such as 2cups"))
    #expect(ledger.run("log med --writer phone").text.contains("`streaks undo --writer phone` takes it back"))
    try ledger.run(all: "define tea --at-most 1cups")
    #expect(ledger.run("log tea two").errors.contains("such as 1cup, not"))
    let named = ledger.run("log med --events \(ledger.events)").text
    #expect(named.contains("`streaks undo --events \(ledger.events)` takes it back"), "\(named)")
  }

  @Test func `whatever command closes a day says what was lost`() throws {
    for words in ["undo", "delete b", "excuse 2025-11-20", "define b-habit --any", "remind --set reading"] {
      let ledger = try TemporaryLedger(
        running: "init meditation reading\nlog meditation 5m\nlog reading 20 --id b")
      ledger.now = "2025-11-05T12:00:00+01:00"
      let text = ledger.run(words).text
      #expect(text.contains("are over:\n") && text.contains("meditation: run 1 → 0"), "\(words): \(text)")
    }
  }

  @Test func `minutes that reach what is asked for once they are rounded lack nothing`() throws {
    let ledger = try TemporaryLedger(running: "init meditation\ndefine meditation --at-least 10min")
    #expect(ledger.run("log meditation 9.4m").text.contains("9.4 of 10 min today"))
    #expect(ledger.run("undo").status == .done)
    #expect(ledger.run("log meditation 9.5m").text.hasPrefix("🧘 meditation · 9.5 min · day 1\n"))
  }
}
