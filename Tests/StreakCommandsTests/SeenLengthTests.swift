import CommandFixtures
import DomainFixtures
import EventLog
import Foundation
import StreakCommands
import StreakDomain
import Testing

/// The lengths of other segments that a `day.changed` records.
struct SeenLengthTests {
  private func lines(_ ledger: TemporaryLedger, _ segment: String) -> [[UInt8]] {
    ledger.bytes(of: segment).split(separator: 10).map(Array.init)
  }

  @Test(arguments: [0, 2, 3, 4])
  func `lines that others saw are not reported as lost if another file contains them`(kept: Int)
    throws
  {
    let ledger = try TemporaryLedger(now: "2025-11-01T12:00:00+01:00")
    try ledger.run(
      all:
        """
        init noalc --writer phone\nlog noalc steady --writer phone\nlog noalc steady --writer phone
        """
    )
    try ledger.run(all: "log noalc steady --writer laptop", at: "2025-11-02T12:00:00+01:00")
    let phone = ledger.bytes(of: "phone")
    let lines = lines(ledger, "phone")[..<kept]
    try FileManager.default.removeItem(atPath: "\(ledger.events)/phone.jsonl")
    if kept > 0 { try ledger.write(Array(lines.joined(separator: [10])) + [10], to: "phone.jsonl") }
    #expect(ledger.run("show").errors.isEmpty == (kept == 4))
    #expect(
      (ledger.run("log noalc steady --writer phone --dry-run").status == .done) == (kept == 4))
    try ledger.write(phone, to: "telephone.jsonl")
    #expect(ledger.run("show").errors.isEmpty)
    #expect(!ledger.run("verify").text.contains("seen"))
    #expect(ledger.run("log noalc steady --writer phone").status == .done)
    #expect(!ledger.run("verify").text.contains("seen"))
  }

  @Test(arguments: ["[3]", "3", #"[3,7]"#, #"["3","p1"]"#, #"[3,"p1","x"]"#])
  func `a day change with a malformed seen field is refused`(said: String) {
    let line =
      #"""
      {"id":"d","type":"day.changed","at":"2025-11-02T12:00:00Z","recorded":"2025-11-02T12:00:\#
      00.000000Z",
      """#
      + #""day":"2025-11-02","zone":"UTC","to":"2025-11-02","seen":{"phone":\#(said)}}"#
    #expect(throws: (any Error).self) { try EventDecoder.event(Array(line.utf8)) }
  }

  @Test(arguments: Cases.seeds(10))
  func `lines of another writer's unfinished batch are not recorded as seen and not moved`(
    seed: UInt64
  )
    throws
  {
    var random = SeededRandom(seed: seed)
    let ledger = try TemporaryLedger(
      running: "init noalc --writer phone", now: "2025-11-01T12:00:00+01:00")
    let batch = (1...4).map {
      #"{"type":"entry.logged","habit":"noalc","level":"steady","id":"b\#($0)"}"#
    }
    #expect(
      ledger.run("append --writer phone", input: batch.joined(separator: "\n")).status == .done)
    let whole = ledger.bytes(of: "phone")
    let begin = try #require(String(decoding: whole, as: UTF8.self).range(of: #"{"id":"b1""#))
    let start = String(decoding: whole, as: UTF8.self)[..<begin.lowerBound].utf8.count
    let cut = start + 1 + random.below(whole.count - start - 1)
    try ledger.write(Array(whole[..<cut]), to: "phone.jsonl")
    try ledger.run(all: "log noalc steady --writer laptop --id l1", at: "2025-11-02T12:00:00+01:00")
    let line = try #require(ledger.stored(in: "laptop").first)
    #expect(line["seen.phone.0"] == "2", "seed \(seed), cut at \(cut)")
    #expect(ledger.bytes(of: "phone") == Array(whole[..<cut]), "seed \(seed), cut at \(cut)")
    #expect(!ledger.files().contains { $0.hasPrefix("phone.torn") })
    try ledger.write(whole, to: "phone.jsonl")
    #expect(ledger.run("verify").screen.isEmpty)
  }

  @Test(arguments: [1, 500, 1_000_000_000])
  func `thousands of recorded segments that never existed do not slow down reading`(lines: Int)
    throws
  {
    let ledger = try TemporaryLedger(running: "init noalc")
    let entry = #"{"type":"entry.logged","habit":"noalc","level":"easy"}"# + "\n"
    ledger.run("append", input: String(repeating: entry, count: 1000))
    let changes = (0..<20).map { number in
      let names = (0..<300).map { #""w\#(number)-\#($0)":[\#(lines),"x"]"# }
      return #"""
        {"id":"d\#(number)","type":"day.changed","at":"2025-11-03T11:00:00Z",\#
        "recorded":"2025-11-03T12:00:\#(10 + number).000000Z","day":"2025-11-03","zone":"UTC",\#
        "to":"2025-11-03","seen":{\#(names.joined(separator: ","))}}

        """#
    }
    try ledger.write(Array(changes.joined().utf8), to: "phone.jsonl")

    let disk = WatchedDisk()
    ledger.disk = disk
    let shown = ledger.run("show")
    let size = ledger.bytes().count + ledger.bytes(of: "phone").count
    #expect(shown.status == .done && disk.tally.bytesRead <= 5 * size, "\(disk.tally)")
    let notices = shown.errors.split(separator: "\n")
    #expect(notices.count == 11 && notices[0].contains("is missing"), "\(notices.count)")
    #expect(notices[10].hasSuffix("and 5990 more of such files; `streaks verify` lists them"))
    #expect(ledger.run("verify").text.split(separator: "\n").count == 21)
  }

  @Test func `seen lines are found in a renamed segment, and a removed segment is reported`() throws
  {
    let ledger = try TemporaryLedger(running: "init noalc", now: "2025-11-01T12:00:00+01:00")
    for name in ["phone", "tablet", "watch"] {
      for _ in 1...3 { try ledger.run(all: "log noalc steady --writer \(name)") }
    }
    try ledger.run(all: "log noalc steady --writer laptop", at: "2025-11-02T12:00:00+01:00")
    for name in ["phone", "tablet"] {
      try FileManager.default.moveItem(
        atPath: "\(ledger.events)/\(name).jsonl", toPath: "\(ledger.events)/\(name)-2.jsonl")
    }
    #expect(ledger.run("show").errors.isEmpty)
    try FileManager.default.removeItem(atPath: "\(ledger.events)/watch.jsonl")
    let notices = ledger.run("show").errors.split(separator: "\n")
    #expect(notices.count == 1 && notices[0].contains("watch.jsonl is missing"))
  }
}
