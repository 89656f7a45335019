import CommandFixtures
import EventLog
import Foundation
import StreakCommands
import StreakDomain
import Streaks
import Testing

struct SeenTests {
  private func ledger() throws -> TemporaryLedger {
    let ledger = try TemporaryLedger(now: "2025-11-01T12:00:00+01:00")
    try ledger.run(all: "init noalc\nlog noalc steady --id m1")
    try ledger.run(all: "define reading --preset awareness --writer phone --id p1")
    for number in 2...6 { try ledger.run(all: "log reading --writer phone --id p\(number)") }
    try ledger.run(all: "log reading --writer laptop --id l1", at: "2025-11-02T12:00:00+01:00")
    return ledger
  }

  private func truncate(_ ledger: TemporaryLedger, _ segment: String, to lines: Int) throws {
    let text = String(decoding: ledger.bytes(of: segment), as: UTF8.self)
    let kept = text.split(separator: "\n").prefix(lines).map { $0 + "\n" }.joined()
    try ledger.write([UInt8](kept.utf8), to: "\(segment).jsonl")
  }

  private func remove(_ ledger: TemporaryLedger, _ name: String) throws {
    try FileManager.default.removeItem(atPath: "\(ledger.events)/\(name)")
  }

  @Test func `the first event of a day records the new lines of other segments as seen`() throws {
    let ledger = try ledger()
    let first = try #require(ledger.stored(in: "laptop").first)
    #expect(first["type"] == "day.changed")
    #expect(first["seen.main.0"] == "3" && first["seen.main.1"] == "m1")
    #expect(first["seen.phone.0"] == "6" && first["seen.phone.1"] == "p6")
    #expect(first["seen.laptop"] == nil)
    ledger.now = "2025-11-03T12:00:00+01:00"
    try ledger.run(all: "log reading --writer phone --id p7\nlog reading --writer laptop")
    #expect(ledger.stored(in: "phone")[6]["seen.laptop.0"] == "2")
    try ledger.run(all: "day --writer laptop", at: "2025-11-04T12:00:00+01:00")
    let last = try #require(ledger.stored(in: "laptop").last)
    #expect(last["seen.main"] == nil)
    #expect(last["seen.phone.0"] == "8" && last["seen.phone.1"] == "p7")
    #expect(ledger.run("verify").screen.isEmpty)
  }

  @Test func `append records its own seen lines instead of those in a given day change`() throws {
    let ledger = try ledger()
    ledger.now = "2025-11-03T12:00:00+01:00"
    let given =
      #"{"type":"day.changed","day":"2025-11-03","to":"2025-11-03","seen":{"ghost":[99,"x"]}}"#
    #expect(ledger.run("append", input: given).status == .done)
    let line = try #require(ledger.stored().last)
    #expect(
      line["seen.ghost"] == nil && line["seen.laptop.0"] == "2" && line["seen.phone.0"] == "6")
    #expect(ledger.run("verify").screen.isEmpty)
  }

  @Test
  func `a last line without a newline and a file without a writer are not recorded as seen`() throws
  {
    let ledger = try ledger()
    try ledger.write(ledger.bytes(of: "phone").dropLast(), to: "phone.jsonl")
    try ledger.write(ledger.bytes(of: "laptop"), to: "laptop (1).jsonl")
    try ledger.run(all: "day", at: "2025-11-03T12:00:00+01:00")
    let line = try #require(ledger.stored().last)
    #expect(line["seen.phone.0"] == "5" && line["seen.phone.1"] == "p5")
    #expect(line["seen.laptop.0"] == "2" && line["seen.laptop (1)"] == nil)
  }

  @Test func `no line of a batch is recorded as seen if the last newline is missing`() throws {
    let ledger = try ledger()
    var lines = String(decoding: ledger.bytes(of: "phone"), as: UTF8.self).split(separator: "\n")
      .map(
        String.init)
    lines[4] = lines[4].dropLast() + ",\"more\":true}"
    try ledger.write(Array(lines.joined(separator: "\n").utf8), to: "phone.jsonl")
    try ledger.run(all: "day", at: "2025-11-03T12:00:00+01:00")
    let line = try #require(ledger.stored().last)
    #expect(line["seen.phone.0"] == "4" && line["seen.phone.1"] == "p4")
  }

  @Test(arguments: [
    "excuse 2025-11-01", "show", "log noalc steady", "replay", "timeline",
    "calendar noalc", "day", "append", "export csv days",
  ])
  func `every command reports a segment that is missing or shortened`(command: String) throws {
    let ledger = try ledger()
    try truncate(ledger, "phone", to: 4)
    let entry = #"{"type":"entry.logged","habit":"noalc","level":"steady"}"#
    let short = ledger.run(command, input: entry)
    #expect(short.status == .done, "\(short.errors)")
    let place = "\(ledger.events)/laptop.jsonl:1"
    #expect(
      short.errors
        == "\(ledger.events)/phone.jsonl is short: 2 of the 6 lines that \(place) saw are missing; "
        + "bring it back, or accept it with `streaks verify --accept phone`\n")
    try remove(ledger, "phone.jsonl")
    let gone = ledger.run(command, input: entry)
    #expect(gone.status == .done, "\(gone.errors)")
    #expect(
      gone.errors.hasPrefix("\(ledger.events)/phone.jsonl is missing: \(place) saw 6 lines of it; ")
    )
    #expect(gone.errors.split(separator: "\n").count == 1)
  }

  @Test func `a replaced segment and an evicted segment are reported`() throws {
    let ledger = try ledger()
    let phone = ledger.bytes(of: "phone")
    let other = String(decoding: phone, as: UTF8.self).replacingOccurrences(
      of: #""id":"p"#, with: #""id":"q"#)
    try ledger.write([UInt8](other.utf8), to: "phone.jsonl")
    #expect(ledger.run("show").errors.contains("its line 6 is not the event that"))
    try remove(ledger, "phone.jsonl")
    try ledger.write([], to: ".phone.jsonl.icloud")
    #expect(ledger.run("show").errors.contains("a sync program may have evicted it"))
  }

  @Test
  func `verify reports a missing segment and an entry whose habit is missing with the segment`()
    throws
  {
    let ledger = try ledger()
    try remove(ledger, "phone.jsonl")
    try ledger.run(all: "log noalc easy --writer laptop")
    let found = ledger.run("verify")
    #expect(
      found.text == """
        \(ledger.events)/phone.jsonl: seen: is missing: \(ledger.events)/laptop.jsonl:1 saw 6 lines of it; bring it back, or accept the loss with `streaks verify --accept phone`
        \(ledger.events)/laptop.jsonl:2: reference: no habit "reading" is defined; a segment may be missing

        """)
    let document = ledger.run("verify --json")
    #expect(document["findings.0.check"] == "seen" && document["findings.1.check"] == "reference")
    #expect(
      document["sound"] == "0" && document["findings.0.segment"] == "phone"
        && found.status == .failed)
  }

  @Test
  func `verify prints equal findings as one line, and lists each of them with --json`() throws {
    let ledger = try TemporaryLedger(now: "2025-11-01T12:00:00+01:00")
    try ledger.run(all: "init noalc\ndefine reading --preset awareness --writer phone")
    for _ in 0..<312 { try ledger.run(all: "log reading --writer laptop") }
    try ledger.run(all: "day --writer laptop", at: "2025-11-02T12:00:00+01:00")
    try remove(ledger, "phone.jsonl")
    let lines = ledger.run("verify").text.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(
      lines.last?.contains("(312 times, the last at \(ledger.events)/laptop.jsonl:312)") == true,
      "\(lines)")
    let document = ledger.run("verify --json")
    #expect(document["findings.312.check"] != nil && document["findings.313.check"] == nil)
  }

  @Test
  func `verify --accept silences a missing segment until a writer has seen more lines`()
    throws
  {
    let ledger = try ledger()
    let phone = ledger.bytes(of: "phone")
    try remove(ledger, "phone.jsonl")
    let wrong = ledger.run("verify --accept phon")
    #expect(
      wrong.status == .failed && wrong.errors.contains("did you mean \"phone\""), "\(wrong.errors)")
    #expect(ledger.run("verify --accept laptop").status == .failed)
    let before = ledger.contents()
    #expect(
      ledger.run("verify --accept phone --dry-run").text.contains(
        "accepted the segment phone up to line"))
    #expect(ledger.contents() == before)
    try ledger.run(all: "verify --accept phone --reason lost --id gone")
    #expect(ledger.stored("gone", "segment") == "phone" && ledger.stored("gone", "lines") == "6")
    #expect(ledger.stored("gone", "last") == "p6" && ledger.stored("gone", "reason") == "lost")
    #expect(ledger.run("show").errors.isEmpty)
    #expect(ledger.run("verify --accept phone").status == .failed)
    #expect(!ledger.run("verify").text.contains("seen"))
    try ledger.write(phone, to: "phone.jsonl")
    try ledger.run(all: "log reading --writer phone", at: "2025-11-03T12:00:00+01:00")
    try ledger.run(all: "log noalc steady --writer laptop", at: "2025-11-04T12:00:00+01:00")
    try truncate(ledger, "phone", to: 6)
    #expect(ledger.run("show").errors.contains("2 of the 8 lines"))
  }

  @Test
  func `a writer refuses to continue a segment that is shorter than others have seen`() async throws
  {
    let ledger = try ledger()
    try truncate(ledger, "phone", to: 5)
    let before = ledger.contents()
    let refused = ledger.run("log reading --writer phone")
    #expect(refused.status == .notWritten)
    for way in ["bring the file back", "--writer NAME", "--force"] {
      #expect(refused.errors.contains(way), "\(refused.errors)")
    }
    #expect(ledger.contents() == before)
    let folder = StreakFolder(URL(filePath: ledger.events), writer: "phone")
    await #expect(throws: StreakError.self) {
      try await folder.append(.entry("reading"), now: Date(timeIntervalSince1970: 1_762_200_000))
    }
    let known = #"{"id":"p5","type":"entry.logged","habit":"reading"}"#
    #expect(ledger.run("append --writer phone", input: known).text.contains("exists"))
    try ledger.run(
      all: "log reading --writer phone-2\nlog reading --writer phone --force --id again")
    #expect(
      ledger.stored(in: "phone").suffix(2).map { $0["type"] } == [
        "segment.dropped", "entry.logged",
      ])
    #expect(ledger.stored(in: "phone")[5]["lines"] == "6")
    try ledger.run(all: "log reading --writer phone")
    #expect(ledger.run("verify").screen.isEmpty)
  }

  @Test func `a writer can accept the loss of lines in its own segment`() throws {
    let ledger = try ledger()
    try truncate(ledger, "phone", to: 5)
    try ledger.run(all: "verify --accept phone --writer phone\nlog reading --writer phone")
    #expect(ledger.run("verify").screen.isEmpty)
  }

  @Test
  func `append drops an event in which another ledger accepted the loss of a segment`() throws {
    let ledger = try ledger()
    let line = #"{"id":"d1","type":"segment.dropped","segment":"phone","lines":6,"last":"p6"}"#
    let other = line.replacingOccurrences(of: #""id":"d1","#, with: "")
    let entry = #"{"type":"entry.logged","habit":"noalc","level":"steady","id":"e"}"#
    let output = ledger.run("append", input: "\(line)\n\(other)\n\(entry)\n")
    #expect(
      output.text == """
        {"id":"d1","position":null,"status":"dropped"}
        {"id":null,"position":null,"status":"dropped"}
        {"id":"e","position":12,"status":"recorded"}

        """, "\(output.screen)")
    #expect(!String(decoding: ledger.bytes(), as: UTF8.self).contains("segment.dropped"))
    try FileManager.default.createDirectory(
      atPath: ledger.folder + "/root/u-ana", withIntermediateDirectories: true)
    let root = ledger.folder + "/root"
    let opened = #"{"type":"ledger.opened","zone":"Europe/Berlin"}"#
    let answer = WebRequest("POST", "/v1/events", root: root, body: "[\(opened),\(line)]").answer()
    #expect(answer.status == 201, "\(answer.body)")
    #expect(answer["results.1.status"] == "dropped" && answer["results.1.position"] == "null")
    let before = ledger.contents()
    #expect(ledger.run("append", input: line).text.contains("dropped"))
    #expect(ledger.contents() == before)
  }

  @Test func `a day change records at most 300 segments as seen, and the rest on the next day`()
    throws
  {
    let ledger = try TemporaryLedger(running: "init noalc", now: "2025-11-01T12:00:00+01:00")
    let line = String(decoding: ledger.bytes(), as: UTF8.self).split(separator: "\n")[1]
    for number in 100..<402 {
      let own = line.replacingOccurrences(of: #"{"id":""#, with: #"{"id":"s\#(number)-"#)
        .replacingOccurrences(of: ":00.000001Z", with: ":00.000\(number)Z")
      try ledger.write([UInt8]((own + "\n").utf8), to: "s\(number).jsonl")
    }
    try ledger.run(all: "day", at: "2025-11-02T12:00:00+01:00")
    func seen() throws -> [String] {
      guard
        case .dayChanged(_, _, let seen) = try EventDecoder.event(
          Array(ledger.bytes().dropLast().split(separator: 10).last ?? [])
        ).payload
      else { return [] }
      return seen.map(\.segment.string)
    }
    #expect(try seen() == (100..<400).map { "s\($0)" })
    for number in 100..<103 {
      let own = line.replacingOccurrences(of: #"{"id":""#, with: #"{"id":"t\#(number)-"#)
        .replacingOccurrences(of: ":00.000001Z", with: ":01.000\(number)Z")
      try ledger.write(
        ledger.bytes(of: "s\(number)") + [UInt8]((own + "\n").utf8), to: "s\(number).jsonl")
    }
    try ledger.run(all: "day", at: "2025-11-03T12:00:00+01:00")
    #expect(try seen() == ["s400", "s401", "s100", "s101", "s102"])
    #expect(ledger.run("verify").screen.isEmpty)
  }

  @Test
  func `the last seen line is found in a long segment, even after the segment has grown`()
    throws
  {
    let ledger = try TemporaryLedger(running: "init noalc", now: "2025-11-01T12:00:00+01:00")
    func append(_ numbers: Range<Int>) {
      let lines = numbers.map {
        #"{"type":"entry.logged","habit":"noalc","level":"steady","id":"n\#($0)"}"#
      }
      #expect(
        ledger.run("append --writer phone", input: lines.joined(separator: "\n")).status == .done)
    }
    append(0..<1998)
    append(1998..<2000)
    try ledger.run(all: "day", at: "2025-11-02T12:00:00+01:00")
    #expect(
      ledger.stored().last?["seen.phone.0"] == "2000"
        && ledger.stored().last?["seen.phone.1"] == "n1999")
    append(2000..<4000)
    for command in ["show", "replay --at n500", "replay --at 3990"] {
      #expect(ledger.run(command).errors.isEmpty)
    }
    try truncate(ledger, "phone", to: 1998)
    #expect(ledger.run("show").errors.contains("is short: 2 of the 2000 lines"))
  }
}
