import Foundation
import StreakCommands
import TestSupport
import Testing

/// What a machine is told that goes on in a segment which another one began.
struct FirstWriteTests {
  private static let says =
    "main.jsonl was begun on another machine. So that no two write one file, give this one a name"

  /// A ledger as it comes from another machine.
  private func cloned() throws -> TemporaryLedger {
    let first = try TemporaryLedger()
    try first.run(all: "init noalc\nlog noalc steady")
    let ledger = try TemporaryLedger(now: "2025-11-03T13:00:00+01:00")
    try ledger.write(first.bytes(), to: "main.jsonl")
    return ledger
  }

  @Test func `a machine that goes on in another's main is told once to name itself`() throws {
    let ledger = try cloned()
    let first = ledger.run("log noalc easy")
    #expect(first.status == .done)
    #expect(
      first.errors.hasPrefix(FirstWriteTests.says) && first.errors.contains("STREAKS_WRITER"),
      "\(first.errors)"
    )
    #expect(first.errors.split(separator: "\n").count == 1)
    #expect(ledger.run("log noalc easy").errors.isEmpty)
  }

  @Test func `where it is told beside a document, the document is whole, and an error stands alone`() throws {
    let ledger = try cloned()
    let refused = ledger.run("log nolac easy --json")
    #expect(refused.status == .badData && !refused.errors.contains(FirstWriteTests.says))
    let other = try cloned()
    let first = other.run("log noalc easy --json")
    #expect(first["results.0.status"] == "recorded")
    #expect(first.errors.hasPrefix(FirstWriteTests.says))
  }

  @Test func `nothing is told to whoever has a name, only looks, or is a program`() throws {
    for line in ["log noalc easy --writer laptop", "show", "log noalc easy --guest"] {
      #expect(try !cloned().run(line).errors.contains(FirstWriteTests.says), "\(line)")
    }
    let line = #"{"type":"entry.logged","habit":"noalc","level":"easy"}"#
    #expect(try cloned().run("append", input: line).errors.isEmpty)
  }

  @Test func `a dry run leaves no lock, and the next one is told`() throws {
    let ledger = try cloned()
    #expect(ledger.run("log noalc easy --dry-run").errors.isEmpty)
    #expect(ledger.files() == ["main.jsonl"])
    #expect(ledger.run("log noalc easy").errors.hasPrefix(FirstWriteTests.says))
  }
}
