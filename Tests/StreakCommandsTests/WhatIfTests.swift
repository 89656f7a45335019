import CommandFixtures
import DomainFixtures
import EventLog
import Foundation
import StreakCommands
import StreakDomain
import Testing

/// The laws of time travel: `--without` and `--at` equal a log without those events.
struct WhatIfTests {
  private func lines(_ seed: UInt64, _ count: Int) -> [[UInt8]] {
    var stream = RandomStream(seed: seed)
    return stream.events(count).map { EventEncoder.line($0) }
  }

  private func ledger(_ lines: [[UInt8]]) throws -> TemporaryLedger {
    let ledger = try TemporaryLedger(now: "2025-12-31T12:00:00+01:00")
    try ledger.write(Array(lines.joined()), to: "main.jsonl")
    return ledger
  }

  private func id(_ line: [UInt8]) throws -> String {
    try EventDecoder.event(Array(line.dropLast())).id
  }

  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func `an answer with --at equals the answer of a log that ends at that position`(seed: UInt64)
    throws
  {
    let lines = lines(seed, 60)
    let whole = try ledger(lines)
    let fields = ["a.current", "both.longest", "b.jokers.held", "xp", "today"].map {
      "why \($0) --json"
    }
    for position in stride(from: 1, through: lines.count, by: 9) {
      let cut = try ledger(Array(lines[..<position]))
      // The habits are defined in the first events.
      let commands = ["replay --json", "calendar --all --json"] + (position > 9 ? fields : [])
      for command in commands {
        #expect(
          whole.run("\(command) --at \(position)") == cut.run("\(command) --at end"),
          "seed \(seed), \(command) at \(position)")
      }
    }
  }

  @Test(arguments: Cases.seeds(12))
  func `an answer with --without equals the answer of a log without that event`(seed: UInt64) throws
  {
    let lines = lines(seed, 40)
    let whole = try ledger(lines)
    for place in stride(from: 7, to: lines.count, by: 5) {
      var rest = lines
      let id = try id(rest.remove(at: place))
      let without = try ledger(rest)
      for command in ["replay --json", "audit --json", "timeline --json", "show --json"] {
        #expect(
          withoutPositions(whole.run("\(command) --without \(id)"))
            == withoutPositions(without.run(command)),
          "seed \(seed), \(command), \(id)")
      }
    }
  }

  /// Removes the cursors, because a what-if has none.
  private func withoutCursors(_ output: Output) -> Output {
    Output(
      text: output.text.replacing(#/"cursor":"[^"]*",/#, with: ""), errors: output.errors,
      status: output.status)
  }

  /// Removes the cursors and the positions, which refer to the ledger as stored.
  private func withoutPositions(_ output: Output) -> Output {
    let output = withoutCursors(output)
    return Output(
      text: output.text.replacing(#/"position":[0-9]+,?/#, with: ""), errors: output.errors,
      status: output.status)
  }

  @Test func `positions refer to the stored ledger, even with --without`() throws {
    let sample = try TemporaryLedger(now: "2025-11-20T21:00:00+01:00")
    try FileManager.default.copyItem(atPath: Repository.root + "/events", toPath: sample.events)
    func current(_ words: String) -> String? {
      sample.run("replay --json \(words)")["habits.noalc.current"]
    }
    #expect(current("--at 4848") == "12")
    #expect(current("--at 4848 --without @4848") == "41")
    #expect(current("--at 4848 --without @4831-4848") == "40")
    #expect(current("--at 2025-11-04T12:08 --without @4848") == "41")
    #expect(sample.run("replay --json --at 4847 --without 5")["position"] == "4847")
    let rows = sample.run("timeline --json --without 2 -n 1")
    #expect(rows["position"] == sample.run("timeline --json -n 1")["position"])
  }

  @Test func `--without an unknown event is refused`() throws {
    let ledger = try TemporaryLedger(running: "init noalc")
    let output = ledger.run("replay --without nobody")
    #expect(output.status == .usage)
    #expect(output.errors.contains("there is no"))
  }

  private func traces(of ledger: TemporaryLedger) throws -> [String] {
    try ledger.files().map { name in
      let path = ledger.events + "/" + name
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      return "\(name) \(attributes[.size] ?? "") \(attributes[.modificationDate] ?? "")"
    }
  }

  @Test func `no reading command and no dry run writes anything`() throws {
    let ledger = try TemporaryLedger(
      running: "init noalc meditation", now: "2025-11-03T12:00:00+01:00")
    ledger.run("log noalc steady --id a")
    try FileManager.default.removeItem(atPath: ledger.events + "/.lock")
    let before = try traces(of: ledger)
    ledger.now = "2025-11-05T12:00:00+01:00"
    let reading =
      ReadingCommands.lines("noalc") + [
        "celebrate", "remind", "diff 0 end", "audit --history", "verify",
        "export streak-data noalc",
        "timeline -f", "replay --without a",
      ]
    let writing = [
      "log noalc steady", "delete a", "undo", "define chess --preset game", "day",
      "excuse 2025-11-04",
      "remind --set noalc", "log noalc easy --replaces a",
    ].map { $0 + " --dry-run" }
    for command in reading + writing {
      let output = ledger.run(command)
      #expect(output.status == .done || command.hasPrefix("diff"), "\(command): \(output.errors)")
      #expect(try traces(of: ledger) == before, "\(command)")
    }
    let line = #"{"type":"entry.logged","habit":"noalc","level":"wild"}"#
    #expect(ledger.run("append --dry-run", input: line).text.contains("would write 2 events"))
    #expect(try traces(of: ledger) == before)
  }

  @Test func `a dry run reports the same changes as diff afterwards`() throws {
    let ledger = try TemporaryLedger(running: "init noalc", now: "2025-11-03T12:00:00+01:00")
    for day in ["03", "04", "05"] {
      try ledger.run(all: "log noalc steady --id d\(day)", at: "2025-11-\(day)T12:00:00+01:00")
    }
    let dry = try document(ledger.run("delete d04 --id undo --dry-run --json"))
    ledger.run("delete d04 --id undo")
    let told = try document(ledger.run("diff 7 8 --json"))
    for key in ["changes", "verdicts", "books", "achievements", "events", "from", "to"] {
      #expect(dry[key] as? NSObject == told[key] as? NSObject, "\(key)")
    }
  }

  private func document(_ output: Output) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(output.text.utf8)) as? [String: Any])
  }
}
