import CommandFixtures
import StreakCommands
import StreakDomain
import Testing

struct BadInputTests {
  private func ledger() throws -> TemporaryLedger {
    try TemporaryLedger(running: "init noalc morning_ritual evening_reflection daily_complete")
  }

  private static func definition(_ habit: String, _ rule: String, _ more: String = "") -> String {
    #"{"type":"habit.defined","habit":"\#(habit)","rule":\#(rule)\#(more)}"#
  }

  private static func levels(_ bands: String) -> String {
    definition("beer", #"{"kind":"level","levels":{\#(bands)},"good":["few"]}"#)
  }

  private static func joker(_ rule: String) -> String {
    definition("beer", #"{"kind":"any"}"#, #","forgiveness":{"kind":"joker",\#(rule)}"#)
  }

  @Test(arguments: [
    (definition("both", #"{"kind":"all","of":["noalc","noalk"]}"#), "\"rule.of\"", "did you mean \"noalc\""),
    (definition("both", #"{"kind":"either","of":["noalc","both"]}"#), "\"rule.of\"", "leave it out"),
    (definition("morning_ritual", #"{"kind":"all","of":["daily_complete"]}"#), "\"rule.of\"", "leave it out"),
    (#"{"type":"entry.logged","subject":"ana","habit":"noalc"}"#, "\"subject\"", "give each person a folder"),
    (#"{"type":"ledger.opened","owner":"ana","zone":"UTC"}"#, "\"owner\"", "give each person a folder"),
    (levels(#""few":[0,2],"many":[2,null]"#), "\"rule.levels\"", "begins at 2, not 3"),
    (levels(#""few":[0,2],"many":[4,null]"#), "\"rule.levels\"", "begins at 4, not 3"),
    (levels(#""few":[1,2],"many":[3,null]"#), "\"rule.levels\"", "begins at 1, not 0"),
    (levels(#""few":[2,0]"#), "\"rule.levels.few\"", "2 to 100"),
    (joker(#""every":1,"cap":3"#), "\"forgiveness.every\"", "2 to 100000"),
    (joker(#""every":7,"cap":0"#), "\"forgiveness.cap\"", "1 to 60000"),
    (#"{"type":"reminder.set","habit":"noalc","time":"25:00","enabled":true}"#, "\"time\"", "HH:MM"),
    (
      #"{"type":"days.excused","from":"2025-11-05","to":"2025-11-01"}"#, "\"to\"",
      "not before \"from\", 2025-11-05"
    ),
    (
      #"{"type":"celebration.seen","celebration":"perfect-day:2025-11-03"}"#, "\"celebration\"",
      "pending are completed:noalc:2025-11-03"
    ),
    (
      #"{"type":"celebration.seen","celebration":"completed:noalk:2025-11-03"}"#, "\"celebration\"",
      "did you mean \"completed:noalc:2025-11-03\""
    ),
    (
      #"{"type":"entry.logged","habit":"noalc","level":"wild","drinks":5}"#, "\"level\"",
      "5 drinks are \"easy\""
    ),
    (#"{"type":"entry.logged","habit":"noalc","level":"drunk"}"#, "\"level\"", "steady, easy, wild"),
    (#"{"type":"entry.logged","habit":"noalc","drinks":2.5}"#, "\"drinks\"", "a whole number, 0 to 100"),
    (#"{"type":"entry.logged","habit":"noalc","drinks":"2"}"#, "\"drinks\"", "a number, not text"),
  ])
  func `bad input is refused with its line, the field and what is right`(
    line: String, field: String, right: String
  ) throws {
    let ledger = try ledger()
    try ledger.run(all: "log noalc steady")
    let before = ledger.contents()
    let good = #"{"id":"good","type":"entry.logged","habit":"noalc","level":"steady"}"#
    try ledger.write([UInt8]("\(good)\n\(line)\n".utf8), to: "../batch.jsonl")
    let output = ledger.run("append \(ledger.folder)/batch.jsonl")
    #expect(output.status == .badData)
    #expect(output.text.isEmpty)
    let message = output.errors.split(separator: "\n").first.map(String.init) ?? ""
    #expect(message.hasPrefix("\(ledger.folder)/batch.jsonl:2:"), "\(message)")
    #expect(message.contains(field), "\(message)")
    #expect(message.contains(right), "\(message)")
    #expect(ledger.contents() == before)
  }

  @Test(arguments: [
    ("remind --set noalc 25:00", 2, "HH:MM from 00:00 to 23:59"),
    (
      #"define noalc --rule '{"kind":"level","levels":{"few":[0,2],"many":[2,null]},"good":["few"]}'"#, 3,
      "not 3"
    ),
    (#"define noalc --forgiveness '{"kind":"joker","every":1,"cap":3}'"#, 3, "2 to 100000"),
    ("log daily_complete completed", 3, "log one of those instead"),
  ])
  func `a command refuses the same and writes nothing`(command: String, status: Int32, right: String) throws {
    let ledger = try ledger()
    let before = ledger.contents()
    let output = ledger.run(command)
    #expect(output.status.rawValue == status)
    #expect(output.errors.contains(right), "\(output.errors)")
    #expect(ledger.contents() == before)
  }
}
