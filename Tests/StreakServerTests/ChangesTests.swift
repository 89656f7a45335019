import CommandFixtures
import DomainFixtures
import Foundation
import StreakCommands
import StreakDomain
import StreakServer
import Synchronization
import Testing

struct ChangesTests {
  private let ledger: TemporaryLedger
  private let server: Server

  init() throws {
    ledger = try TemporaryLedger(running: "init noalc meditation\nlog noalc steady")
    server = WebRequest.server(
      root: ledger.folder, login: "events", limits: ChangesTests.limits)
  }

  private static var limits: Server.Limits {
    var limits = Server.Limits()
    limits.listeners = 4
    return limits
  }

  private func request(_ query: String = "", _ changes: [String: String] = [:]) -> WebRequest {
    WebRequest("GET", "/v1/changes" + query, root: "").with(["Remote-User": "events"]).with(changes)
  }

  private func heard(_ request: WebRequest, _ count: Int, then act: () -> Void = {}) -> [Heard] {
    let client = ListeningClient(request, server, wants: count)
    if !request.target.contains("after") { client.waitForHead() }
    act()
    client.waitForEnd()
    return client.events
  }

  private func lines(after cursor: String) -> [String] {
    ledger.run(["timeline", "--json", "--after", cursor]).text.split(separator: "\n").map(
      String.init)
  }

  @Test
  func `a client without new events gets a comment, so that proxies keep the connection open`() {
    var limits = ChangesTests.limits
    limits.quiet = .zero
    let server = WebRequest.server(root: ledger.folder, login: "events", limits: limits)
    let client = ListeningClient(request(), server, wants: 1)
    client.waitForHead()
    while !client.text.contains(": still there\n\n") { usleep(5000) }
    #expect(client.events.isEmpty)
    ledger.run("log meditation 5m --id one")
    client.waitForEnd()
    #expect(client.events.map(\.event) == ["one"])
  }

  @Test
  func `changes from the start are the lines of timeline, with a cursor after each step`() throws {
    let events = heard(request("?after=start"), 4)
    #expect(events.map(\.data) == lines(after: "start"))
    #expect(events.map { $0.id == nil } == [true, true, false, false])
    for event in events {
      let end = event.id.map { "\"cursor\":\"\($0)\"" } ?? "\"more\":true"
      #expect(event.data.contains(end))
    }
  }

  @Test func `an event that any process appends is sent to clients that listen for changes`() {
    let events = heard(request(), 3) {
      ledger.run("log meditation 5m --id one")
      ledger.run("log meditation 5m --id two --writer phone")
      _ = WebRequest(
        "POST", "/v1/events", root: "",
        body: #"{"id":"three","type":"entry.logged","habit":"noalc","level":"steady"}"#
      ).with(["Remote-User": "events"]).answer(of: server)
    }
    #expect(events.map(\.event) == ["one", "two", "three"])
  }

  @Test(arguments: UInt64(1)...6)
  func `a client that reconnects after any step misses no event and gets no event twice`(
    seed: UInt64
  )
    throws
  {
    var random = SeededRandom(seed: seed)
    var cursor = "start"
    var events: [Heard] = []
    var step = 0
    while events.count < 24 {
      if ledger.events(in: ["main", "phone"]) < 24 {
        for _ in 0..<4 {
          ledger.run(
            """
            log meditation \(1 + random.below(9))m --writer \(["main", "phone"][random.below(2)]) \
            --id e\(step)
            """
          )
          step += 1
        }
      }
      let count = min(1 + random.below(4), 24 - events.count)
      let more = heard(request("", ["Last-Event-ID": cursor]), count)
      // A client that is lost inside a step gets the whole step again.
      guard let last = more.lastIndex(where: { $0.id != nil }) else { continue }
      events += more[...last]
      cursor = try #require(more[last].id)
    }
    #expect(Set(events.map(\.event)).count == events.count, "seed \(seed)")
    #expect(
      events.map(\.event)
        == lines(after: "start").prefix(events.count).map { Heard(id: nil, data: $0).event })
  }

  @Test
  func `a client that disconnects before its first event can continue from its first cursor`()
    throws
  {
    let client = ListeningClient(request(), server, wants: 1)
    client.waitForHead()
    let cursor = try #require(client.cursor)
    ledger.run("log meditation 5m --id one")
    client.waitForEnd()
    let again = heard(request("", ["Last-Event-ID": cursor]), 1)
    #expect(again.map(\.event) == ["one"] && client.events == again)
  }

  @Test func `several clients that listen for changes get the same events`() {
    let clients = (0..<4).map { _ in ListeningClient(request(), server, wants: 3) }
    for client in clients { client.waitForHead() }
    #expect(request().answer(of: server).status == 429)
    for number in 0..<3 { ledger.run("log meditation 5m --id e\(number)") }
    for client in clients {
      client.waitForEnd()
      #expect(client.events.map(\.event) == ["e0", "e1", "e2"])
    }
  }

  @Test
  func `32 clients can listen for changes, and another can after one of them has left`() throws {
    let server = WebRequest.server(root: ledger.folder, login: "events")
    let clients = (0..<32).map { _ in ListeningClient(request(), server, wants: 1) }
    for client in clients { client.waitForHead() }
    let refused = request().answer(of: server)
    #expect(refused.status == 429 && refused.problem == "too-many-listeners")
    #expect(refused.headers["Retry-After"] == "10" && refused["instance"] == "/v1/changes")

    ledger.run("log meditation 5m --id one")
    for client in clients { client.waitForEnd() }
    let next = ListeningClient(request(), server, wants: 1)
    next.waitForHead()
    ledger.run("log meditation 5m --id two")
    next.waitForEnd()
    #expect(next.events.map(\.event) == ["two"])
  }

  @Test func `a slow client gets a long batch without delaying a fast client`() throws {
    let gate = DispatchSemaphore(value: 0)
    let (quick, slow) = (
      ListeningClient(request(), server, wants: 2000),
      ListeningClient(request(), server, wants: 2000, behind: gate)
    )
    for client in [quick, slow] { client.waitForHead() }
    let lines = (1...2000).map {
      #"{"id":"e\#($0)","type":"entry.logged","habit":"meditation","minutes":5}"# + "\n"
    }
    #expect(ledger.run("append", input: lines.joined()).status == .done)
    quick.waitForEnd()
    #expect(quick.events.map(\.event) == (1...2000).map { "e\($0)" })
    #expect(quick.events.count { $0.id != nil } == 1)
    for _ in 0..<2000 { gate.signal() }
    slow.waitForEnd()
    #expect(slow.events == quick.events)
  }

  @Test func `a batch is sent only after its last newline is written`() throws {
    let client = ListeningClient(request(), server, wants: 1)
    client.waitForHead()
    ledger.run("log meditation 5m --id one --writer phone")
    client.waitForEnd()
    let phone = ledger.bytes(of: "phone")
    try ledger.write(Array(phone.dropLast()), to: "phone.jsonl")
    let again = ListeningClient(request("?after=start"), server, wants: 5)
    usleep(400_000)
    #expect(!again.text.contains("\"one\""))
    try ledger.write(phone, to: "phone.jsonl")
    again.waitForEnd()
    #expect(again.events.last?.event == "one")
  }

  @Test
  func `a text that was redacted before a client connected is not sent to that client`() throws {
    ledger.run("define gym --name SECRETNAME --id named")
    let cursor = try #require(heard(request("?after=start"), 5).last?.id)
    let first = ListeningClient(request("?after=\(cursor)"), server, wants: 2)
    first.waitForHead()
    #expect(ledger.run("redact named --reason private").status == .done)
    ledger.run("log meditation 5m --id last")
    first.waitForEnd()
    for after in ["start", cursor] {
      let client = ListeningClient(
        request("?after=\(after)"), server, wants: after == "start" ? 7 : 2)
      client.waitForEnd()
      #expect(
        client.events.last?.event == "last" && !client.text.contains("SECRETNAME"), "\(client.text)"
      )
    }
  }

  @Test
  func `a cursor of a changed past is a conflict, and a malformed cursor is a bad request`() throws
  {
    let cursor = try #require(heard(request("?after=start"), 4).last?.id)
    let bytes = ledger.bytes().split(separator: 10).dropLast()
    try ledger.write(Array(bytes.joined(separator: [10])) + [10], to: "main.jsonl")
    let answer = request("?after=\(cursor)").answer(of: server)
    #expect(answer.status == 409 && answer.problem == "changed-past")
    #expect(request("?after=nothing!").answer(of: server).problem == "bad-parameter")
    #expect(request("", ["Last-Event-ID": "nothing!"]).answer(of: server).problem == "bad-header")
    let empty = WebRequest.server(root: ledger.folder, login: "nobody")
    #expect(request("", ["Remote-User": "nobody"]).answer(of: empty).problem == "no-ledger")
    #expect(request("", ["Remote-User": ""]).answer(of: server).problem == "not-logged-in")
  }
}

extension TemporaryLedger {
  fileprivate func events(in segments: [String]) -> Int {
    segments.reduce(0) { $0 + bytes(of: $1).count { $0 == 10 } }
  }
}
