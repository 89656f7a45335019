import CommandFixtures
import DomainFixtures
import EventLog
import Foundation
import StreakCommands
import StreakDomain
import Testing

/// `backtest`: what becomes of a history under another definition, against a log that has that definition.
struct BacktestTests {
  private func ledger(_ events: [Event]) throws -> TemporaryLedger {
    let ledger = try TemporaryLedger(now: "2025-12-31T12:00:00+01:00")
    try ledger.write(events.flatMap { EventEncoder.line($0) }, to: "main.jsonl")
    return ledger
  }

  private func sample(_ words: String) -> Output {
    TemporaryLedger.run(
      TemporaryLedger.words(words), input: "", events: Repository.root + "/events",
      now: "2025-11-20T21:00:00+01:00", seed: 0)
  }

  private func members(_ output: Output) throws -> NSDictionary {
    try #require(JSONSerialization.jsonObject(with: Data(output.text.utf8)) as? NSDictionary)
  }

  /// A habit's state in `show --json`, which has the today of a backtest.
  private func state(of habit: String, in ledger: TemporaryLedger) throws -> NSDictionary? {
    let states = try members(ledger.run("show --json"))["habits"] as? [NSDictionary]
    return states?.first { $0["habit"] as? String == habit }
  }

  /// The verdicts of a habit's days.
  private func verdicts(of habit: String, in ledger: TemporaryLedger) throws -> [String: String] {
    let calendar = try members(ledger.run("calendar \(habit) --all --json"))
    let habits = calendar["habits"] as? [NSDictionary]
    let days = habits?.first?["days"] as? [NSDictionary] ?? []
    return Dictionary(
      uniqueKeysWithValues: days.map { ("\($0["day"] ?? "")", "\($0["verdict"] ?? "")") })
  }

  /// Compares a backtest with the log as it would be under the tested definitions.
  private func expectRight(
    _ events: [Event], _ habit: String, _ options: [String], _ context: String,
    _ change: (inout Habit) -> Void
  ) throws {
    let real = try ledger(events)
    let tested = try ledger(
      events.map { event in
        guard case .habitDefined(var definition) = event.payload, definition.id == habit else {
          return event
        }
        var event = event
        change(&definition)
        event.payload = .habitDefined(definition)
        return event
      })
    let document = try members(real.run(["backtest", habit, "--json"] + options))
    #expect(try document["real"] as? NSDictionary == state(of: habit, in: real), "\(context)")
    #expect(try document["tested"] as? NSDictionary == state(of: habit, in: tested), "\(context)")
    let (before, after) = try (verdicts(of: habit, in: real), verdicts(of: habit, in: tested))
    let wanted = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }.sorted()
    let flips = try #require(document["flips"] as? [NSDictionary])
    #expect(flips.map { $0["day"] as? String } == wanted, "\(context)")
    for (flip, day) in zip(flips, wanted) {
      #expect(flip["real"] as? String == before[day] && flip["tested"] as? String == after[day], "\(context)")
    }
  }

  @Test func `every history of a few days under other jokers is the log that has them`() throws {
    for history in ShortHistory.all(of: Preset.noalc.definition(for: "noalc"), upTo: Cases.areAll ? 3 : 2) {
      try expectRight(history.events, "noalc", ["--jokers", "2/1"], history.marks) { definition in
        guard case .joker(var rule)? = definition.forgiveness else { return }
        (rule.every, rule.cap) = (2, 1)
        definition.forgiveness = .joker(rule)
      }
    }
  }

  @Test(arguments: Cases.seeds(10))
  func `a random history under another schedule and forgiveness is the log that has them`(seed: UInt64) throws
  {
    var stream = RandomStream(seed: seed)
    let events = stream.events(90)
    for habit in ["a", "b", "both"] {
      // A sum of a week or month takes no schedule.
      let takesSchedule = !events.contains { event in
        guard case .habitDefined(let definition) = event.payload else { return false }
        return definition.id == habit && definition.rule.sum?.per != nil
      }
      let options = (takesSchedule ? ["--schedule", "4/week"] : []) + ["--grace", "2"]
      try expectRight(events, habit, options, "seed \(seed), \(habit)") { definition in
        if takesSchedule { definition.schedule = .times(4, per: .week) }
        definition.forgiveness = .grace(days: 2)
      }
    }
  }

  @Test func `under its own definition no day of any habit flips`() throws {
    let habits = try #require(members(sample("habits --json"))["habits"] as? [NSDictionary])
    for habit in stride(from: 0, to: habits.count, by: Cases.stride(2)).map({ habits[$0] }) {
      let name = try #require(habit["habit"] as? String)
      let definitions = try #require(habit["definitions"] as? [NSDictionary])
      guard definitions.count == 1, let rule = definitions[0]["rule"] else { continue }
      let json = String(decoding: try JSONSerialization.data(withJSONObject: rule), as: UTF8.self)
      let output = TemporaryLedger.run(
        ["backtest", name, "--json", "--rule", json], input: "", events: Repository.root + "/events",
        now: "2025-11-20T21:00:00+01:00", seed: 0)
      #expect(try (members(output)["flips"] as? [NSDictionary])?.count == 0, "\(name): \(output.screen)")
      #expect(try members(output)["real"] as? NSDictionary == members(output)["tested"] as? NSDictionary)
    }
    #expect(sample("backtest noalc --forgiveness joker:7/3").text.hasSuffix("no day flips\n"))
  }

  @Test func `composites above the habit, XP, and entries that the rule cannot read stand beside it`() throws
  {
    let document = try members(sample("backtest evening_reflection --at-least 5m --json"))
    let composites = try #require(document["composites"] as? [NSDictionary])
    #expect(composites.map { $0["habit"] as? String } == ["daily_complete"])
    let tested = try #require(composites[0]["tested"] as? NSDictionary)
    let real = try #require(composites[0]["real"] as? NSDictionary)
    #expect(real["best"] as? Int ?? 0 > 8 && tested["best"] as? Int == 8)
    let totals = try #require((document["real"] as? NSDictionary)?["totals"] as? NSDictionary)
    #expect(document["unreadEntries"] as? Int == totals["entries"] as? Int)
    let xp = try members(sample("backtest cardio --any --json"))["xp"] as? NSDictionary
    #expect(xp?["real"] as? Int != xp?["tested"] as? Int)
  }

  @Test(arguments: [
    ("backtest gym", StreakDomain.ExitStatus.usage, "backtest needs what to test"),
    ("backtest gymn --any", .failed, "no habit \"gymn\" is defined"),
    ("backtest gym --jokers 5", .usage, "--jokers is \"5\"; it must be EVERY/CAP"),
    ("backtest gym --forgiveness joker:5", .usage, "--forgiveness joker is \"5\"; it must be EVERY/CAP"),
    (
      "backtest gym --forgiveness grace:0", .usage,
      "--forgiveness grace is \"0\"; it must be a number"
    ),
    ("backtest gym --forgiveness luck", .usage, "which is no JSON; the plain words are"),
    ("backtest gym --grace 1 --forgiveness strict", .usage, "do not go together"),
    ("backtest gym --rule '{\"kind\":\"all\",\"of\":[\"gym\"]}'", .badData, "gym"),
    ("backtest gym --never --schedule every:3", .usage, "gym is a limit"),
  ])
  func `what cannot be tested is refused`(command: String, status: StreakDomain.ExitStatus, says: String) {
    let output = sample(command)
    #expect(output.status == status, "\(output.screen)")
    #expect(output.errors.contains(says), "\(output.screen)")
  }
}
