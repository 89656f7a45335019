import CommandFixtures
import Foundation
import StreakCommands
import StreakDomain
import Streaks
import Testing

// Undo, excuses, damaged ledgers, definitions and cursors.
extension StreakFolderTests {
  @Test func `an app can undo its appends one by one, and can undo an undo`()
    async throws
  {
    let ledger = try TemporaryLedger()
    let folder = folder(ledger)
    try await folder.create(noalc(), timeZone: zone, now: noon(3))
    try await folder.append(entry("a"), now: noon(3))
    try await self.folder(ledger, "other").append(entry("o"), now: noon(4))
    try await folder.append(.excuse("2025-11-05"..."2025-11-06", reason: "ill"), now: noon(4))
    let withdrawn = try await folder.undo(now: noon(4))
    #expect(withdrawn.difference.verdicts.isEmpty && withdrawn.events.count == 1)
    #expect(try await folder.ledger(now: noon(4)).excuses.isEmpty)
    let deleted = try await folder.undo(now: noon(4))
    #expect(deleted.difference.changes.first { $0.path == "noalc.current" }?.after == .number(1))
    #expect(ledger.run("show --json")["habits.noalc.current"] == "1")
    let again = try await folder.undo(deleted.events.last, now: noon(4))
    #expect(again.difference.changes.first { $0.path == "noalc.current" }?.after == .number(2))
    try await folder.undo("o", now: noon(4))
    let read = try await folder.ledger(now: noon(4))
    #expect(try read.entry(withID: "o")?.isDeleted == true && read.entry(withID: "n") == nil)
    #expect(read.streak(of: "noalc")?.current == 1)
    let before = ledger.contents()
    for (event, kind) in [("o", StreakError.Kind.notFound), ("n", .notFound)] {
      await #expect {
        try await folder.undo(event, now: noon(4))
      } throws: {
        ($0 as? StreakError)?.kind == kind && !"\($0)".contains("streaks")
      }
    }
    await #expect {
      try await self.folder(ledger, "nobody").undo(now: noon(4))
    } throws: {
      ($0 as? StreakError)?.kind == .notFound && !"\($0)".contains("--")
    }
    #expect(ledger.contents() == before)
    ledger.now = "2025-11-04T12:00:00+01:00"
    #expect(ledger.run("verify").status == .done)
  }

  @Test func `excuses are listed by their days and can be withdrawn by their ids`() async throws {
    let ledger = try TemporaryLedger()
    let folder = folder(ledger)
    try await folder.create(noalc(), timeZone: zone, now: noon(3))
    try await folder.append(
      .excuse("2025-11-08"..."2025-11-09", habits: ["noalc"], reason: "trip"),
      .excuse("2025-11-05"..."2025-11-05"), now: noon(3))
    let excuses = try await folder.ledger(now: noon(3)).excuses
    #expect(excuses.map(\.days.lowerBound) == ["2025-11-05", "2025-11-08"])
    #expect(excuses.map(\.habits) == [nil, ["noalc"]] && excuses.map(\.reason) == [nil, "trip"])
    try await folder.append(.withdraw(excuse: excuses[1].id), now: noon(3))
    #expect(try await folder.ledger(now: noon(3)).excuses == [excuses[0]])
  }

  @Test
  func `a damaged ledger can be read without its damaged lines, which are reported`() async throws {
    let ledger = try TemporaryLedger()
    let folder = folder(ledger)
    try await folder.create(noalc(), timeZone: zone, now: noon(3))
    try await folder.append(entry("a"), now: noon(3))
    try ledger.write(ledger.bytes(of: "app") + Array("{}\n".utf8), to: "app.jsonl")
    let read = try await folder.ledger(now: noon(3), skipping: .unreadable)
    #expect(read.leftOut.map(\.kind) == [.damaged] && read.leftOut.first?.place?.line == 4)
    #expect(try read.streak(of: "noalc")?.current == 1 && read.entry(withID: "a") != nil)
    #expect(try read.state(at: .event("a")).position == 3 && read.timeline().count == 3)
  }

  @Test
  func `define changes one field and keeps the others, even those that another program changed`()
    async throws
  {
    let ledger = try TemporaryLedger()
    let folder = folder(ledger)
    try await folder.create(
      [Habit(preset: "noalc"), Habit("gym", rule: .any)], timeZone: zone, now: noon(3))
    ledger.now = "2025-11-03T12:00:00+01:00"
    try ledger.run(all: "define gym --name Gym --schedule 3/week")
    let appended = try await folder.define("gym", now: noon(4)) { $0.forgiveness = .grace(days: 1) }
    #expect(appended.map(\.isNew) == [true])
    let read = try await folder.ledger(now: noon(4))
    let gym = try #require(read.habits.first { $0.id == "gym" })
    #expect(
      gym.name == "Gym" && gym.schedule == .times(3, per: .week)
        && gym.forgiveness == .grace(days: 1))
    #expect(read.definitions(of: "gym").map(\.day) == ["2025-11-03", "2025-11-03", "2025-11-04"])
    #expect(try await folder.define("gym", now: noon(4)) { $0.name = "Gym" }.isEmpty)
    // A `streak` of `nil` counts as true, so this is no change.
    #expect(try await folder.define("noalc", now: noon(4)) { $0.streak = true }.isEmpty)
    // The new rule has no levels, so its jokers heal slips instead.
    try await folder.define("noalc", on: "2025-11-10", now: noon(4)) { $0.rule = .never }
    let later = try await folder.ledger(now: noon(12)).habits.first { $0.id == "noalc" }
    #expect(
      later?.rule == .never
        && later?.forgiveness == .joker(JokerRule(every: 7, cap: 3, heals: ["slip"])))
    let error = await #expect(throws: StreakError.self) {
      try await folder.define("gim", now: noon(4)) { _ in }
    }
    #expect(error?.kind == .unknownHabit && error?.nearest == ["gym"])
    ledger.now = "2025-11-12T12:00:00+01:00"
    #expect(ledger.run("verify").screen.isEmpty)
  }

  @Test func `changes after the current cursor contain only later events`() async throws {
    let ledger = try TemporaryLedger()
    let folder = folder(ledger)
    try await folder.create(noalc(), timeZone: zone, now: noon(3))
    try await folder.append(entry("a"), now: noon(3))
    let now = try await folder.cursor()
    let changes = folder.changes(after: now)
    try await folder.append(entry("b"), now: noon(3))
    #expect(try await changes.next()?.get().event == "b")
  }

  @Test
  func `each reason in the explanation of a day names its entry, joker or day`() async throws {
    var ledger = try StreakLedger(timeZone: zone, now: noon(1))
    try ledger.append(.habit(Habit(preset: "meditation")), now: noon(1))
    for day in 1...7 {
      try ledger.append(.entry("meditation", minutes: 5, id: "e\(day)"), now: noon(day))
    }
    try ledger.append(.entry("meditation", minutes: 5, id: "e9"), now: noon(9))
    let earned = try ledger.why("meditation", on: "2025-11-07").reasons
    #expect(earned.first { $0.kind == .entry }?.event == "e7")
    #expect(earned.first { $0.kind == .joker }?.joker == Joker("meditation/1"))
    let healed = try ledger.why("meditation", on: "2025-11-08")
    #expect(healed.reasons.map(\.kind).prefix(5) == [.day, .rule, .forgiveness, .entry, .verdict])
    #expect(healed.reasons.first { $0.kind == .today }?.day == "2025-11-09")
    #expect(healed.sentences == healed.reasons.map(\.sentence))
  }
}
