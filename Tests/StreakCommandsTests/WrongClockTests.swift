import CommandFixtures
import StreakDomain
import Testing

struct WrongClockTests {
  private static let right = "2025-11-05T12:00:00+01:00"
  private static let ahead = "2025-12-05T12:00:00+01:00"

  private func ledger(_ wrong: String) throws -> TemporaryLedger {
    let ledger = try TemporaryLedger(now: "2025-11-01T12:00:00+01:00")
    ledger.run("init noalc saboteur-avoidance")
    for day in 1...4 {
      try ledger.run(all: "log noalc steady --id n\(day)", at: "2025-11-0\(day)T12:00:00+01:00")
    }
    ledger.now = WrongClockTests.ahead
    try ledger.run(all: wrong)
    ledger.now = WrongClockTests.right
    return ledger
  }

  private func state(_ ledger: TemporaryLedger) -> [String?] {
    let state = ledger.run("replay --json --at end")
    let fields = [
      "current", "start", "best", "longest", "status", "ifMissed", "safeThrough", "totals.entries",
    ]
    return [state["today"], state["xp"]]
      + ["noalc", "saboteur-avoidance"].flatMap { habit in
        (fields + ["days.good", "days.missed", "jokers.earned"]).map { state["habits.\(habit).\($0)"] }
      }
  }

  private func sound() throws -> [String?] {
    let ledger = try ledger("show")
    ledger.run("day")
    return state(ledger)
  }

  @Test func `an error after the commit is a note, and the exit code is that of the write`() throws {
    let ledger = try TemporaryLedger()
    let disk = SimulatedDisk(seed: 1)
    ledger.disk = disk
    try ledger.run(all: "init noalc")
    try ledger.run(all: "log noalc steady", at: "2026-11-03T12:00:00+01:00")
    ledger.now = "2025-11-04T12:00:00+01:00"
    var hasWritten = false
    var segments: [String: [UInt8]] = [:]
    disk.onCall = { operation in
      if operation == "write to" { hasWritten = true }
      guard hasWritten, operation == "list" else { return }
      segments = disk.contents(of: ledger.events)
      for name in segments.keys { disk.put(nil, at: "\(ledger.events)/\(name)") }
    }
    let output = ledger.run("day --correct")
    disk.onCall = nil
    for (name, bytes) in segments { disk.put(bytes, at: "\(ledger.events)/\(name)") }
    #expect(output.status == .done)
    #expect(output.errors.contains("recorded, but then: there is no ledger"), "\(output.screen)")
    #expect(ledger.run("day --correct").text.contains("there is nothing to correct"))
  }

  @Test(arguments: [
    "log noalc steady", "log noalc wild --id w", "excuse 2025-12-05", "define noalc --strict",
  ])
  func `appending names the event that moved the day, and undoing it gives the day back`(
    wrong: String
  ) throws {
    let ledger = try ledger(wrong)
    let stored = ledger.stored()
    let refused = ledger.run("log noalc steady")
    #expect(refused.status == .badData, "\(refused.errors)")
    #expect(
      refused.errors.contains(
        "main.jsonl:11:1: the ledger is already at 2025-12-05, set by this event, but the clock says 2025-11-05; "
          + "if the clock was wrong then, `streaks day --correct` moves the day back; if it is wrong now, set it, or go "
          + "on with --force"),
      "\(refused.errors)")
    #expect(ledger.stored() == stored)
    let output = ledger.run("undo")
    #expect(output.status == .done, "\(output.errors)")
    #expect(try state(ledger) == sound(), "\(wrong)")
    #expect(ledger.run("log noalc steady").status == .done)
    #expect(ledger.run("verify").screen.isEmpty)
  }

  @Test func `a day asked for after a wrong clock names the position at which it ended`() throws {
    let ledger = try ledger("log noalc steady")
    try ledger.run(all: "undo\nlog noalc steady")
    let position = ledger.run("replay --json")["position"] ?? ""
    try ledger.run(all: "log noalc steady", at: "2025-11-06T12:00:00+01:00")
    let asked = ledger.run("replay --at 2025-11-05 --json")
    #expect(asked["habits.noalc.current"] == "4")
    #expect(asked.errors.contains("what happened by 2025-11-05 ends at position \(position)\n"))
    #expect(ledger.run("replay --at \(position) --json")["habits.noalc.current"] == "5")
    let audit = ledger.run("audit --interventions").text
    #expect(audit.contains("corrected the day to 2025-11-05") && !audit.contains("late"), "\(audit)")
    ledger.now = "2026-01-01T12:00:00+01:00"
    let later = ledger.run("replay --at 2025-11-05").errors
    #expect(later.contains("a wrong clock") && later.contains("ends at position \(position)\n"), "\(later)")
    try ledger.run(all: "log noalc steady --on 2025-11-05 --at 2025-11-05T13:00:00+01:00")
    #expect(ledger.run("replay --at 2025-11-05").errors == later)
    #expect(ledger.run("replay --at 2025-11-04").errors.isEmpty)
    #expect(ledger.run("replay --at 2025-12-31").errors.isEmpty)
    try ledger.run(all: "log noalc steady --at 2026-01-01T10:00:00+01:00")
    #expect(ledger.run("replay --at 2026-01-01T11:00:00+01:00").errors.isEmpty)
    for line in [
      "when 'noalc.current >= 5' --from 2025-11-05", "timeline --from 2025-11-05", "timeline --to 2025-11-05",
      "calendar noalc --at 2025-11-05", "diff 2025-11-05 end", "audit --at 2025-11-05",
    ] {
      let asked = ledger.run(line)
      #expect(asked.errors == later || asked.status == .usage, "\(line): \(asked.errors)")
    }
    let two = ledger.run("diff 2025-11-04 2025-11-05").errors
    #expect(two.contains("2025-11-05 ends at") && !two.contains("2025-11-04"), "\(two)")
  }

  @Test func `the position of a day is found though the clock is not corrected yet`() throws {
    let ledger = try ledger("log noalc steady")
    try ledger.run(all: "log noalc steady --on 2025-11-05 --force")
    let position = ledger.run("replay --json")["position"] ?? ""
    try ledger.run(all: "log noalc steady --on 2025-11-06 --force", at: "2025-11-06T12:00:00+01:00")
    let says = "what happened by 2025-11-05 ends at position \(position)\n"
    #expect(ledger.run("replay --at 2025-11-05").errors.contains(says), "\(position)")
    try ledger.run(all: "day --correct")
    #expect(ledger.run("replay --at 2025-11-05").errors.contains(says), "\(position)")
  }

  @Test func `a correction of the day lists what stands on later days, and each can be undone`() throws {
    let ledger = try ledger("log noalc steady --id late\nexcuse 2025-12-10 --id trip")
    #expect(ledger.run("day --correct --dry-run").text.contains("would write 1 event"))
    let output = ledger.run("day --correct")
    #expect(output.text.hasPrefix("today is 2025-11-05 again, not 2025-12-05\n"), "\(output.screen)")
    #expect(
      output.text.hasSuffix(
        """
        2 events on later days, which `streaks undo ID` takes back:
          2025-12-05  noalc steady  late
          2025-12-05  excused 2025-12-10  trip

        """), "\(output.screen)")
    #expect(ledger.run("entries --all").text.contains("2025-12-05"))
    #expect(ledger.run("replay --json")["habits.noalc.totals.entries"] == "4")
    #expect(ledger.run("day --correct").text == "today is 2025-11-05; there is nothing to correct\n")
    try ledger.run(all: "undo trip\nundo late")
    #expect(try state(ledger) == sound())
    ledger.now = WrongClockTests.ahead
    #expect(ledger.run("log noalc steady").status == .done)
    #expect(ledger.run("replay --json")["today"] == "2025-12-05")
  }

  @Test func `an entry of a day that was corrected counts once its day has come`() throws {
    let ledger = try ledger("log noalc steady --id late")
    ledger.run("day --correct")
    #expect(ledger.run("replay --json --on 2025-12-05")["habits.noalc.totals.entries"] == "5")
    try ledger.run(all: "day", at: "2025-12-06T12:00:00+01:00")
    let state = ledger.run("replay --json")
    #expect(state["habits.noalc.totals.entries"] == "5" && state["habits.noalc.current"] == "1")
    #expect(ledger.run("why noalc 2025-12-05").text.contains("good"))
  }

  @Test func `a correction is refused unless today is ahead, and undone it is not`() throws {
    let ledger = try ledger("log noalc steady --id late")
    let correction = #"{"type":"day.corrected","to":"2025-11-0"#
    for (rest, says) in [
      (#"5","moved":["nobody"]}"#, "which is no event that moves today"),
      (#"5","moved":["n3"]}"#, "which does not move today beyond 2025-11-05"),
      (#"2"}"#, "must be the date of now, 2025-11-05, or the day before"),
    ] {
      let output = ledger.run("append", input: correction + rest)
      #expect(output.status == .badData && output.errors.contains(says), "\(output.errors)")
    }
    #expect(ledger.run("append", input: correction + #"4","id":"c"}"#).status == .done)
    #expect(ledger.run("append", input: correction + #"4","id":"c"}"#).text.contains("exists"))
    #expect(ledger.stored("c", "day") == "2025-11-04")
    let again = ledger.run("append", input: correction + #"5","id":"e"}"#)
    #expect(again.errors.contains("there is nothing to correct"), "\(again.errors)")
    let undo = ledger.run("undo")
    #expect(
      undo.status == .failed && undo.errors.contains("it has no opposite"), "\(undo.errors)")
  }

  @Test func `what was undone with a wrong clock is not restored before its day`() throws {
    let ledger = try ledger("log noalc steady --id late")
    ledger.run("undo")
    let stored = ledger.stored()
    let undo = ledger.stored().first { $0["by"] == "streaks-undo" && $0["type"] == "entry.deleted" }
    let output = ledger.run(["undo", try #require(undo?["id"])])
    #expect(output.status != .done, "\(output.screen)")
    #expect(ledger.stored() == stored)
  }

  @Test func `what was celebrated on a day that a correction took back is celebrated when it comes`() throws {
    let ledger = try ledger("log noalc steady --id late\ncelebrate --seen")
    ledger.run("undo late")
    try ledger.run(all: "log noalc steady", at: WrongClockTests.ahead)
    #expect(ledger.run("celebrate --json").text.contains("\"completed:noalc:2025-12-05\""))
    ledger.run("celebrate --seen")
    #expect(!ledger.run("celebrate --json").text.contains("\"completed:noalc:2025-12-05\""))
  }

  @Test func `of many events that moved the day each is named, in as many lines as that takes`() throws {
    let ledger = try ledger("log noalc steady")
    ledger.now = WrongClockTests.ahead
    let entry = #"{"type":"entry.logged","habit":"noalc","level":"steady"}"#
    try ledger.write(ledger.bytes(), to: "main.jsonl")
    #expect(
      ledger.run("append", input: Array(repeating: entry, count: 4000).joined(separator: "\n")).status
        == .done)
    ledger.now = WrongClockTests.right
    #expect(ledger.run("day --correct").status == .done)
    #expect(ledger.stored().filter { $0["type"] == "day.corrected" }.count == 3)
    #expect(ledger.run("replay --json")["today"] == "2025-11-05")
    #expect(ledger.run("verify").screen.isEmpty)
  }

  @Test func `a command given again answers exists, whatever the clock says`() throws {
    let ledger = try TemporaryLedger(running: "init noalc", now: WrongClockTests.right)
    let line = #"{"id":"x","type":"entry.logged","habit":"noalc","level":"steady"}"#
    #expect(ledger.run("append --expect 2", input: line).text.contains("recorded"))
    #expect(ledger.run("append --expect 2", input: line).text.contains("exists"))
    #expect(ledger.run("append --if 'noalc.current == 0'", input: line).text.contains("exists"))
    #expect(ledger.run("log noalc steady --id x --expect 2").status == .done)
    ledger.now = "2025-10-01T12:00:00+02:00"
    #expect(ledger.run("append", input: line).text.contains("exists"))
    let two = line + "\n" + line.replacing("\"x\"", with: "\"y\"")
    #expect(ledger.run("append --expect 2", input: two).status == .conflict)
    #expect(
      ledger.run("append --expect 2", input: line.replacing("steady", with: "wild")).status == .conflict)
    #expect(ledger.stored().count == 3)
  }

  private func phoneAhead() throws -> TemporaryLedger {
    let ledger = try TemporaryLedger(now: "2025-11-03T12:00:00+01:00")
    try ledger.run(all: "init noalc\nlog noalc steady")
    ledger.now = "2025-11-05T12:00:00+01:00"
    try ledger.run(all: "log noalc steady --writer phone\nlog noalc steady --writer phone")
    ledger.now = "2025-11-04T20:00:00+01:00"
    return ledger
  }

  private func says(_ ledger: TemporaryLedger) -> String {
    "\(ledger.events)/phone.jsonl:1: this event moved the ledger to 2025-11-05, but the clock says 2025-11-04; "
      + "if the clock that wrote the event was wrong, run `streaks day --correct`\n"
  }

  @Test(arguments: ["show", "show --json", "log noalc steady"])
  func `a clock that was ahead is told with the line that moved today`(command: String) throws {
    let ledger = try phoneAhead()
    let output = ledger.run(command)
    #expect(output.status == .done)
    #expect(output.errors == says(ledger))
    #expect(!ledger.run("show --on 2025-11-03").errors.contains("the clock says"))
    ledger.now = "2025-11-05T00:00:00+01:00"
    #expect(ledger.run(command).errors.isEmpty)
  }

  @Test func `verify has it as a finding until the day has come`() throws {
    let ledger = try phoneAhead()
    let output = ledger.run("verify")
    #expect(output.status == .failed)
    #expect(output.text == says(ledger).replacing(":1: ", with: ":1: clock: "))
    let document = ledger.run("verify --json")
    #expect(document["findings.0.check"] == "clock" && document["findings.0.line"] == "1")
    #expect(document["findings.0.event"] == ledger.stored(in: "phone")[0]["id"])
    ledger.now = "2025-11-05T00:00:00+01:00"
    #expect(ledger.run("verify").screen.isEmpty)
  }
}
