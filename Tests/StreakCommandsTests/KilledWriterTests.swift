import Foundation
import StreakCommands
import TestSupport
import Testing

/// Real processes, killed for real: 8 times, `STREAKS_KILLS=1000` for more.
struct KilledWriterTests {
  private static let kills =
    ProcessInfo.processInfo.environment["STREAKS_KILLS"].flatMap(Int.init) ?? 8

  @Test func `a script killed at any moment and run again ends with each event exactly once`() throws {
    let lines = (0..<400).map {
      #"{"id":"k\#($0)","type":"entry.logged","at":"2025-11-03T10:00:00+01:00","habit":"noalc","level":"steady"}"#
    }
    let input = FileManager.default.temporaryDirectory.appendingPathComponent("k-\(UUID().uuidString)").path
    try (lines.joined(separator: "\n") + "\n").write(toFile: input, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(atPath: input) }
    var random = SeededRandom(seed: UInt64(Date().timeIntervalSince1970))
    // As long as it takes undisturbed, so that the kill meets it at work.
    let undisturbed = try TemporaryLedger()
    undisturbed.run("init noalc")
    let start = ContinuousClock.now
    try run(["append", input, "--events", undisturbed.events]).waitUntilExit()
    let longest = Int(start.duration(to: .now) / .microseconds(1))
    var kills = 0
    var round = 0
    while kills < KilledWriterTests.kills {
      round += 1
      let ledger = try TemporaryLedger()
      ledger.run("init noalc")
      let delay = random.below(longest)
      let first = try run(["append", input, "--events", ledger.events])
      usleep(UInt32(delay))
      kill(first.processIdentifier, SIGKILL)
      first.waitUntilExit()
      if first.terminationReason == .uncaughtSignal { kills += 1 }
      let second = try run(["append", input, "--events", ledger.events])
      second.waitUntilExit()
      try #require(second.terminationStatus == 0, "round \(round), killed after \(delay) µs")
      let text = String(decoding: ledger.bytes(), as: UTF8.self)
      for number in 0..<400 {
        let count = text.components(separatedBy: "\"id\":\"k\(number)\"").count - 1
        try #require(count == 1, "round \(round), killed after \(delay) µs: k\(number) stands \(count) times")
      }
      try #require(ledger.run("verify").status == .done)
    }
  }

  @Test func `sixteen processes append five hundred events each at once, many of them the same`() throws {
    let ledger = try TemporaryLedger()
    ledger.run("init noalc")
    let writers = try (0..<16).map { writer in
      // Half of each process's events are its neighbour's, too, and two processes share a segment.
      let lines = (0..<500).map { index in
        let id = (writer * 250 + index) % 4000
        return
          #"{"id":"p\#(id)","type":"entry.logged","at":"2025-11-03T10:00:00+01:00","habit":"noalc","level":"steady"}"#
      }
      try ledger.write(Array((lines.joined(separator: "\n") + "\n").utf8), to: "../given\(writer)")
      return try run(
        [
          "append", "\(ledger.folder)/given\(writer)", "--events", ledger.events, "--writer",
          "w\(writer / 2)",
        ],
        wait: 120)
    }
    for writer in writers { writer.waitUntilExit() }
    #expect(writers.allSatisfy { $0.terminationStatus == 0 })
    var counts: [String: Int] = [:]
    for segment in ledger.files() where segment.hasSuffix(".jsonl") {
      for line in ledger.stored(in: String(segment.dropLast(6))) { counts[line["id"] ?? "", default: 0] += 1 }
    }
    let given = counts.filter { $0.key.hasPrefix("p") }
    #expect(given.count == 4000)
    #expect(given.allSatisfy { $0.value == 1 })
    #expect(ledger.run("verify").screen == "")
  }

  @Test func `writers at the same time wait for each other`() throws {
    let ledger = try TemporaryLedger()
    ledger.run("init noalc")
    let writers = try (0..<4).map { writer in
      try run(["log", "noalc", "steady", "--id", "w\(writer)", "--events", ledger.events])
    }
    for writer in writers { writer.waitUntilExit() }
    #expect(writers.allSatisfy { $0.terminationStatus == 0 })
    #expect(ledger.run("replay --json").text.contains("\"entries\":4"))
    #expect(ledger.run("verify").status == .done)
  }

  private func run(_ arguments: [String], wait: Int = 30) throws -> Process {
    let process = Process()
    process.executableURL = BuiltProgram.url
    process.arguments = arguments + ["--now", "2025-11-03T12:00:00+01:00", "--wait", "\(wait)"]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    return process
  }
}
