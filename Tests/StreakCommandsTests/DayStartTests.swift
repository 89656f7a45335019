import CommandFixtures
import DomainFixtures
import EventLog
import Foundation
import StreakCommands
import StreakDomain
import Testing

struct DayStartTests {
  private func ledger(_ presets: String) throws -> TemporaryLedger {
    try TemporaryLedger(running: "init --day-start 04:00 \(presets)")
  }

  /// A day ends when the next begins: the first entry belongs to the day, the second doesn't.
  @Test(arguments: [
    (
      "Europe/Berlin", "04:00", "2025-11-03", "2025-11-04T03:59:59.999999+01:00",
      "2025-11-04T04:00:00+01:00"
    ),
    // 2:30 doesn't exist on this day, so it begins at 3:00.
    (
      "Europe/Berlin", "02:30", "2025-03-29", "2025-03-30T01:59:59.999999+01:00",
      "2025-03-30T03:00:00+02:00"
    ),
    // 2:30 comes twice, and the day begins with the first; the second 2:10 belongs to the new day.
    (
      "Europe/Berlin", "02:30", "2025-10-25", "2025-10-26T02:29:59.999999+02:00",
      "2025-10-26T02:30:00+02:00"
    ),
    (
      "Europe/Berlin", "02:30", "2025-10-25", "2025-10-26T02:10:00+02:00",
      "2025-10-26T02:10:00+01:00"
    ),
    // There was no 30th, so its hours before 4:00 are the last of the 29th.
    (
      "Pacific/Apia", "04:00", "2011-12-29", "2011-12-31T03:59:59.999999+14:00",
      "2011-12-31T04:00:00+14:00"
    ),
    (
      "Pacific/Apia", "00:00", "2011-12-29", "2011-12-29T23:59:59.999999-10:00",
      "2011-12-31T00:00:00+14:00"
    ),
    // The clocks went back at 0:01, so midnight came twice.
    (
      "America/St_Johns", "00:00", "2009-10-31", "2009-10-31T23:59:59.999999-02:30",
      "2009-11-01T00:00:00-02:30"
    ),
  ])
  func `a day begins at the first instant at or after the day start, even if clocks skip it`(
    zone: String, start: String, day: String, last: String, first: String
  ) throws {
    let clock = try #require(ClockTime(start).flatMap { DayClock(zone: zone, start: $0) })
    let (end, begin) = (
      try #require(Timestamp(last)).instant, try #require(Timestamp(first)).instant
    )
    let wanted = try #require(Day(day))
    #expect(clock.day(of: end) == wanted)
    #expect(clock.day(of: begin) > wanted)
    #expect(clock.end(of: wanted) >= end && clock.end(of: wanted) < begin)
    // Second by second, days follow each other, and each contains its seconds.
    var before = clock.day(of: end + -200_000_000_000)
    for offset in stride(from: -200_000, through: 200_000, by: 1200) {
      let instant = end + Int64(offset) * 1_000_000
      let found = clock.day(of: instant)
      #expect(
        found >= before && instant <= clock.end(of: found) && clock.begin(of: found) <= instant)
      before = found
    }
  }

  /// With `lateBy` 1, a day can be logged until the end of the next day.
  ///
  /// The ledger is read from one segment and from two, by the fast scanner and by the complete
  /// decoder.
  @Test(arguments: ["00:00", "04:00"])
  func `the lateness of an entry depends on the day start that was set before the entry`(
    start: String
  ) throws {
    let ledger = try TemporaryLedger(now: "2025-11-03T12:00:00+01:00")
    try ledger.run(all: "init morning_ritual --day-start \(start)")
    ledger.now = "2025-11-05T03:00:00+01:00"
    try ledger.run(all: "log morning_ritual completed --on 2025-11-03 --id first")
    try ledger.run(all: "day --starts 05:00", at: "2025-11-05T12:00:00+01:00")
    ledger.now = "2025-11-06T04:30:00+01:00"
    try ledger.run(all: "log morning_ritual completed --on 2025-11-04 --id second --writer phone")
    try ledger.run(all: "day --starts 00:00")
    let calendar = ledger.run("calendar morning_ritual --all --json")
    let first = "habits.morning_ritual.days.2025-11-03.verdict"
    let second = "habits.morning_ritual.days.2025-11-04.verdict"
    #expect(calendar[first] == (start == "00:00" ? "missed" : "good"))
    #expect(calendar[second] == "good")
    var ledgers: [Ledger] = []
    for inFull in [false, true] {
      var options = ReadingOptions()
      options.wantsEvents = inFull
      var stream = try EventStream(folder: ledger.events, options: options)
      var fold = Ledger()
      var item = StreamItem()
      while try stream.next(&item, names: &fold.names) { fold.apply(item) }
      fold.settle()
      ledgers.append(fold)
    }
    #expect(ledgers[0].states() == ledgers[1].states())
    #expect(ledgers[0].states().map { $0.days[.good] } == [start == "00:00" ? 1 : 2])
  }

  @Test func `import uses the day start to find the day of an entry that has only a time`() throws {
    let ledger = try ledger("meditation")
    try ledger.write([UInt8]("at,minutes\n2025-11-02 01:30:00 +0100,12\n".utf8), to: "../table.csv")
    let path = ledger.folder + "/table.csv"
    #expect(ledger.run(["import", "csv", path, "--habit", "meditation"]).status == .done)
    #expect(ledger.stored().last?["day"] == "2025-11-01")
    let session = """
      <HealthData><Record type="HKCategoryTypeIdentifierMindfulSession" sourceName="a" \
      startDate="2025-10-31 02:00:00 +0100" endDate="2025-10-31 02:20:00 +0100"/></HealthData>
      """
    try ledger.write([UInt8](session.utf8), to: "../export.xml")
    let output = ledger.run(["import", "apple-health", ledger.folder + "/export.xml"])
    #expect(output.status == .done, "\(output.screen)")
    #expect(ledger.stored().last?["day"] == "2025-10-30")
  }

  @Test func `the HTTP service uses the ledger's day start for today`() throws {
    let ledger = try ledger("game")
    func get(at now: String) -> WebAnswer {
      var request = WebRequest("GET", "/v1/streaks", root: ledger.folder).with([
        "Remote-User": "events"
      ])
      request.now = now
      return request.answer()
    }
    for (now, today) in [
      ("2025-11-04T02:30:00+01:00", "2025-11-03"), ("2025-11-04T03:59:59+01:00", "2025-11-03"),
      ("2025-11-04T04:00:00+01:00", "2025-11-04"),
    ] {
      #expect(get(at: now).body.contains("\"today\":\"\(today)\""), "\(now)")
    }
  }
}
