import Foundation
import Streaks
import TestSupport
import Testing

struct StreakLedgerTests {
  private let zone = TimeZone(identifier: "Europe/Berlin") ?? .gmt

  private func noon(_ day: Int) -> Date {
    ISO8601DateFormatter().date(from: "2025-11-\(day < 10 ? "0" : "")\(day)T12:00:00+01:00") ?? .distantPast
  }

  private func ledger(through last: Int) throws -> StreakLedger {
    var ledger = try StreakLedger(timeZone: zone, now: noon(3))
    try ledger.define("meditation", now: noon(3))
    for day in 3...last {
      try ledger.append(#"{"type":"entry.logged","habit":"meditation","minutes":12}"#, now: noon(day))
    }
    return ledger
  }

  @Test func `a ledger in memory counts days, earns jokers and closes days as one on disk does`() throws {
    let ledger = try ledger(through: 9)
    let today = try #require(ledger.streak(of: "meditation", now: noon(9)))
    #expect(today.current == 7)
    #expect(today.jokers == 1)
    #expect(today.status == "done")
    let tomorrow = try #require(ledger.streak(of: "meditation", now: noon(10)))
    #expect(tomorrow.status == "due")
    #expect(tomorrow.ifMissed == "heals")
    let later = try #require(ledger.streak(of: "meditation", now: noon(12)))
    #expect(later.current == 0)
    #expect(later.longest == 8)
    #expect(ledger.streak(of: "reading", now: noon(9)) == nil)
    #expect(ledger.habits == ["meditation"])
  }

  @Test func `days that begin at four end at four, and are given by their first moment`() throws {
    let night = try #require(ISO8601DateFormatter().date(from: "2025-11-04T02:30:00+01:00"))
    var ledger = try StreakLedger(timeZone: zone, dayStart: "04:00", now: noon(2))
    try ledger.define("meditation", now: noon(2))
    try ledger.append(#"{"type":"entry.logged","habit":"meditation","minutes":12}"#, now: night)
    #expect(ledger.streak(of: "meditation", now: night)?.status == "done")
    let data = try #require(ledger.streakData(for: "meditation", now: night))
    #expect(data.lastActivityDate == noon(3).addingTimeInterval(-8 * 3600))
    let error = #expect(throws: StreakError.self) {
      try StreakLedger(timeZone: zone, dayStart: "12:00", now: noon(2))
    }
    #expect(error?.description.contains("00:00 to 11:59") == true && error?.kind == .refused)
  }

  @Test func `the numbers for an app follow from the ledger`() throws {
    let data = try #require(try ledger(through: 9).streakData(for: "meditation", now: noon(10)))
    #expect(data.currentStreakDays == 7)
    #expect(data.rewardsEarned == 1)
    #expect(data.lastActivityDate == noon(9).addingTimeInterval(-12 * 3600))
    #expect(try ledger(through: 9).streakData(for: "reading", now: noon(10)) == nil)
  }

  @Test(arguments: [
    (#"{"type":"entry.logged","habit":"meditatoin","minutes":1}"#, "did you mean \"meditation\""),
    (#"{"type":"entry.logged","habit":"meditation"}"#, "needs minutes"),
    (#"{"type":"entry.logged","habit":"meditation","minutes":1441}"#, "from 0 to 1440"),
    ("no event", "not valid JSON"),
  ])
  func `what a ledger on disk refuses is refused in memory, and nothing has changed`(
    line: String, says: String
  ) throws {
    var ledger = try ledger(through: 4)
    let error = #expect(throws: StreakError.self) { try ledger.append(line, now: noon(4)) }
    #expect(error?.description.contains(says) == true, "\(String(describing: error))")
    #expect(ledger.streak(of: "meditation", now: noon(4))?.current == 2)
  }

  @Test func `an unknown preset is refused with the nearest one`() throws {
    var ledger = try StreakLedger(timeZone: zone, now: noon(3))
    let error = #expect(throws: StreakError.self) { try ledger.define("meditatoin", now: noon(3)) }
    #expect(error?.description.contains("did you mean \"meditation\"") == true)
    #expect(ledger.habits.isEmpty)
  }

  @Test func `a guest goes on from a host's folder, and the folder stays as it is`() throws {
    let host = try TemporaryLedger()
    try host.run(all: "init meditation\nlog meditation 12m")
    let before = try #require(host.contents())
    var guest = try StreakLedger(contentsOf: URL(fileURLWithPath: host.events))
    try guest.append(#"{"type":"entry.logged","habit":"meditation","minutes":5}"#, now: noon(4))
    #expect(guest.streak(of: "meditation", now: noon(4))?.current == 2)
    #expect(host.contents() == before)
    let again = try StreakLedger(contentsOf: URL(fileURLWithPath: host.events))
    #expect(again.streak(of: "meditation", now: noon(4))?.current == 1)
  }

  @Test func `a folder that is no ledger is refused with its name`() {
    let error = #expect(throws: StreakError.self) {
      try StreakLedger(contentsOf: URL(fileURLWithPath: "/nowhere/at-all"))
    }
    #expect(error?.description.contains("/nowhere/at-all") == true)
  }
}
