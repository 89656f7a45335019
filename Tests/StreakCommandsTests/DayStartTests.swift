import CommandFixtures
import EventLog
import Foundation
import StreakDomain
import Testing
import TimeZones

struct DayStartTests {
  private func ledger(_ presets: String, now: String = "2025-11-03T12:00:00+01:00") throws -> TemporaryLedger
  {
    try TemporaryLedger(running: "init --day-start 04:00 \(presets)", now: now)
  }

  @Test func `at half past two at night it is still the day before, for today, log and day`() throws {
    let ledger = try ledger("game")
    try ledger.run(all: "log game completed --id night", at: "2025-11-04T02:30:00+01:00")
    #expect(ledger.stored("night", "day") == "2025-11-03")
    #expect(ledger.run("show --json")["today"] == "2025-11-03")
    #expect(ledger.run("day").text == "still 2025-11-03\n")
    ledger.now = "2025-11-04T04:00:00+01:00"
    #expect(ledger.run("show --json")["today"] == "2025-11-04")
    try ledger.run(all: "log game completed --id morning")
    #expect(ledger.stored("morning", "day") == "2025-11-04")
    #expect(ledger.stored().filter { $0["type"] == "day.changed" }.map { $0["to"] } == ["2025-11-04"])
    #expect(ledger.run("show --json")["habits.game.current"] == "2")
    // The time of the activity decides, not the time of recording.
    try ledger.run(all: "log game completed --at 2025-11-04T03:59:59+01:00 --id told")
    #expect(ledger.stored("told", "day") == "2025-11-03")
  }

  @Test func `a ledger made at night begins on the day that its own begin of days says`() throws {
    let ledger = try ledger("game", now: "2025-11-04T02:30:00+01:00")
    #expect(ledger.stored()[0]["day"] == "2025-11-03" && ledger.stored()[0]["dayStart"] == "04:00")
    #expect(ledger.run("show --json")["today"] == "2025-11-03")
  }

  @Test func `another begin holds for what comes after, and days written stay what they are`() throws {
    let ledger = try TemporaryLedger(running: "init game", now: "2025-11-03T12:00:00+01:00")
    try ledger.run(all: "log game completed --id before", at: "2025-11-04T02:30:00+01:00")
    #expect(ledger.run("day --starts 05:00").text == "days begin at 05:00 from now on\n")
    #expect(ledger.stored().last?["type"] == "ledger.opened")
    #expect(ledger.stored().last?["zone"] == "Europe/Berlin" && ledger.stored().last?["dayStart"] == "05:00")
    try ledger.run(all: "log game completed --id after")
    #expect(ledger.stored("before", "day") == "2025-11-04" && ledger.stored("after", "day") == "2025-11-03")
    let stored = ledger.bytes()
    #expect(ledger.run("day --starts 05:00").text == "days begin at 05:00 already\n")
    #expect(ledger.bytes() == stored)
    #expect(ledger.run("verify").status == .done)
  }

  @Test func `asked for on a new day, the day before is closed first`() throws {
    let ledger = try ledger("game")
    try ledger.run(all: "day --starts 05:00", at: "2025-11-05T12:00:00+01:00")
    #expect(ledger.stored().suffix(2).map { $0["type"] } == ["day.changed", "ledger.opened"])
    #expect(ledger.run("show --json")["today"] == "2025-11-05")
  }

  @Test(arguments: ["12:00", "4:00", "04:00:00", "24:00", "noon", ""])
  func `a begin after noon or of another form is refused with what would be right`(start: String) throws {
    let ledger = try TemporaryLedger()
    let output = ledger.run(["init", "--day-start", start])
    #expect(output.status == .usage)
    #expect(output.errors.contains("a local time HH:MM at which a day begins, 00:00 to 11:59"))
    #expect(ledger.contents() == nil)
    try ledger.run(all: "init")
    let before = ledger.contents()
    #expect(ledger.run(["day", "--starts", start]).status == .usage)
    let line = #"{"type":"ledger.opened","dayStart":"\#(start)"}"#
    let refused = ledger.run("append", input: line)
    #expect(refused.status == .badData)
    #expect(refused.errors.contains("\"dayStart\" is ") && refused.errors.contains("00:00 to 11:59"))
    #expect(ledger.contents() == before)
  }

  /// A day ends when the next begins: the first entry belongs to the day, the second doesn't.
  @Test(arguments: [
    ("Europe/Berlin", "04:00", "2025-11-03", "2025-11-04T03:59:59.999999+01:00", "2025-11-04T04:00:00+01:00"),
    // 2:30 doesn't exist on this day, so it begins at 3:00.
    ("Europe/Berlin", "02:30", "2025-03-29", "2025-03-30T01:59:59.999999+01:00", "2025-03-30T03:00:00+02:00"),
    // 2:30 comes twice, and the day begins with the first; the second 2:10 belongs to the new day.
    ("Europe/Berlin", "02:30", "2025-10-25", "2025-10-26T02:29:59.999999+02:00", "2025-10-26T02:30:00+02:00"),
    ("Europe/Berlin", "02:30", "2025-10-25", "2025-10-26T02:10:00+02:00", "2025-10-26T02:10:00+01:00"),
    // There was no 30th, so its hours before 4:00 are the last of the 29th.
    ("Pacific/Apia", "04:00", "2011-12-29", "2011-12-31T03:59:59.999999+14:00", "2011-12-31T04:00:00+14:00"),
    ("Pacific/Apia", "00:00", "2011-12-29", "2011-12-29T23:59:59.999999-10:00", "2011-12-31T00:00:00+14:00"),
    // The clocks went back at 0:01, so midnight came twice.
    (
      "America/St_Johns", "00:00", "2009-10-31", "2009-10-31T23:59:59.999999-02:30",
      "2009-11-01T00:00:00-02:30"
    ),
  ])
  func `a day's begin is the first instant that is there`(
    zone: String, start: String, day: String, last: String, first: String
  ) throws {
    let clock = try #require(ClockTime(start).flatMap { DayClock(zone: zone, start: $0) })
    let (end, begin) = (try #require(Timestamp(last)).instant, try #require(Timestamp(first)).instant)
    let wanted = try #require(Day(day))
    #expect(clock.day(of: end) == wanted)
    #expect(clock.day(of: begin) > wanted)
    #expect(clock.end(of: wanted) >= end && clock.end(of: wanted) < begin)
    // Second by second, days follow each other, and each contains its seconds.
    var before = clock.day(of: end + -200_000_000_000)
    for offset in stride(from: -200_000, through: 200_000, by: 1200) {
      let instant = end + Int64(offset) * 1_000_000
      let found = clock.day(of: instant)
      #expect(found >= before && instant <= clock.end(of: found) && clock.begin(of: found) <= instant)
      before = found
    }
  }

  @Test func `a point that is a day or a time is read by when days begin at the end`() throws {
    let ledger = try ledger("game")
    try ledger.run(all: "log game completed --id night", at: "2025-11-04T03:00:00+01:00")
    try ledger.run(all: "log game completed --id morning", at: "2025-11-04T05:00:00+01:00")
    let day = ledger.run("replay --json --at 2025-11-03")
    #expect(day["event"] == "night" && day["today"] == "2025-11-03")
    let time = ledger.run("replay --json --at 2025-11-04T03:30:00+01:00")
    #expect(time["event"] == "night" && time["today"] == "2025-11-03")
    #expect(ledger.run("replay --json --at 2025-11-04T05:30:00+01:00")["today"] == "2025-11-04")
  }

  /// With `lateBy` 1, a day can be logged until the end of the next day.
  ///
  /// The ledger is read from one segment and from two, by the fast scanner and by the complete decoder.
  @Test(arguments: ["00:00", "04:00"])
  func `how late an entry is goes by when days began before it in the stream`(start: String) throws {
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
      ledgers.append(fold)
    }
    #expect(ledgers[0].states() == ledgers[1].states())
    #expect(ledgers[0].states().map { $0.days[.good] } == [start == "00:00" ? 1 : 2])
  }

  @Test func `a reminder is due from its time to the day's end, which may be at night`() throws {
    let ledger = try ledger("meditation noalc")
    try ledger.run(all: "remind --set meditation 22:00\nremind --set noalc 02:00")
    func due(_ now: String) -> (meditation: String?, noalc: String?) {
      ledger.now = now
      let output = ledger.run("remind --json")
      return (output["due.meditation.day"], output["due.noalc.day"])
    }
    // In a day that begins at 4:00, 2:00 comes after 18:00, so the reminder asks about that day.
    #expect(due("2025-11-03T21:59:00+01:00") == (nil, nil))
    #expect(due("2025-11-03T23:00:00+01:00") == ("2025-11-03", nil))
    #expect(due("2025-11-04T03:59:00+01:00") == ("2025-11-03", "2025-11-03"))
    #expect(due("2025-11-04T04:00:00+01:00") == (nil, nil))
  }

  @Test func `the hours left are those to the begin of the next day`() throws {
    let ledger = try ledger("morning_ritual")
    try ledger.run(all: "log morning_ritual completed\nremind --set morning_ritual 22:00")
    ledger.now = "2025-11-06T02:30:00+01:00"
    #expect(ledger.run("remind --json")["due.morning_ritual.hoursLeft"] == "1.5")
  }

  @Test func `what an import knows only by its time counts for the day that it was`() throws {
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

  @Test func `over HTTP the day is the ledger's, too`() throws {
    let ledger = try ledger("game")
    func get(at now: String) -> WebAnswer {
      var request = WebRequest("GET", "/v1/streaks", root: ledger.folder).with(["Remote-User": "events"])
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
