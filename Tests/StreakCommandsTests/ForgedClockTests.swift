import CommandFixtures
import StreakCommands
import Testing

/// Lines that somebody added by hand, which claim that a wrong clock stamped them.
struct ForgedClockTests {
  /// A phone that logged on each day but 3 November.
  private func phone() throws -> TemporaryLedger {
    let phone = try TemporaryLedger(now: "2025-11-01T08:00:00+01:00")
    try phone.run(all: "init noalc")
    for day in [1, 2, 4, 5] {
      try phone.run(all: "log noalc steady", at: "2025-11-0\(day)T09:00:00+01:00")
    }
    try phone.write(Array(phone.run("verify --heads").text.utf8), to: "heads.txt")
    phone.now = "2025-11-05T21:00:00+01:00"
    return phone
  }

  /// Returns the line of an entry for `day`, made and stamped at the given times.
  private func entry(
    _ id: String, _ day: String, at: String, recorded: String
  ) -> String {
    #"{"id":"\#(id)","type":"entry.logged","at":"\#(at)","recorded":"\#(recorded)","#
      + #""day":"\#(day)","zone":"Europe/Berlin","habit":"noalc","level":"steady"}"# + "\n"
  }

  private func correction(
    of moved: [String], to day: String = "2025-11-03", at: String, recorded: String
  ) -> String {
    let ids = moved.map { "\"\($0)\"" }.joined(separator: ",")
    return #"{"id":"forged","type":"day.corrected","at":"\#(at)","recorded":"\#(recorded)","#
      + #""day":"\#(day)","zone":"Europe/Berlin","to":"\#(day)","moved":[\#(ids)]}"# + "\n"
  }

  private func forged(moved: String) -> String {
    entry(
      "k0", "2025-11-05", at: "2025-11-05T19:00:00+01:00", recorded: "2025-11-05T18:00:00.000000Z")
      + entry(
        "k1", "2025-11-03", at: "2025-11-03T20:00:00+01:00",
        recorded: "2025-11-05T19:00:00.000000Z")
      + correction(
        of: [moved], at: "2025-11-03T20:01:00+01:00", recorded: "2025-11-05T19:00:00.000001Z")
  }

  @Test(arguments: ["k0", "zzz"])
  func `a forged clock correction in the same file does not hide that an entry is late`(
    moved: String
  ) throws {
    let phone = try phone()
    try phone.write(phone.bytes() + Array(forged(moved: moved).utf8), to: "main.jsonl")
    let audit = phone.run("audit --interventions").text
    #expect(audit.contains("days late, by main"), "\(audit)")
    #expect(audit.contains("2025-11-03 missed → good"), "\(audit)")
  }

  @Test func `verify reports a correction of the clock that names no event`() throws {
    let phone = try phone()
    try phone.write(phone.bytes() + Array(forged(moved: "zzz").utf8), to: "main.jsonl")
    let found = phone.run("verify")
    #expect(found.status == .failed)
    #expect(found.text.contains("names zzz, which is no event here"), "\(found.screen)")
  }

  @Test func `a forged correction that names honest events is reported, and hides no late entry`()
    throws
  {
    let phone = try phone()
    try phone.run(all: "log noalc wild --on 2025-11-02 --id honest")
    try phone.write(Array(phone.run("verify --heads").text.utf8), to: "heads.txt")
    phone.now = "2025-11-05T22:00:00+01:00"
    let honest = phone.run("audit --interventions").text
    #expect(honest.contains("3 days late, by main"), "\(honest)")

    let moved = phone.stored().filter { $0["day"] ?? "" > "2025-11-02" }.compactMap { $0["id"] }
    let line = correction(
      of: moved, to: "2025-11-05", at: "2025-11-05T21:30:00+01:00",
      recorded: "2025-11-05T20:30:00.000000Z")
    try phone.write(Array(line.utf8), to: "tablet.jsonl")

    for command in ["verify", "verify --against \(phone.events)/heads.txt"] {
      let found = phone.run(command)
      #expect(found.status == .failed, "\(command): \(found.screen)")
      #expect(
        found.text.contains(
          """
          tablet.jsonl:1: form: corrects today to 2025-11-05, but names \(moved.count) events that \
          do not move today past that day, such as \(moved[0]); 
          """), "\(found.screen)")
    }
    let audit = phone.run("audit --interventions").text
    #expect(audit.contains("3 days late, by main"), "\(audit)")
  }

  @Test func `verify --against calls a file late that claims to be written before the heads`()
    throws
  {
    let phone = try phone()
    try phone.write(Array(forged(moved: "k0").utf8), to: "tablet.jsonl")
    let found = phone.run("verify --against \(phone.events)/heads.txt")
    #expect(found.text.contains("tablet.jsonl:3: late: "), "\(found.screen)")
  }

  @Test func `a correction newer than the heads does not make a late entry look on time`() throws {
    let phone = try phone()
    let stored = phone.stored().compactMap { $0["id"] }
    let lines =
      entry("k1", "2025-11-03", at: "2025-11-03T20:00:00+01:00", recorded: stamp(0))
      + correction(
        of: [stored[stored.count - 1]], at: "2025-11-03T20:01:00+01:00", recorded: stamp(1))
    try phone.write(Array(lines.utf8), to: "tablet.jsonl")
    let found = phone.run("verify --against \(phone.events)/heads.txt")
    #expect(found.status == .failed, "\(found.screen)")
    #expect(found.text.contains("tablet.jsonl:1: late: 2 events written"), "\(found.screen)")
    #expect(found.text.contains("events up to 2025-11-05 09:00"), "\(found.screen)")
    #expect(found.text.contains("a wrong clock stamped 1 event of the heads"), "\(found.screen)")
    #expect(!found.errors.contains("--accept"), "nothing can be accepted: \(found.screen)")
  }

  @Test func `audit lists a late file with a correction that names events of today or before`()
    throws
  {
    let phone = try phone()
    let moved = phone.stored().filter { $0["day"] ?? "" > "2025-11-03" }.compactMap { $0["id"] }
    let lines =
      entry("k1", "2025-11-03", at: "2025-11-03T20:00:00+01:00", recorded: stamp(0))
      + correction(
        of: moved, to: "2025-11-05", at: "2025-11-05T20:01:00+01:00",
        recorded: "2025-11-05T19:01:00.000000Z")
    try phone.write(Array(lines.utf8), to: "tablet.jsonl")
    let audit = phone.run("audit --interventions").text
    #expect(audit.contains("tablet arrived late: 1 event"), "\(audit)")
  }

  @Test func `an entry with the id of an event of the heads is late, also after verify --accept`()
    throws
  {
    let phone = try phone()
    let stored = phone.stored()
    let id = try #require(stored[stored.count - 1]["id"])
    let line = entry(id, "2025-11-03", at: "2025-11-03T20:00:00+01:00", recorded: stamp(0))
    try phone.write(Array(line.utf8), to: "tablet.jsonl")

    let against = "verify --against \(phone.events)/heads.txt"
    let found = phone.run(against)
    #expect(found.text.contains("tablet.jsonl:1: late: an event written"), "\(found.screen)")
    #expect(found.text.contains("events up to 2025-11-05 09:00"), "\(found.screen)")
    #expect(
      found.text.contains(
        """
        this one does not, although only this one is in the heads: look who wrote line 1 of \
        \(phone.events)/tablet.jsonl
        """), "\(found.screen)")

    try phone.run(all: "verify --accept main --writer phone")
    let accepted = phone.run(against)
    #expect(accepted.status == .failed)
    #expect(accepted.text.contains("tablet.jsonl:1: late: an event written"), "\(accepted.screen)")
    #expect(!accepted.text.contains("reused-id"), "\(accepted.screen)")
  }

  private func stamp(_ microsecond: Int) -> String { "2025-11-03T19:01:00.00000\(microsecond)Z" }

  @Test
  func `verify --against reports nothing late after a clock that was ahead is corrected`() throws {
    let ledger = try TemporaryLedger(now: "2025-10-01T12:00:00+02:00")
    try ledger.run(all: "init noalc")
    try ledger.run(all: "log noalc steady", at: "2025-11-15T12:00:00+01:00")
    try ledger.run(all: "define reading --any", at: "2025-11-15T12:05:00+01:00")
    try ledger.run(all: "day --correct", at: "2025-10-02T20:00:00+02:00")
    try ledger.write(Array(ledger.run("verify --heads").text.utf8), to: "heads.txt")
    try ledger.run(all: "log noalc steady", at: "2025-10-02T21:30:00+02:00")
    try ledger.run(all: "log noalc steady", at: "2025-10-03T21:30:00+02:00")
    let found = ledger.run("verify --against \(ledger.events)/heads.txt")
    #expect(!found.text.contains(": late: "), "\(found.screen)")
  }

  @Test
  func `verify --against does not call a device late because of another's corrected clock`() throws
  {
    let ledger = try TemporaryLedger(now: "2026-02-01T09:00:00+01:00")
    try ledger.run(all: "init noalc")
    try ledger.run(all: "log noalc steady --writer phone", at: "2026-02-27T09:00:00+01:00")
    try ledger.run(all: "day --correct --writer phone", at: "2026-02-07T10:00:00+01:00")
    try ledger.run(all: "log noalc steady --writer phone", at: "2026-02-07T10:01:00+01:00")
    try ledger.run(all: "log noalc steady", at: "2026-02-08T09:00:00+01:00")
    try ledger.write(Array(ledger.run("verify --heads").text.utf8), to: "heads.txt")
    try ledger.run(all: "log noalc steady", at: "2026-02-09T09:00:00+01:00")
    let found = ledger.run("verify --against \(ledger.events)/heads.txt")
    #expect(!found.text.contains(": late: "), "\(found.screen)")
  }

  @Test func `heads reveal that the new day with the newest seal was changed`() throws {
    let phone = try phone()
    phone.now = "2025-11-07T00:05:00+01:00"
    try phone.run(all: "day")
    try phone.write(Array(phone.run("verify --heads").text.utf8), to: "heads.txt")
    let text = String(decoding: phone.bytes(), as: UTF8.self)
    let forged = text.replacing(#""to":"2025-11-07""#, with: #""to":"2025-11-06""#)
    #expect(forged != text)

    try phone.write(Array(forged.utf8), to: "main.jsonl")
    let found = phone.run("verify --against \(phone.events)/heads.txt")
    #expect(found.status == .failed && found.text.contains("has changed"), "\(found.screen)")
  }

  @Test func `heads made before the last newline is written stay valid afterwards`() throws {
    let ledger = try TemporaryLedger()
    try ledger.run(all: "init meditation\nlog meditation 5m")
    try ledger.write(Array(ledger.bytes().dropLast()), to: "main.jsonl")
    try ledger.write(Array(ledger.run("verify --heads").text.utf8), to: "heads.txt")
    let against = "verify --against \(ledger.events)/heads.txt"
    #expect(!ledger.run(against).text.contains("history"))
    try ledger.run(all: "log meditation 6m")
    #expect(ledger.run(against).text == "")
  }

  @Test func `audit of a habit lists no step that changed only another habit`() throws {
    let phone = try TemporaryLedger(now: "2025-11-01T08:00:00+01:00")
    try phone.run(all: "init noalc reading\nlog noalc steady\nlog reading 20pages")
    try phone.run(all: "log noalc steady", at: "2025-11-02T09:00:00+01:00")
    try phone.run(all: "log reading 25pages --on 2025-11-01", at: "2025-11-03T10:00:00+01:00")
    try phone.run(all: "log noalc steady", at: "2025-11-03T12:00:00+01:00")
    let noalc = phone.run("audit noalc --interventions")
    #expect(noalc.status == .done && noalc.text == "", "\(noalc.screen)")
    #expect(phone.run("audit reading --interventions").text.contains("2 days late"))
  }

  @Test func `verify --against finds a last line that is one byte longer`() throws {
    let phone = try TemporaryLedger()
    try phone.run(all: "init meditation\nlog meditation 5m --note beers")
    try phone.write(Array(phone.run("verify --heads").text.utf8), to: "heads.txt")
    let text = String(decoding: phone.bytes(), as: UTF8.self)
    try phone.write(Array(text.replacing("beers", with: "beers!").utf8), to: "main.jsonl")
    let found = phone.run("verify --against \(phone.events)/heads.txt")
    #expect(found.text.contains("has changed since the heads were kept"), "\(found.screen)")
  }
}
