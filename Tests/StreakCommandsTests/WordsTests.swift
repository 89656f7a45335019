import CommandFixtures
import StreakDomain
import Testing

struct WordsTests {
  private func ledger(_ presets: String = "noalc", now: String = "2026-03-12T20:00:00+01:00") throws
    -> TemporaryLedger
  {
    let ledger = try TemporaryLedger(running: "init \(presets)", now: "2024-01-01T12:00:00+01:00")
    ledger.now = now
    return ledger
  }

  @Test(arguments: [
    ("today", "2026-03-12"), ("yesterday", "2026-03-11"), ("-3", "2026-03-09"), ("-0", "2026-03-12"),
    ("mon", "2026-03-09"), ("Friday", "2026-03-06"), ("thu", "2026-03-12"), ("11-03", "2025-11-03"),
    ("03-12", "2026-03-12"), ("3-13", "2025-03-13"), ("02-29", "2024-02-29"), ("2025-12-24", "2025-12-24"),
  ])
  func `a day is the latest of its name, and is recorded in full`(word: String, day: String) throws {
    let ledger = try ledger()
    try ledger.run(all: "log noalc steady --on \(word) --id x")
    #expect(ledger.stored("x", "day") == day)
    #expect(ledger.run("why noalc \(word)").text.contains("on \(day): "))
    #expect(ledger.run("show --on \(word)").text.contains(", \(day) · "))
  }

  @Test(arguments: ["13-01", "02-30", "someday", "--3", "2026-02-30", "1103"])
  func `what is no day of the past is refused with the forms`(word: String) throws {
    let ledger = try ledger()
    let before = ledger.bytes()
    let output = ledger.run(["log", "noalc", "steady", "--on", word])
    #expect(
      output.status == .usage && output.errors.contains("such as 2025-11-03, 11-03"), "\(output.errors)")
    #expect(ledger.bytes() == before)
  }

  @Test(arguments: [
    ("sat sun", "2026-03-14", "2026-03-15"), ("thu", "2026-03-12", "2026-03-12"),
    ("03-20 04-02", "2026-03-20", "2026-04-02"), ("01-02", "2027-01-02", "2027-01-02"),
    ("+3", "2026-03-15", "2026-03-15"), ("today +3", "2026-03-12", "2026-03-15"),
    ("-2 today", "2026-03-10", "2026-03-12"), ("yesterday", "2026-03-11", "2026-03-11"),
    ("12-30 01-02", "2026-12-30", "2027-01-02"), ("2025-01-01 2025-01-02", "2025-01-01", "2025-01-02"),
  ])
  func `days to excuse lie ahead and begin the answer`(words: String, from: String, to: String) throws {
    let ledger = try ledger()
    let output = ledger.run("excuse \(words) --id x")
    #expect(output.text.hasPrefix(from == to ? "\(from): " : "\(from) to \(to): "), "\(output.screen)")
    #expect(ledger.stored("x", "from") == from && ledger.stored("x", "to") == to)
  }

  @Test(arguments: [
    ("--at 08:00", "2026-03-12T08:00:00+01:00", "2026-03-12"),
    ("--at 8:00", "2026-03-12T08:00:00+01:00", "2026-03-12"),
    ("--on yesterday --at 23:30", "2026-03-11T23:30:00+01:00", "2026-03-11"),
    ("--at 2026-03-11T08:00", "2026-03-11T08:00:00+01:00", "2026-03-11"),
    ("--at 2025-07-01T08:00", "2025-07-01T08:00:00+02:00", "2025-07-01"),
  ])
  func `a time is read in the zone of the ledger`(words: String, at: String, day: String) throws {
    let ledger = try ledger()
    ledger.machineZone = "Asia/Tokyo"
    try ledger.run(all: "log noalc steady \(words) --id x")
    #expect(ledger.stored("x", "at") == at && ledger.stored("x", "day") == day)
  }

  @Test(arguments: ["@4", "4", "entry-one", "entry-o", "y-one", "…y-one", "id:entry-one"])
  func `an event is its id, a part that only it has, or its position`(word: String) throws {
    let ledger = try ledger()
    try ledger.run(all: "log noalc steady --id entry-one\nlog noalc easy --id entry-two")
    #expect(ledger.run("why \(word) --json")["event.id"] == "entry-one")
    #expect(ledger.run("show --json --without \(word)").status == .done)
    #expect(ledger.run("replay --json --at \(word)")["event"] == "entry-one")
    #expect(ledger.run("delete \(word) --id gone").status == .done)
    #expect(ledger.stored("gone", "entry") == "entry-one")
    #expect(ledger.run("undo gone").status == .done)
  }

  @Test(arguments: [
    ("yesterday", "2026-03-11"), ("-1", "2026-03-11"), ("wed", "2026-03-11"), ("03-11", "2026-03-11"),
    ("08:00", "2026-03-12"), ("2026-03-11T08:00", "2026-03-11"),
  ])
  func `a point is a day or a time as people say them`(word: String, today: String) throws {
    let ledger = try ledger()
    #expect(ledger.run("replay --json --at \(word)")["today"] == today)
    #expect(ledger.run("diff 1 \(word)").status != .usage)
    #expect(ledger.run("timeline --from 0 --to \(word)").status == .done)
  }

  @Test func `the segment of a new writer is in small letters`() throws {
    let ledger = try ledger()
    try ledger.run(all: "log noalc steady --writer Phone\nlog noalc steady --writer phone")
    #expect(ledger.files().filter { $0.hasSuffix("jsonl") } == ["main.jsonl", "phone.jsonl"])
  }

  @Test(arguments: [
    "/v1/streaks/NoAlc", "/v1/audit/NOALC", "/v1/state?at=yesterday", "/v1/state?at=@2", "/v1/state?at=08:00",
    "/v1/state?at=end&on=mon",
  ])
  func `a web request has the full forms only`(target: String) throws {
    let ledger = try ledger()
    let request = WebRequest("GET", target, root: ledger.folder).with(["Remote-User": "events"])
    #expect((400...404).contains(request.answer().status), "\(request.answer())")
    let full = WebRequest("GET", "/v1/streaks/noalc", root: ledger.folder).with(["Remote-User": "events"])
    #expect(full.answer().status == 200)
  }
}
