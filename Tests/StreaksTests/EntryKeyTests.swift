import CommandFixtures
import Foundation
import Streaks
import Testing

struct EntryKeyTests {
  private let zone = TimeZone(identifier: "Europe/Berlin") ?? .gmt

  private func noon(_ day: Int) -> Date {
    ISO8601DateFormatter().date(from: "2025-11-0\(day)T12:00:00+01:00") ?? .distantPast
  }

  private func steps(_ amount: Double, id: String) -> NewEvent {
    .entry("steps", amount: amount, key: "2025-11-05", id: id, on: "2025-11-05")
  }

  @Test
  func `of two entries that an app appends with the same key, only the later counts`() async throws
  {
    let ledger = try TemporaryLedger()
    let folder = StreakFolder(URL(fileURLWithPath: ledger.events), writer: "app")
    try await folder.create([Habit(preset: "steps")], timeZone: zone, now: noon(5))
    try await folder.append(steps(5500, id: "a"), now: noon(5))
    try await folder.append(steps(12_000, id: "b"), now: noon(6))

    let read = try await folder.ledger(now: noon(6))
    #expect(read.streak(of: "steps")?.totals.amount == 12_000)
    #expect(try read.entries().map(\.id) == ["b"])
    let all = try read.entries(includesDeleted: true)
    #expect(all.map(\.id) == ["a", "b"])
    #expect(all.map(\.replacement) == ["b", nil])
    #expect(all.map(\.isDeleted) == [false, false])
    #expect(all[0].entry.key == "2025-11-05")
    #expect(try read.entry(withID: "a")?.replacement == "b")

    let again = try await folder.append(steps(5500, id: "a"), now: noon(6))
    #expect(again.map(\.isNew) == [false])
  }

  @Test func `an entry in a ledger in memory replaces the entry with the same key`() throws {
    var ledger = try StreakLedger(timeZone: zone, now: noon(5))
    try ledger.append(.habit(Habit(preset: "steps")), now: noon(5))
    try ledger.append(steps(5500, id: "a"), now: noon(5))
    try ledger.append(steps(12_000, id: "b"), now: noon(5))
    #expect(ledger.streak(of: "steps")?.totals.amount == 12_000)
    #expect(try ledger.entries(includesDeleted: true).map(\.replacement) == ["b", nil])
  }

  @Test func `a corrected entry keeps its day and time and replaces the old entry`()
    async throws
  {
    let ledger = try TemporaryLedger()
    let folder = StreakFolder(URL(fileURLWithPath: ledger.events), writer: "app")
    try await folder.create([Habit(preset: "steps")], timeZone: zone, now: noon(5))
    try await folder.append(.entry("steps", amount: 5500, id: "a"), now: noon(5))

    let old = try #require(try await folder.ledger(now: noon(6)).entry(withID: "a"))
    var entry = old.entry
    entry.amount = 15_500
    let correction = old.replaced(by: entry)
    #expect(correction.count == 1)
    try await folder.append(correction, now: noon(6))

    let new = try #require(try await folder.ledger(now: noon(6)).entries().first)
    #expect(new.entry.key == "a" && new.entry.amount == 15_500)
    #expect(new.day == old.day && new.at == old.at)
    entry.amount = 16_000
    try await folder.append(new.replaced(by: entry), now: noon(6))
    #expect(
      try await folder.ledger(now: noon(6)).entries(includesDeleted: true).map(\.entry.amount)
        == [5500, 15_500, 16_000])
    #expect(
      try await folder.ledger(now: noon(6)).streak(of: "steps")?.totals.amount == 16_000)
  }

  @Test func `correcting an entry to another habit deletes the entry and logs another`()
    async throws
  {
    let ledger = try TemporaryLedger()
    let folder = StreakFolder(URL(fileURLWithPath: ledger.events), writer: "app")
    try await folder.create(
      [Habit(preset: "steps"), Habit("walk", rule: .any)], timeZone: zone, now: noon(5))
    try await folder.append(steps(5500, id: "a"), now: noon(5))
    let old = try #require(try await folder.ledger(now: noon(5)).entry(withID: "a"))
    let correction = old.replaced(by: Entry(habit: "walk"))
    #expect(correction.count == 2)
    try await folder.append(correction, now: noon(5))

    let read = try await folder.ledger(now: noon(5))
    #expect(try read.entry(withID: "a")?.isDeleted == true)
    #expect(try read.entries().map(\.entry.habit) == ["walk"])
    #expect(try read.entries().map(\.entry.key) == [nil])
  }

  @Test func `an append of an entry that was there says whether it is deleted or replaced`()
    async throws
  {
    let ledger = try TemporaryLedger()
    let folder = StreakFolder(URL(fileURLWithPath: ledger.events), writer: "app")
    try await folder.create([Habit(preset: "steps")], timeZone: zone, now: noon(5))
    let other = NewEvent.entry("steps", amount: 10, id: "b", on: "2025-11-05")
    try await folder.append(steps(5500, id: "a"), other, now: noon(5))
    let old = try #require(try await folder.ledger(now: noon(5)).entry(withID: "a"))
    var entry = old.entry
    entry.amount = 6000
    try await folder.append(old.replaced(by: entry), now: noon(5))
    try await folder.append(.delete("b", reason: "twice"), now: noon(5))

    let again = try await folder.append(steps(5500, id: "a"), other, now: noon(5))
    let new = try #require(try await folder.ledger(now: noon(5)).entries().first)
    #expect(again.map(\.isNew) == [false, false])
    #expect(again.map(\.isDeleted) == [false, true])
    #expect(again.map(\.replacement) == [new.id, nil])
  }

  @Test func `an entry whose deletion was undone is replaced, and not deleted`() async throws {
    let ledger = try TemporaryLedger()
    let folder = StreakFolder(URL(fileURLWithPath: ledger.events), writer: "app")
    try await folder.create([Habit(preset: "steps")], timeZone: zone, now: noon(5))
    try await folder.append(steps(5500, id: "a"), now: noon(5))
    try await folder.append(.delete("a"), now: noon(5))
    try await folder.undo(now: noon(5))

    let entry = try #require(try await folder.ledger(now: noon(5)).entry(withID: "a"))
    #expect(entry.replacement != nil && !entry.isDeleted)
  }

  @Test func `an app cannot name a new segment with capitals`() async throws {
    let ledger = try TemporaryLedger()
    let folder = StreakFolder(URL(fileURLWithPath: ledger.events), writer: "Phone")
    let error = await #expect(throws: StreakError.self) {
      try await folder.create([Habit(preset: "steps")], timeZone: zone, now: noon(5))
    }
    #expect(error?.kind == .refused)
    #expect(error?.sentence.contains("needs small letters") == true)
  }
}
