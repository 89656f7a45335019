import CommandFixtures
import Foundation
import StreakDomain
import Streaks
import Testing

// What an app takes back, lists and salvages.
extension StreakFolderTests {
  @Test func `an app takes its appends back one by one, and brings back what it undid`() async throws {
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
    let again = try await folder.redo(now: noon(4))
    #expect(again.difference.changes.first { $0.path == "noalc.current" }?.after == .number(2))
    try await folder.undo("o", now: noon(4))
    let read = try await folder.ledger(now: noon(4))
    #expect(read.entry(withID: "o")?.isDeleted == true && read.entry(withID: "n") == nil)
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

  @Test func `excuses are listed by their days and withdrawn by their ids`() async throws {
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

  @Test func `the last days of all habits end with today`() async throws {
    let ledger = try await StreakFolder(URL(fileURLWithPath: Repository.root + "/events")).ledger(
      now: noon(20))
    let fortnight = ledger.calendar(lastDays: 14)
    #expect(Set(fortnight.keys) == Set(ledger.habits.map(\.id)))
    #expect(fortnight["noalc"]?.map(\.day) == Array("2025-11-07"..."2025-11-20"))
    #expect(fortnight["noalc"] == ledger.calendar(of: "noalc", in: "2025-11-07"..."2025-11-20"))
    #expect(ledger.calendar(lastDays: 0).isEmpty)
  }

  @Test func `a damaged ledger is read without its damaged lines, which are named`() async throws {
    let ledger = try TemporaryLedger()
    let folder = folder(ledger)
    try await folder.create(noalc(), timeZone: zone, now: noon(3))
    try await folder.append(entry("a"), now: noon(3))
    try ledger.write(ledger.bytes(of: "app") + Array("{}\n".utf8), to: "app.jsonl")
    let read = try await folder.salvagedLedger(now: noon(3))
    #expect(read.leftOut.map(\.kind) == [.damaged] && read.leftOut.first?.place?.line == 4)
    #expect(read.streak(of: "noalc")?.current == 1 && read.entry(withID: "a") != nil)
    #expect(try read.state(at: .event("a")).position == 3 && read.timeline().count == 3)
  }
}
