import CommandFixtures
import EventLog
import Foundation
import StreakCommands
import StreakDomain
import Testing

struct RedactTests {
  static let secret = "met Lena at the clinic"

  static func ledger() throws -> TemporaryLedger {
    let ledger = try TemporaryLedger(
      running: """
        init noalc reading
        log noalc steady --id e0 --note 'at home'
        log reading 12pages --id e1 --note '\(RedactTests.secret)' --on 2025-11-02
        """)
    try ledger.run(
      all: "log noalc steady --id e2 --note 'at home'", at: "2025-11-04T12:00:00+01:00")
    return ledger
  }

  private func holders(_ ledger: TemporaryLedger, of text: String = secret) -> [String] {
    let text = BytePattern(text)
    return (ledger.contents() ?? [:]).filter { text.first(in: $0.value) != nil }.keys.sorted()
  }

  @Test
  func `redact removes a text, and all other bytes, the heads and the streaks stay valid`() throws {
    let ledger = try RedactTests.ledger()
    let heads = ledger.folder + "/heads.txt"
    try Data(ledger.run("verify --heads").text.utf8).write(to: URL(filePath: heads))
    let before = ledger.run("replay --at e2 --json").text
    let size = ledger.bytes().count
    let redacted = ledger.run("redact e1 --reason 'no business of a log' --id r1")
    #expect(
      redacted.text == """
        removed from e1, entry.logged of 2025-11-02: note (22 bytes)
        backups, git, exports, reports and other devices are not searched

        """, "\(redacted.screen)")
    #expect(redacted.status == .done)
    #expect(holders(ledger) == [])
    #expect(
      String(decoding: ledger.bytes()[size...], as: UTF8.self).contains(
        #""type":"event.redacted""#), "\(ledger.run("timeline -n 1").text)")
    #expect(ledger.stored().last?["fields.0"] == "note")
    #expect(ledger.stored().last?["reason"] == "no business of a log")
    #expect(ledger.run("verify --against \(heads)").screen == "")
    #expect(ledger.run("replay --at e2 --json").text == before)
    #expect(!ledger.run("audit --interventions --json").text.contains("r1"))
    #expect(ledger.run("why e1 --json")["event.note"] == "")
    #expect(ledger.run("why e1").text.contains("r1"))
  }

  @Test(arguments: ["main (1)", "a-copy", "phone"])
  func `an unredacted copy of a segment is read without the text, and verify reports the copy`(
    copy: String
  ) throws {
    let ledger = try RedactTests.ledger()
    let old = ledger.bytes()
    try ledger.run(all: "redact e1")
    try ledger.write(old, to: "\(copy).jsonl")
    for command in [
      "entries", "entries --json", "why e1", "why e1 --json", "timeline", "timeline",
      "timeline --json",
      "export csv entries", "export json-schema", "report", "why reading.longest",
      "why reading.longest --at e1", "log noalc steady --dry-run",
      "show --json", "why reading", "audit --history", "audit --interventions",
    ] {
      let output = ledger.run(command)
      #expect(!output.screen.contains(RedactTests.secret), "\(command)")
      #expect(!output.screen.contains("corrupt") && output.status != .badData, "\(output.screen)")
    }
    let verified = ledger.run("verify --json")
    #expect(verified.text.contains(#""check":"redaction""#), "\(verified.text)")
    #expect(verified.text.contains(#""segment":"\#(copy)""#), "\(verified.text)")
    let advice =
      copy == "main (1)" ? "remove the file if it is a copy" : "redact e1 --writer \(copy)`"
    #expect(verified.text.contains(advice), "\(verified.text)")
    let again = ledger.run("redact e1")
    #expect(again.status == .failed)
    #expect(again.text.contains("the event has no such text left"))
    #expect(again.text.contains("\(copy).jsonl:5 still has it"), "\(again.text)")
    guard copy != "main (1)" else { return }
    #expect(ledger.run("redact e1 --writer \(copy)").status == .done)
    #expect(holders(ledger) == [])
    #expect(!ledger.run("verify").text.contains("redact"), "\(ledger.run("verify").text)")
  }

  @Test
  func `appending a redacted event again answers exists and does not bring the text back`() throws {
    let ledger = try RedactTests.ledger()
    try ledger.run(all: "redact e1")
    func line(_ note: String, amount: Int = 12) -> String {
      #"""
      {"id":"e1","type":"entry.logged","day":"2025-11-02","habit":"reading","amount":\#(amount),\#
      "note":"\#(note)"}
      """#
    }
    for note in [RedactTests.secret, "something else", ""] {
      let output = ledger.run("append", input: line(note))
      #expect(output.text.contains("exists"), "\(output.screen)")
    }
    #expect(
      ledger.run("append --each", input: line(RedactTests.secret) + "\n").text.contains("exists"))
    #expect(ledger.run("append", input: line("", amount: 13)).status == .conflict)
    #expect(holders(ledger) == [])
  }

  @Test func `the same event of another writer is compared without the redacted text`() throws {
    let ledger = try RedactTests.ledger()
    let line = try #require(
      String(decoding: ledger.bytes(), as: UTF8.self).split(separator: "\n").first {
        $0.contains(#""id":"e1""#)
      })
    let other = try TemporaryLedger(now: "2025-11-04T15:00:00+01:00")
    try other.run(all: "init noalc reading --writer phone")
    #expect(other.run(["append", "--writer", "phone"], input: String(line)).status == .done)
    try ledger.run(all: "redact e1")
    try ledger.write(other.bytes(of: "phone"), to: "phone.jsonl")
    for command in ["show", "entries", "why e1", "log noalc steady"] {
      let output = ledger.run(command)
      #expect(output.status == .done, "\(output.screen)")
      #expect(!output.screen.contains(RedactTests.secret))
    }
    #expect(ledger.run("redact e1").text.contains("phone.jsonl:"))
    try ledger.run(all: "redact e1 --writer phone")
    #expect(holders(ledger) == [])
    #expect(!ledger.run("verify").text.contains("redact"))
  }

  @Test func `a redacted name of a habit counts as absent`() throws {
    let ledger = try RedactTests.ledger()
    #expect(ledger.run("show noalc --json")["habits.noalc.name"] == "NoAlc")
    let id = try #require(
      ledger.stored().first { $0["type"] == "habit.defined" && $0["habit"] == "noalc" }?["id"])
    let old = ledger.bytes()
    try ledger.run(all: "redact \(id) --fields name")
    #expect(ledger.run("show noalc --json")["habits.noalc.name"] == "noalc")
    #expect(ledger.run("define noalc --icon x").status == .done)
    #expect(!(ledger.stored().last?.text.contains("\"name\"") ?? true))
    #expect(ledger.run("verify").screen == "")
    try ledger.write(old, to: "old.jsonl")
    #expect(ledger.run("show noalc --json")["habits.noalc.name"] == "noalc")
    for command in ["show noalc", "replay --at e2", "habits noalc", "report", "calendar noalc"] {
      #expect(!ledger.run(command).text.contains("NoAlc"), "\(command)")
    }
  }

  @Test
  func `redact clears the writer's torn files and lists other files that contain the text`() throws
  {
    let ledger = try RedactTests.ledger()
    let torn = Array(#"{"id":"e9","note":"\#(RedactTests.secret)"#.utf8)
    try ledger.write(torn, to: "main.torn-7")
    try ledger.write(ledger.bytes() + torn, to: "main.jsonl")
    try ledger.write(torn, to: "backup.old")
    try ledger.write(torn, to: "phone.torn-9")
    let output = ledger.run("redact e1 --json")
    #expect(output.status == .failed)
    #expect(output.text.contains("backup.old"), "\(output.text)")
    #expect(holders(ledger) == ["backup.old", "phone.torn-9"])
    #expect(ledger.contents()?["main.torn-7"] == [UInt8](repeating: 0x20, count: torn.count))
    for name in ["backup.old", "phone.torn-9"] {
      try FileManager.default.removeItem(atPath: "\(ledger.events)/\(name)")
    }
    #expect(ledger.run("redact e1").status == .done)
    #expect(ledger.run("verify").screen == "")
  }

  @Test func `redact writes nothing in a dry run, as a guest or if it is refused`() throws {
    let ledger = try RedactTests.ledger()
    let zone =
      #"{"type":"days.excused","id":"z1","from":"2025-11-01","to":"2025-11-01","reason":"zone"}"#
    #expect(ledger.run("append", input: zone).status == .done)
    let before = ledger.contents()
    for (line, status, says) in [
      ("redact e1 --dry-run", ExitStatus.done, "would remove from e1"),
      ("redact e1 --guest", .done, "would remove"),
      ("redact", .usage, "needs EVENT"),
      ("redact e1 --fields notes", .usage, "did you mean \"note\"?"),
      ("redact e1 --fields value", .failed, "has no value; its texts are note"),
      ("redact nowhere", .failed, "there is no event \"nowhere\""),
      ("redact z1", .badData, "\"zone\""),
      ("redact e1 --expect 3", .conflict, "expected 3"),
      ("redact e1 --if 'xp > 9000'", .conflict, "xp"),
      ("redact e1 --writer phone", .failed, "or here with `--writer main`"),
    ] {
      let output = ledger.run(line)
      #expect(output.status == status, "\(line): \(output.screen)")
      #expect(output.screen.contains(says), "\(line): \(output.screen)")
      #expect(
        ledger.contents()?.filter { $0.key != ".lock" } == before?.filter { $0.key != ".lock" },
        "\(line)")
    }
  }

  @Test func `append drops redaction events, and undo refuses them`() throws {
    let ledger = try RedactTests.ledger()
    try ledger.run(all: "redact e1 --id r1")
    let line = try #require(ledger.stored().last?.text)
    for words in ["append", "append --each"] {
      let other = try TemporaryLedger(running: "init noalc")
      let output = other.run(words, input: line + "\n")
      #expect(output.text.contains(#""position":null,"status":"dropped""#), "\(output.screen)")
      #expect(other.stored().count == 2)
    }
    #expect(ledger.run("undo").errors.contains("events of this type cannot be undone"))
  }

  @Test func `a cursor from before a redaction continues with the redaction`() throws {
    let ledger = try RedactTests.ledger()
    let cursor = try #require(ledger.run("timeline --json").lines.last?["cursor"])
    try ledger.run(all: "redact e1 --id r1")
    let next = ledger.run("timeline --json --after \(cursor)")
    #expect(next.status == .done, "\(next.screen)")
    #expect(next.text.split(separator: "\n").count == 1)
    #expect(next.text.contains(#""event":"r1""#))
  }

  @Test func `a ledger that stays open is read again after a redaction`() throws {
    let ledger = try RedactTests.ledger()
    var log: FoldedLog?
    var reads = 0
    for (step, wanted) in [("", 1), ("log noalc steady", 1), ("redact e1", 2)] {
      if !step.isEmpty { try ledger.run(all: step) }
      log = try FoldedLog.current(log.take(), in: ledger.events, writer: "main", ReadingOptions())
      reads += log?.isFresh ?? false ? 1 : 0
      #expect(reads == wanted, "\(step)")
    }
  }

  @Test func `a redacted text stays hidden even beside an older version of the segment`() throws {
    let ledger = try RedactTests.ledger()
    let base = ledger.bytes()
    try ledger.run(all: "log noalc steady --id theirs", at: "2025-11-04T13:00:00+01:00")
    let theirs = ledger.bytes()
    try ledger.write(base, to: "main.jsonl")
    try ledger.run(all: "redact e1", at: "2025-11-04T14:00:00+01:00")
    let beside = "main-0a1b2c3.jsonl"
    try ledger.write(theirs, to: beside)
    #expect(!ledger.run("entries").screen.contains(RedactTests.secret))
    #expect(ledger.run("verify").text.contains("\(beside):5: redaction: "))
    try ledger.run(all: "redact e1 --writer \(beside.dropLast(6))")
    #expect(holders(ledger) == [])
  }
}
