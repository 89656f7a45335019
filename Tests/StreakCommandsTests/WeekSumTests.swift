import CommandFixtures
import StreakCommands
import StreakDomain
import Testing

struct WeekSumTests {
  /// A habit, its days as digits, and the expected verdicts, written by hand.
  struct Kept: Sendable {
    let bound: String
    let first: String
    let unit: String
    let days: String
    let verdicts: String
    let runs: String
    let sums: [String]
    let says: String
  }

  private static let kept = [
    // The first Tuesday decides at once, the second week only on its Sunday, the third on its Wednesday.
    Kept(
      bound: "--at-least 10pages/week", first: "2025-11-03", unit: "pages",
      days: "55.....5......4.6..", verdicts: "rgrrrrrrrrrrrmrrgrr", runs: "0111111111111000111",
      sums: "5 10 10 10 10 10 10 5 5 5 5 5 5 5 4 4 10 10 10".split(separator: " ").map(String.init),
      says: " 1 week  10 of 10 pages this week · done for this week"),
    // Within the limit on the first Sunday, over it on the next Wednesday; 8 are left in the third week.
    Kept(
      bound: "--at-most 14drinks/week", first: "2025-11-03", unit: "drinks",
      days: "3.5....9.7....6", verdicts: "rrrrrrgrrbrrrro", runs: "000000111000000",
      sums: "3 3 8 8 8 8 8 9 9 16 16 16 16 16 6".split(separator: " ").map(String.init),
      says: " 0 weeks  6 of at most 14 drinks this week · 8 left"),
    // The 19 km of November are too few on its last day; December reaches 20 on its third day.
    Kept(
      bound: "--at-least 20km/month", first: "2025-11-27", unit: "km",
      days: "9.91992..", verdicts: "rrrmrrgrr", runs: "000000111",
      sums: "9 9 18 19 9 18 20 20 20".split(separator: " ").map(String.init),
      says: " 1 month  20 of 20 km this month"),
  ]

  private func ledger(_ kept: Kept, upTo count: Int = .max) throws -> TemporaryLedger {
    let first = try #require(Day(kept.first))
    let ledger = try TemporaryLedger(now: "\(first)T11:00:00+01:00")
    try ledger.run(all: "init --zone Europe/Berlin\ndefine h \(kept.bound)")
    for (offset, amount) in kept.days.prefix(count).enumerated() {
      ledger.now = "\(first + offset)T12:00:00+01:00"
      if amount != "." { try ledger.run(all: "log h \(amount)\(kept.unit)") }
    }
    return ledger
  }

  @Test(arguments: kept)
  func `each day has the verdict, the run and the sum that were found by hand`(kept: Kept) throws {
    let ledger = try ledger(kept)
    let rows = ledger.run("export csv days h").text.split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    #expect(rows[0].last == "sum")
    #expect(rows.dropFirst().map { String($0[2].prefix(1)) }.joined() == kept.verdicts)
    #expect(rows.dropFirst().map { $0[5] }.joined() == kept.runs)
    #expect(rows.dropFirst().map { $0[7] } == kept.sums)
    #expect(ledger.run("show h").text.contains(kept.says), "\(ledger.run("show h").text)")
    #expect(ledger.run("replay --json")["habits.h.progress.total"] == kept.sums.last)
    #expect(ledger.run("verify").status == .done)
  }

  @Test func `show and log say how far the week is, and what is left of it`() throws {
    let days = WeekSumTests.kept[0]
    #expect(try ledger(days, upTo: 1).run("show h").text.contains("5 of 10 pages this week · 7 days left"))
    let later = try ledger(days, upTo: 8)
    #expect(
      later.run("log h 1").text.contains("h · 1 page · 6 of 10 pages this week · 7 days left · run 1 week\n"))
    #expect(later.run("log h 2 --on sun").text.contains("12 of 10 pages that week · for 11-09 · run 1 week"))
    later.now = "2025-11-16T12:00:00+01:00"
    #expect(
      later.run("show h").text.contains("log today or 1 week ends · 6 of 10 pages this week · the last day"))
    #expect(later.run("log h 1 --on mon").text.contains("7 of 10 pages this week · the last day · for 11-10"))
    #expect(later.run("log h 3").text.contains("10 of 10 pages this week · run 2 weeks"))
    #expect(later.run("why h").text.contains("after it, 2 weeks."))
    #expect(later.run("calendar h --ahead 7").text.hasPrefix("h  2 weeks\n"))
    let limit = try ledger(WeekSumTests.kept[1], upTo: 8)
    #expect(limit.run("log h 6").text.contains("over the limit"))
    #expect(limit.run("log h 6").text.contains("21 of at most 14 drinks this week"))
  }

  @Test func `a run begun by the day is told in days, and inside a week what is left comes first`() throws {
    let ledger = try TemporaryLedger(now: "2025-11-01T12:00:00+01:00")
    try ledger.run(all: "init --zone Europe/Berlin\ndefine h --at-least 5pages\nlog h 5")
    ledger.now = "2025-11-02T12:00:00+01:00"
    try ledger.run(all: "log h 5\ndefine h --at-least 10pages/week --on 2025-11-03")
    try ledger.run(all: "log h 10", at: "2025-11-03T12:00:00+01:00")
    #expect(ledger.run("show h").text.contains("3 days  done · 10 of 10 pages this week"))
    let week = try self.ledger(WeekSumTests.kept[0], upTo: 8)
    #expect(
      week.run("show h").text.contains(
        "1 week  may rest today · 5 of 10 pages this week · 7 days left · safe through Saturday"))
  }

  @Test func `a predicate reads the sum, and finds when it was reached`() throws {
    let ledger = try ledger(WeekSumTests.kept[0])
    #expect(ledger.run(["when", "h.progress.total >= 10", "--json"])["flips.0.position"] == "5")
    #expect(ledger.run(["log", "h", "1", "--if", "h.progress.total < 10"]).status == .conflict)
    #expect(ledger.run("show --json")["habits.h.progress.per"] == "week")
  }

  @Test func `a milestone of a sum of a week is of weeks`() throws {
    let ledger = try ledger(WeekSumTests.kept[0], upTo: 2)
    try ledger.run(all: "define h --milestones 2")
    ledger.now = "2025-11-12T12:00:00+01:00"
    #expect(ledger.run("log h 10").text.contains("2 weeks of h"))
    #expect(ledger.run("celebrate").text.contains("h: a run of 2 weeks"))
  }

  @Test(arguments: [
    ("2x/week", "say 2times/week for entries, or --schedule 2/week for days"),
    ("2x", "say 2times for entries"),
    ("150m/wek", "did you mean \"150m/week\"?"), ("150m/w", "did you mean \"150m/week\"?"),
    ("5km/year", "behind / comes week or month"), ("5km/h/week", "behind / comes week or month"),
    ("30m/day", "of a day: --at-least 30m"), ("3/week", "--schedule 3/week for days"),
    ("pages/week", "it must be a number"), ("week/150min", "it must be a number"), ("150m/", "week or month"),
    ("2000m", "m is minutes, and km is how far"), ("5km/week --at-most 9km", "must count the same"),
    ("5km/week --schedule 3/week", "does not go with a schedule"),
  ])
  func `a word beside the slash that is no period is refused`(words: String, says: String) throws {
    let ledger = try TemporaryLedger(running: "init")
    let before = ledger.contents()
    let output = ledger.run("define h --at-least \(words)")
    #expect(output.status == .usage && output.errors.contains(says), "\(output.screen)")
    #expect(ledger.contents() == before)
  }

  @Test func `a sum of a week removes the schedule and says so, and a schedule brings it back`() throws {
    let ledger = try TemporaryLedger(running: "init\ndefine gym --any --schedule 3/week")
    let told = ledger.run("define gym --at-least 90min/week").text
    #expect(told.contains("a sum of a week has no schedule, so 3/week is taken out"), "\(told)")
    #expect(ledger.run("habits gym").text.hasPrefix("gym  at least 90 min a week · strict\n"))
    #expect(ledger.run("define gym --at-most 200m").text.contains("at least 90 and at most 200 min a week"))
    #expect(ledger.run("define gym --schedule mon-fri").status == .usage)
    try ledger.run(all: "define gym --at-least 30m --schedule mon-fri")
    #expect(ledger.run("habits gym").text.hasPrefix("gym  at least 30 min · mon-fri · strict\n"))
  }

  @Test func `the presets of a week are made everywhere`() throws {
    let ledger = try TemporaryLedger()
    #expect(ledger.run("init sport-week").status == .done)
    #expect(ledger.run("define alcohol-week").status == .done)
    #expect(ledger.run("define wine --preset alcohol-week").status == .done)
    #expect(ledger.run("habits").text.contains("🍷 wine  at most 14 drinks a week · strict"))
    #expect(ledger.run("log alcohol-week 2").text.contains("2 of at most 14 drinks this week · 12 left"))
  }

  @Test func `the sum of a week is explained by the entries of the week`() throws {
    let ledger = try TemporaryLedger.ofMarch(
      "define sport --at-least 150min/week\ndefine gym --any --schedule 3/week")
    for day in [2, 4, 5, 9, 11] {
      try ledger.log("sport 80", onMarch: [day])
      try ledger.log("gym", onMarch: [day])
    }
    for (field, day) in [("sport.progress.total", 9), ("gym.quota.good", 9)] {
      let days = ledger.run("why \(field)").text.split(separator: "\n").filter { $0.contains(" good, run ") }
      #expect(!days.isEmpty && days.allSatisfy { $0 >= "2026-03-0\(day)" }, "\(days)")
    }
    ledger.now = "2026-03-12T12:00:00Z"
    #expect(ledger.run("show").text.contains("160 of 150 min this week · done for this week"))
  }

  @Test func `a run of weeks is ended by a missed week`() throws {
    let ledger = try TemporaryLedger.ofMarch("define sport --at-least 150min/week\nlog sport 60")
    #expect(ledger.run("why sport").text.contains("One missed week ends the run"))
  }

  @Test func `a week that is decided asks for nothing more, whatever the goal is now`() throws {
    let ledger = try TemporaryLedger.ofMarch("define sport --at-least 150min/week\nlog sport 160")
    try ledger.run(all: "define sport --at-least 200min/week", at: "2026-03-04T12:00:00Z")
    #expect(ledger.run("show").text.contains("160 of 200 min this week · done for this week"))
    #expect(!ledger.run("log sport 10").text.contains("left"))
  }

  @Test func `jokers and runs of weeks are told in weeks`() throws {
    let ledger = try TemporaryLedger.ofMarch("define sport-week --preset sport-week")
    for day in ["02", "09", "16", "23"] {
      try ledger.run(all: "log sport-week 150m", at: "2026-03-\(day)T12:00:00Z")
    }
    ledger.now = "2026-04-06T12:00:00Z"
    #expect(ledger.run("audit sport-week").text.contains("held 1  week 4"), "\(ledger.run("audit").text)")
    #expect(ledger.run("why sport-week/1").text.contains(", week 4 of a run"))
    let why = ledger.run("why sport-week 2026-04-05").text
    #expect(
      why.contains("one is spent to save a week") && why.contains("The week was saved by a joker."), "\(why)")
  }

  @Test func `a run that began by the day and goes on by the week is told in days`() throws {
    let ledger = try TemporaryLedger.ofMarch("define sport --at-least 30min --jokers 2/1\nlog sport 30m")
    for day in 3...8 { try ledger.run(all: "log sport 30m", at: "2026-03-0\(day)T12:00:00Z") }
    try ledger.run(all: "define sport --at-least 60min/week\nlog sport 60m", at: "2026-03-09T12:00:00Z")
    #expect(ledger.run("show").text.contains("8 days"), "\(ledger.run("show").text)")
    #expect(!ledger.run("audit sport").text.contains("week"), "\(ledger.run("audit sport").text)")
  }

  @Test func `a week over its limit rests, and says by how much on every screen`() throws {
    let ledger = try TemporaryLedger(running: "init alcohol-week")
    let over = "15 of at most 14 drinks this week · 1 over"
    #expect(ledger.run("log alcohol-week 15drinks").text.contains(over))
    #expect(ledger.run("show").text.contains("1 bad today\n"))
    ledger.now = "2025-11-04T12:00:00+01:00"
    let text = ledger.run("show").text
    #expect(text.contains("1 resting\n") && text.contains(over), "\(text)")
    #expect(
      ledger.run("log alcohol-week 2drinks").text.contains("17 of at most 14 drinks this week · 3 over"))
  }

  @Test func `an excused week keeps its sum on the screen, and adjoining excuses are one span`() throws {
    let ledger = try TemporaryLedger(
      running: "init sport-week\nlog sport-week 100m\nexcuse today\nexcuse tomorrow")
    #expect(ledger.run("show").text.contains("excused through tomorrow · 100 of 150 min this week"))
  }
}
