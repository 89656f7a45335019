import CommandFixtures
import EventLog
import Foundation
import StreakCommands
import StreakDomain
import Testing

struct RecoveryTests {
  private func ledger() throws -> (TemporaryLedger, batchStart: Int) {
    let ledger = try TemporaryLedger(running: "init noalc")
    let start = ledger.bytes().count
    let batch = (1...3).map {
      #"{"id":"b\#($0)","type":"entry.logged","habit":"noalc","level":"steady","note":"\#($0)"}"#
    }
    #expect(ledger.run("append", input: batch.joined(separator: "\n") + "\n").status == .done)
    return (ledger, start)
  }

  private func position(_ ledger: TemporaryLedger) -> Int? {
    let text = ledger.run("replay --json").text
    guard let range = text.range(of: "\"position\":") else { return nil }
    return Int(text[range.upperBound...].prefix { $0.isNumber })
  }

  @Test
  func `a log cut at any byte of the last batch has all events of that batch or none`() throws {
    let (ledger, start) = try ledger()
    let whole = ledger.bytes()
    for end in start...whole.count {
      try ledger.write(Array(whole[..<end]), to: "main.jsonl")
      // Without its newline, the last line is still a complete event.
      let expected = end >= whole.count - 1 ? 5 : 2
      try #require(position(ledger) == expected, "cut at \(end)")
      let errors = ledger.run("replay --json").errors
      try #require(errors.isEmpty == (expected == 5 || end == start), "cut at \(end)")
    }
  }

  @Test
  func `an append after a cut at any byte loses no event and keeps the torn bytes in a file`()
    throws
  {
    let (ledger, start) = try ledger()
    let whole = ledger.bytes()
    for end in stride(from: start, through: whole.count, by: 7) {
      for name in ledger.files() where name.contains("torn") {
        try FileManager.default.removeItem(atPath: ledger.events + "/" + name)
      }
      try ledger.write(Array(whole[..<end]), to: "main.jsonl")
      let output = ledger.run("log noalc steady --id after")
      try #require(output.status == .done, "cut at \(end): \(output.errors)")
      try #require(
        ledger.run("verify").status == .done, "cut at \(end): \(ledger.run("verify").text)")
      let isWhole = end >= whole.count - 1
      try #require(position(ledger) == (isWhole ? 6 : 3), "cut at \(end)")
      let torn = ledger.files().filter { $0.contains(".torn-") }
      try #require(torn == (isWhole || end == start ? [] : ["main.torn-\(start)"]), "cut at \(end)")
      if let name = torn.first {
        let kept = FileManager.default.contents(atPath: "\(ledger.events)/\(name)")
        try #require(kept.map { [UInt8]($0) } == Array(whole[start..<end]))
      }
    }
  }

  @Test func `commands fail at a corrupt first line, and no command skips or repairs the line`()
    throws
  {
    let (ledger, _) = try ledger()
    var bytes = ledger.bytes()
    bytes.insert(UInt8(ascii: "x"), at: 0)
    try ledger.write(bytes, to: "main.jsonl")
    for command in ["replay", "show", "log noalc steady", "audit", "calendar noalc"] {
      let output = ledger.run(command)
      #expect(output.status == .badData, "\(command)")
      #expect(output.errors.contains("main.jsonl:1:1: "), "\(command)")
    }
    #expect(ledger.bytes() == bytes)
  }

  @Test func `verify finds a flipped bit in any byte of a sealed day, except in a text`() throws {
    let ledger = try TemporaryLedger(running: "init noalc\nlog noalc steady --note hello")
    let sealed = ledger.bytes().count
    try ledger.run(all: "day", at: "2025-11-04T12:00:00+01:00")
    #expect(ledger.run("verify").screen.isEmpty)
    let whole = ledger.bytes()
    var texts: [Range<Int>] = []
    var start = 0
    for line in whole[..<sealed].split(separator: 10) {
      texts += PlainDigest.texts(of: Array(line)).map {
        start + $0.range.lowerBound..<start + $0.range.upperBound
      }
      start += line.count + 1
    }
    for place in 0..<sealed where !texts.contains(where: { $0.contains(place) }) {
      var flipped = whole
      flipped[place] ^= 1 << UInt8(place % 8)
      try ledger.write(flipped, to: "main.jsonl")
      try #require(ledger.run("verify").status == .failed, "bit \(place % 8) of byte \(place)")
    }
  }

  @Test
  func `verify reports a definition that contradicts earlier entries, but --against succeeds`()
    throws
  {
    let ledger = try TemporaryLedger(
      running:
        """
        init noalc\ndefine book --any --on 2025-11-01\nlog book --on 2025-11-02\ndefine book \
        --at-least 3pages --on 2025-11-02
        """
    )
    #expect(ledger.run("verify").status == .failed)
    let heads = ledger.run("verify --heads")
    #expect(heads.status == .done && heads.errors.contains("reference"), "\(heads.screen)")
    let file = ledger.folder + "/heads.txt"
    try heads.text.write(toFile: file, atomically: true, encoding: .utf8)
    #expect(ledger.run("verify --against \(file)").status == .done)
    #expect(ledger.run("verify --against \(file) --json")["sound"] == "1")
  }

  @Test func `verify --against reports a segment that lost its end`() throws {
    let (ledger, start) = try ledger()
    let heads = ledger.run("verify --heads").text
    let file = ledger.folder + "/heads.txt"
    try heads.write(toFile: file, atomically: true, encoding: .utf8)
    #expect(ledger.run("verify --against \(file)").status == .done)
    ledger.run("log noalc steady")
    #expect(ledger.run("verify --against \(file)").status == .done)
    try ledger.write(Array(ledger.bytes()[..<start]), to: "main.jsonl")
    #expect(ledger.run("verify").status == .done)
    let output = ledger.run("verify --against \(file)")
    #expect(output.status == .failed)
    #expect(output.text.contains("are left as complete lines"))
    try "nonsense\nsegments 1\n".write(toFile: file, atomically: true, encoding: .utf8)
    #expect(ledger.run("verify --against \(file)").status == .badData)
  }

  @Test func `verify --against accepts a segment that lost only the last newline`() throws {
    let (ledger, _) = try ledger()
    let file = ledger.folder + "/heads.txt"
    try ledger.run("verify --heads").text.write(toFile: file, atomically: true, encoding: .utf8)
    let whole = ledger.bytes()
    try ledger.write(whole.dropLast(), to: "main.jsonl")
    #expect(ledger.run("verify --against \(file)").screen == "")
    // A page that only contains the newline reads as a zero if it is lost.
    try ledger.write(whole.dropLast() + [0], to: "main.jsonl")
    let torn = ledger.run("verify --against \(file)").text
    #expect(torn.contains("torn: the last 1 bytes") && !torn.contains("history"), "\(torn)")
    var other = Array(whole.dropLast())
    other[other.count - 5] ^= 1
    try ledger.write(other, to: "main.jsonl")
    #expect(ledger.run("verify --against \(file)").text.contains("are left as complete lines"))
    try ledger.write(whole.dropLast(2), to: "main.jsonl")
    #expect(ledger.run("verify --against \(file)").text.contains("are left as complete lines"))
  }

  /// Returns a ledger whose last batch, of two, has zeros up to a multiple of 512 in one of its
  /// lines.
  private func zeroed(line: Int) throws -> (ledger: TemporaryLedger, bytes: [UInt8]) {
    let ledger = try TemporaryLedger(running: "init noalc")
    let batch = (1...2).map {
      #"""
      {"id":"b\#($0)","type":"entry.logged","habit":"noalc","level":"steady","note":\#
      "\#(String(repeating: "n", count: 900))"}
      """#
    }
    #expect(ledger.run("append", input: batch.joined(separator: "\n")).status == .done)
    var bytes = ledger.bytes()
    let ends = bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }
    let start = ends[ends.count - 4 + line] + 1
    let page = (start + 600) / 512 * 512
    bytes.replaceSubrange(page - 40..<page, with: [UInt8](repeating: 0, count: 40))
    return (ledger, bytes)
  }

  @Test func `zeros in a batch that ends with a newline are corrupt, not torn`()
    throws
  {
    for line in 1...2 {
      let (ledger, bytes) = try zeroed(line: line)
      try ledger.write(bytes, to: "main.jsonl")
      #expect(ledger.run("log noalc steady").status == .badData, "line \(line)")
      #expect(ledger.run("verify").text.contains("form: not valid JSON"), "line \(line)")
      #expect(!ledger.run("verify").text.contains("torn:"), "line \(line)")
      #expect(ledger.bytes() == bytes)
    }
  }

  @Test func `zeros in a batch without a last newline are torn, not corrupt`() throws {
    let (ledger, bytes) = try zeroed(line: 1)
    let ends = bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }
    // After the line with zeros, which announces another one; within the next line; and before its
    // newline.
    for end in [ends[ends.count - 2] + 1, ends[ends.count - 2] + 60, bytes.count - 1] {
      try ledger.write(Array(bytes[..<end]), to: "main.jsonl")
      #expect(ledger.run("verify").text.contains("torn:"), "cut at \(end)")
      #expect(!ledger.run("verify").text.contains("form:"), "cut at \(end)")
      #expect(ledger.run("log noalc steady").status == .done, "cut at \(end)")
      #expect(ledger.run("verify").screen == "", "cut at \(end)")
    }
  }

  @Test
  func `log --skip records an entry later than the skipped event of a newer program`() throws {
    let (ledger, _) = try ledger()
    let newer =
      #"""
      {"id":"n1","type":"mood.noted","at":"2025-11-03T20:00:00+01:00","recorded":"2025-11-03T21:\#
      00:00.000009Z","day":"2025-11-03","zone":"Europe/Berlin"}
      """#
    try ledger.write(ledger.bytes() + Array((newer + "\n").utf8), to: "main.jsonl")
    #expect(ledger.run("log noalc steady").status == .badData)
    #expect(ledger.run("log noalc steady --skip --id after").status == .done)
    #expect(ledger.stored("after", "recorded") == "2025-11-03T21:00:00.000010Z")
    #expect(ledger.run("show --skip").status == .done)
  }

  @Test
  func `verify reports a corrupt line of a megabyte once and numbers the lines after it correctly`()
    throws
  {
    let (ledger, _) = try ledger()
    let long =
      Array(#"{"id":"x","note":""#.utf8) + [UInt8](repeating: UInt8(ascii: "n"), count: 1_000_000)
    try ledger.write(ledger.bytes() + long + Array("\nnonsense\n".utf8), to: "main.jsonl")
    let places = ledger.run("verify").text.split(separator: "\n").map { line in
      line.dropFirst(ledger.events.count).prefix { $0 != " " }
    }
    #expect(places == ["/main.jsonl:6:", "/main.jsonl:7:"])
    #expect(ledger.run("show --skip").errors.contains("2 lines"))
  }
}
