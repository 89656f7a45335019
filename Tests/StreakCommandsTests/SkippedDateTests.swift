import CommandFixtures
import EventLog
import Foundation
import StreakCommands
import StreakDomain
import Testing

/// Past days added to a ledger whose time zone never had one of the dates between them.
struct SkippedDateTests {
  /// The zones that moved over the date line since 1900, with the day before the skipped date.
  static let zones = [
    ("Pacific/Apia", "2011-12-29"), ("Pacific/Fakaofo", "2011-12-29"),
    ("Pacific/Kiritimati", "1994-12-30"), ("Pacific/Kwajalein", "1993-08-20"),
  ]

  private func ledger(in zone: String = "Pacific/Apia") throws -> TemporaryLedger {
    try TemporaryLedger(
      running: "init --zone \(zone)\ndefine walk --any", now: "2012-01-04T12:00:00+14:00")
  }

  private func excuses(of ledger: TemporaryLedger) -> [String?] {
    ledger.stored().filter { $0["type"] == "days.excused" }.map { $0["from"] }
  }

  /// Imports entries of `walk` on `days`, and requires that the import succeeds.
  private func importWalks(_ days: [String], to ledger: TemporaryLedger) throws {
    let table = (["date"] + days).joined(separator: "\n") + "\n"
    let answer = ledger.run("import csv - --habit walk", input: table)
    try #require(answer.status == .done, "\(answer.errors)")
  }

  @Test(arguments: zones)
  func `each zone that moved over the date line lacks one date`(
    zone: String, dayBefore: String
  ) throws {
    let before = try #require(Day(dayBefore))
    let clock = try #require(DayClock(zone: zone, start: .midnight))
    #expect(clock.skippedDates(in: Day.first..<Day.last) == [before.next])
    #expect(clock.hasDate(before) && !clock.hasDate(before.next) && clock.hasDate(before + 2))
  }

  @Test(arguments: ["Europe/Berlin", "Pacific/Pago_Pago", "Asia/Manila", "UTC"])
  func `other zones have all dates since 1900`(zone: String) throws {
    let clock = try #require(DayClock(zone: zone, start: .midnight))
    #expect(clock.skippedDates(in: Day.first..<Day.last).isEmpty)
  }

  @Test(arguments: zones)
  func `an import of days around a date that the zone skipped is one run`(
    zone: String, dayBefore: String
  ) throws {
    let before = try #require(Day(dayBefore))
    let ledger = try ledger(in: zone)
    try importWalks(["\(before)", "\(before + 2)"], to: ledger)
    #expect(excuses(of: ledger) == ["\(before.next)"])
    #expect(ledger.run("why walk \(before.next)").text.contains("excused"))
    #expect(ledger.run("show --json")["habits.walk.longest"] == "2")

    // The dates around it are missed, as anywhere.
    #expect(ledger.run("why walk \(before + 3)").text.contains("missed"))
  }

  @Test(arguments: zones)
  func `a limit that is defined in the past has no good day on a date that the zone skipped`(
    zone: String, dayBefore: String
  ) throws {
    let before = try #require(Day(dayBefore))
    let today: Day = "2012-01-04"
    let ledger = try ledger(in: zone)
    try ledger.run(all: "define sugar --never --on \(before)")
    #expect(excuses(of: ledger) == ["\(before.next)"])

    // Today and the skipped date aren't closed good days.
    let state = ledger.run("show --json")
    #expect(state["habits.sugar.current"] == "\(today - before - 1)")
    #expect(state["habits.sugar.days.excused"] == "1")
  }

  @Test func `an entry for a past day excuses the skipped date once, for all habits`() throws {
    let ledger = try ledger()
    try ledger.run(
      all: """
        log walk --on 2011-12-31
        log walk --on 2011-12-29
        log walk --on 2011-12-28
        define sugar --never --on 2011-12-29
        """)
    #expect(excuses(of: ledger) == ["2011-12-30"])
    #expect(ledger.run("why sugar 2011-12-30").text.contains("excused"))
    #expect(ledger.run("timeline walk -n 1").text.contains("walk"))
    #expect(ledger.run("verify").status == .done)
  }

  @Test func `an import from the newest day to the oldest excuses the skipped date once`() throws {
    let ledger = try ledger()
    try importWalks(["2012-01-02", "2011-12-31", "2011-12-29", "2011-12-28"], to: ledger)
    #expect(excuses(of: ledger) == ["2011-12-30"])
  }

  @Test func `an entry on the skipped date counts, even though the date is excused`() throws {
    let ledger = try ledger()
    try importWalks(["2011-12-29", "2011-12-30", "2011-12-31"], to: ledger)
    #expect(excuses(of: ledger) == ["2011-12-30"])
    #expect(ledger.run("show --json")["habits.walk.longest"] == "3")

    // Another habit has its run over the same date.
    try ledger.run(all: "define run --any\nlog run --on 2011-12-29\nlog run --on 2011-12-31")
    #expect(excuses(of: ledger) == ["2011-12-30"])
    #expect(ledger.run("show --json")["habits.run.longest"] == "2")
  }

  @Test
  func `an undone import leaves the skipped date excused, and importing again adds no excuse`()
    throws
  {
    let ledger = try ledger()
    try importWalks(["2011-12-29", "2011-12-31"], to: ledger)
    try ledger.run(all: "undo")
    #expect(ledger.run("excuse --json").text.contains("2011-12-30"))
    #expect(ledger.run("list walk").text.contains("2011-12-29") == false)

    try importWalks(["2011-12-29", "2011-12-31"], to: ledger)
    #expect(excuses(of: ledger) == ["2011-12-30"])
    #expect(ledger.run("show --json")["habits.walk.longest"] == "2")
  }

  @Test
  func `two devices that import the same table both excuse the skipped date, and agree`() throws {
    let laptop = try ledger()
    let phone = try TemporaryLedger(now: laptop.now)
    try FileManager.default.copyItem(atPath: laptop.events, toPath: phone.events)
    phone.machine = Machine(host: "phone", id: "phone")
    try importWalks(["2011-12-29", "2011-12-31"], to: laptop)
    try importWalks(["2011-12-29", "2011-12-31"], to: phone)
    for name in try FileManager.default.contentsOfDirectory(atPath: phone.events)
    where name.hasPrefix("phone") {
      try FileManager.default.copyItem(
        atPath: "\(phone.events)/\(name)", toPath: "\(laptop.events)/\(name)")
    }

    let state = laptop.run("show --json")
    #expect(state["habits.walk.longest"] == "2")
    #expect(state["habits.walk.days.excused"] == "1")
  }

  @Test func `a first batch with past days excuses the date that the zone skipped`() throws {
    let ledger = try TemporaryLedger(now: "2012-01-04T12:00:00+14:00")
    let lines = """
      {"type":"ledger.opened","zone":"Pacific/Apia","at":"2011-12-28T12:00:00-10:00"}
      {"type":"habit.defined","habit":"walk","rule":{"kind":"any"},"day":"2011-12-28"}
      {"type":"entry.logged","habit":"walk","at":"2011-12-29T12:00:00-10:00"}
      {"type":"entry.logged","habit":"walk","at":"2011-12-31T12:00:00+14:00"}

      """
    let answer = ledger.run("append -", input: lines)
    try #require(answer.status == .done, "\(answer.errors)")
    #expect(excuses(of: ledger) == ["2011-12-30"])
    #expect(ledger.run("show --json")["habits.walk.longest"] == "2")
  }

  @Test func `appended lines that already excuse the skipped date get no second excuse`() throws {
    let first = try ledger()
    try importWalks(["2011-12-29", "2011-12-31"], to: first)
    let lines = try String(contentsOfFile: "\(first.events)/main.jsonl", encoding: .utf8)
    let second = try TemporaryLedger(now: first.now)
    let answer = second.run("append -", input: lines)
    try #require(answer.status == .done, "\(answer.errors)")
    #expect(excuses(of: second) == ["2011-12-30"])
  }

  @Test func `a date is not excused among days that the ledger had in another zone`() throws {
    let ledger = try TemporaryLedger(now: "2011-12-28T12:00:00+01:00")
    try ledger.run(all: "init --zone Europe/Berlin\ndefine walk --any\nlog walk")
    ledger.now = "2012-01-04T12:00:00+14:00"
    try ledger.run(all: "day --zone Pacific/Apia\nlog walk --on 2011-12-29")
    #expect(excuses(of: ledger) == [])
    #expect(ledger.run("why walk 2011-12-30").text.contains("missed"))

    // Days before the first one are added in the zone of now.
    try ledger.run(all: "log walk --on 2011-12-20")
    #expect(excuses(of: ledger) == [])
  }
}
