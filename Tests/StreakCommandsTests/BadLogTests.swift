import CommandFixtures
import EventLog
import Inspection
import Foundation
import StreakCommands
import StreakDomain
import Testing

/// Tests of Fixtures/bad-logs, where each file is named after the problem of its third line.
struct BadLogTests {
  static let kinds = FailureKind.allCases.filter { $0.subject == .line }
  static let logs = (try? Repository.names(in: "Tests/Fixtures/bad-logs")) ?? []

  static let columns = [
    "bad-form--minutes.jsonl": 176, "not-json--no-object.jsonl": 1, "bad-form--id.jsonl": 7,
    "unknown-type.jsonl": 19, "missing-field--habit.jsonl": 1,
  ]

  @Test func `Fixtures bad-logs has a file for every kind of bad line`() {
    let shown = Set(
      BadLogTests.logs.map { $0.prefix { $0 != "." }.components(separatedBy: "--")[0] })
    #expect(shown == Set(BadLogTests.kinds.map(\.rawValue)))
  }

  @Test(arguments: logs)
  func `replay ends with exit code 3 at a bad line and reports file, line and column`(file: String)
    throws
  {
    let ledger = try TemporaryLedger()
    try ledger.write(try Repository.bytes("Tests/Fixtures/bad-logs/\(file)"), to: "main.jsonl")
    let error = #expect(throws: Failure.self) { try readAll(ledger.events) }
    #expect(error?.kind.rawValue == file.dropLast(6).components(separatedBy: "--")[0])
    #expect(error?.place?.line == 3)
    if let column = BadLogTests.columns[file] { #expect(error?.column == column) }
    let output = ledger.run("replay")
    #expect(output.status == .badData && output.text.isEmpty)
    #expect(output.errors.contains("/events/main.jsonl:3:"))
    #expect(ledger.run("verify").status == .failed)
    #expect(ledger.run("verify").text.contains("main.jsonl:3:"))
  }

  @Test(arguments: ["unknown-type", "unknown-type--newer-version", "bad-form--wrong-type-note"])
  func `replay --skip skips bad lines and reports their number`(name: String) throws {
    let ledger = try TemporaryLedger()
    try ledger.write(
      try Repository.bytes("Tests/Fixtures/bad-logs/\(name).jsonl"), to: "main.jsonl")
    #expect(ledger.run("replay").status == .badData)
    let output = ledger.run("replay --skip --json")
    #expect(output.status == .done && output.errors.contains("skipped 1 line"))
  }

  @Test func `docs time-travel lists every check of verify in order`() throws {
    let text = try Repository.text("docs/time-travel.md")
    let section = try #require(
      text.components(separatedBy: "\n## What verify finds\n").dropFirst().first)
    let lines = section.components(separatedBy: "\n## ")[0].split(separator: "\n").filter {
      $0.hasPrefix("- `")
    }
    #expect(
      lines.map { String($0.split(separator: "`")[1]) } == Finding.Check.allCases.map(\.rawValue))
  }
}

func readAll(_ folder: String) throws {
  var stream = try EventStream(folder: folder)
  var fold = Ledger()
  var item = StreamItem()
  while try stream.next(&item, names: &fold.names) {
    if let known = fold.apply(item) {
      _ = try stream.isCopy(item, of: known, names: fold.names)
    } else {
      stream.keepLocation(of: item)
    }
  }
}
