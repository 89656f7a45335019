import CommandFixtures
import DomainFixtures
import EventLog
import Foundation
import StreakCommands
import StreakDomain
import Testing

/// The trials of `selftest`; on the sample ledger the checks of the project run them as users do.
struct TrialTests {
  @Test func `any byte may be cut off a ledger of several devices, and no bit of its sealed days be flipped`()
    throws
  {
    let ledger = try TemporaryLedger()
    try ledger.run(all: "init noalc\nlog noalc steady\nlog noalc wild --writer phone")
    ledger.now = "2025-11-04T12:00:00+01:00"
    try ledger.run(all: "log noalc steady --note 'a day later'\nlog noalc easy --writer phone")
    let sizes = [ledger.bytes().count, ledger.bytes(of: "phone").count]
    let reach = Cases.areAll ? 700 : 150
    var trial = try LedgerTrial(of: ledger.events, reach: reach, random: SeededRandom(seed: 1))
    try trial.cut()
    try trial.flip()
    #expect(trial.failures == [])
    #expect(trial.cuts == sizes.reduce(0) { $0 + min($1, reach) + 1 })
    #expect(trial.flips > (Cases.areAll ? 4000 : 800))
    #expect(trial.appends > 32)
  }

  /// Split into segments, copied together in any order, twice or in part, a stream is the same ledger.
  @Test(arguments: [3, 14, 159, 2653] as [UInt64])
  func `random streams dealt to devices and brought together are the same ledger`(seed: UInt64) throws {
    let ledger = try TemporaryLedger()
    var stream = RandomStream(seed: seed)
    let lines = stream.events(150).flatMap { EventEncoder.line($0) }
    try ledger.write(lines, to: "main.jsonl")
    var trial = try LedgerTrial(of: ledger.events, reach: 1, random: SeededRandom(seed: seed))
    try trial.interleave(10)
    #expect(trial.failures == [], "seed \(seed)")
    #expect(trial.interleavings == 10)
  }

  @Test func `segments whose names look alike are two in a trial, too`() throws {
    let ledger = try TemporaryLedger()
    try ledger.run(all: "init noalc\nlog noalc steady")
    let lines = ledger.bytes().split(separator: UInt8(ascii: "\n")).map { $0 + [UInt8(ascii: "\n")] }
    for (name, line) in zip(["caf\u{E9}", "cafe\u{301}"], lines) {
      try ledger.write(Array(line), to: "\(name).jsonl")
    }
    // Not on a file system that takes the two names for one.
    guard ledger.files().count == 4 else { return }
    var trial = try LedgerTrial(of: ledger.events, reach: 3, random: SeededRandom(seed: 1))
    try trial.interleave(2)
    #expect(trial.failures == [])
  }

  @Test func `a ledger cut to its very first byte is begun again`() throws {
    let ledger = try TemporaryLedger()
    ledger.run("init noalc")
    var trial = try LedgerTrial(of: ledger.events, reach: 10_000, random: SeededRandom(seed: 1))
    try trial.cut()
    #expect(trial.failures == [])
    #expect(trial.cuts == ledger.bytes().count + 1)
  }

  @Test(arguments: ["", "{\"id\":\"torn", "\n", "\0\0\0"])
  func `a torn end, a missing newline and an empty segment are no failures of the log`(end: String) throws {
    let ledger = try TemporaryLedger()
    try ledger.run(all: "init noalc\nlog noalc steady\nlog noalc steady --writer phone")
    try ledger.write(
      Array(ledger.bytes().dropLast(end == "\n" ? 1 : 0)) + Array(end.utf8).filter { $0 != 10 },
      to: "main.jsonl")
    try ledger.write([], to: "empty.jsonl")
    let output = ledger.run("selftest --bytes 2000")
    #expect(output.status == .done, "\(output.screen)")
    let none = try TemporaryLedger()
    try none.write([], to: "not-a-segment")
    #expect(none.run("selftest").status == .failed)
    #expect(ledger.run("selftest --seed 18446744073709551615").status == .usage)
  }

  @Test func `selftest says what it tried, and leaves no trace`() throws {
    let ledger = try TemporaryLedger()
    try ledger.run(all: "init noalc\nlog noalc steady")
    ledger.now = "2025-11-04T12:00:00+01:00"
    try ledger.run(all: "log noalc steady")
    let before = ledger.contents()
    let output = ledger.run("selftest --bytes 300 --seed 7")
    #expect(output.status == .done)
    #expect(
      output.text
        == """
        301 cuts, 34 appends after them, 2400 flips, 4 interleavings: every cut recovered to a prefix, every flip found, every interleaving the same state

        """)
    #expect(ledger.run("selftest --bytes 300 --json --seed 7").text.contains(#""failures":[]"#))
    #expect(ledger.contents() == before)
    #expect(ledger.run("selftest --bytes none").status == .usage)
  }
}
