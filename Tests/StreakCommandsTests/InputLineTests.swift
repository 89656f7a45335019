import CommandFixtures
import StreakCommands
import Testing

/// Input that is no event: blank lines are skipped, and a byte order mark is reported.
struct InputLineTests {
  private func line(_ id: String, _ level: String = "steady") -> String {
    #"{"id":"\#(id)","type":"entry.logged","habit":"noalc","level":"\#(level)"}"#
  }

  @Test(arguments: ["append", "append --each"])
  func `append skips blank lines but counts them in the line numbers of errors`(command: String)
    throws
  {
    let ledger = try TemporaryLedger(running: "init noalc")
    let input = "\n\(line("a"))\n \t\r\n\n\(line("b"))\n\n"
    let output = ledger.run(command, input: input)
    #expect(output.status == .done && output.text.split(separator: "\n").count == 2)
    #expect(ledger.run(command, input: "\n \n").status == .done)

    let bad = ledger.run(command, input: "\n\n\(line("c", "stedy"))\n")
    #expect(bad.screen.contains(command == "append" ? "-:3:" : #""line":3"#), "\(bad.screen)")
  }

  @Test func `append can start a ledger from a file that begins with blank lines`() throws {
    let ledger = try TemporaryLedger()
    let opened = #"{"type":"ledger.opened","zone":"Europe/Berlin"}"#
    try ledger.write(Array("\n \n\(opened)\n".utf8), to: "../given.jsonl")
    #expect(ledger.run(["append", ledger.folder + "/given.jsonl"]).status == .done)
    #expect(ledger.stored().count == 1)
  }

  @Test func `fold skips blank lines`() throws {
    let ledger = try TemporaryLedger(running: "init noalc\nlog noalc steady")
    let lines = ledger.stored().map(\.text).joined(separator: "\n\n")
    let output = ledger.run("fold", input: "\n" + lines + "\n\n")
    #expect(output.status == .done && output["position"] == "3", "\(output.screen)")
    #expect(ledger.run("fold", input: "\n\nno JSON\n").errors.contains("-:3:"))
  }

  @Test(arguments: [["append"], ["append", "--each"], ["fold"]])
  func `append and fold report a byte order mark in their input`(command: [String]) throws {
    let ledger = try TemporaryLedger(running: "init noalc")
    let marked = ledger.run(command, input: "\u{FEFF}" + line("a"))
    #expect(marked.screen.contains("byte order mark"), "\(marked.screen)")
    let list = ledger.run(command, input: "\u{FEFF}[\(line("a"))]")
    #expect(list.screen.contains("byte order mark"), "\(list.screen)")
    let second = ledger.run(command, input: "\n\u{FEFF}" + line("a"))
    #expect(second.screen.contains("byte order mark"), "\(second.screen)")
  }

  @Test func `the error about a segment or an option mentions a byte order mark`() throws {
    let ledger = try TemporaryLedger(running: "init noalc")
    let option = ledger.run(["define", "gym", "--rule", "\u{FEFF}{\"kind\":\"any\"}"])
    #expect(option.errors.contains("byte order mark"), "\(option.errors)")

    let bytes = ledger.bytes()
    try ledger.write([0xEF, 0xBB, 0xBF] + bytes, to: "main.jsonl")
    #expect(ledger.run("show").errors.contains("main.jsonl:1:1: a byte order mark"))
    try ledger.write([0xFF, 0xFE] + bytes.flatMap { [$0, 0] }, to: "main.jsonl")
    #expect(ledger.run("show").errors.contains("a byte order mark of UTF-16"))
  }
}
