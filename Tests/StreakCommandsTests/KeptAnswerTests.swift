import Foundation
import StreakCommands
import TestSupport
import Testing

/// An answer that is kept is sent again, and only while a fold would give the same.
struct KeptAnswerTests {
  private let ledger: TemporaryLedger
  private let program: String

  init() throws {
    ledger = try TemporaryLedger()
    program = ledger.folder + "/program"
    try Data("one".utf8).write(to: URL(filePath: program))
    try ledger.run(
      all: """
        init meditation noalc --now 2025-10-30T12:00:00+01:00
        log meditation 12m --now 2025-11-01T12:00:00+01:00
        log noalc steady --now 2025-11-02T12:00:00+01:00
        """)
  }

  private func get(_ target: String, keeping: Bool = true, at now: String? = nil) -> WebAnswer {
    var request = WebRequest("GET", target, root: ledger.folder).with(["REMOTE_USER": "events"])
    request.program = keeping ? program : nil
    request.now = now ?? ledger.now
    return request.answer()
  }

  private func kept(_ name: String = "%2Fv1%2Fstreaks") -> URL {
    URL(filePath: ledger.events + "/.answers/" + name)
  }

  private var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: ledger.events + "/.answers")) ?? []).sorted()
  }

  /// The number of a kept file: a fold writes a new one.
  private func number(_ name: String = "%2Fv1%2Fstreaks") -> Int? {
    try? FileManager.default.attributesOfItem(atPath: kept(name).path)[.systemFileNumber] as? Int
  }

  @Test func `the second answer is the first, without a look at the events`() throws {
    let first = get("/v1/streaks")
    let kept = try #require(number())
    let second = get("/v1/streaks")
    #expect(first.status == 200 && number() == kept)
    #expect(second.body == first.body && second.headers == first.headers)
  }

  @Test func `other bytes, as many and with the time of before, are folded`() throws {
    let segment = ledger.events + "/main.jsonl"
    let time = [FileAttributeKey.modificationDate: Date(timeIntervalSince1970: 1_760_000_000)]
    try FileManager.default.setAttributes(time, ofItemAtPath: segment)
    #expect(get("/v1/streaks").status == 200)
    let size = try Data(contentsOf: URL(filePath: segment)).count
    let handle = try #require(FileHandle(forWritingAtPath: segment))
    try handle.write(contentsOf: Data(repeating: 0x78, count: size - 1) + [0x0A])
    try handle.close()
    try FileManager.default.setAttributes(time, ofItemAtPath: segment)
    #expect(get("/v1/streaks").status == 500)
  }

  @Test func `a segment that became a link is refused, kept or not`() throws {
    #expect(get("/v1/streaks").status == 200)
    let (segment, moved) = (ledger.events + "/main.jsonl", ledger.folder + "/moved.jsonl")
    try FileManager.default.moveItem(atPath: segment, toPath: moved)
    try FileManager.default.createSymbolicLink(atPath: segment, withDestinationPath: moved)
    #expect(get("/v1/streaks").status == 500)
  }

  @Test func `a folder of answers that is a link is not followed`() throws {
    let (answers, elsewhere) = (ledger.events + "/.answers", ledger.folder + "/elsewhere")
    try FileManager.default.createDirectory(atPath: elsewhere, withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(atPath: answers, withDestinationPath: elsewhere)
    #expect(get("/v1/streaks").status == 200)
    #expect(get("/v1/streaks").status == 200)
    #expect(try FileManager.default.contentsOfDirectory(atPath: elsewhere).isEmpty)
  }

  @Test func `times beyond every calendar, huge files and drafts of before are in nobody's way`() throws {
    let late = [FileAttributeKey.modificationDate: Date(timeIntervalSince1970: 13_000_000_000)]
    try FileManager.default.setAttributes(late, ofItemAtPath: ledger.events + "/main.jsonl")
    let first = get("/v1/streaks")
    #expect(first.status == 200)
    let handle = try #require(FileHandle(forWritingAtPath: kept().path))
    try handle.truncate(atOffset: 1 << 40)
    try handle.close()
    #expect(get("/v1/streaks").body == first.body)
    try FileManager.default.removeItem(at: kept())
    try Data().write(to: kept(".%2Fv1%2Fstreaks"))
    #expect(get("/v1/streaks").body == first.body && number() == nil)
    #expect(get("/v1/streaks").body == first.body && number() != nil)
    #expect(names == ["%2Fv1%2Fstreaks"])
  }

  @Test func `the program itself keeps answers`() throws {
    let request = WebRequest("GET", "/v1/streaks", root: ledger.folder).with(["REMOTE_USER": "events"])
    let numbers = try (0..<2).map { _ in
      let (process, output) = try BuiltProgram.start(["cgi"], request)
      let bytes = output.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      #expect(WebAnswer([UInt8](bytes)).status == 200)
      return try #require(number())
    }
    #expect(numbers[0] == numbers[1])
  }

  @Test func `only what takes no parameter and succeeds is kept, a file each`() {
    for target in [
      "/v1/streaks", "/v1/streaks/noalc", "/v1/streaks/noalc/calendar", "/v1/audit/noalc", "/v1/state",
      "/v1/state?at=2", "/v1/streaks/noalc/calendar?month=2025-11", "/v1/streaks/none", "/v1/nothing",
    ] { _ = get(target) }
    _ = get("/v1/streaks")
    #expect(
      names == [
        "%2Fv1%2Faudit%2Fnoalc", "%2Fv1%2Fstate", "%2Fv1%2Fstreaks", "%2Fv1%2Fstreaks%2Fnoalc",
        "%2Fv1%2Fstreaks%2Fnoalc%2Fcalendar",
      ])
    let mode = try? FileManager.default.attributesOfItem(atPath: kept().path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }

  @Test func `a condition is judged of a kept answer, too`() throws {
    let tag = try #require(get("/v1/streaks").headers["ETag"])
    var request = WebRequest("GET", "/v1/streaks", root: ledger.folder)
    request.program = program
    request = request.with(["REMOTE_USER": "events", "HTTP_IF_NONE_MATCH": tag])
    #expect(request.answer().status == 304)
    #expect(request.with(["HTTP_IF_NONE_MATCH": "", "HTTP_IF_MATCH": "\"1\""]).answer().status == 412)
  }

  @Test func `another program, another day and another time of a segment are another answer`() throws {
    let mark = Data("x".utf8)
    func isUsed(at now: String? = nil) throws -> Bool {
      let whole = try Data(contentsOf: kept())
      try FileManager.default.removeItem(at: kept())
      try whole.write(to: kept())
      let before = try FileManager.default.attributesOfItem(atPath: kept().path)[.systemFileNumber] as? Int
      _ = get("/v1/streaks", at: now)
      let after = try FileManager.default.attributesOfItem(atPath: kept().path)[.systemFileNumber] as? Int
      return before == after
    }
    _ = get("/v1/streaks")
    #expect(try isUsed())
    #expect(try isUsed(at: "2025-11-03T00:00:00+01:00"))
    #expect(try isUsed(at: "2025-11-03T23:59:59+01:00"))
    #expect(try !isUsed(at: "2025-11-04T00:00:00+01:00"))
    #expect(try !isUsed(at: "2025-11-03T23:59:59+01:00"))
    #expect(try !isUsed(at: "2025-11-02T23:59:59+01:00"))
    #expect(try !isUsed())
    try (Data(contentsOf: URL(filePath: program)) + mark).write(to: URL(filePath: program))
    #expect(try !isUsed())
    let past = [FileAttributeKey.modificationDate: Date(timeIntervalSince1970: 1_700_000_000)]
    try FileManager.default.setAttributes(past, ofItemAtPath: ledger.events + "/main.jsonl")
    #expect(try !isUsed())
    try ledger.run(all: "log noalc easy")
    #expect(try !isUsed())
    #expect(try isUsed())
  }

  @Test(arguments: 1...8)
  func `whatever happens in between, an answer is the one that a fold gives`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let targets = ["/v1/streaks", "/v1/streaks/noalc", "/v1/streaks/meditation/calendar", "/v1/state"]
    for step in 0..<40 {
      switch random.below(8) {
      case 0: ledger.run("log noalc easy")
      case 1: ledger.run("log meditation 5m --on 2025-11-01")
      case 2: ledger.run("delete --last")
      case 3: ledger.now = "2025-11-0\(random.below(5) + 3)T\(random.below(14) + 10):00:00+01:00"
      case 4:
        if let name = names.first, var bytes = try? Data(contentsOf: kept(name)) {
          bytes[random.below(bytes.count)] ^= 1
          try bytes.write(to: kept(name))
        }
      case 5:
        if let name = names.last, let bytes = try? Data(contentsOf: kept(name)) {
          try bytes.prefix(random.below(bytes.count)).write(to: kept(name))
        }
      default: break
      }
      let target = targets[random.below(targets.count)]
      let (answer, fold) = (get(target), get(target, keeping: false))
      try #require(
        answer.body == fold.body && answer.headers == fold.headers, "seed \(seed), step \(step): \(target)")
    }
  }

  @Test func `where nothing can be kept, the answer is the same`() throws {
    try Data().write(to: URL(filePath: ledger.events + "/.answers"))
    let (answer, fold) = (get("/v1/streaks"), get("/v1/streaks", keeping: false))
    #expect(answer.status == 200 && answer.body == fold.body && answer.errors == "")
    #expect(ledger.run("verify").status == .done)
  }
}
