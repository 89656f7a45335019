import CommandFixtures
import Foundation
import StreakCommands
import StreakDomain
import Testing

struct RegisterTests {
  private func ledger() throws -> TemporaryLedger {
    let ledger = try TemporaryLedger(running: "init noalc reading", now: "2025-11-01T12:00:00+01:00")
    for day in 1...8 {
      ledger.now = "2025-11-0\(day)T12:00:00+01:00"
      try ledger.run(all: "log noalc \(day == 8 ? "easy" : "steady") --id n\(day)")
    }
    try ledger.run(
      all: """
        log reading 12pages --note 'On the TRAIN' --id r1 --on -2
        log reading 9pages --id r2
        delete r2 --reason twice --id d2
        define reading --at-least 30pages --id def2
        """)
    return ledger
  }

  @Test func `the register has the standing entries by day, and deleted ones with --all`() throws {
    let ledger = try ledger()
    #expect(
      ledger.run("entries reading").text
        == "2025-11-06  2025-11-08 12:00  reading 12 pages, “On the TRAIN”  r1\n")
    #expect(ledger.run("entries reading --all").text.contains("reading 9 pages  r2  deleted\n"))
    #expect(ledger.run("entries --note train").text.contains("r1"))
    #expect(ledger.run("entries --note plane").text == "no entries\n")
    let spans = ledger.run("entries noalc --from 2025-11-02 --to 2025-11-03 --json")
    #expect(spans["format"] == "1" && spans["entries.0.id"] == "n2" && spans["entries.1.id"] == "n3")
    #expect(spans["entries.2.id"] == nil)
    #expect(ledger.run("entries --from today --to yesterday").status == .usage)
  }

  @Test func `an event says what it changed, what it names and what names it`() throws {
    let ledger = try ledger()
    let entry = ledger.run("why r2 --json")
    #expect(entry["referredBy.0"] == "d2" && entry["event.amount"] == "9", "\(entry)")
    #expect(entry["position"].flatMap { ledger.run("why @\($0) --json")["event.id"] } == "r2")
    let deletion = ledger.run("why d2 --json")
    #expect(deletion["refersTo.0"] == "r2" && deletion["changes.changes.0.path"] != nil)
    #expect(ledger.run("why d2").text.contains("deleted reading 9 pages of 2025-11-08, “twice”"))
    #expect(ledger.run("why nothing").status == .failed)
  }

  @Test func `the definitions of a habit are told by day, and what each changed`() throws {
    let ledger = try ledger()
    let text = ledger.run("habits reading").text
    #expect(text.contains("rule at least 20 pages → at least 30 pages"), "\(text)")
    let all = ledger.run("habits --json")
    #expect(all["habits.0.habit"] == "noalc" && all["habits.1.definitions.1.event"] == "def2")
    #expect(all["habits.1.definitions.1.rule.atLeast"] == "30")
    try ledger.run(all: "define reading --retire --id gone")
    #expect(ledger.run("habits reading").text.contains("retired after that day"))
    #expect(ledger.run("habits reading --json")["habits.0.definitions.2.retired"] == "1")
  }

  @Test func `a joker is found by the habit's name, and one that is not there says which are`() throws {
    let ledger = try ledger()
    #expect(ledger.run("why NoAlc/1 --json")["of"] == "noalc/1")
    #expect(ledger.run("why noalc/7").errors.contains("from noalc/1 to noalc/1"))
  }

  @Test func `events come from lists, links, pipes and standard input`() throws {
    let ledger = try ledger()
    let line = #"{"id":"a1","type":"entry.logged","habit":"noalc","level":"steady"}"#
    let list = "[ \(line),\n  \(line.replacing("a1", with: "a2")) ]\n"
    let given = ledger.run("append", input: list)
    #expect(given.text.components(separatedBy: "\n").count == 3 && given.status == .done, "\(given.screen)")
    #expect(ledger.run("append", input: list.replacing("steady", with: "stedy")).errors.contains("-:1:"))
    try ledger.write(Array(line.replacing("a1", with: "a3").utf8), to: "../given.jsonl")
    let script = """
      ln -s given.jsonl link.jsonl; export STREAKS_EVENTS=events
      N="--now 2025-11-08T13:00:00+01:00"
      streaks append link.jsonl $N && streaks append /dev/stdin $N < given.jsonl
      mkfifo pipe; cat given.jsonl > pipe & streaks append pipe $N
      """
    let run = try ShellScript(text: script, folder: ledger.folder).run()
    #expect(run.text.components(separatedBy: "\"exists\"").count == 3, "\(run)")
  }
}
