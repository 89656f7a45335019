import CommandFixtures
import DomainFixtures
import EventLog
import Foundation
import StreakCommands
import StreakDomain
import Testing

/// Edits of lines that another writer has seen are detected even without a later seal.
struct SeenTailTests {
  private static let device = ["phone", "laptop", "tablet"]

  private func ledger(_ random: inout SeededRandom) throws -> TemporaryLedger {
    let ledger = try TemporaryLedger(now: "2025-11-01T12:00:00+01:00")
    try ledger.run(all: "init noalc --writer phone")
    for day in 1...(3 + random.below(4)) {
      for hour in 8..<(9 + random.below(6)) {
        ledger.now = "2025-11-0\(day)T\(hour < 10 ? "0" : "")\(hour):00:00+01:00"
        let writer = SeenTailTests.device[random.below(3)]
        try ledger.run(all: "log noalc steady --note reading-\(day)-\(hour) --writer \(writer)")
      }
    }
    return ledger
  }

  private func lines(_ ledger: TemporaryLedger, _ segment: String) -> [[UInt8]] {
    ledger.bytes(of: segment).split(separator: 10).map(Array.init)
  }

  private func seen(_ segment: String, in ledger: TemporaryLedger) throws -> [SeenSegment] {
    try SeenTailTests.device.filter { ledger.files().contains("\($0).jsonl") }.flatMap { other in
      try lines(ledger, other).flatMap { line -> [SeenSegment] in
        guard case .dayChanged(_, _, let seen) = try EventDecoder.event(line).payload else { return [] }
        return seen.filter { $0.segment == Text(segment) }
      }
    }
  }

  private func isSealed(_ line: [UInt8]) throws -> Bool {
    if case .dayChanged(_, .some, _) = try EventDecoder.event(line).payload { true } else { false }
  }

  @Test(arguments: Cases.seeds(12))
  func `a tail is the digest of the lines from the last sealed one on, that one included`(seed: UInt64) throws
  {
    var random = SeededRandom(seed: seed)
    let ledger = try ledger(&random)
    for segment in SeenTailTests.device where ledger.files().contains("\(segment).jsonl") {
      let lines = lines(ledger, segment)
      for said in try seen(segment, in: ledger) {
        let start = try lines[..<said.lines].lastIndex { try isSealed($0) } ?? 0
        #expect(said.tail == PlainDigest.of(lines: Array(lines[start..<said.lines])), "seed \(seed)")
      }
    }
    #expect(ledger.run("verify").screen.isEmpty, "seed \(seed)")
  }

  @Test(arguments: Cases.seeds(12))
  func `an edit shows at or before the last line that was sealed or seen, and nowhere behind it`(seed: UInt64)
    throws
  {
    var random = SeededRandom(seed: seed)
    let ledger = try ledger(&random)
    let segment = SeenTailTests.device.filter { ledger.files().contains("\($0).jsonl") }.last ?? "phone"
    let lines = lines(ledger, segment)
    let seen = try seen(segment, in: ledger).map(\.lines).max() ?? 0
    let sealed = try (lines.lastIndex { try isSealed($0) } ?? -1)
    for (index, line) in lines.enumerated() {
      var edited = line
      guard let note = edited.firstRange(of: Array("reading".utf8)) else { continue }
      edited[note.lowerBound] = UInt8(ascii: "l")
      let all = lines[..<index] + [edited] + lines[(index + 1)...]
      try ledger.write(Array(all.joined(separator: [10])) + [10], to: "\(segment).jsonl")
      let found = ledger.run("verify")
      let isCovered = index < max(seen, sealed)
      #expect(
        (found.status == .failed) == isCovered,
        "seed \(seed), line \(index + 1), \(seen) seen: \(found.screen)")
      if index >= sealed, isCovered { #expect(found.text.contains(": seen: is not what ")) }
    }
  }

  @Test func `a lost device's last day cannot be edited, and a seen without tail says nothing of it`() throws
  {
    let ledger = try TemporaryLedger(now: "2025-11-01T12:00:00+01:00")
    try ledger.run(all: "init noalc --writer phone\nlog noalc steady --note sober --id p1 --writer phone")
    ledger.now = "2025-11-02T12:00:00+01:00"
    try ledger.run(all: "log noalc steady --writer laptop")
    let (phone, laptop) = (ledger.bytes(of: "phone"), ledger.bytes(of: "laptop"))
    let edited = String(decoding: phone, as: UTF8.self).replacingOccurrences(of: "sober", with: "drunk")
    try ledger.write(Array(edited.utf8), to: "phone.jsonl")
    #expect(
      ledger.run("verify").text
        == "\(ledger.events)/phone.jsonl:3: seen: is not what \(ledger.events)/laptop.jsonl:1 saw: "
        + "a byte from line 1 on was changed, lost or inserted\n")
    #expect(ledger.run("show").errors.isEmpty)
    // An edited copy under another name doesn't replace the segment.
    try FileManager.default.removeItem(atPath: "\(ledger.events)/phone.jsonl")
    try ledger.write(Array(edited.utf8), to: "phone-2.jsonl")
    #expect(ledger.run("verify").text.contains("phone-2.jsonl:3: seen: is not what"))
    // Older programs didn't record the tail.
    let old = String(decoding: laptop, as: UTF8.self).replacing(
      try Regex(#""phone":\[3,"p1","[0-9a-f]{64}"\]"#), with: #""phone":[3,"p1"]"#)
    #expect(old.utf8.count < laptop.count)
    try ledger.write(Array(old.utf8), to: "laptop.jsonl")
    #expect(ledger.run("verify").screen.isEmpty)
  }

  @Test(arguments: [0, 2, 3, 4])
  func `what another file has of the lines that were seen is not lost`(kept: Int) throws {
    let ledger = try TemporaryLedger(now: "2025-11-01T12:00:00+01:00")
    try ledger.run(
      all: "init noalc --writer phone\nlog noalc steady --writer phone\nlog noalc steady --writer phone")
    ledger.now = "2025-11-02T12:00:00+01:00"
    try ledger.run(all: "log noalc steady --writer laptop")
    let phone = ledger.bytes(of: "phone")
    let lines = lines(ledger, "phone")[..<kept]
    try FileManager.default.removeItem(atPath: "\(ledger.events)/phone.jsonl")
    if kept > 0 { try ledger.write(Array(lines.joined(separator: [10])) + [10], to: "phone.jsonl") }
    #expect(ledger.run("show").errors.isEmpty == (kept == 4))
    #expect((ledger.run("log noalc steady --writer phone --dry-run").status == .done) == (kept == 4))
    try ledger.write(phone, to: "telephone.jsonl")
    #expect(ledger.run("show").errors.isEmpty)
    #expect(!ledger.run("verify").text.contains("seen"))
    #expect(ledger.run("log noalc steady --writer phone").status == .done)
    #expect(!ledger.run("verify").text.contains("seen"))
  }

  @Test func `a redaction changes no tail, and lines that were dropped are not compared`() throws {
    let ledger = try TemporaryLedger(now: "2025-11-01T12:00:00+01:00")
    try ledger.run(all: "init noalc --writer phone\nlog noalc steady --note sober --id p1 --writer phone")
    ledger.now = "2025-11-02T12:00:00+01:00"
    try ledger.run(all: "log noalc steady --writer laptop")
    try ledger.run(all: "redact p1 --writer phone")
    #expect(ledger.run("verify").screen.isEmpty)
    let lines = lines(ledger, "phone")
    try ledger.write(Array(lines[..<2].joined(separator: [10])) + [10], to: "phone.jsonl")
    try ledger.run(all: "verify --accept phone --writer laptop\nlog noalc steady --id p1 --writer phone")
    // The third line has the same id again, with other contents.
    #expect(!ledger.run("verify").text.contains("seen"))
  }

  @Test(arguments: ["[3]", #"[3,"p1",7]"#, #"[3,"p1","9f86"]"#, #"[3,"p1",null]"#, #"[3,"p1","","x"]"#])
  func `what is no sighting is refused`(said: String) {
    let line =
      #"{"id":"d","type":"day.changed","at":"2025-11-02T12:00:00Z","recorded":"2025-11-02T12:00:00.000000Z","#
      + #""day":"2025-11-02","zone":"UTC","to":"2025-11-02","seen":{"phone":\#(said)}}"#
    #expect(throws: (any Error).self) { try EventDecoder.event(Array(line.utf8)) }
  }

  @Test(arguments: Cases.seeds(10))
  func `lines of a batch that is not finished are not seen, wherever it is cut, and nobody else moves them`(
    seed: UInt64
  ) throws {
    var random = SeededRandom(seed: seed)
    let ledger = try TemporaryLedger(now: "2025-11-01T12:00:00+01:00")
    try ledger.run(all: "init noalc --writer phone")
    let batch = (1...4).map { #"{"type":"entry.logged","habit":"noalc","level":"steady","id":"b\#($0)"}"# }
    #expect(ledger.run("append --writer phone", input: batch.joined(separator: "\n")).status == .done)
    let whole = ledger.bytes(of: "phone")
    let begin = try #require(String(decoding: whole, as: UTF8.self).range(of: #"{"id":"b1""#))
    let start = String(decoding: whole, as: UTF8.self)[..<begin.lowerBound].utf8.count
    let cut = start + 1 + random.below(whole.count - start - 1)
    try ledger.write(Array(whole[..<cut]), to: "phone.jsonl")
    ledger.now = "2025-11-02T12:00:00+01:00"
    try ledger.run(all: "log noalc steady --writer laptop --id l1")
    let line = try #require(ledger.stored(in: "laptop").first)
    #expect(line["seen.phone.0"] == "2", "seed \(seed), cut at \(cut)")
    #expect(ledger.bytes(of: "phone") == Array(whole[..<cut]), "seed \(seed), cut at \(cut)")
    #expect(!ledger.files().contains { $0.hasPrefix("phone.torn") })
    try ledger.write(whole, to: "phone.jsonl")
    #expect(ledger.run("verify").screen.isEmpty)
  }
}
