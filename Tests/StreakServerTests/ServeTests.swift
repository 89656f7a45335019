import CommandFixtures
import DomainFixtures
import EventLog
import Foundation
import StreakCommands
import StreakDomain
import StreakServer
import Synchronization
import Testing

struct ServeTests {
  private let ledger: TemporaryLedger
  private let server: Server
  private static let first = """
    [{"id":"opened","type":"ledger.opened","zone":"Europe/Berlin"},
     {"id":"defined","type":"habit.defined","habit":"meditation","rule":{"kind":"minutes","atLeast":2},
      "forgiveness":{"kind":"joker","every":3,"cap":2}}]
    """

  init() throws {
    ledger = try TemporaryLedger()
    server = Server(root: ledger.folder, [:], memory: 1 << 24)
  }

  private func post(_ body: String, _ changes: [String: String] = [:]) -> WebAnswer {
    ServeTests.post(body, changes, to: server)
  }

  private static func post(
    _ body: String, _ changes: [String: String] = [:], to server: Server
  ) -> WebAnswer {
    WebRequest("POST", "/v1/events", root: "", body: body).with(changes).answer(of: server)
  }

  private func get(_ target: String = "/v1/state") -> WebAnswer {
    WebRequest("GET", target, root: "").answer(of: server)
  }

  private func randomRequest(_ random: inout SeededRandom, _ step: Int) -> WebRequest {
    let targets = [
      "/v1/streaks", "/v1/streaks/meditation", "/v1/streaks/meditation/calendar?all", "/v1/audit/meditation",
      "/v1/audit/meditation?history", "/v1/state", "/v1/state?at=2", "/v1/state?on=2025-11-09", "/v1/nothing",
      "/v1/state?at=99",
    ]
    let (id, days) = ("e\(random.below(step + 1))", random.below(4))
    let entry = #"{"id":"\#(id)","type":"entry.logged","habit":"meditation","minutes":\#(random.below(4))"#
    let bodies = [
      ServeTests.first, "\(entry)}", "\(entry),\"day\":\"2025-11-0\(1 + days)\"}",
      "[\(entry)},{\"id\":\"d\(step)\",\"type\":\"entry.deleted\",\"entry\":\"\(id)\"}]",
      #"{"id":"x\#(step)","type":"entry.deleted","entry":"\#(id)"}"#, "{", #"{"type":"entry.logged"}"#,
    ]
    var request =
      random.below(3) == 0
      ? WebRequest("GET", targets[random.below(targets.count)], root: "")
      : WebRequest("POST", "/v1/events", root: "", body: bodies[random.below(bodies.count)])
    switch random.below(8) {
    case 0: request = request.with(["HTTP_IF_MATCH": "\"\(random.below(12))\", \"\(step)\""])
    case 1: request = request.with(["HTTP_IF_MATCH": "*"])
    case 2 where request.variables["REQUEST_METHOD"] == "POST":
      request = request.with(["HTTP_IF_NONE_MATCH": "*"])
    case 3: request = request.with(["REMOTE_USER": "Ben"])
    default: break
    }
    request.now = "2025-11-0\(3 + step / 20)T12:00:\(10 + step % 50)+01:00"
    return request
  }

  @Test(arguments: UInt64(1)...8)
  func `kept ledgers answer as a service that has just begun does, whoever writes`(seed: UInt64) throws {
    let other = try TemporaryLedger()
    var random = SeededRandom(seed: seed)
    // With little memory, the ledger isn't always cached.
    let server = Server(root: ledger.folder, [:], memory: seed % 2 == 0 ? 1 << 24 : 1)
    for step in 0..<60 {
      let request = randomRequest(&random, step)
      let served = request.answer(of: server, pieces: 1 + random.below(400))
      let answered = request.with(["STREAKS_ROOT": other.folder]).answer()
      try #require(served.body == answered.body, "seed \(seed), step \(step)")
      try #require(served.headers == answered.headers, "seed \(seed), step \(step)")
      guard random.below(5) == 0, FileManager.default.fileExists(atPath: ledger.folder + "/ana") else {
        continue
      }
      for folder in [ledger.folder, other.folder] {
        ledger.run(
          "log meditation 3m --id c\(step) --events \(folder)/ana --now \(request.now)"
            + (step % 2 == 0 ? " --writer phone" : ""))
      }
    }
  }

  @Test func `twenty at once get an answer each, and each event stands once`() throws {
    #expect(post(ServeTests.first).status == 201)
    let answers = Mutex<[WebAnswer]>([])
    DispatchQueue.concurrentPerform(iterations: 20) { [server] client in
      for number in 0..<10 {
        let answer = ServeTests.post(
          #"{"id":"e\#(client)-\#(number)","type":"entry.logged","habit":"meditation","minutes":3}"#,
          to: server)
        answers.withLock { $0.append(answer) }
      }
    }
    let all = answers.withLock { $0 }
    #expect(all.allSatisfy { $0.status == 201 })
    #expect(Set(all.compactMap { $0["results.0.position"] }) == Set((3...202).map { "\($0)" }))
    // The tag is the position after the request's own event, whatever else was in the batch.
    #expect(all.allSatisfy { $0.headers["ETag"] == $0["results.0.position"].map { "\"\($0)\"" } })
    #expect(get()["position"] == "202")
    let output = ledger.run("verify --events \(ledger.folder)/ana")
    #expect(output.screen == "")
  }

  @Test func `a read of the past counts what a read of the present counts`() throws {
    #expect(post(ServeTests.first).status == 201)
    let events = ledger.folder + "/ana"
    _ = ledger.run("log meditation 3m --events \(events) --writer phone --now 2025-11-03T12:00:00+01:00")
    let phone = events + "/phone.jsonl"
    let whole = try #require(FileManager.default.contents(atPath: phone))
    try whole.dropLast().write(to: URL(filePath: phone))
    for target in ["/v1/state", "/v1/state?on=2025-11-03", "/v1/state?at=3"] {
      #expect(get(target)["habits.meditation.current"] == "1", "\(target)")
    }
    // An incomplete batch: its first line must not be visible.
    try (whole + Data(whole.dropLast(2)) + Data(#","more":true}"#.utf8)).write(to: URL(filePath: phone))
    #expect(get()["position"] == "3")
    #expect(get("/v1/state?on=2025-11-03")["position"] == "3")
  }

  @Test func `a ledger that another process has locked holds up no other`() throws {
    #expect(post(ServeTests.first).status == 201)
    for user in ["ben", "cleo"] { #expect(post(ServeTests.first, ["REMOTE_USER": user]).status == 201) }
    let server = Server(root: ledger.folder, ["STREAKS_WAIT": "30"], memory: 1 << 24, requests: 4)
    let entry = #"{"type":"entry.logged","habit":"meditation","minutes":3}"#
    let answers = Mutex<[(user: String, answer: WebAnswer)]>([])
    func count(_ status: Int, _ users: [String] = ["ana", "ben"]) -> Int {
      answers.withLock { $0.count { $0.answer.status == status && users.contains($0.user) } }
    }
    func send(_ count: Int, _ user: String) {
      for _ in 0..<count {
        Thread.detachNewThread {
          let answer = ServeTests.post(entry, ["REMOTE_USER": user], to: server)
          answers.withLock { $0.append((user, answer)) }
        }
      }
    }
    do {
      let ana = try LogWriter(folder: ledger.folder + "/ana", writer: "main", wait: 5, makesFolder: false)
      let ben = try LogWriter(folder: ledger.folder + "/ben", writer: "main", wait: 5, makesFolder: false)
      send(6, "ana")
      while server.load.running < 2 { usleep(1000) }
      // At most half of the requests may wait for other processes, and one per ledger.
      send(2, "ben")
      while count(503) == 0 { usleep(1000) }
      #expect(ServeTests.post(entry, ["REMOTE_USER": "cleo"], to: server).status == 201)
      #expect(count(201) == 0)
      _ = (ana.path, ben.path)
    }
    while count(201) + count(503) < 8 { usleep(1000) }
    #expect(
      answers.withLock {
        $0.allSatisfy { $0.answer.status == 201 || $0.answer.headers["Retry-After"] == "1" }
      })
    #expect(get()["position"] == "\(2 + count(201, ["ana"]))")
  }

  @Test func `of twenty that want the same position one is recorded`() {
    #expect(post(ServeTests.first).status == 201)
    let statuses = Mutex<[Int]>([])
    DispatchQueue.concurrentPerform(iterations: 20) { [server] _ in
      let status = ServeTests.post(
        #"{"type":"entry.logged","habit":"meditation","minutes":3}"#, ["HTTP_IF_MATCH": "\"2\""], to: server
      ).status
      statuses.withLock { $0.append(status) }
    }
    #expect(statuses.withLock { $0.sorted() } == [201] + Array(repeating: 412, count: 19))
  }

  @Test func `the same request of twenty at once is recorded once`() {
    #expect(post(ServeTests.first).status == 201)
    let statuses = Mutex<[Int]>([])
    DispatchQueue.concurrentPerform(iterations: 20) { [server] _ in
      let entry = #"{"id":"the-one","type":"entry.logged","habit":"meditation","minutes":12}"#
      let status = ServeTests.post(entry, to: server).status
      statuses.withLock { $0.append(status) }
    }
    #expect(statuses.withLock { $0.sorted() } == Array(repeating: 200, count: 19) + [201])
    #expect(get()["position"] == "3")
  }

  @Test func `a first request that is refused leaves nothing, and one that begins a ledger waits for none`() {
    #expect(post(#"{"type":"entry.logged","habit":"meditation","minutes":1}"#).problem == "no-ledger")
    #expect(
      post(#"[{"type":"ledger.opened","zone":"UTC"},{"type":"entry.logged","habit":"x"}]"#).status == 422)
    #expect(get().problem == "no-ledger")
    #expect(post(ServeTests.first, ["HTTP_IF_MATCH": "\"7\""]).status == 412)
    #expect(get().problem == "no-ledger")
    #expect((try? FileManager.default.contentsOfDirectory(atPath: ledger.folder)) == [])
    let statuses = Mutex<[Int]>([])
    DispatchQueue.concurrentPerform(iterations: 8) { [server] number in
      let body = number == 3 ? ServeTests.first : #"{"type":"entry.logged","habit":"meditation","minutes":1}"#
      let status = ServeTests.post(body, to: server).status
      statuses.withLock { $0.append(status) }
    }
    let found = statuses.withLock { $0 }
    #expect(found.contains(201) && Set(found).isSubset(of: [201, 404]), "\(found)")
  }

  @Test(arguments: [
    ("hello", "something else"), ("12345678:x", "65536 bytes"), ("70000:x", "65536 bytes"),
    (":,", "something else"),
    ("4:a\0b\0;", "something else"), ("5:a\0b\0c,", "something else"), ("3:a\0b,", "something else"),
    ("4:a\0b\0,", "SCGI 1"), ("11:SCGI\01\0a\0b\0,", "nobody"),
    ("7:SCGI\02\0,", "SCGI 1"), ("7:SCGI\02\0,x", "SCGI 1"), ("8:SCGI\02\0\0,", "something else"),
  ])
  func `what is no SCGI request is refused`(bytes: String, says: String) {
    let answer = WebRequest.answer(of: server, to: Array(bytes.utf8))
    #expect(
      [400, 401].contains(answer.status) && (says == "nobody" || answer.detail.contains(says)), "\(answer)")
  }

  @Test func `a head that came in part is no request`() {
    let bytes = WebRequest("GET", "/v1/state", root: "").scgi
    for count in 0..<bytes.count {
      #expect(WebRequest.answer(of: server, to: Array(bytes[..<count])).status == 0)
    }
  }

  @Test(arguments: ["REMOTE_USER", "CONTENT_LENGTH", "SCGI"])
  func `a header that must stand once is refused twice`(name: String) throws {
    let request = WebRequest("GET", "/v1/state", root: "").scgi
    let end = try #require(request.firstIndex(of: UInt8(ascii: ":")))
    let head =
      Array(request[(end + 1)...].dropLast()) + Array("\(name)\0\(name == "SCGI" ? "1" : "0")\0".utf8)
    let answer = WebRequest.answer(of: server, to: Array("\(head.count):".utf8) + head + [UInt8(ascii: ",")])
    #expect(answer.problem == "bad-header" && answer.detail.contains(name))
  }

  @Test func `a client says nothing of whose ledgers these are`() {
    #expect(post(ServeTests.first).status == 201)
    let other = ["STREAKS_ROOT": "/tmp", "STREAKS_WRITER": "other", "STREAKS_MAX_BODY": "1"]
    #expect(post(#"{"type":"entry.logged","habit":"meditation","minutes":3}"#, other).status == 201)
    #expect(get()["position"] == "3")
    #expect(
      WebRequest("GET", "/v1/state", root: "").with(["REMOTE_USER": ""]).answer(of: server).status == 401)
  }

  @Test func `a client has ten seconds for the head and a minute for the body`() throws {
    #expect(post(ServeTests.first).status == 201)
    let whole = WebRequest("POST", "/v1/events", root: "", body: ServeTests.first).scgi
    let client = SilentClient(after: Array(whole.dropLast(5)))
    server.answer(
      client,
      Context(
        arguments: [], environment: [:], now: Instant(microseconds: 0), machineZone: { "UTC" }, input: { [] },
        output: { _ in }, errors: { _ in }, isTerminal: false, showsProgress: false, pause: { false },
        random: SeededRandom(seed: 1)))
    let waits = client.waits.withLock { $0 }
    #expect(waits.count == 2)
    #expect(waits[0] <= .seconds(10) && waits[0] > .seconds(5))
    #expect(waits[1] <= .seconds(60) && waits[1] > .seconds(30))
  }

  @Test func `a body that does not come is told of, and nothing is written`() {
    #expect(post(ServeTests.first).status == 201)
    var limits = Server.Limits()
    limits.body = .zero
    let server = Server(root: ledger.folder, [:], memory: 1 << 24, limits: limits)
    let whole = WebRequest("POST", "/v1/events", root: "", body: ServeTests.first).scgi
    let answer = WebRequest.answer(of: server, to: Array(whole.dropLast(5)))
    #expect(answer.status == 400 && answer.detail.contains("ends after"))
  }
}

/// A client that sends some bytes and then stalls, and records the timeout of each read.
private final class SilentClient: Connection {
  private let bytes: [UInt8]
  let waits = Mutex<[Duration]>([])

  init(after bytes: [UInt8]) { self.bytes = bytes }

  let isOpen = true

  func read(until end: ContinuousClock.Instant) -> [UInt8] {
    waits.withLock { waits in
      waits.append(ContinuousClock.now.duration(to: end))
      return waits.count == 1 ? bytes : []
    }
  }

  func write(_ bytes: [UInt8]) -> Bool { true }
  func finish() {}
}
