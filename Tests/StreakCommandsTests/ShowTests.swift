import CommandFixtures
import Foundation
import StreakCommands
import StreakDomain
import Testing

struct ShowTests {
  private func ledger() throws -> TemporaryLedger {
    let ledger = try TemporaryLedger(now: "2025-11-01T12:00:00+01:00")
    try ledger.run(all: "init noalc meditation workout awareness activity-tracker saboteur-avoidance")
    for day in 1...9 {
      try ledger.run(all: "log noalc steady\nlog activity-tracker", at: "2025-11-0\(day)T12:00:00+01:00")
      if day > 4 { try ledger.run(all: "log meditation 5m") }
      if day < 6 { try ledger.run(all: "log workout 20m") }
    }
    return ledger
  }

  @Test func `what is due, done and to begin stand apart, longest first, with icon, days and jokers`() throws
  {
    let text = try ledger().run("show").text
    #expect(
      text == """
        Sunday, 2025-11-09 · Europe/Berlin

        3 done
        🍀 NoAlc               9 days  ★☆☆  safe through tomorrow
        🚫 saboteur-avoidance  8 days       kept so far
        🧘 meditation          5 days  ☆☆☆

        2 to begin
        💪 workout             0 days  ☆☆☆  last good day 11-05 · longest 5
        💭 awareness           0 days  ☆☆☆  day 1 is yours

        1 off or retired · `--all` shows them

        13 to celebrate · `streaks celebrate`

        """)
    #expect(try ledger().run("show --all").text.contains("1 off or retired\n💧 activity-tracker"))
  }

  @Test func `days off and limits that were passed have groups of their own`() throws {
    let ledger = try TemporaryLedger(running: "init meditation coffee\nlog meditation 5m\nlog coffee 3cups")
    #expect(ledger.run("show").text.contains("1 bad today\n☕ coffee"))
    try ledger.run(all: "excuse today +2 --habit meditation", at: "2025-11-04T12:00:00+01:00")
    #expect(
      ledger.run("show").text.contains("1 excused\n🧘 meditation   1 day  ☆☆☆  excused through Thursday"))
  }

  @Test func `a run of centuries stands apart from the name`() throws {
    let ledger = try TemporaryLedger(running: "init", now: "2025-11-01T12:00:00+01:00")
    let definition =
      #"{"type":"habit.defined","day":"1900-01-01","habit":"saboteur-avoidance","rule":{"kind":"none"}}"#
    #expect(ledger.run(["append"], input: definition).status == .done)
    #expect(ledger.run("show --on 2199-12-31").text.contains("saboteur-avoidance  109572 days  "))
  }

  @Test func `without a streak there are 0 days, and the best one is still shown`() throws {
    let line = try ledger().run("show workout").text.split(separator: "\n").first { $0.hasPrefix("💪") }
    #expect(line == "💪 workout  0 days  ☆☆☆  last good day 11-05 · longest 5")
  }

  @Test func `who begins is told that day 1 is theirs, and then stands at day 1`() throws {
    let ledger = try TemporaryLedger(running: "init awareness")
    #expect(ledger.run("show").text.contains("💭 awareness  0 days  ☆☆☆  day 1 is yours"))
    #expect(ledger.run("log awareness").text.hasPrefix("💭 awareness · day 1\n"))
    #expect(ledger.run("show").text.contains("1 done\n💭 awareness   1 day  ☆☆☆"))
  }

  @Test func `an activity tracker shows its entries and no run`() throws {
    let lines = try ledger().run("show activity-tracker").text.split(separator: "\n")
    let line = try #require(lines.first { $0.hasPrefix("💧") })
    #expect(line.hasPrefix("💧 activity-tracker"))
    #expect(line.hasSuffix("  9 entries"))
    #expect(!line.contains("day"))
  }

  @Test(arguments: [("on", "done", "9"), ("off", "off", "0")])
  func `a tracker's streak is switched on and off`(to: String, status: String, current: String) throws {
    let ledger = try TemporaryLedger(now: "2025-11-01T12:00:00+01:00")
    try ledger.run(all: "init\ndefine water --preset activity-tracker --streak \(to)")
    for day in 1...9 { try ledger.run(all: "log water --value 2l", at: "2025-11-0\(day)T12:00:00+01:00") }
    #expect(ledger.run("show --json")["habits.water.status"] == status)
    #expect(ledger.run("show --json")["habits.water.current"] == current)
  }

  @Test func `today without an entry is due and costs nothing yet`() throws {
    let ledger = try ledger()
    ledger.now = "2025-11-10T00:00:00+01:00"
    let before = ledger.contents()
    let state = ledger.run("show --json")
    #expect(state["habits.noalc.current"] == "9")
    #expect(state["habits.noalc.status"] == "due")
    #expect(state["habits.noalc.ifMissed"] == "heals")
    #expect(state["habits.meditation.ifMissed"] == "breaks")
    #expect(ledger.contents() == before)
  }

  @Test func `a grace day is shown with the run that it saves`() throws {
    let ledger = try TemporaryLedger(running: "init evening_reflection\nlog evening_reflection completed")
    ledger.now = "2025-11-05T12:00:00+01:00"
    #expect(ledger.run("show").text.contains("🌙 evening_reflection   1 day  log today or 1 day ends"))
  }

  @Test func `what a limit says is about the limit`() throws {
    let ledger = try TemporaryLedger(running: "init reading coffee", now: "2026-03-12T12:00:00Z")
    try ledger.run(all: "log coffee 2")
    try ledger.run(all: "log coffee 2", at: "2026-03-13T12:00:00Z")
    #expect(ledger.run("show").text.contains("kept so far · 2 of at most 2 cups"))
    #expect(ledger.run("why coffee").text.contains("One day beyond the limit ends the run"))
  }

  @Test func `rest days are no more than the days that are left`() throws {
    let ledger = try TemporaryLedger.ofMarch()
    try ledger.run(all: "define gym --any --schedule 3/week", at: "2026-03-07T12:00:00Z")
    try ledger.log("gym", onMarch: [7])
    #expect(ledger.run("show").text.contains("1 this short week, no more needed"))
    try ledger.log("gym", onMarch: [8])
    let last = ledger.run("show").text
    #expect(last.contains("2 this short week, no more needed") && !last.contains("rest day"), "\(last)")
  }

  @Test func `a habit without a run says what today came to`() throws {
    let ledger = try TemporaryLedger.ofMarch(
      "define coffee --at-most 2cups\ndefine pages --at-least 20pages\ndefine noalc")
    let fresh = ledger.run("show").text
    #expect(fresh.contains("coffee  0 days       day 1 tonight if nothing breaks the limit"), "\(fresh)")
    try ledger.run(all: "log coffee 1\nlog noalc wild")
    let one = ledger.run("show").text
    #expect(one.contains("day 1 tonight if nothing breaks the limit · 1 of at most 2 cups"), "\(one)")
    #expect(one.contains("wild today"), "\(one)")
    try ledger.run(all: "log coffee 2\nlog pages 5")
    #expect(ledger.run("show").text.contains("3 of at most 2 cups"))
    ledger.now = "2026-03-03T12:00:00Z"
    #expect(ledger.run("show").text.contains("0 of 20 pages"))
  }

  @Test func `a week asks for fewer days where some are excused, or it had begun before the habit`() throws {
    let ledger = try TemporaryLedger.ofMarch("define gym --any --schedule 3/week\nlog gym")
    #expect(ledger.run("show").text.contains("1 of 3 this week"))
    try ledger.run(all: "excuse 2026-03-07 2026-03-10", at: "2026-03-06T12:00:00Z")
    ledger.now = "2026-03-11T12:00:00Z"
    #expect(ledger.run("show").text.contains("0 of 1 this short week"), "\(ledger.run("show").text)")
    #expect(ledger.run("log gym").text.contains("1 of 1 this short week"))
    ledger.now = "2026-03-16T12:00:00Z"
    #expect(ledger.run("show").text.contains("0 of 3 this week"))
    let late = try TemporaryLedger.ofMarch("define gym --any --schedule 3/week", now: "2026-03-07T12:00:00Z")
    #expect(late.run("log gym").text.contains("1 this short week, no more needed"))
  }

  @Test func `a limit that is not asked for on a day does not begin with it`() throws {
    let ledger = try TemporaryLedger.ofMarch(
      "define smoke --never --schedule mon-fri", now: "2026-03-07T12:00:00Z")
    #expect(!ledger.run("show").text.contains("day 1 tonight"), "\(ledger.run("show").text)")
  }

  @Test func `a habit that is retired from tomorrow is due today`() throws {
    let ledger = try TemporaryLedger(running: "init meditation\nlog meditation 5m")
    try ledger.run(all: "define meditation --retire", at: "2025-11-04T12:00:00+01:00")
    #expect(ledger.run("show").text.contains("log today or 1 day ends · retired from tomorrow"))
  }

  @Test func `a habit of every third day that is retired on the last day that may rest has a line`() throws {
    let ledger = try TemporaryLedger(running: "init\ndefine gym --any --schedule every:3\nlog gym")
    try ledger.run(all: "define gym --retire", at: "2025-11-05T12:00:00+01:00")
    #expect(ledger.run("show").text.contains("retired from tomorrow"))
  }

  @Test func `a rest lasts until the next day that is asked for, whatever forgives after that`() throws {
    let ledger = try TemporaryLedger(
      running: "init\ndefine s --any --schedule mon-fri --grace 1\ndefine t --any --schedule mon-fri\n"
        + "define u --any --schedule mon-fri --jokers 2/2\ndefine n --never --schedule mon-fri")
    for day in 3...7 { try ledger.run(all: "log s\nlog t\nlog u", at: "2025-11-0\(day)T12:00:00+01:00") }
    ledger.now = "2025-11-08T12:00:00+01:00"
    let text = ledger.run("show").text
    #expect(text.components(separatedBy: "rests until Monday").count == 5, "\(text)")
    #expect(text.components(separatedBy: "rests").count == 5, "\(text)")
    ledger.now = "2025-11-09T12:00:00+01:00"
    #expect(ledger.run("show t").text.contains("rests today"))
  }

  @Test func `a slip that a week has room for rests that day alone`() throws {
    let ledger = try TemporaryLedger(running: "init\ndefine sugar --never --schedule 5/week")
    try ledger.run(all: "log sugar", at: "2025-11-06T12:00:00+01:00")
    #expect(ledger.run("show sugar").text.contains("rests today · 3 of 5 this week · 1 rest day left\n"))
  }

  @Test func `a composite says which members it still needs`() throws {
    let ledger = try TemporaryLedger(running: "init\ndefine a --any\ndefine b --any")
    ledger.run(["define", "both", "--rule", #"{"kind":"all","of":["a","b"]}"#])
    #expect(ledger.run("show both").text.contains("0 days  needs a, b\n"))
    try ledger.run(all: "log a\nlog b")
    ledger.now = "2025-11-04T12:00:00+01:00"
    #expect(ledger.run("show both").text.contains("due · needs a, b or 1 day ends\n"))
    try ledger.run(all: "log a")
    #expect(ledger.run("show both").text.contains("due · needs b or 1 day ends\n"))
    let why = ledger.run("why both").text
    #expect(why.contains("b is not done yet.\n") && !why.contains("outcome missed"), "\(why)")
  }
}
