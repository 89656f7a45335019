import CommandFixtures
import StreakDomain
import Testing

struct RemindTests {
  private func ledger(_ presets: String, now: String = "2025-11-03T08:00:00+01:00") throws
    -> TemporaryLedger
  {
    try TemporaryLedger(running: "init \(presets)", now: now)
  }

  @Test(
    arguments: [
      ("17:59", "2025-11-04T17:59:00+01:00", "2025-11-03"),
      ("18:00", "2025-11-04T18:00:00+01:00", "2025-11-04"),
      ("18:01", "2025-11-04T18:01:00+01:00", "2025-11-04"),
      ("09:00", "2025-11-04T23:59:00+01:00", "2025-11-03"),
      ("18:00", "2025-11-04T17:59:59.999+01:00", nil),
    ] as [(String, String, String?)])
  func `before six in the evening a reminder of drinks asks about yesterday, later about today`(
    time: String, now: String, day: String?
  ) throws {
    let ledger = try ledger("noalc")
    try ledger.run(all: "remind --set noalc \(time)")
    ledger.now = now
    let output = ledger.run("remind --json")
    #expect(output["due.noalc.day"] == day)
    #expect(output["due.noalc.time"] == (day == nil ? nil : time))
    #expect(output["due.noalc.hoursLeft"] == nil)
  }

  @Test
  func `logging yesterday silences a morning reminder, and logging today an evening reminder`()
    throws
  {
    let ledger = try ledger("noalc noalc-strict")
    try ledger.run(all: "remind --set noalc 09:00\nremind --set noalc-strict 21:00")
    ledger.now = "2025-11-04T21:30:00+01:00"
    #expect(
      ledger.run("remind").text
        == "🍀 NoAlc: how was yesterday, 2025-11-03?\n🍀 NoAlc: still open today\n")
    try ledger.run(all: "log noalc wild --on 2025-11-03\nlog noalc-strict steady")
    #expect(ledger.run("remind").text.isEmpty)
  }

  @Test(arguments: [
    ("noalc", "09:00"), ("morning_ritual", "22:00"), ("evening_reflection", "22:00"),
    ("meditation", "20:00"),
    ("game", "20:00"), ("noalc-strict", "09:00"), ("daily_complete", "22:00"),
    ("activity", "20:00"),
    ("awareness", "20:00"),
  ])
  func `a reminder that is set without a time reports the default time of the habit`(
    habit: String, time: String
  ) throws {
    let ledger = try ledger(habit)
    #expect(
      ledger.run("remind --set \(habit)").text.hasPrefix("reminds of \(habit) daily at \(time)\n"))
    #expect(ledger.stored().last?["time"] == time)
  }

  @Test
  func `the reminder of a ritual is due two hours before midnight unless the ritual is done`()
    throws
  {
    let ledger = try ledger("evening_reflection")
    try ledger.run(all: "remind --set evening_reflection")
    ledger.now = "2025-11-03T21:59:00+01:00"
    #expect(ledger.run("remind").text.isEmpty)
    ledger.now = "2025-11-03T22:00:00+01:00"
    #expect(ledger.run("remind").text == "🌙 evening_reflection: still open today\n")
    try ledger.run(all: "log evening_reflection completed")
    #expect(ledger.run("remind").text.isEmpty)
  }

  /// After a missed day, on days of 23, 24, 24.5 and 25 hours.
  @Test(arguments: [
    ("Europe/Berlin", "2025-11-06T22:00:00+01:00", "2"),
    ("Europe/Berlin", "2025-11-06T00:00:00+01:00", "24"),
    ("Europe/Berlin", "2025-03-30T00:00:00+01:00", "23"),
    ("Europe/Berlin", "2025-03-30T01:59:00+01:00", "21.017"),
    ("Europe/Berlin", "2025-03-30T03:00:00+02:00", "21"),
    ("Europe/Berlin", "2025-10-26T00:00:00+02:00", "25"),
    ("Europe/Berlin", "2025-10-26T02:30:00+02:00", "22.5"),
    ("Europe/Berlin", "2025-10-26T02:30:00+01:00", "21.5"),
    ("Australia/Lord_Howe", "2025-04-06T00:00:00+11:00", "24.5"),
    ("Australia/Lord_Howe", "2025-04-06T12:00:00+10:30", "12"),
    ("Australia/Lord_Howe", "2025-10-05T00:00:00+10:30", "23.5"),
  ])
  func `in grace a reminder reports the real hours left, even when the clocks change`(
    zone: String, now: String, hours: String
  ) throws {
    let ledger = try TemporaryLedger(now: "2025-01-01T12:00:00Z")
    try ledger.run(all: "init morning_ritual --zone \(zone)\nremind --set morning_ritual 00:00")
    let today = try #require(Day(String(now.prefix(10))))
    try ledger.run(all: "log morning_ritual completed", at: "\(today + -2)T12:00:00Z")
    ledger.now = now
    #expect(ledger.run("show --json")["habits.morning_ritual.status"] == "grace")
    #expect(ledger.run("remind --json")["due.morning_ritual.hoursLeft"] == hours)
    #expect(
      ledger.run("remind").text
        == "🌅 morning_ritual: missed before; \(hours) hours left to save 1 day\n")
  }

  @Test
  func `a reminder that is switched off is not due, and the habit's status is still grace`() throws
  {
    let ledger = try ledger("morning_ritual")
    try ledger.run(all: "log morning_ritual completed\nremind --set morning_ritual 06:00")
    ledger.now = "2025-11-05T23:00:00+01:00"
    #expect(!ledger.run("remind").text.isEmpty)
    #expect(
      ledger.run("remind --off morning_ritual").text.hasPrefix(
        "reminds of morning_ritual no longer\n"))
    #expect(ledger.run("remind").text.isEmpty)
    #expect(ledger.run("remind --json").text == "{\"due\":[],\"format\":1}\n")
    #expect(ledger.run("show --json")["habits.morning_ritual.status"] == "grace")
    #expect(
      ledger.run("remind --off morning_ritual").text
        == "morning_ritual has no reminder that is on\n")
  }

  @Test func `remind writes nothing when reminders are due`() throws {
    let ledger = try ledger("noalc")
    try ledger.run(all: "remind --set noalc")
    let before = ledger.contents()
    ledger.now = "2025-11-05T09:00:00+01:00"
    #expect(ledger.run("remind").text == "🍀 NoAlc: how was yesterday, 2025-11-04?\n")
    #expect(ledger.contents() == before)
  }

  @Test func `the time of a reminder is in the ledger's zone, not in the machine's`() throws {
    let ledger = try TemporaryLedger(now: "2025-11-03T12:00:00+09:00")
    ledger.machineZone = "Pacific/Honolulu"
    try ledger.run(all: "init meditation --zone Asia/Tokyo\nremind --set meditation")
    ledger.now = "2025-11-03T10:59:00Z"
    #expect(ledger.run("remind").text.isEmpty)
    ledger.now = "2025-11-03T11:00:00Z"
    #expect(ledger.run("remind --json")["due.meditation.day"] == "2025-11-03")
  }
}
