import CommandFixtures
import EventLog
import Inspection
import StreakCommands
import StreakDomain
import Testing

/// Lines of another segment that were recorded more than a day after now.
struct StampAheadTests {
  private static let times = [
    "2025-11-04T12:00:00.000001Z", "2026-03-01T12:00:00.000000Z", "2199-12-31T23:59:59.999999Z",
  ]

  /// Returns a ledger of four events, and the phone's entry `p1`, which is recorded at `recorded`.
  private func ledger(_ recorded: String, members: String = "") throws -> TemporaryLedger {
    let ledger = try TemporaryLedger(running: "init noalc gym\nlog noalc steady --id m1")
    try write(
      #"{"id":"p1","type":"entry.logged","habit":"gym"\#(members)}"#, recorded, to: "phone", ledger)
    return ledger
  }

  private func write(
    _ event: String, _ recorded: String, to segment: String, _ ledger: TemporaryLedger
  ) throws {
    let times = #","at":"2025-11-03T11:00:00Z","recorded":"\#(recorded)","day":"2025-11-03""#
    let line = String(event.dropLast()) + times + #","zone":"Europe/Berlin"}"# + "\n"
    try ledger.write(ledger.bytes(of: segment) + Array(line.utf8), to: "\(segment).jsonl")
  }

  @Test(
    arguments: times,
    [
      "log noalc easy", "define run --any", "excuse 2025-11-04", "day", "remind --set noalc 20:00",
      "delete m1", "undo", "redact n1",
    ])
  func `another writer's line that was recorded in the future blocks no command`(
    recorded: String, command: String
  ) throws {
    let ledger = try ledger(recorded)
    try ledger.run(all: "log noalc easy --id n1 --note 'met Lena'")
    ledger.now = "2025-11-03T12:00:10+01:00"
    let output = ledger.run(command)
    #expect(output.status == .done, "\(output.screen)")
    #expect(ledger.stored().allSatisfy { $0["recorded"]?.hasPrefix("2025-11-03T11:00") == true })
  }

  @Test
  func `a new line is stamped later than a line that was recorded up to a day ahead`() throws {
    let ledger = try ledger("2025-11-04T11:00:00.000000Z")
    try ledger.run(all: "log noalc easy --id n1")
    #expect(ledger.stored("n1", "recorded") == "2025-11-04T11:00:00.000001Z")
    #expect(ledger.run("verify").screen.isEmpty)
  }

  @Test func `a new line is stamped later than a segment's lines that are not far ahead`() throws {
    let ledger = try ledger("2025-11-03T20:00:00.000000Z")
    let event = #"{"id":"p2","type":"entry.logged","habit":"gym"}"#
    try write(event, StampAheadTests.times[1], to: "phone", ledger)
    try ledger.run(all: "log noalc easy --id n1")
    #expect(ledger.stored("n1", "recorded") == "2025-11-03T20:00:00.000001Z")
  }

  @Test func `a writer's own segment continues after its own stamps, even far ahead`() throws {
    let ledger = try ledger(StampAheadTests.times[1])
    ledger.now = "2025-11-03T12:00:10+01:00"
    try ledger.run(all: "log noalc easy --writer phone --id p2")
    #expect(ledger.stored(in: "phone").last?["recorded"] == "2026-03-01T12:00:00.000001Z")
    try write(
      #"{"id":"p3","type":"entry.logged","habit":"gym"}"#, StampAheadTests.times[2], to: "phone",
      ledger)
    #expect(ledger.run("log noalc easy --writer phone").errors.contains("leaves no time"))
  }

  @Test
  func `verify reports the first line recorded far ahead in each segment until it is accepted`()
    throws
  {
    let ledger = try ledger(StampAheadTests.times[1])
    let event = #"{"id":"p2","type":"entry.logged","habit":"gym"}"#
    try write(event, StampAheadTests.times[2], to: "phone", ledger)
    let found = ledger.run("verify")
    #expect(
      found.text.hasPrefix(
        "\(ledger.events)/phone.jsonl:1: clock: was recorded 2026-03-01T12:00:00.000000Z, "),
      "\(found.text)")
    #expect(found.text.split(separator: "\n").count == 1)
    try ledger.run(all: "verify --accept phone")
    #expect(ledger.run("verify").screen.isEmpty)
  }

  @Test
  func `a new event comes before lines recorded far ahead, and append answers its position`() throws
  {
    let ledger = try ledger(StampAheadTests.times[1])
    let line = #"{"id":"n1","type":"entry.logged","habit":"noalc","level":"easy"}"#
    let recorded = ledger.run("append", input: line)
    #expect(recorded["position"] == "5", "\(recorded.screen)")
    #expect(ledger.run("replay --json --at n1")["position"] == "5")
    #expect(ledger.run("replay --json --at p1")["position"] == "6")

    let ahead = #"{"id":"p1","type":"entry.logged","habit":"gym","at":"2025-11-03T11:00:00Z"}"#
    let next = line.replacing("n1", with: "n2")
    let both = ledger.run("append", input: ahead + "\n" + next)
    #expect(both.lines.map { $0["position"] } == ["7", "6"], "\(both.screen)")
    #expect(both.lines.map { $0["status"] } == ["exists", "recorded"])
  }

  @Test func `an entry that was recorded far ahead can be deleted`() throws {
    let ledger = try ledger(StampAheadTests.times[1])
    #expect(ledger.run("replay --json")["habits.gym.totals.entries"] == "1")
    try ledger.run(all: "delete p1")
    #expect(ledger.run("replay --json")["habits.gym.totals.entries"] == "0")
    #expect(ledger.run("delete p1").status != .done)
  }

  @Test func `a new entry replaces an entry recorded far ahead with the same key`() throws {
    let ledger = try ledger(StampAheadTests.times[1], members: #","key":"k","minutes":5"#)
    let line = #"{"id":"n1","type":"entry.logged","habit":"gym","key":"k","minutes":7}"#
    #expect(ledger.run("append", input: line).status == .done)
    #expect(ledger.run("replay --json")["habits.gym.totals.minutes"] == "7")
    let again = line.replacing("n1", with: "n2").replacing("7", with: "9")
    #expect(ledger.run("append", input: again).status == .done)
    #expect(ledger.run("replay --json")["habits.gym.totals.minutes"] == "9")
  }

  @Test
  func `day --correct reverts another writer's wrong clock despite coming first in the stream`()
    throws
  {
    let ledger = try TemporaryLedger(running: "init noalc\nlog noalc steady")
    try ledger.run(all: "log noalc steady --writer phone", at: "2026-03-01T12:00:00+01:00")
    ledger.now = "2025-11-04T12:00:00+01:00"
    #expect(ledger.run("log noalc steady").errors.contains("already at 2026-03-01"))
    try ledger.run(all: "day --correct\nlog noalc steady\nlog noalc easy --writer phone")
    #expect(ledger.run("replay --json")["today"] == "2025-11-04")
    #expect(ledger.stored().allSatisfy { $0["recorded"]?.hasPrefix("2025-11-0") == true })
    #expect(ledger.run("verify").screen.isEmpty)
    try ledger.run(all: "log noalc steady", at: "2025-11-05T12:00:00+01:00")
    #expect(ledger.run("show --json")["habits.noalc.current"] == "1")
    #expect(ledger.run("replay --json --at 2025-11-03")["position"] == "3")
  }

  @Test(arguments: [
    #""type":"habit.defined","habit":"gym","name":"ours","rule":{"kind":"any"}"#,
    #""type":"ledger.opened","weekStart":"sun""#, #""type":"entry.logged","habit":"gym""#,
    #""type":"reminder.set","habit":"gym","time":"07:00","enabled":true"#,
    #""type":"entry.deleted","entry":"p1""#,
  ])
  func `append answers with the same ledger that is read afterwards`(members: String) throws {
    let ledger = try ledger(StampAheadTests.times[1])
    let events = [
      #"{"id":"p2","type":"habit.defined","habit":"gym","name":"theirs","rule":{"kind":"any"}}"#,
      #"{"id":"p3","type":"ledger.opened","weekStart":"sat"}"#,
      #"{"id":"p4","type":"reminder.set","habit":"gym","time":"19:00","enabled":true}"#,
    ]
    for (number, event) in events.enumerated() {
      try write(event, "2026-03-01T12:00:0\(number + 1).000000Z", to: "phone", ledger)
    }
    let line = #"{"id":"n1",\#(members)}"#
    let now = try #require(Timestamp(ledger.now)?.instant)
    let decision = try Transaction.decide(
      Drafts([Draft(line: Array(line.utf8), file: "-", number: 1)]), on: read(ledger),
      options: AppendOptions(now: now, machineZone: "Europe/Berlin"))
    #expect(decision.ids == ["n1"])

    #expect(ledger.run("append", input: line).status == .done)
    let after = try read(ledger).ledger
    #expect(state(decision.ledgerAfter) == state(after))
    #expect(decision.ledgerAfter.facts.weekStart == after.facts.weekStart)
  }

  private func read(_ ledger: TemporaryLedger) throws -> FoldedLog {
    try FoldedLog(EventStream(folder: ledger.events), writer: "main")
  }

  private func state(_ ledger: Ledger) -> String {
    JSONValue.document(.init(of: LedgerState(ledger, event: nil, recorded: nil))).json
  }
}
