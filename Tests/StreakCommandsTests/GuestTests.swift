import CommandFixtures
import Foundation
import StreakCommands
import StreakDomain
import Testing

struct GuestTests {
  static let commands = [
    ("log noalc steady", "🍀 NoAlc · steady · day 2"),
    ("log noalc 3drinks --on 2025-11-03", "the rule is last entry steady"),
    ("log noalc steady --replaces first", "for 11-03"), ("delete first", "deleted noalc steady"),
    ("delete --last", "deleted noalc steady"),
    ("define reading --preset awareness", "reading is defined"),
    ("define noalc --retire", "noalc is retired"), ("excuse 2025-11-03", "2025-11-03: excused"),
    ("day", "2025-11-04 has begun"),
    ("remind --set noalc 20:00", "reminds of noalc daily at 20:00"),
    ("remind", ""), ("celebrate", "done"), ("celebrate --seen", "done"), ("show", "🍀 NoAlc"),
    ("calendar noalc", "November 2025"), ("replay", "position 3"),
    ("audit --history", "🍀 NoAlc  no jokers yet"),
    ("export streak-data noalc", "currentStreakDays"), ("verify", ""),
    ("log noalc steady --dry-run", "would write 2 events"), ("timeline", "noalc steady"),
  ]

  private func host() throws -> TemporaryLedger {
    let ledger = try TemporaryLedger(running: "init noalc\nlog noalc steady --id first")
    ledger.now = "2025-11-04T12:00:00+01:00"
    return ledger
  }

  @Test(arguments: commands)
  func `every command works with --guest and leaves the ledger unchanged`(
    command: String, says: String
  ) throws {
    // The guest has no right to write, unless it is root.
    let ledger = try host()
    let before = try #require(ledger.contents())
    let files = FileManager.default
    for name in before.keys {
      try files.setAttributes([.posixPermissions: 0o444], ofItemAtPath: "\(ledger.events)/\(name)")
    }
    try files.setAttributes([.posixPermissions: 0o555], ofItemAtPath: ledger.events)
    defer { try? files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: ledger.events) }
    let output = ledger.run(command + " --guest")
    #expect(output.status == .done, "\(output.screen)")
    #expect(says.isEmpty ? output.text.isEmpty : output.screen.contains(says), "\(output.screen)")
    #expect(ledger.contents() == before)
  }

  @Test(arguments: [
    ("log meditation 12m", "🧘 meditation · 12 min · day 1"), ("log game failed", "🎮 game · failed"),
    ("show", "🍀 NoAlc"), ("init noalc", "a new ledger"),
    ("define chess --preset game", "chess is defined"),
    ("remind --set noalc", "09:00"), ("celebrate --seen", "nothing to celebrate yet"),
  ])
  func `commands with --guest work without a ledger, know the presets and make no folder`(
    command: String, says: String
  ) throws {
    let ledger = try TemporaryLedger()
    let output = ledger.run(command + " --guest")
    #expect(output.status == .done, "\(output.screen)")
    #expect(says.isEmpty ? output.text.isEmpty : output.screen.contains(says), "\(output.screen)")
    #expect(ledger.contents() == nil)
  }

  @Test func `append --guest answers as if the event were recorded and writes nothing`() throws {
    let ledger = try host()
    let before = ledger.contents()
    let line = #"{"id":"g1","type":"entry.logged","habit":"noalc","level":"steady"}"#
    let output = ledger.run("append --guest", input: line)
    #expect(output.text == #"{"id":"g1","position":5,"status":"recorded"}"# + "\n")
    #expect(output.errors == "guest: nothing is written\n")
    #expect(ledger.contents() == before)
    #expect(
      ledger.run("append --guest", input: line.replacingOccurrences(of: "steady", with: "stedy"))
        .status
        == .badData)
  }

  @Test func `show --without gives the same answer with --guest`() throws {
    let ledger = try host()
    let words = "show --json --without first"
    #expect(ledger.run(words)["habits.noalc.current"] == "0")
    #expect(ledger.run(words + " --guest")["habits.noalc.current"] == "0")
  }

  @Test func `entries and deletions made with --guest do not change the run`() throws {
    let ledger = try host()
    ledger.run("log noalc wild --guest")
    ledger.run("delete first --guest")
    #expect(ledger.run("show --json")["habits.noalc.current"] == "1")
    #expect(ledger.run("log noalc steady").text.hasPrefix("🍀 NoAlc · steady · day 2\n"))
  }
}
