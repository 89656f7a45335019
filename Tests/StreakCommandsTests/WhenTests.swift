import CommandFixtures
import StreakCommands
import StreakDomain
import Testing

struct WhenTests {
  @Test func `a habit that is defined later is known, and one that never is is not`() throws {
    let ledger = try TemporaryLedger(running: "init noalc\ndefine later --preset game")
    #expect(ledger.run("when 'noalc.current == 0 or later.current == 0'").text.hasPrefix("2  "))
    #expect(ledger.run("when 'not later.current == 1'").text.hasPrefix("3  "))
    #expect(ledger.run("when 'noalc.current == 0 or never.current == 0'").status == .usage)
    #expect(ledger.run("when 'noalc.current == 0 or never.current == 0' --all").status == .usage)
  }

  @Test func `from a point on only later events are looked at`() throws {
    let ledger = try TemporaryLedger(running: "init noalc", now: "2025-11-01T20:00:00+01:00")
    for day in 2...9 { ledger.run("log noalc steady --id n\(day) --now 2025-11-0\(day)T20:00:00+01:00") }
    func position(_ from: String) -> Substring {
      ledger.run("when 'noalc.current >= 3' --from \(from)").text.split(separator: " ").first ?? ""
    }
    #expect(position("0") == "8")
    #expect(position("n3") == "8")
    #expect(position("n4") == "9")
    #expect(position("7") == "8")
    #expect(position("2025-11-04") == "9")
    #expect(position("2025-11-04T19:00:00.000001Z") == "9")
    #expect(ledger.run("when 'noalc.current >= 3' --from end").status == .failed)
    #expect(ledger.run("when 'noalc.current >= 3' --from 99").status == .usage)
    #expect(ledger.run("when 'noalc.current >= 3' --from nope").status == .usage)
    #expect(ledger.run("when 'noalc.current >= 3' --from ''").status == .usage)
    let all = ledger.run("when 'noalc.current >= 3' --all --from n5 --json").text
    #expect(all.contains(#""holds":true,"position":11"#))
    #expect(!all.contains(#""holds":false"#))
  }

  @Test func `a predicate may come as several words`() throws {
    let ledger = try TemporaryLedger(running: "init noalc")
    #expect(ledger.run("when noalc.status == new").text == ledger.run("when 'noalc.status == new'").text)
    #expect(ledger.run("when").status == .usage)
  }

  @Test func `a stamp ahead of now is named beside times that follow from it`() throws {
    let ledger = try TemporaryLedger.ofMarch("define med --any")
    try ledger.run(all: "log med", at: "2026-04-02T12:00:00Z")
    try ledger.run(all: "undo\nlog med", at: "2026-03-03T12:00:00Z")
    #expect(ledger.run("when 'med.current == 1'").errors.contains("stamped events later than they happened"))
    ledger.now = "2026-03-04T12:00:00Z"
    let then = ledger.run("calendar med --at 2026-03-03").errors
    #expect(then.contains("what happened by 2026-03-03 ends at position "), "\(then)")
    #expect(ledger.run("when 'med.current == 0'").errors.isEmpty)
  }
}
