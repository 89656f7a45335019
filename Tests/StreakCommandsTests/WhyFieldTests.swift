import CommandFixtures
import DomainFixtures
import EventLog
import Foundation
import Inspection
import StreakDomain
import Testing

struct WhyFieldTests {
  private func sample(_ words: String, columns: String = "") -> Output {
    TemporaryLedger.sample(words, variables: columns.isEmpty ? [:] : ["COLUMNS": columns])
  }

  private func chain(_ output: Output) throws -> (value: NSObject?, ids: [String]) {
    let document = try #require(
      JSONSerialization.jsonObject(with: Data(output.text.utf8)) as? NSDictionary,
      "\(output.screen)")
    let links = try #require(document["chain"] as? [NSDictionary])
    return (document["value"] as? NSObject, links.compactMap { $0["event"] as? String })
  }

  private func alone(_ lines: [[UInt8]], _ ids: [String]) throws -> TemporaryLedger {
    let ledger = try TemporaryLedger(now: "2025-12-31T12:00:00+01:00")
    let kept = try lines.filter { ids.contains(try EventDecoder.event(Array($0.dropLast())).id) }
    try ledger.write(Array(kept.joined()), to: "main.jsonl")
    return ledger
  }

  @Test
  func `why DAY names no step that was undone, and no undo that left the verdict as it was`()
    throws
  {
    let laptop = try TemporaryLedger(
      running: "init noalc\nlog noalc steady --id a", now: "2025-11-03T12:00:00+01:00")
    try laptop.run(
      all: "log noalc 8drinks --replaces a --id wild", at: "2025-11-04T10:00:00+01:00")
    let phone = try TemporaryLedger()
    try phone.write(laptop.bytes(), to: "main.jsonl")
    try phone.run(
      all: "log noalc 3drinks --replaces wild --writer phone", at: "2025-11-04T12:00:00+01:00")
    try laptop.run(all: "undo", at: "2025-11-04T13:00:00+01:00")
    try laptop.write(phone.bytes(of: "phone"), to: "phone.jsonl")

    let text = laptop.run("why noalc 2025-11-03").text
    #expect(
      text.contains("Apart from what was undone, it was good until 2025-11-04 12:00, when @6"),
      "\(text)")
    #expect(!text.contains("13:00"), "\(text)")
  }

  @Test(arguments: Cases.seeds(3))
  func `a log of only the events in the chain of a number gives the same number`(seed: UInt64)
    throws
  {
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
          alone.run("replay --json")["habits.\(habit).\(field)"] == wanted,
          "seed \(seed), \(habit).\(field)")
      }
    }
  }

  /// Without the correction of the day, a ledger of the chain would keep the run of the wrong day.
  @Test func `the chain of a longest run contains the correction of a wrong clock`() throws {
    let ledger = try TemporaryLedger(running: "init coffee", now: "2025-03-05T08:00:00+01:00")
    try ledger.run(all: "log coffee", at: "2025-03-20T08:54:00+01:00")
    try ledger.run(all: "day --correct --id right", at: "2025-03-07T06:00:00+01:00")
    try ledger.run(all: "log coffee 3", at: "2025-03-08T20:00:00+01:00")
    try ledger.run(all: "log coffee", at: "2025-03-20T20:00:00+01:00")

    let ids = try chain(ledger.run("why coffee.longest --json")).ids
    #expect(ids.contains("right"), "\(ids)")
    let lines = ledger.bytes().split(separator: 10).map { Array($0) + [10] }
    let value = try alone(lines, ids).run("replay --json")["habits.coffee.longest"]
    #expect(value == "11")
  }

  @Test(arguments: Cases.seeds(100))
  func `a step blamed for a number changed it in the ledger without what was undone`(seed: UInt64)
    throws
  {
    var random = SeededRandom(seed: seed)
    let ledger = try UndoneSteps(&random)
    let fields = [
      "current", "best", "start", "jokers.held", "days.missed", "days.bad", "totals.entries",
    ]
    for part in fields {
      let field = try #require(StateField(path: "noalc.\(part)"))
      let answer = ledger.folder.run("why \(field) --json --at end")
      guard let position = answer["change.position"].flatMap(Int.init) else { continue }

      let before = ledger.value(of: field, at: ledger.start(ofStepAt: position) - 1)
      let after = ledger.value(of: field, at: position)
      let context = Comment("seed \(seed), \(field), @\(position)")
      #expect(after == answer["change.after"], context)
      #expect(before == answer["change.before"], context)
      #expect(!ledger.undone.contains(answer["change.event"] ?? ""), context)
    }
  }

  @Test(arguments: [
    ("60", ["noalc.current", "xp", "daily_complete.best"]),
    ("100", ["gym.best", "noalc.longest", "noalc.days.good"]),
  ])
  func `why prints at most thirty steps and folds the rest with a count, unless --all is given`(
    columns: String, fields: [String]
  ) throws {
    let width = try #require(Int(columns))
    for field in fields {
      let text = sample("why \(field)", columns: columns).text
      #expect(text.split(separator: "\n").allSatisfy { $0.count <= width }, "\(text)")
      let steps = sample("why \(field) --json").text.matches(of: #/"says":/#).count
      let lines = sample("why \(field)").text.split(separator: "\n").drop { !$0.contains(" = ") }
        .dropFirst()
      let head =
        sample("why \(field)").text.split(separator: "\n").prefix { !$0.contains(" = ") }.count + 1
      #expect(lines.count <= 30, "\(field)")
      let folded = lines.compactMap { line in
        line.contains("more like these") ? Int(line.split(separator: " ")[0]) : nil
      }
      #expect(lines.count - folded.count + folded.reduce(0, +) == steps, "\(field)")
      #expect(
        sample("why \(field) --all").text.split(separator: "\n").count == steps + head, "\(field)")
    }
  }

  @Test func `a shortened explanation of a long run keeps the days that a joker saved`() throws {
    let lines = sample("why meditation.longest").text.split(separator: "\n")
    let fold = try #require(lines.firstIndex { $0.contains("more like these") })
    #expect(lines[fold...].contains { $0.hasSuffix("healed, run 300, spent meditation/13") })
  }

  @Test func `why lists the entries of a longest run that no longer exists`() throws {
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
  @Test func `why lists the days without entries and the deletion that broke a run`()
    throws
  {
    let ledger = try TemporaryLedger(now: "2025-11-01T12:00:00+01:00")
    try ledger.run(all: "init\ndefine tea --any --jokers 2/1")
    for day in 1...6 {
      try ledger.run(all: "log tea --id t\(day)", at: "2025-11-0\(day)T12:00:00+01:00")
    }
    ledger.now = "2025-11-08T12:00:00+01:00"
    try ledger.run(all: "delete t2 --id first\ndelete t3 --id second\nlog tea --id t8")
    let text = ledger.run("why tea.current --json").text
    let document = try #require(
      JSONSerialization.jsonObject(with: Data(text.utf8)) as? NSDictionary)
    #expect(document["of"] as? String == "tea.current" && document["value"] as? Int == 5)
    let steps = try #require(document["chain"] as? [NSDictionary]).map { step in
      "\(step["day"] ?? "") \(step["event"] ?? "–") \(step["says"] ?? "")"
    }
    #expect(
      steps.contains("2025-11-03 second deleted tea of 2025-11-03: no longer counts"), "\(steps)")
    #expect(
      steps.contains("2025-11-03 – nothing logged: the day that ended the run before: missed"))
    #expect(
      steps.contains("2025-11-07 – nothing logged: healed, run 4, forfeited a joker, spent tea/2"))
    #expect(!text.contains("\"first\""))
  }

  @Test func `why explains a joker, an achievement and XP`() throws {
    let joker = sample("why noalc/29 --json")
    #expect(joker["of"] == "noalc/29" && joker["value"] == "spent")
    #expect(try chain(joker).ids.count == 2)
    let achievement = sample("why tri-threat --json")
    #expect(achievement["of"] == "tri-threat" && achievement["value"] == "2024-10-13")
    #expect(achievement.text.contains("achieved it"))
    #expect(sample("why xp --json")["value"] == sample("show --json")["xp"])
  }
}
