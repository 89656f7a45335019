import CommandFixtures
import StreakCommands
import StreakDomain
import Testing

struct ExpectationTests {
  /// Two steady days on the main segment, and then an expectation of a run of two.
  private func expecting() throws -> TemporaryLedger {
    let ledger = try TemporaryLedger(now: "2025-11-02T20:00:00+01:00")
    ledger.run("init noalc")
    ledger.run("log noalc steady --id n1 --on 2025-11-01")
    ledger.run("log noalc steady --id n2")
    ledger.run("expect 'noalc.current == 2' --id x1")
    return ledger
  }

  @Test func `a line that arrives late and breaks an expectation is found by verify and by replay --check`()
    throws
  {
    let ledger = try expecting()
    #expect(ledger.run("verify").screen.isEmpty)
    #expect(ledger.run("replay --check").status == .done)
    let line =
      #"{"id":"p1","type":"entry.deleted","at":"2025-11-02T20:00:00+01:00","#
      + #""recorded":"2025-11-02T19:00:00.000003Z","day":"2025-11-02","zone":"Europe/Berlin","entry":"n1"}"#
    try ledger.write([UInt8]((line + "\n").utf8), to: "phone.jsonl")
    let found = ledger.run("verify")
    #expect(found.status == .failed)
    #expect(
      found.text.hasSuffix("/main.jsonl:5: expectation: expected noalc.current == 2, but noalc.current = 1\n")
    )
    let json = ledger.run("verify --json").text
    #expect(json.contains(#""check":"expectation","event":"x1","line":5"#))
    let checked = ledger.run("replay --check")
    #expect(checked.status == .failed)
    #expect(checked.text.hasPrefix("position 6"))
    #expect(
      checked.errors
        == "streaks: the expectation at 6, event x1: expected noalc.current == 2, but noalc.current = 1\n")
    #expect(ledger.run("replay --check --at 5").status == .done)
  }

  @Test func `an expectation that a later event makes untrue still stands`() throws {
    let ledger = try expecting()
    ledger.run("delete n1")
    #expect(ledger.run("verify").status == .done)
    #expect(ledger.run("replay --check --on 2025-11-01").status == .done)
  }

  @Test func `what it finds is the state before it, behind the day that it opens`() throws {
    let ledger = try TemporaryLedger(now: "2025-11-03T12:00:00+01:00")
    try ledger.run(all: "init noalc")
    ledger.now = "2025-11-04T12:00:00+01:00"
    #expect(
      ledger.run("expect 'position == 3 and today == 2025-11-04'").text
        == "expected from position 4 on: position = 3, today = 2025-11-04\n")
    #expect(ledger.run("verify").status == .done)
  }

  @Test func `stating the same again under one id writes nothing`() throws {
    let ledger = try expecting()
    let bytes = ledger.bytes()
    let again = ledger.run("expect 'noalc.current == 2' --id x1")
    #expect(again.text == "expected from position 5 on (recorded before, at position 5)\n")
    #expect(ledger.bytes() == bytes)
    #expect(ledger.run("expect 'noalc.current == 1' --id x1").status == .conflict)
  }

  @Test func `a stored expectation that cannot be read is a finding, not an end`() throws {
    let ledger = try expecting()
    let line =
      #"{"id":"p1","type":"expectation.stated","at":"2025-11-02T20:00:00+01:00","#
      + #""recorded":"2025-11-02T19:00:01.000000Z","day":"2025-11-02","zone":"Europe/Berlin","expects":"xp = 1"}"#
    try ledger.write([UInt8]((line + "\n").utf8), to: "phone.jsonl")
    let found = ledger.run("verify")
    #expect(
      found.text.contains(
        #"phone.jsonl:1: expectation: "=" has no meaning here; write ==, at byte 4 of "xp = 1""#))
    #expect(ledger.run("show").status == .done)
  }

  @Test func `what append is given is refused with the column of the field, and nothing is written`() throws {
    let ledger = try expecting()
    let bytes = ledger.bytes()
    let good = #"{"type":"entry.logged","habit":"noalc","level":"steady"}"#
    let bad = #"{"type":"expectation.stated","expects":"noalc.status == brokn"}"#
    let output = ledger.run("append", input: good + "\n" + bad + "\n")
    #expect(output.status == .badData)
    #expect(
      output.errors.hasPrefix(
        "-:2:40: \"expects\": noalc.status is never \"brokn\" (did you mean \"broken\"?)"))
    #expect(output.errors.hasSuffix("\n  noalc.status == brokn\n                  ^\n"))
    #expect(ledger.bytes() == bytes)
  }

  @Test func `append takes an expectation about what stands before it in the batch`() throws {
    let ledger = try expecting()
    let define = #"{"type":"habit.defined","habit":"x.y","rule":{"kind":"any"}}"#
    let expects = #"{"type":"expectation.stated","expects":"x.y.current == 0"}"#
    #expect(ledger.run("append", input: expects + "\n" + define + "\n").status == .badData)
    #expect(ledger.run("append", input: define + "\n" + expects + "\n").status == .done)
    #expect(ledger.run("verify").status == .done)
  }
}
