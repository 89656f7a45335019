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
    server = WebRequest.server(root: ledger.folder)
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
      "/v1/streaks", "/v1/streaks/meditation", "/v1/streaks/meditation/calendar?all",
      "/v1/audit/meditation",
      "/v1/audit/meditation?history", "/v1/state", "/v1/state?at=2", "/v1/state?on=2025-11-09",
      "/v1/nothing",
      "/v1/state?at=99",
    ]
    let (id, days) = ("e\(random.below(step + 1))", random.below(4))
    let entry =
      #"{"id":"\#(id)","type":"entry.logged","habit":"meditation","minutes":\#(random.below(4))"#
    let bodies = [
      ServeTests.first, "\(entry)}", "\(entry),\"day\":\"2025-11-0\(1 + days)\"}",
      "[\(entry)},{\"id\":\"d\(step)\",\"type\":\"entry.deleted\",\"entry\":\"\(id)\"}]",
      #"{"id":"x\#(step)","type":"entry.deleted","entry":"\#(id)"}"#, "{",
      #"{"type":"entry.logged"}"#,
    ]
    var request =
      random.below(3) == 0
      ? WebRequest("GET", targets[random.below(targets.count)], root: "")
      : WebRequest("POST", "/v1/events", root: "", body: bodies[random.below(bodies.count)])
    switch random.below(8) {
    case 0: request = request.with(["If-Match": "\"\(random.below(12))\", \"\(step)\""])
    case 1: request = request.with(["If-Match": "\"0\""])
    default: break
    }
    request.now = "2025-11-0\(3 + step / 20)T12:00:\(10 + step % 50)+01:00"
    return request
  }

  @Test(arguments: UInt64(1)...8)
  func `a service with an open ledger answers like a new service, even after other writers`(
    seed: UInt64
  )
    throws
  {
    let other = try TemporaryLedger()
    var random = SeededRandom(seed: seed)
    for step in 0..<60 {
      let request = randomRequest(&random, step)
      let served = request.answer(of: server, pieces: 1 + random.below(400))
      let answered = request.answer(of: WebRequest.server(root: other.folder))
      try #require(served.body == answered.body, "seed \(seed), step \(step)")
      try #require(served.headers == answered.headers, "seed \(seed), step \(step)")
      guard random.below(5) == 0, FileManager.default.fileExists(atPath: ledger.folder + "/ana")
      else {
        continue
      }
      for folder in [ledger.folder, other.folder] {
        ledger.run(
          "log meditation 3m --id c\(step) --events \(folder)/ana --now \(request.now)"
            + (step % 2 == 0 ? " --writer phone" : ""))
      }
    }
  }

  @Test
  func `eight simultaneous clients all get answers, and each event is recorded once`() throws {
    #expect(post(ServeTests.first).status == 201)
    let answers = Mutex<[WebAnswer]>([])
    DispatchQueue.concurrentPerform(iterations: 8) { [server] client in
      for number in 0..<10 {
        let answer = ServeTests.post(
          #"""
          {"id":"e\#(client)-\#(number)","type":"entry.logged","habit":"meditation","minutes":3}
          """#,
          to: server)
        answers.withLock { $0.append(answer) }
      }
    }
    let all = answers.withLock { $0 }
    #expect(all.allSatisfy { $0.status == 201 })
    #expect(Set(all.compactMap { $0["results.0.position"] }) == Set((3...82).map { "\($0)" }))
    // The tag is the position after the request's own event, whatever else was in the batch.
    #expect(all.allSatisfy { $0.headers["ETag"] == $0["results.0.position"].map { "\"\($0)\"" } })
    #expect(get()["position"] == "82")
    #expect(ledger.run("verify --events \(ledger.folder)/ana").screen == "")
  }

  @Test func `queries of the past and the present ignore the same incomplete batch`() throws {
    #expect(post(ServeTests.first).status == 201)
    let events = ledger.folder + "/ana"
    _ = ledger.run(
      "log meditation 3m --events \(events) --writer phone --now 2025-11-03T12:00:00+01:00")
    let phone = events + "/phone.jsonl"
    let whole = try #require(FileManager.default.contents(atPath: phone))
    try whole.dropLast().write(to: URL(filePath: phone))
    for target in ["/v1/state", "/v1/state?on=2025-11-03", "/v1/state?at=3"] {
      #expect(get(target)["habits.meditation.current"] == "1", "\(target)")
    }
    // An incomplete batch: its first line must not be visible.
    try (whole + Data(whole.dropLast(2)) + Data(#","more":true}"#.utf8)).write(
      to: URL(filePath: phone))
    #expect(get()["position"] == "3")
    #expect(get("/v1/state?on=2025-11-03")["position"] == "3")
  }

  @Test func `of eight simultaneous requests with the same If-Match, only one is recorded`() {
    #expect(post(ServeTests.first).status == 201)
    let statuses = Mutex<[Int]>([])
    DispatchQueue.concurrentPerform(iterations: 8) { [server] _ in
      let status = ServeTests.post(
        #"{"type":"entry.logged","habit":"meditation","minutes":3}"#, ["If-Match": "\"2\""],
        to: server
      ).status
      statuses.withLock { $0.append(status) }
    }
    #expect(statuses.withLock { $0.sorted() } == [201] + Array(repeating: 412, count: 7))
  }

  @Test func `the same request from eight simultaneous clients is recorded once`() {
    #expect(post(ServeTests.first).status == 201)
    let statuses = Mutex<[Int]>([])
    DispatchQueue.concurrentPerform(iterations: 8) { [server] _ in
      let entry = #"{"id":"the-one","type":"entry.logged","habit":"meditation","minutes":12}"#
      let status = ServeTests.post(entry, to: server).status
      statuses.withLock { $0.append(status) }
    }
    #expect(statuses.withLock { $0.sorted() } == Array(repeating: 200, count: 7) + [201])
    #expect(get()["position"] == "3")
  }

  @Test
  func
    `a refused first request leaves no files, and simultaneous first requests get 201 or 404`()
  {
    #expect(post(ServeTests.first, ["If-Match": "\"7\""]).status == 412)
    #expect(get().problem == "no-ledger")
    #expect((try? FileManager.default.contentsOfDirectory(atPath: ledger.folder)) == [])
    let statuses = Mutex<[Int]>([])
    DispatchQueue.concurrentPerform(iterations: 8) { [server] number in
      let body =
        number == 3
        ? ServeTests.first : #"{"type":"entry.logged","habit":"meditation","minutes":1}"#
      let status = ServeTests.post(body, to: server).status
      statuses.withLock { $0.append(status) }
    }
    let found = statuses.withLock { $0 }
    #expect(found.contains(201) && Set(found).isSubset(of: [201, 404]), "\(found)")
  }

  @Test func `a client has ten seconds for the head and a minute for the body`() throws {
    #expect(post(ServeTests.first).status == 201)
    let whole = WebRequest("POST", "/v1/events", root: "", body: ServeTests.first).bytes
    let client = SilentClient(after: Array(whole.dropLast(5)))
    server.serve(client) { WebRequest.context(now: "2025-11-03T12:00:00+01:00") }
    let waits = client.waits.withLock { $0 }
    #expect(waits.count == 2)
    #expect(waits[0] <= .seconds(10) && waits[0] > .seconds(5))
    #expect(waits[1] <= .seconds(60) && waits[1] > .seconds(30))
  }

  @Test func `a request whose body ends early is refused`() {
    #expect(post(ServeTests.first).status == 201)
    var limits = Server.Limits()
    limits.body = .zero
    let server = WebRequest.server(root: ledger.folder, limits: limits)
    let whole = WebRequest("POST", "/v1/events", root: "", body: ServeTests.first).bytes
    let answer = WebRequest.answer(of: server, to: Array(whole.dropLast(5)))
    #expect(answer.status == 400 && answer.detail.contains("ends after"))
  }
}

/// A client that sends some bytes and then stalls, and records the timeout of each read.
private final class SilentClient: Connection {
  private let bytes: [UInt8]
  let waits = Mutex<[Duration]>([])

  init(after bytes: [UInt8]) { self.bytes = bytes }

  func staysOpen(for time: Duration) -> Bool { false }

  var isAbandoned: Bool { false }

  func read(until end: ContinuousClock.Instant, mayEnd: Bool) -> [UInt8] {
    waits.withLock { waits in
      waits.append(ContinuousClock.now.duration(to: end))
      return waits.count == 1 ? bytes : []
    }
  }

  func writeAtOnce(_ bytes: [UInt8]) { _ = write(bytes) }

  func write(_ bytes: [UInt8]) -> Bool { true }
}
