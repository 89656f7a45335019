import CommandFixtures
import DomainFixtures
import Foundation
import StreakCommands
import StreakDomain
import StreakServer
import Synchronization
import Testing

/// GET /v1/changes: each new event once, with what it changed, whoever appended it.
struct ChangesTests {
  private let ledger: TemporaryLedger
  private let server: Server

  init() throws {
    ledger = try TemporaryLedger()
    ledger.run("init noalc meditation")
    ledger.run("log noalc steady")
    server = Server(root: ledger.folder, [:], memory: 1 << 24, limits: ChangesTests.limits)
  }

  private static var limits: Server.Limits {
    var limits = Server.Limits()
    limits.quiet = .milliseconds(100)
    limits.listeners = 4
    return limits
  }

  private func request(_ query: String = "", _ changes: [String: String] = [:]) -> WebRequest {
    WebRequest("GET", "/v1/changes" + query, root: "").with(["REMOTE_USER": "events"]).with(changes)
  }

  /// What a client hears that listens until it has so many events.
  private func heard(_ request: WebRequest, _ count: Int, then act: () -> Void = {}) -> [Heard] {
    let client = Client(request, server, wants: count)
    if !request.variables["QUERY_STRING", default: ""].hasPrefix("after") { client.waitForHead() }
    act()
    client.waitForEnd()
    return client.events
  }

  private func lines(after cursor: String) -> [String] {
    ledger.run(["timeline", "--json", "--after", cursor]).text.split(separator: "\n").map(String.init)
  }

  @Test func `from the start it sends what tail prints, each with its cursor`() throws {
    let events = heard(request("?after=start"), 4)
    #expect(events.map(\.data) == lines(after: "start"))
    #expect(events.map(\.data).allSatisfy { $0.contains("\"cursor\":\"") })
    for (event, line) in zip(events, lines(after: "start")) {
      #expect(line.contains("\"cursor\":\"\(event.id)\""))
    }
  }

  @Test func `what is appended from now on is sent, by whatever process`() {
    let events = heard(request(), 3) {
      ledger.run("log meditation 5m --id one")
      ledger.run("log meditation 5m --id two --writer phone")
      _ = WebRequest(
        "POST", "/v1/events", root: "",
        body: #"{"id":"three","type":"entry.logged","habit":"noalc","level":"steady"}"#
      ).with(["REMOTE_USER": "events"]).answer(of: server)
    }
    #expect(events.map(\.event) == ["one", "two", "three"])
  }

  @Test(arguments: UInt64(1)...6)
  func `a client that comes back after any event misses none and hears none twice`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var cursor = "start"
    var events: [Heard] = []
    var step = 0
    while events.count < 24 {
      if ledger.events(in: ["main", "phone"]) < 24 {
        for _ in 0..<4 {
          ledger.run(
            "log meditation \(1 + random.below(9))m --writer \(["main", "phone"][random.below(2)]) --id e\(step)"
          )
          step += 1
        }
      }
      let count = min(1 + random.below(4), 24 - events.count)
      let more = heard(request("", ["HTTP_LAST_EVENT_ID": cursor]), count)
      events += more
      cursor = try #require(more.last?.id)
    }
    #expect(Set(events.map(\.event)).count == events.count, "seed \(seed)")
    #expect(
      events.map(\.event) == lines(after: "start").prefix(events.count).map { Heard(id: "", data: $0).event })
  }

  @Test func `a client that was lost before its first event goes on from where it began`() throws {
    let client = Client(request(), server, wants: 1)
    client.waitForHead()
    let cursor = try #require(client.cursor)
    ledger.run("log meditation 5m --id one")
    client.waitForEnd()
    let again = heard(request("", ["HTTP_LAST_EVENT_ID": cursor]), 1)
    #expect(again.map(\.event) == ["one"] && client.events == again)
  }

  @Test func `several who listen hear the same`() {
    let clients = (0..<4).map { _ in Client(request(), server, wants: 3) }
    for client in clients { client.waitForHead() }
    #expect(request().answer(of: server).status == 503)
    for number in 0..<3 { ledger.run("log meditation 5m --id e\(number)") }
    for client in clients {
      client.waitForEnd()
      #expect(client.events.map(\.event) == ["e0", "e1", "e2"])
    }
  }

  @Test func `a login may listen so many times, and others all the same`() throws {
    let server = Server(root: ledger.folder, [:], memory: 1 << 24)
    ledger.run("init noalc --events \(ledger.folder)/ben")
    let clients = (0..<32).map { _ in Client(request(), server, wants: 1) }
    for client in clients { client.waitForHead() }
    let refused = request().answer(of: server)
    #expect(refused.status == 429 && refused.problem == "too-many-listeners")
    #expect(refused.headers["Retry-After"] == "10" && refused["instance"] == "/v1/changes")
    let other = Client(request("", ["REMOTE_USER": "ben"]), server, wants: 1)
    other.waitForHead()
    // Whoever listens leaves room for requests, as soon as its head is sent.
    while server.load.running > 0 { usleep(500) }
    ledger.run("log meditation 5m --id one")
    for client in clients { client.waitForEnd() }
    let next = Client(request(), server, wants: 1)
    next.waitForHead()
    ledger.run("log meditation 5m --id two")
    ledger.run("log noalc steady --events \(ledger.folder)/ben")
    for client in [next, other] { client.waitForEnd() }
    #expect(next.events.map(\.event) == ["two"])
  }

  @Test func `a long batch reaches a client that keeps up; one that does not is closed and comes back`()
    throws
  {
    let gate = DispatchSemaphore(value: 0)
    let (quick, slow) = (
      Client(request(), server, wants: 2000), Client(request(), server, wants: 2000, behind: gate)
    )
    for client in [quick, slow] { client.waitForHead() }
    let lines = (1...2000).map {
      #"{"id":"e\#($0)","type":"entry.logged","habit":"meditation","minutes":5}"# + "\n"
    }
    #expect(ledger.run("append", input: lines.joined()).status == .done)
    quick.waitForEnd()
    #expect(quick.events.map(\.event) == (1...2000).map { "e\($0)" })
    for _ in 0..<2000 { gate.signal() }
    slow.waitForEnd()
    let taken = slow.events
    #expect(taken.count < 2000 && taken == Array(quick.events.prefix(taken.count)))
    let cursor = try #require(slow.cursor)
    let rest = heard(request("?after=\(cursor)"), 2000 - taken.count)
    #expect(taken + rest == quick.events)
  }

  @Test func `a client that hears nothing is told that the connection stands`() {
    let client = Client(request(), server, wants: 1)
    client.waitForHead()
    usleep(600_000)
    ledger.run("log meditation 5m --id e")
    client.waitForEnd()
    #expect(client.text.components(separatedBy: ": still there\n\n").count > 2)
    #expect(client.text.hasPrefix("Status: 200 OK\nContent-Type: text/event-stream\n"))
    #expect(client.text.contains("X-Accel-Buffering: no\n"))
  }

  @Test func `what is folded for listeners counts for the memory`() throws {
    let server = Server(root: ledger.folder, [:], memory: 1 << 16, limits: ChangesTests.limits)
    let root = URL(filePath: ledger.folder)
    for user in ["ana", "ben"] {
      ledger.run("init noalc --events \(root.path)/\(user)")
    }
    func request(_ user: String) -> WebRequest { self.request("", ["REMOTE_USER": user]) }
    let clients = [Client(request("ana"), server, wants: 1), Client(request("ana"), server, wants: 1)]
    for client in clients { client.waitForHead() }
    let refused = request("ben").answer(of: server)
    #expect(refused.problem == "busy" && refused.headers["Retry-After"] == "10")
    ledger.run("log noalc steady --events \(root.path)/ana")
    for client in clients { client.waitForEnd() }
    let next = Client(request("ben"), server, wants: 1)
    next.waitForHead()
    ledger.run("log noalc steady --events \(root.path)/ben")
    next.waitForEnd()
  }

  @Test func `a batch is sent once its newline is there`() throws {
    let client = Client(request(), server, wants: 1)
    client.waitForHead()
    ledger.run("log meditation 5m --id one --writer phone")
    client.waitForEnd()
    let phone = ledger.bytes(of: "phone")
    try ledger.write(Array(phone.dropLast()), to: "phone.jsonl")
    let again = Client(request("?after=start"), server, wants: 5)
    usleep(400_000)
    #expect(!again.text.contains("\"one\""))
    try ledger.write(phone, to: "phone.jsonl")
    again.waitForEnd()
    #expect(again.events.last?.event == "one")
  }

  @Test func `a past that changed is a conflict, and no cursor is a bad request`() throws {
    let cursor = try #require(heard(request("?after=start"), 4).last?.id)
    let bytes = ledger.bytes().split(separator: 10).dropLast()
    try ledger.write(Array(bytes.joined(separator: [10])) + [10], to: "main.jsonl")
    let answer = request("?after=\(cursor)").answer(of: server)
    #expect(answer.status == 409 && answer.problem == "changed-past")
    #expect(request("?after=nothing!").answer(of: server).problem == "bad-parameter")
    #expect(request("", ["HTTP_LAST_EVENT_ID": "nothing!"]).answer(of: server).problem == "bad-header")
    #expect(request("", ["REMOTE_USER": "nobody"]).answer(of: server).problem == "no-ledger")
    #expect(request("", ["REMOTE_USER": ""]).answer(of: server).problem == "not-logged-in")
  }
}

/// An event as a client hears it.
private struct Heard: Equatable {
  let id: String
  let data: String

  /// The event's id.
  var event: String { Output(text: data, errors: "", status: .done)["event"] ?? "" }
}

/// A client that listens until it has heard so many events, and closes then.
private final class Client: Connection {
  private let request: [UInt8]
  private let wanted: Int
  private let heard = Mutex((rest: [UInt8](), text: "", count: 0))
  private let hasHead = DispatchSemaphore(value: 0)
  private let hasEnded = DispatchSemaphore(value: 0)
  /// What it waits for before it takes an event.
  private let gate: DispatchSemaphore?

  init(_ request: WebRequest, _ server: Server, wants count: Int, behind gate: DispatchSemaphore? = nil) {
    self.request = request.scgi
    self.gate = gate
    wanted = count
    heard.withLock { $0.rest = self.request }
    Thread.detachNewThread { [self] in
      let context = Context(
        arguments: [], environment: [:], now: Timestamp(request.now)?.instant ?? Instant(microseconds: 0),
        machineZone: { "UTC" }, input: { [] }, output: { _ in }, errors: { _ in }, isTerminal: false,
        showsProgress: false, pause: { false }, random: SeededRandom(seed: 1))
      server.answer(self, context)
    }
  }

  func finish() {
    hasHead.signal()
    hasEnded.signal()
  }

  let isOpen = true
  func waitForHead() { hasHead.wait() }
  func waitForEnd() { hasEnded.wait() }
  var text: String { heard.withLock { $0.text } }

  var events: [Heard] {
    text.components(separatedBy: "\n\n").compactMap { message in
      let lines = message.split(separator: "\n")
      guard lines.count == 2, lines[0].hasPrefix("id: "), lines[1].hasPrefix("data: ") else { return nil }
      return Heard(id: String(lines[0].dropFirst(4)), data: String(lines[1].dropFirst(6)))
    }
  }

  /// The last that was sent.
  var cursor: String? {
    text.components(separatedBy: "id: ").last?.split(separator: "\n").first.map(String.init)
  }

  func read(until end: ContinuousClock.Instant) -> [UInt8] {
    heard.withLock { heard in
      defer { heard.rest = [] }
      return heard.rest
    }
  }

  /// Takes one event too many at most, as a client that closes meanwhile does not.
  func write(_ bytes: [UInt8]) -> Bool {
    if heard.withLock({ $0.count >= wanted }) { return false }
    if bytes.starts(with: Array("id: ".utf8)) { gate?.wait() }
    let data = Array("data: ".utf8)
    let count = bytes.split(separator: UInt8(ascii: "\n")).count { $0.starts(with: data) }
    let isEnough = heard.withLock { heard in
      heard.text += String(decoding: bytes, as: UTF8.self)
      heard.count += count
      return heard.count >= wanted
    }
    if bytes.starts(with: Array("Status".utf8)) { hasHead.signal() }
    return !isEnough
  }
}

extension TemporaryLedger {
  fileprivate func events(in segments: [String]) -> Int {
    segments.reduce(0) { $0 + bytes(of: $1).count { $0 == 10 } }
  }
}
