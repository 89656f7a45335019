import CommandFixtures
import EventLog
import Foundation
import StreakCommands
import StreakDomain
import Testing

/// Long files from a sync tool, with few events or none.
struct LongFileTests {
  private static let size = 6_000_000

  /// Files of `size` bytes without an event.
  static let files: [String: [UInt8]] = [
    "zeros": [UInt8](repeating: 0, count: size),
    "newlines": [UInt8](repeating: 10, count: size),
    "blank lines": [UInt8]((0..<size).map { $0 % 2 == 0 ? 32 : 10 }),
    "a line without an end": [UInt8](repeating: 120, count: size),
    "a line": [UInt8](repeating: 120, count: size - 1) + [10],
    "zeros after a newline": [10] + [UInt8](repeating: 0, count: size - 1),
    "a batch without an end": Array(#"{"more":true}"#.utf8) + [10]
      + [UInt8](repeating: 0, count: size),
  ]

  @Test(arguments: files.keys.sorted(), ["show", "verify", "timeline", "log noalc easy --skip"])
  func `a long file without events is read in small pieces and at most ten times`(
    file: String, command: String
  ) throws {
    let ledger = try TemporaryLedger(running: "init noalc")
    try ledger.write(try #require(LongFileTests.files[file]), to: "phone.jsonl")
    let disk = WatchedDisk()
    ledger.disk = disk
    let output = ledger.run(command)
    #expect(output.screen.contains("phone.jsonl"), "\(output.screen.prefix(500))")
    #expect(output.screen.utf8.count < 5000, "\(output.screen.utf8.count)")
    #expect(disk.tally.longestRead <= 1 << 18, "\(disk.tally.longestRead)")
    #expect(disk.tally.bytesRead <= 10 * LongFileTests.size, "\(disk.tally.bytesRead)")
  }

  private static func line(_ number: Int, _ type: String = "entry.logged") -> String {
    let second = String(format: "%06d", number)
    return
      #"""
      {"id":"p\#(number)","type":"\#(type)","at":"2025-11-03T10:00:00Z",\#
      "recorded":"2025-11-03T10:00:00.\#(second)Z","day":"2025-11-03","zone":"Europe/Berlin",\#
      "habit":"noalc","level":"easy"}

      """#
  }

  private func ledger(_ phone: String) throws -> TemporaryLedger {
    let ledger = try TemporaryLedger(running: "init noalc")
    try ledger.write(Array(phone.utf8), to: "phone.jsonl")
    return ledger
  }

  private func entries(_ ledger: TemporaryLedger) -> String? {
    ledger.run("replay --json --skip")["habits.noalc.totals.entries"]
  }

  @Test func `verify lists the first hundred corrupt lines and counts the others`() throws {
    let ledger = try ledger(String(repeating: "{}\n", count: 250) + LongFileTests.line(1))
    let document = ledger.run("verify --json")
    #expect(document["findings.0.line"] == "1" || document["findings.0.segment"] == "")
    #expect(document["findings.100.check"] == "form" && document["findings.101.check"] == nil)
    #expect(document.text.contains("150 more lines cannot be read"))
    #expect(ledger.run("show --skip").errors.contains("skipped 250 lines, the first at"))
    #expect(entries(ledger) == "1")
  }

  @Test(arguments: ["", "{}", "x", #"{"id":"p0","type":"entry.logged"}"#])
  func `--skip skips the rest of a segment after more than a thousand lines that are no events`(
    line: String
  ) throws {
    let broken = String(repeating: line + "\n", count: 1000)
    #expect(entries(try ledger(broken + LongFileTests.line(1))) == "1")

    let ledger = try ledger(broken + line + "\n" + LongFileTests.line(1))
    #expect(entries(ledger) == "0")
    #expect(ledger.run("show --skip").errors.contains("skipped 1001 lines, the first at"))
    let found = ledger.run("verify --json").text
    #expect(found.contains("1000 lines before this one are no events, so the rest of the file"))
    #expect(ledger.run("show").status == .badData)
  }

  @Test(arguments: ["mood.logged", "entry.logged"])
  func `a segment is read to the end despite 1500 lines of an unknown type or out of order`(
    type: String
  ) throws {
    let other = (1...1500).map { LongFileTests.line(type == "entry.logged" ? 1 : $0, type) }
    let ledger = try ledger(LongFileTests.line(0) + other.joined() + LongFileTests.line(9000))
    #expect(entries(ledger) == (type == "entry.logged" ? "3" : "2"))
  }

  @Test func `append skips blank lines but refuses more than 65536 bytes of blank lines`() throws {
    let ledger = try TemporaryLedger(running: "init noalc")
    let entry = #"{"type":"entry.logged","habit":"noalc","level":"easy"}"#
    let blanks = String(repeating: " \n", count: 32_000)
    let output = ledger.run("append", input: blanks + entry + "\n" + blanks + entry)
    #expect(output.lines.count == 2, "\(output.screen)")
    let before = ledger.bytes()
    let refused = ledger.run("append", input: entry + "\n" + blanks + blanks + entry)
    #expect(refused.status == .badData)
    #expect(refused.errors.contains("more than 65536 bytes of blank lines, from line 2 on"))
    #expect(ledger.bytes() == before)
    #expect(ledger.run("append --each", input: blanks + blanks + entry)["line"] == "64001")
  }

  @Test(arguments: ["append", "append --each", "fold", "verify --against -"])
  func `a megabyte of input without an event gets a short message`(command: String) throws {
    let ledger = try TemporaryLedger(running: "init noalc")
    for byte in ["x", "\n", " \n"] {
      let output = ledger.run(command, input: String(repeating: byte, count: 1_000_000))
      #expect(output.screen.utf8.count < 1000, "\(output.screen.utf8.count)")
      // Blank lines alone are no error where each line counts by itself.
      let isDone = byte != "x" && ["append --each", "fold"].contains(command)
      #expect((output.status == .done) == isDone, "\(byte) \(output.screen)")
    }
  }

  @Test(arguments: [1, 7, 65_536, 65_537, 1_000_000])
  func `input is split into the same lines for pieces of any size`(size: Int) throws {
    let long = [UInt8](repeating: 120, count: 200_000)
    let text = Array("\n\na\n \n".utf8) + long + Array("\nb\n\n".utf8) + long
    func lines(_ size: Int) throws -> [String] {
      var found: [String] = []
      var buffer = LineBuffer()
      for start in stride(from: 0, to: text.count, by: size) {
        try buffer.add(Array(text[start..<min(text.count, start + size)])) {
          found.append("\($1) \($0.count)")
        }
      }
      try buffer.finish { found.append("\($1) \($0.count)") }
      return found
    }
    #expect(try lines(size) == ["3 1", "4 1", "5 65537", "6 1", "8 65537"])
  }
}
