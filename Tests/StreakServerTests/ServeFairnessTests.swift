import CommandFixtures
import Dispatch
import DomainFixtures
import EventLog
import Foundation
import StreakCommands
import StreakDomain
import StreakServer
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(10))) struct ServeFairnessTests {
  private let ledger: TemporaryLedger
  private static let entry = #"{"type":"entry.logged","habit":"meditation","minutes":3}"#

  init() throws {
    ledger = try TemporaryLedger()
    for user in ["ana", "ben", "cleo"] { ledger.run("init meditation --events \(ledger.folder)/\(user)") }
  }

  private static var context: Context {
    Context(
      arguments: [], environment: [:], now: Timestamp("2025-11-03T12:00:00+01:00")?.instant ?? Instant.end,
      machineZone: { "UTC" }, input: { [] }, output: { _ in }, errors: { _ in }, isTerminal: false,
      showsProgress: false, pause: { false }, random: SeededRandom(seed: 1))
  }

  private func serve(workers: Int, memory: Int = 1 << 26) -> Server {
    let server = Server(root: ledger.folder, [:], memory: memory, requests: workers)
    for _ in 0..<workers {
      Thread.detachNewThread {
        while case .answered = server.work({ ServeFairnessTests.context }) {}
      }
    }
    return server
  }

  private func send(_ user: String, _ client: (WebRequest) -> GatedClient, to server: Server) -> GatedClient {
    let request = WebRequest("POST", "/v1/events", root: "", body: ServeFairnessTests.entry)
    let client = client(request.with(["REMOTE_USER": user]))
    client.arrive(at: server)
    return client
  }

  private func get(_ target: String, _ user: String, at server: Server) -> GatedClient {
    let client = GatedClient(
      WebRequest("GET", target, root: "").with(["REMOTE_USER": user]), waitsToRead: false)
    client.arrive(at: server)
    return client
  }

  private func wait(for condition: () -> Bool) { while !condition() { usleep(500) } }

  @Test func `a login that holds half of the workers has the others waiting in its own queue`() {
    let server = serve(workers: 4)
    defer { server.end() }
    let slow = (0..<5).map { _ in send("ana", { GatedClient($0, waitsToRead: true) }, to: server) }
    wait { server.load.running == 2 && slow.count(where: \.isRead) == 2 }
    #expect(server.load.waiting == 3)
    for _ in 0..<3 {
      #expect(send("ben", { GatedClient($0, waitsToRead: false) }, to: server).waitForAnswer().status == 201)
      #expect(get("/v1/streaks", "cleo", at: server).waitForAnswer().status == 200)
    }
    #expect(server.load.running == 2 && server.load.waiting == 3)
    for client in slow { client.open() }
    #expect(slow.map { $0.waitForAnswer().status } == [201, 201, 201, 201, 201])
  }

  @Test func `while every worker is busy the health is told, and the next answer goes to who waits`() {
    let server = serve(workers: 4)
    defer { server.end() }
    let slow = ["ana", "ben"].map { user in
      (0..<3).map { _ in send(user, { GatedClient($0, waitsToRead: true) }, to: server) }
    }
    wait { server.load.running == 4 && slow.joined().count(where: \.isRead) == 4 }
    let waiting = get("/v1/streaks", "cleo", at: server)
    for method in ["GET", "HEAD"] {
      let request = WebRequest(method, "/healthz", root: "").with(["REMOTE_USER": ""])
      let client = GatedClient(request, waitsToRead: false)
      #expect(client.arrive(at: server) == .finished)
      let answer = client.waitForAnswer()
      #expect(
        answer.status == 200 && answer.body == (method == "GET" ? "{\"format\":1,\"status\":\"ok\"}\n" : ""))
      #expect(answer.headers["Cache-Control"] == "no-store")
    }
    #expect(server.load.running == 4 && server.load.waiting == 3)
    for client in slow.joined() { client.open() }
    #expect(waiting.waitForAnswer().status == 200)
    #expect(slow.joined().allSatisfy { $0.waitForAnswer().status == 201 })
  }

  @Test func `requests take no more memory than they may, half of it by one login`() {
    // The memory suffices for one request of each of two logins.
    let memory = 1 << 17
    let server = serve(workers: 12, memory: memory)
    defer { server.end() }
    let requests = (0..<12).map { number in
      let user = ["ana", "ben", "cleo"][number % 3]
      let request = WebRequest("GET", "/v1/streaks", root: "").with(["REMOTE_USER": user])
      return GatedClient(request, waitsToWrite: true)
    }
    for client in requests { client.arrive(at: server) }
    wait { requests.count(where: \.isWritten) == 2 }
    wait { server.load.running == 2 }
    #expect(server.load.memory == memory && server.load.waiting == 10)
    while requests.contains(where: { !$0.isOpened }) {
      func begun() -> [GatedClient] { requests.filter { $0.isWritten && !$0.isOpened } }
      wait { !begun().isEmpty }
      #expect(begun().count <= 2 && server.load.memory <= memory)
      let first = begun()[0]
      first.open()
      #expect(first.waitForAnswer().status == 200)
    }
  }

  @Test func `a queue that is full refuses its login, and no other`() {
    var limits = Server.Limits()
    limits.waiting = 1 << 15
    let server = Server(root: ledger.folder, [:], memory: 1 << 20, requests: 2, limits: limits)
    let clients = (0..<6).map { _ in get("/v1/streaks", "ana", at: server) }
    let refused = clients.filter { $0.hasEnded }.map { $0.waitForAnswer() }
    #expect(
      !refused.isEmpty && refused.allSatisfy { $0.problem == "busy" && $0.headers["Retry-After"] == "1" })
    #expect(!get("/v1/streaks", "ben", at: server).hasEnded)
    Thread.detachNewThread { while case .answered = server.work({ ServeFairnessTests.context }) {} }
    #expect(clients.allSatisfy { [200, 503].contains($0.waitForAnswer().status) })
    server.end()
  }
}

/// A client that sends the end of its body, or takes its answer, only when the test allows it.
private final class GatedClient: Connection {
  private struct State {
    var head: [UInt8]
    var body: [UInt8]
    var answer: [UInt8] = []
    var isRead = false
    var isWritten = false
    var isOpened = false
    var hasEnded = false
  }

  private let state: Mutex<State>
  private let gate = DispatchSemaphore(value: 0)
  private let end = DispatchSemaphore(value: 0)
  private let waitsToRead: Bool
  private let waitsToWrite: Bool

  init(_ request: WebRequest, waitsToRead: Bool = false, waitsToWrite: Bool = false) {
    let bytes = request.scgi
    state = Mutex(State(head: Array(bytes.dropLast(request.body.count)), body: request.body))
    (self.waitsToRead, self.waitsToWrite) = (waitsToRead, waitsToWrite)
  }

  var isRead: Bool { state.withLock { $0.isRead } }
  var isWritten: Bool { state.withLock { $0.isWritten } }
  var isOpened: Bool { state.withLock { $0.isOpened } }
  var hasEnded: Bool { state.withLock { $0.hasEnded } }

  @discardableResult
  func arrive(at server: Server) -> Server.Step {
    var arrival = server.arrival(of: self)
    return server.take(state.withLock { $0.head }, of: &arrival)
  }

  func open() {
    state.withLock { $0.isOpened = true }
    gate.signal()
  }

  func waitForAnswer() -> WebAnswer {
    end.wait()
    end.signal()
    return WebAnswer(state.withLock { $0.answer })
  }

  let isOpen = true

  func read(until end: ContinuousClock.Instant) -> [UInt8] {
    state.withLock { $0.isRead = true }
    if waitsToRead { gate.wait() }
    return state.withLock { state in
      defer { state.body = [] }
      return state.body
    }
  }

  func write(_ bytes: [UInt8]) -> Bool {
    state.withLock { $0.isWritten = true }
    if waitsToWrite { gate.wait() }
    state.withLock { $0.answer += bytes }
    return true
  }

  func finish() {
    state.withLock { $0.hasEnded = true }
    end.signal()
  }
}
