import CommandFixtures
import DomainFixtures
import Foundation
import StreakCommands
import StreakDomain
import StreakServer
import Synchronization
import Testing

/// A service that is busy, whose client has disconnected, or that is monitored.
struct BusyServerTests {
  private let ledger: TemporaryLedger

  init() throws {
    ledger = try TemporaryLedger(running: "init noalc\nlog noalc steady")
  }

  private func server() -> Server { Server(folder: ledger.folder + "/events", login: "ana") }

  private func get(_ target: String, _ server: Server) -> WebAnswer {
    WebRequest("GET", target, root: "").answer(of: server)
  }

  private func serve(_ client: any Connection, _ server: Server) -> DispatchSemaphore {
    let hasEnded = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      server.serve(client) { WebRequest.context(now: "2025-11-03T12:00:00+01:00") }
      hasEnded.signal()
    }
    return hasEnded
  }

  @Test func `with eight requests in progress a ninth gets 429, but health is still answered`() {
    let server = server()
    let clients = (0..<8).map { _ in PausedClient("/v1/state", pausesIn: .write) }
    let ends = clients.map { serve($0, server) }
    for client in clients { client.isPaused.wait() }

    let refused = get("/v1/state", server)
    #expect(refused.status == 429 && refused.headers["Retry-After"] == "1")
    for path in ["/healthz", "/readyz", "/metrics"] { #expect(get(path, server).status == 200) }

    for client in clients { client.mayGoOn.signal() }
    for end in ends { end.wait() }
    #expect(get("/v1/state", server).status == 200)
  }

  @Test func `a request that takes more than 30 seconds of processor time gets 503`() {
    let seconds = ProcessorSeconds()
    let server = Server(
      folder: ledger.folder + "/events", login: "ana", threadClock: { { seconds.time } })
    var log = ""
    func refuses() -> Bool {
      server.refuseIfOverdue {
        var context = WebRequest.context(now: "2025-11-03T12:00:00+01:00")
        context.errors = { log += $0 }
        return context
      }
    }
    let client = PausedClient("/v1/state?at=2", pausesIn: .work)
    let end = serve(client, server)
    client.isPaused.wait()
    seconds.value.withLock { $0 = 30 }
    #expect(!refuses() && log.isEmpty)
    #expect(client.answer.isEmpty)

    seconds.value.withLock { $0 = 31 }
    #expect(refuses())
    #expect(log.contains("path=/v1/state status=503") && log.contains("too much processor time"))
    let answer = WebAnswer(client.answer)
    #expect(answer.status == 503 && answer.problem == "took-too-long")
    #expect(answer.detail.hasPrefix("the request took more than 30 s of processor time"))
    client.mayGoOn.signal()
    end.wait()
  }

  @Test(arguments: ["/v1/state?at=2", "/v1/audit/noalc?history", "/v1/report"])
  func `a request ends early if its client disconnects`(target: String) {
    let client = HeldConnection(WebRequest("GET", target, root: "").bytes, hasLeft: true)
    var errors = ""
    server().serve(client) {
      var context = WebRequest.context(now: "2025-11-03T12:00:00+01:00")
      context.errors = { errors += $0 }
      return context
    }
    #expect(errors.contains("the client has disconnected"), "\(errors)")
  }

  @Test func `metrics count the answers by status, and the events at the last read or write`() {
    let server = server()
    #expect(!get("/metrics", server).body.contains("streaks_events"))
    for target in ["/v1/state", "/v1/streaks", "/v1/nothing"] { _ = get(target, server) }
    let text = get("/metrics", server).body
    #expect(text.contains(#"streaks_requests_total{status="200"} 3"#), "\(text)")
    #expect(text.contains(#"streaks_requests_total{status="404"} 1"#))
    #expect(text.contains("\nstreaks_events 3\n"))

    let entry = #"{"type":"entry.logged","habit":"noalc","level":"steady"}"#
    let post = WebRequest("POST", "/v1/events", root: "", body: entry)
    #expect(post.answer(of: server).status == 201)
    #expect(get("/metrics", server).body.contains("\nstreaks_events 4\n"))
  }

  @Test func `readyz accepts a missing folder if the folder can be created`() throws {
    let parent = ledger.folder
    let ready = Server(folder: parent + "/new", login: "ana")
    #expect(get("/readyz", ready).status == 200)
    #expect(!FileManager.default.fileExists(atPath: parent + "/new"))
    try Data("text".utf8).write(to: URL(filePath: parent + "/file"))
    for folder in ["/no/such", "/file"] {
      let missing = get("/readyz", Server(folder: parent + folder, login: "ana"))
      #expect(missing.status == 503 && missing.detail.contains("cannot be read and written"))
    }
  }

  @Test func `health, readiness and metrics need no login, but every other route does`() {
    let server = server()
    for route in Route.all where route.method == "GET" {
      let isOpen = ["/healthz", "/readyz", "/metrics"].contains(route.pattern)
      let request = WebRequest("GET", route.pattern, root: "").with(["Remote-User": ""])
      #expect(request.answer(of: server).status == (isOpen ? 200 : 401), "\(route.pattern)")
    }
  }
}

/// The processor time that a test sets.
private final class ProcessorSeconds: Sendable {
  let value = Mutex(0)

  var time: Duration { .seconds(value.withLock { $0 }) }
}

/// A client with which the service stops once, until the test lets it go on.
private final class PausedClient: Connection {
  enum Step { case work, write }

  let isPaused = DispatchSemaphore(value: 0)
  let mayGoOn = DispatchSemaphore(value: 0)
  private let step: Step
  private let rest: Mutex<[UInt8]>
  private let sent = Mutex<[UInt8]>([])
  private let hasPaused = Mutex(false)

  init(_ target: String, pausesIn step: Step) {
    self.step = step
    rest = Mutex(WebRequest("GET", target, root: "").bytes)
  }

  var answer: [UInt8] { sent.withLock { $0 } }

  private func pause(in step: Step) {
    let isFirst = hasPaused.withLock { hasPaused in
      defer { if step == self.step { hasPaused = true } }
      return !hasPaused && step == self.step
    }
    guard isFirst else { return }
    isPaused.signal()
    mayGoOn.wait()
  }

  func read(until end: ContinuousClock.Instant, mayEnd: Bool) -> [UInt8] {
    rest.withLock { rest in
      defer { rest = [] }
      return rest
    }
  }

  func write(_ bytes: [UInt8]) -> Bool {
    pause(in: .write)
    sent.withLock { $0 += bytes }
    return true
  }

  func writeAtOnce(_ bytes: [UInt8]) { sent.withLock { $0 += bytes } }

  func staysOpen(for time: Duration) -> Bool { false }

  var isAbandoned: Bool {
    pause(in: .work)
    return false
  }
}
