import CommandFixtures
import DomainFixtures
import Foundation
import StreakCommands
import StreakDomain
import Testing

/// Real processes that are killed: 8 times, or as often as `STREAKS_KILLS` says.
///
/// Serialized, because beside other writers nearly every kill would come too early or too late.
@Suite(.serialized)
struct KilledWriterTests {
  private static let kills =
    ProcessInfo.processInfo.environment["STREAKS_KILLS"].flatMap(Int.init) ?? 8

  @Test(arguments: [[], ["--each"]])
  func `append killed at any moment and run again records each event exactly once`(
    options: [String]
  ) throws {
    let lines = (0..<400).map {
      #"""
      {"id":"k\#($0)","type":"entry.logged","at":"2025-11-03T10:00:00+01:00","habit":"noalc",\#
      "level":"steady"}
      """#
    }
    let input = FileManager.default.temporaryDirectory.appendingPathComponent(
      "k-\(UUID().uuidString)"
    ).path
    try (lines.joined(separator: "\n") + "\n").write(
      toFile: input, atomically: true, encoding: .utf8)
    let printed = input + ".out"
    defer { for path in [input, printed] { try? FileManager.default.removeItem(atPath: path) } }
    var random = SeededRandom(seed: UInt64(Date().timeIntervalSince1970))
    // About the time that a writer takes; it adapts to the machine's load.
    var longest = 20_000
    var (kills, written, torn) = (0, 0, 0)
    while kills < KilledWriterTests.kills {
      let ledger = try TemporaryLedger(running: "init noalc")
      let begun = ledger.bytes().count
      var delays: [Int] = []
      // Several kills of one ledger, so that the recovery after a kill is killed, too.
      repeat {
        let writer = try Writer(
          ["append", input, "--events", ledger.events] + options, output: printed)
        delays.append(random.below(longest))
        usleep(UInt32(delays.last ?? 0))
        guard writer.isKilled() else { break }
        let stored = String(decoding: ledger.bytes(), as: UTF8.self)
        for line in try String(contentsOfFile: printed, encoding: .utf8).split(separator: "\n") {
          guard let id = Output(text: String(line), errors: "", status: .done)["id"] else {
            continue
          }
          try #require(
            stored.contains("\"\(id)\""), "killed after \(delays) µs: \(id) was acknowledged")
        }
        kills += 1
        if ledger.bytes().count > begun { written += 1 }
        if !ledger.run("verify").screen.isEmpty { torn += 1 }
      } while delays.count < 4
      let start = ContinuousClock.now
      let last = try Writer(["append", input, "--events", ledger.events] + options)
      try #require(last.waitUntilExit() == 0, "killed after \(delays) µs")
      longest = Int(start.duration(to: .now) / .microseconds(1))
      var counts: [Substring: Int] = [:]
      for line in String(decoding: ledger.bytes(), as: UTF8.self).split(separator: "\n") {
        counts[line.dropFirst(#"{"id":""#.count).prefix { $0 != "\"" }, default: 0] += 1
      }
      for number in 0..<400 {
        try #require(counts["k\(number)"] == 1, "killed after \(delays) µs: k\(number)")
      }
      let output = ledger.run("verify")
      try #require(output.screen == "", "killed after \(delays) µs: \(output.screen)")
    }
    if kills >= 1000 {
      print("\(kills) killed, \(written) with something written, \(torn) with a torn end")
    }
  }

  @Test func `sixteen processes that append overlapping events at once record each event once`()
    throws
  {
    let ledger = try TemporaryLedger(running: "init noalc")
    let writers = try (0..<16).map { writer in
      // Half of each process's events are also its neighbor's, and two processes share a segment.
      let lines = (0..<500).map { index in
        let id = (writer * 250 + index) % 4000
        return
          #"""
          {"id":"p\#(id)","type":"entry.logged","at":"2025-11-03T10:00:00+01:00","habit":"noalc",\#
          "level":"steady"}
          """#
      }
      try ledger.write(Array((lines.joined(separator: "\n") + "\n").utf8), to: "../given\(writer)")
      return try Writer(
        [
          "append", "\(ledger.folder)/given\(writer)", "--events", ledger.events, "--writer",
          "w\(writer / 2)",
        ],
        wait: 120)
    }
    for writer in writers { #expect(writer.waitUntilExit() == 0) }
    var counts: [String: Int] = [:]
    for segment in ledger.files() where segment.hasSuffix(".jsonl") {
      for line in ledger.stored(in: String(segment.dropLast(6))) {
        counts[line["id"] ?? "", default: 0] += 1
      }
    }
    let given = counts.filter { $0.key.hasPrefix("p") }
    #expect(given.count == 4000)
    #expect(given.allSatisfy { $0.value == 1 })
    #expect(ledger.run("verify").screen == "")
  }

  @Test func `eight processes that run delete --last at once delete eight entries`() throws {
    let ledger = try TemporaryLedger(running: "init noalc")
    for index in 0..<8 { ledger.run("log noalc steady --id e\(index)") }
    let writers = try (0..<8).map { _ in
      try Writer(["delete", "--last", "--events", ledger.events])
    }
    for writer in writers { #expect(writer.waitUntilExit() == 0) }
    #expect(ledger.run("replay --json").text.contains("\"entries\":0"))
  }

  @Test func `four processes that log at once wait for each other and record all entries`() throws {
    let ledger = try TemporaryLedger(running: "init noalc")
    let writers = try (0..<4).map { writer in
      try Writer(["log", "noalc", "steady", "--id", "w\(writer)", "--events", ledger.events])
    }
    for writer in writers { #expect(writer.waitUntilExit() == 0) }
    #expect(ledger.run("replay --json").text.contains("\"entries\":4"))
    #expect(ledger.run("verify").status == .done)
  }

  @Test func `dozens of processes that log the same id at once record one event`() throws {
    let ledger = try TemporaryLedger(running: "init noalc")
    let words = ["log", "noalc", "steady", "--id", "the-one", "--events", ledger.events]
    let writers = try (0..<36).map { _ in try Writer(words, wait: 60) }
    for writer in writers { #expect(writer.waitUntilExit() == 0) }
    #expect(ledger.run("replay --json").text.contains("\"entries\":1"))
    #expect(ledger.run("verify").status == .done)
  }
}

private final class Writer {
  private let process = Process()
  // `Process.waitUntilExit` polls only every 50 ms.
  private let exited = DispatchSemaphore(value: 0)

  init(_ arguments: [String], wait: Int = 30, output: String? = nil) throws {
    process.executableURL = BuiltProgram.url
    process.arguments = arguments + ["--now", "2025-11-03T12:00:00+01:00", "--wait", "\(wait)"]
    process.environment = ProcessInfo.processInfo.environment.merging([
      "STREAKS_WRITER": "main"
    ]) { $1 }
    if let output { try Data().write(to: URL(fileURLWithPath: output)) }
    process.standardOutput =
      output.flatMap { FileHandle(forWritingAtPath: $0) } ?? FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    process.terminationHandler = { [exited] _ in exited.signal() }
    try process.run()
  }

  @discardableResult
  func waitUntilExit() -> Int32 {
    exited.wait()
    return process.terminationStatus
  }

  @discardableResult
  func isKilled() -> Bool {
    kill(process.processIdentifier, SIGKILL)
    exited.wait()
    return process.terminationReason == .uncaughtSignal
  }
}
