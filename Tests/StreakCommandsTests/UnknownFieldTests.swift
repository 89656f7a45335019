import CommandFixtures
import EventLog
import Foundation
import StreakCommands
import StreakDomain
import Testing

struct UnknownFieldTests {
  private func ledger() throws -> TemporaryLedger {
    try TemporaryLedger(running: "init noalc meditation")
  }

  @Test func `the help of append has a line for every type of event, with its fields`() throws {
    let lines = try ledger().run("append --help").text.components(separatedBy: "\n")
    for type in EventType.allCases {
      let line = lines.first { $0.hasPrefix("  \(type.rawValue) ") }
      #expect(line?.contains("  \(type.rawValue)") == true, "\(type)")
      for field in type.fieldNames {
        #expect(lines.contains { $0.contains(" " + field) }, "\(field)")
      }
    }
    #expect(lines.contains("  days.excused      from to? habits? reason?"))
    #expect(lines.contains { $0.hasPrefix("  entry.logged      habit key? asOf? minutes? km?") })
    #expect(lines.contains("  day.changed       to"))
  }

  static let misspelt: [(line: String, field: String, hint: String)] = [
    (
      #"{"type":"entry.logged","habit":"noalc","drinks":0,"minuts":12}"#, "minuts",
      "did you mean \"minutes\"?"
    ),
    (#"{"type":"habit.retired","habit":"noalc","note":"x"}"#, "note", "which belongs elsewhere"),
    (
      #"{"type":"habit.defined","habit":"run","rule":{"kind":"any","latBy":1}}"#, "rule.latBy",
      "did you mean \"lateBy\"?"
    ),
  ]

  @Test(arguments: misspelt)
  func `an unknown field is refused with the nearest name`(
    line: String, field: String, hint: String
  ) throws {
    let ledger = try ledger()
    let before = ledger.contents()
    let good = #"{"type":"entry.logged","habit":"noalc","level":"steady"}"#
    let output = ledger.run("append", input: "\(good)\n\(line)\n")
    #expect(output.status == .badData)
    #expect(output.errors.hasPrefix("-:2:"), "\(output.errors)")
    #expect(output.errors.contains("has no field \"\(field)\""), "\(output.errors)")
    #expect(output.errors.contains(hint), "\(output.errors)")
    #expect(ledger.contents() == before)
    let answer = WebRequest("POST", "/v1/events", root: ledger.folder, body: line).answer()
    #expect(answer.status == 422 && answer.detail.contains(hint), "\(answer.body)")
    #expect(!answer.detail.contains("--"))
  }

  @Test
  func `unknown fields that begin with x_ are stored after the payload, in order, and compared`()
    throws
  {
    let ledger = try ledger()
    let line =
      #"""
      {"x_b":1.50,"id":"own","type":"entry.logged","x_a":{"deep":["é",null]},"habit":"noalc",\#
      "drinks":0}
      """#
    let next = #"{"type":"entry.logged","habit":"meditation","minutes":2}"#
    #expect(ledger.run("append", input: "\(line)\n\(next)\n").status == .done)
    let stored = String(decoding: ledger.bytes(), as: UTF8.self)
    #expect(
      stored.contains(#""drinks":0,"x_b":1.50,"x_a":{"deep":["é",null]},"more":true}"#), "\(stored)"
    )
    #expect(ledger.run("append", input: line).text.contains("exists"))
    let other = line.replacingOccurrences(of: "1.50", with: "1.75")
    #expect(ledger.run("append", input: other).status == .conflict)
    #expect(ledger.run("verify").screen.isEmpty)
    let definition =
      #"{"type":"habit.defined","habit":"run","rule":{"kind":"any"},"x_why":"doctor"}"#
    #expect(ledger.run("append", input: definition).status == .done)
    #expect(ledger.run("show run").status == .done)
  }

  @Test(arguments: ["unknown-field", "unknown-field--inside", "unknown-field--own-inside"])
  func `a definition with unknown fields is an error, and --skip leaves the definition out`(
    name: String
  )
    throws
  {
    let ledger = try TemporaryLedger()
    try ledger.write(
      try Repository.bytes("Tests/Fixtures/bad-logs/\(name).jsonl"), to: "main.jsonl")
    #expect(ledger.run("replay").status == .badData)
    let skipping = ledger.run("replay --skip")
    #expect(skipping.status == .done)
    #expect(skipping.errors.contains("skipped 1 line at \(ledger.events)/main.jsonl:3:"))
    let folded = ledger.run("fold --skip", input: String(decoding: ledger.bytes(), as: UTF8.self))
    #expect(folded.status == .done)
    #expect(folded.errors.contains("skipped 1 line\n"))
    // A newer program wrote the whole line, so it isn't torn, and nothing is recorded before it.
    let unended = ledger.bytes().dropLast()
    try ledger.write(Array(unended), to: "main.jsonl")
    #expect(ledger.run("replay").status == .badData)
    #expect(ledger.run("log noalc --skip --now 2025-11-03T12:00:00+01:00").status == .done)
    #expect(Array(ledger.bytes().prefix(unended.count)) == Array(unended))
    #expect(ledger.files().allSatisfy { !$0.contains("torn") })
  }

  @Test func `unknown fields of a stored entry are ignored and stay in the file`() throws {
    let ledger = try ledger()
    try ledger.run(all: "log noalc steady --id e")
    let line = String(decoding: ledger.bytes(), as: UTF8.self).replacingOccurrences(
      of: #""level":"steady""#, with: #""colour":["a"],"level":"steady","minuts":3"#)
    try ledger.write([UInt8](line.utf8), to: "main.jsonl")
    #expect(ledger.run("show --json")["habits.noalc.current"] == "1")
    try ledger.run(all: "log noalc easy")
    #expect(ledger.bytes().starts(with: line.utf8))
  }
}
