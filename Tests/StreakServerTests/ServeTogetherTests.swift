import CommandFixtures
import EventLog
import Foundation
import StreakCommands
import StreakDomain
import StreakServer
import Synchronization
import Testing

struct ServeTogetherTests {
  private let ledger: TemporaryLedger
  private static let first = """
    [{"id":"opened","type":"ledger.opened","zone":"Europe/Berlin"},
     {"id":"defined","type":"habit.defined","habit":"meditation","rule":{"kind":"minutes","atLeast":2}}]
    """

  init() throws { ledger = try TemporaryLedger(now: "2025-11-03T12:00:00+01:00") }

  private func server() -> Server { WebRequest.server(root: ledger.folder) }

  private static func post(_ body: String, to server: Server) -> WebAnswer {
    WebRequest("POST", "/v1/events", root: "", body: body).answer(of: server)
  }

  private static func entry(_ id: String) -> String {
    #"{"id":"\#(id)","type":"entry.logged","habit":"meditation","minutes":3}"#
  }

  private func position(_ server: Server) -> String? {
    WebRequest("GET", "/v1/state", root: "").answer(of: server)["position"]
  }

  @Test func `two services of one ledger include each other's events in their answers`() {
    let servers = [server(), server()]
    #expect(ServeTogetherTests.post(ServeTogetherTests.first, to: servers[0]).status == 201)
    let answers = Mutex<[WebAnswer]>([])
    DispatchQueue.concurrentPerform(iterations: 8) { client in
      for number in 0..<10 {
        let answer = ServeTogetherTests.post(
          ServeTogetherTests.entry("e\(client)-\(number)"), to: servers[client % 2])
        answers.withLock { $0.append(answer) }
      }
    }
    #expect(
      answers.withLock { Set($0.compactMap { $0["results.0.position"] }) }
        == Set((3...82).map { "\($0)" }))
    #expect(servers.map { position($0) } == ["82", "82"])
    #expect(ledger.run("verify --events \(ledger.folder)/ana").screen == "")
  }

  @Test func `any of 70 segments may grow, be replaced or be removed while a service runs`() throws
  {
    let server = server()
    #expect(ServeTogetherTests.post(ServeTogetherTests.first, to: server).status == 201)
    let events = ledger.folder + "/ana"
    for number in 0..<70 {
      ledger.run("log meditation 3m --id s\(number) --writer w\(number) --events \(events)")
    }
    #expect(position(server) == "72")
    ledger.run("log meditation 3m --id more --writer w7 --events \(events)")
    #expect(position(server) == "73")
    let path = events + "/w7.jsonl"
    let bytes = try #require(FileManager.default.contents(atPath: path))
    let other = String(decoding: bytes, as: UTF8.self).replacing("\"more\"", with: "\"another\"")
    try Data(other.utf8).write(to: URL(filePath: path), options: .atomic)
    #expect(position(server) == "73")
    #expect(ledger.run("entries meditation --json --events \(events)").text.contains("\"another\""))
    try FileManager.default.removeItem(atPath: path)
    #expect(position(server) == "71")
    #expect(ServeTogetherTests.post(ServeTogetherTests.entry("e"), to: server).status == 201)
  }

  @Test func `a ledger that is deleted and created again is served as a new ledger`() throws {
    let server = server()
    #expect(ServeTogetherTests.post(ServeTogetherTests.first, to: server).status == 201)
    #expect(position(server) == "2")
    try FileManager.default.removeItem(atPath: ledger.folder + "/ana")
    #expect(WebRequest("GET", "/v1/state", root: "").answer(of: server).problem == "no-ledger")
    #expect(ServeTogetherTests.post(ServeTogetherTests.first, to: server).status == 201)
    #expect(ServeTogetherTests.post(ServeTogetherTests.entry("e"), to: server).status == 201)
    #expect(position(server) == "3")
  }
}
