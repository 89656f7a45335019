import CommandFixtures
import DomainFixtures
import EventLog
import Foundation
import StreakDomain
import Testing

struct FollowedLogTests {
  private func state(_ log: inout FoldedLog) -> [String] {
    let ledger = log.ledger
    return ["\(ledger.position)", "\(String(describing: ledger.today))"]
      + ledger.states().map { "\($0)" }
  }

  @Test(arguments: 1...6)
  func `following a log gives the same state as reading the log again`(seed: UInt64) throws {
    let ledger = try TemporaryLedger()
    var random = SeededRandom(seed: seed)
    ledger.run("init noalc meditation")
    var log: FoldedLog?
    var followed = 0
    for step in 0..<40 {
      let writer = ["main", "phone", "laptop"][random.below(3)]
      switch random.below(12) {
      case 0: ledger.now = "2025-11-\(10 + step / 2)T08:00:00+01:00"
      case 1: ledger.run("delete --last --writer \(writer)")
      case 2: ledger.run("define meditation --at-least \(1 + random.below(9))m --writer \(writer)")
      case 3: try ledger.write(ledger.bytes(of: "phone"), to: "phone-copy\(step).jsonl")
      case 4:
        // The segment is set back as by a checkout, which the reader must notice.
        let lines = ledger.bytes(of: writer).split(separator: UInt8(ascii: "\n"))
        if lines.count > 4 {
          try ledger.write(
            Array(lines.dropLast().joined(separator: [10])) + [10], to: "\(writer).jsonl")
        }
      case 5: try ledger.write(ledger.bytes(of: writer) + Array("torn".utf8), to: "\(writer).jsonl")
      default: ledger.run("log meditation \(random.below(30))m --writer \(writer) --force")
      }
      let reading = ReadingOptions()
      let anew = Result { () throws(Failure) in
        try FoldedLog(EventStream(folder: ledger.events, options: reading), writer: "main")
      }
      let kept = Result { () throws(Failure) in
        try FoldedLog.current(log.take(), in: ledger.events, writer: "main", reading)
      }
      switch (anew, kept) {
      case (.success(var anew), .success(var kept)):
        try #require(state(&kept) == state(&anew), "seed \(seed), step \(step)")
        log = kept
        followed += 1
      case (.failure(let one), .failure(let other)): try #require("\(one)" == "\(other)")
      default: Issue.record("seed \(seed), step \(step): \(anew) \(kept)")
      }
    }
    #expect(followed > 5)
  }

  @Test func `a log follows appended lines, but not a replaced segment or a new segment`() throws {
    let ledger = try TemporaryLedger(
      running: "init noalc meditation\nlog meditation 5m --writer phone")
    func read() throws -> FoldedLog {
      try FoldedLog(EventStream(folder: ledger.events), writer: "main")
    }
    var log = try read()
    for writer in ["main", "phone", "phone", "main"] {
      ledger.run("log meditation 5m --writer \(writer)")
      #expect(try log.follow())
      var anew = try read()
      #expect(state(&log) == state(&anew))
    }
    #expect(try log.follow())
    let bytes = ledger.bytes(of: "phone")
    try ledger.write(bytes, to: "phone.jsonl")
    #expect(try !log.follow(), "another file")
    log = try read()
    try ledger.write(bytes, to: "tablet.jsonl")
    #expect(try !log.follow(), "another segment")
  }

  @Test
  func `a line appended right after a line without a newline is an error and not skipped`() throws {
    let ledger = try TemporaryLedger(running: "init noalc meditation\nlog meditation 5m")
    let bytes = ledger.bytes()
    let line = try #require(bytes.split(separator: UInt8(ascii: "\n")).last)
    func append(_ text: [UInt8], to log: FoldedLog) throws -> Result<FoldedLog, Failure> {
      let file = try FileHandle(forWritingTo: URL(fileURLWithPath: "\(ledger.events)/main.jsonl"))
      try file.seekToEnd()
      try file.write(contentsOf: Data(text))
      try file.close()
      return Result { () throws(Failure) in
        try FoldedLog.current(log, in: ledger.events, writer: "main", ReadingOptions())
      }
    }
    func read() throws -> FoldedLog {
      try FoldedLog(EventStream(folder: ledger.events), writer: "main")
    }
    let text = String(decoding: line, as: UTF8.self)
      .replacingOccurrences(of: #""recorded":"20"#, with: #""recorded":"21"#)
      .replacingOccurrences(of: #""id":"0"#, with: #""id":"1"#)
    let next = Array((text + "\n").utf8)

    try ledger.write(bytes.dropLast(), to: "main.jsonl")
    var log = try read()
    #expect(log.isUnended)
    let corrupt = try append(next + next, to: log)
    #expect(throws: Failure.self) { _ = try corrupt.get() }

    try ledger.write(bytes.dropLast(), to: "main.jsonl")
    log = try read()
    var followed = try append([UInt8(ascii: "\n")] + next, to: log).get()
    #expect(!followed.isFresh)
    var anew = try read()
    #expect(state(&followed) == state(&anew))
    #expect(anew.ledger.position == log.ledger.position + 1)
  }
}
