import CommandFixtures
import DomainFixtures
import EventLog
import Foundation
import StreakCommands
import StreakDomain
import Testing

struct WhyFieldTests {
  private func sample(_ words: String, columns: String = "") -> Output {
    TemporaryLedger.run(
      TemporaryLedger.words(words), input: "", events: Repository.root + "/events",
      now: "2025-11-20T21:00:00+01:00", seed: 0, variables: columns.isEmpty ? [:] : ["COLUMNS": columns])
  }

  private func chain(_ output: Output) throws -> (value: NSObject?, ids: [String]) {
    let document = try #require(
      JSONSerialization.jsonObject(with: Data(output.text.utf8)) as? NSDictionary, "\(output.screen)")
    let links = try #require(document["chain"] as? [NSDictionary])
    return (document["value"] as? NSObject, links.compactMap { $0["event"] as? String })
  }

  private func alone(_ lines: [[UInt8]], _ ids: [String]) throws -> TemporaryLedger {
    let ledger = try TemporaryLedger(now: "2025-12-31T12:00:00+01:00")
    let kept = try lines.filter { ids.contains(try EventDecoder.event(Array($0.dropLast())).id) }
    try ledger.write(Array(kept.joined()), to: "main.jsonl")
    return ledger
  }

  @Test(arguments: Cases.seeds(3))
  func `a log of the events of a chain has the number, and the longest run that went`(seed: UInt64) throws {
    var stream = RandomStream(seed: seed)
    let lines = stream.events(120).map { EventEncoder.line($0) }
    let ledger = try TemporaryLedger(now: "2025-12-31T12:00:00+01:00")
    try ledger.write(Array(lines.joined()), to: "main.jsonl")
    let state = ledger.run("replay --json")
    for habit in ["a", "b", "c", "d", "both", "more"] {
      for field in ["current", "best", "longest", "jokers.held", "status", "totals.entries"] {
        let output = ledger.run("why \(habit).\(field) --json --at end")
        let ids = try chain(output).ids
        let alone = try alone(lines, ids)
        let wanted = state["habits.\(habit).\(field)"]
        #expect(output["value"] == wanted, "seed \(seed), \(habit).\(field)")
        #expect(
          alone.run("replay --json")["habits.\(habit).\(field)"] == wanted, "seed \(seed), \(habit).\(field)")
      }
    }
  }

  @Test(arguments: Cases.seeds(2))
  func `the chain at a point is that of the log cut off there`(seed: UInt64) throws {
    var stream = RandomStream(seed: seed)
    let lines = stream.events(90).map { EventEncoder.line($0) }
    let whole = try TemporaryLedger(now: "2025-12-31T12:00:00+01:00")
    try whole.write(Array(lines.joined()), to: "main.jsonl")
    for position in stride(from: 10, through: lines.count, by: 20) {
      let cut = try TemporaryLedger(now: "2025-12-31T12:00:00+01:00")
      try cut.write(Array(lines[..<position].joined()), to: "main.jsonl")
      for field in ["a.current", "both.longest", "b.jokers.held", "xp", "today"] {
        #expect(
          whole.run("why \(field) --json --at \(position)") == cut.run("why \(field) --json --at end"),
          "seed \(seed), \(field) at \(position)")
      }
    }
  }

  @Test(arguments: [
    ("60", ["noalc.current", "xp", "daily_complete.best"]),
    ("100", ["gym.best", "noalc.longest", "noalc.days.good"]),
  ])
  func `thirty lines at most, the rest folded with a count, without --all`(
    columns: String, fields: [String]
  ) throws {
    let width = try #require(Int(columns))
    for field in fields {
      let text = sample("why \(field)", columns: columns).text
      #expect(text.split(separator: "\n").allSatisfy { $0.count <= width }, "\(text)")
      let steps = sample("why \(field) --json").text.matches(of: #/"says":/#).count
      let lines = sample("why \(field)").text.split(separator: "\n").drop { !$0.contains(" = ") }.dropFirst()
      let head = sample("why \(field)").text.split(separator: "\n").prefix { !$0.contains(" = ") }.count + 1
      #expect(lines.count <= 30, "\(field)")
      let folded = lines.compactMap { line in
        line.contains("more like these") ? Int(line.split(separator: " ")[0]) : nil
      }
      #expect(lines.count - folded.count + folded.reduce(0, +) == steps, "\(field)")
      #expect(sample("why \(field) --all").text.split(separator: "\n").count == steps + head, "\(field)")
    }
  }

  @Test func `a longest run that is no more has the chain that it was made of`() throws {
    let ledger = try TemporaryLedger(running: "init awareness")
    for day in 3...7 {
      try ledger.run(all: "log awareness --id a\(day)", at: "2025-11-0\(day)T12:00:00+01:00")
    }
    try ledger.run(all: "delete a5 --id gone")
    #expect(ledger.run("replay --json")["habits.awareness.longest"] == "5")
    let ids = try chain(ledger.run("why awareness.longest --json")).ids
    #expect(ids.contains("a5") && !ids.contains("gone"))
    #expect(try chain(ledger.run("why awareness.best --json")).ids.contains("a5") == false)
  }

  /// ```
  /// entries     x x x d x x .    d: deleted later, so that the run of seven became one of two
  /// verdicts    g g g m g g h
  /// ```
  @Test func `the deletion that broke a run and days without entries are steps of the chain`() throws {
    let ledger = try TemporaryLedger(now: "2025-11-01T12:00:00+01:00")
    try ledger.run(all: "init\ndefine tea --any --jokers 2/1")
    for day in 1...6 { try ledger.run(all: "log tea --id t\(day)", at: "2025-11-0\(day)T12:00:00+01:00") }
    ledger.now = "2025-11-08T12:00:00+01:00"
    try ledger.run(all: "delete t2 --id first\ndelete t3 --id second\nlog tea --id t8")
    let text = ledger.run("why tea.current --json").text
    let document = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? NSDictionary)
    #expect(document["of"] as? String == "tea.current" && document["value"] as? Int == 5)
    let steps = try #require(document["chain"] as? [NSDictionary]).map { step in
      "\(step["day"] ?? "") \(step["event"] ?? "–") \(step["says"] ?? "")"
    }
    #expect(steps.contains("2025-11-03 second deleted tea of 2025-11-03: no longer counts"), "\(steps)")
    #expect(steps.contains("2025-11-03 – nothing logged: the day that ended the run before: missed"))
    #expect(steps.contains("2025-11-07 – nothing logged: healed, run 4, forfeited a joker, spent tea/2"))
    #expect(!text.contains("\"first\""))
  }

  @Test func `today is the date of now where no event has set it`() throws {
    let ledger = try TemporaryLedger(running: "init noalc\nlog noalc steady")
    let before = ledger.run("why noalc.current").text
    #expect(!before.contains("the date of now"), "\(before)")
    ledger.now = "2025-11-04T12:00:00+01:00"
    #expect(ledger.run("why noalc.current").text.hasSuffix("2025-11-04  the date of now  set today\n"))
    #expect(ledger.run("why noalc.current --at end").text == before)
  }

  @Test func `a joker and an achievement have a chain, too`() throws {
    let joker = sample("why noalc/29 --json")
    #expect(joker["of"] == "noalc/29" && joker["value"] == "spent")
    #expect(try chain(joker).ids.count == 2)
    let achievement = sample("why tri-threat --json")
    #expect(achievement["of"] == "tri-threat" && achievement["value"] == "2024-10-13")
    #expect(achievement.text.contains("achieved it"))
    #expect(sample("why xp --json")["value"] == sample("show --json")["xp"])
  }

  @Test(arguments: [
    ("why", StreakDomain.ExitStatus.usage, "why needs a HABIT, a HABIT.FIELD"),
    ("why noalc.curent", .failed, "no habit, field or event \"noalc.curent\""),
    ("why noalc.current yesterday", .usage, "a field takes no DAY"),
    ("why nothing.current", .failed, "no habit \"nothing\" is defined"),
    ("why achievements", .usage, "`streaks why KEY` explains one of them"),
    ("why position", .usage, "position counts all events"),
    ("why noalc.current --at 99999", .usage, "there is no position 99999"),
    ("why gym.current --at 10", .failed, "no habit \"gym\" is defined"),
  ])
  func `what has no chain is refused`(command: String, status: StreakDomain.ExitStatus, says: String) {
    let output = sample(command)
    #expect(output.status == status, "\(output.screen)")
    #expect(output.errors.contains(says), "\(output.screen)")
  }

  @Test func `the day that ended the run is not an excused one behind it`() throws {
    let ledger = try TemporaryLedger.ofMarch("define med --any")
    try ledger.log("med", onMarch: [2, 3])
    try ledger.run(all: "excuse 2026-03-05 2026-03-06", at: "2026-03-05T12:00:00Z")
    try ledger.log("med", onMarch: [7, 8])
    let chain = ledger.run("why med.current").text
    #expect(chain.contains("2026-03-04  nothing logged  the day that ended the run before: missed"))
    #expect(!chain.contains("ended the run before: excused"))
    ledger.now = "2026-03-10T12:00:00Z"
    #expect(ledger.run("why med.current").text.contains("2026-03-09  nothing logged  missed, run 0"))
    let first = try TemporaryLedger.ofMarch("define med --any")
    try first.run(all: "excuse today\nlog med --on 2026-03-03", at: "2026-03-03T12:00:00Z")
    #expect(!first.run("why med.current").text.contains("ended the run before"))
  }

  @Test func `why no joker is held says which one was spent`() throws {
    let ledger = try TemporaryLedger.ofMarch("define med --any --jokers 3/1")
    try ledger.log("med", onMarch: [2, 3, 4, 6, 9, 10])
    let chain = ledger.run("why med.jokers.held").text
    #expect(chain.contains("earned med/1, which saved 2026-03-05"), "\(chain)")
    #expect(chain.contains("spent med/1"), "\(chain)")
  }

  @Test func `a day that fell short is not told as one without entries`() throws {
    let ledger = try TemporaryLedger.ofMarch("define reading --at-least 20pages\nlog reading 20")
    try ledger.run(all: "log reading 9", at: "2026-03-03T12:00:00Z")
    try ledger.run(all: "log reading 20", at: "2026-03-04T12:00:00Z")
    let chain = ledger.run("why reading.current").text
    #expect(chain.contains("2026-03-03  9 of 20 pages  the day that ended the run before: missed"))
  }

  @Test func `no excuse of a later day makes a number what it is`() throws {
    let ledger = try TemporaryLedger(running: "init noalc\nlog noalc steady\nexcuse 2026-02-01")
    #expect(!ledger.run("why noalc.current").text.contains("excused"))
    #expect(ledger.run("why noalc.safeThrough").text.contains("noalc.safeThrough = 2025-11-03"))
  }
}
