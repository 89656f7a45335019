import CommandFixtures
import Foundation
import StreakDomain
import StreakServer
import Testing

struct ServeProcessTests {
  private let ledger: TemporaryLedger
  private let folder: String
  private var path: String { folder + "/socket" }
  private static let first = """
    [{"id":"opened","type":"ledger.opened","zone":"Europe/Berlin"},
     {"id":"defined","type":"habit.defined","habit":"noalc","rule":{"kind":"any"}}]
    """

  init() throws {
    ledger = try TemporaryLedger()
    // Socket paths must be short.
    folder = "/tmp/streaks-\(UInt32.random(in: 0 ... .max))"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
  }

  private func start(_ words: String..., at path: String? = nil) throws -> Process {
    let process = Process()
    process.executableURL = BuiltProgram.url
    process.arguments = ["serve", "--socket", path ?? self.path, "--root", ledger.folder] + words
    process.environment = ProcessInfo.processInfo.environment.merging([
      "STREAKS_WRITER": "main"
    ]) { $1 }
    process.standardError = Pipe()
    try process.run()
    return process
  }

  private func serve(requests: Int = 64) throws -> Process {
    let process = try start("--requests", "\(requests)")
    for _ in 0..<1000 where SocketClient(path) == nil { usleep(5000) }
    return process
  }

  private func remove() { try? FileManager.default.removeItem(atPath: folder) }

  private func answer(_ request: WebRequest) -> WebAnswer? {
    guard let client = SocketClient(path), client.send(request.scgi) else { return nil }
    return client.receiveAll().map { WebAnswer($0) }
  }

  private func post(_ id: String) -> WebAnswer? {
    answer(
      WebRequest(
        "POST", "/v1/events", root: "", body: #"{"id":"\#(id)","type":"entry.logged","habit":"noalc"}"#))
  }

  private func errors(_ process: Process) -> String {
    let pipe = process.standardError as? Pipe
    return String(decoding: pipe?.fileHandleForReading.readDataToEndOfFile() ?? Data(), as: UTF8.self)
  }

  @Test func `it answers at a socket for its group, and takes it away when it ends`() throws {
    defer { remove() }
    let process = try serve()
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o660)
    #expect(answer(WebRequest("POST", "/v1/events", root: "", body: ServeProcessTests.first))?.status == 201)
    #expect(post("one")?.headers["ETag"] == "\"3\"")
    #expect(answer(WebRequest("GET", "/v1/state", root: ""))?["position"] == "3")
    let head = try #require(answer(WebRequest("HEAD", "/v1/state", root: "")))
    #expect(head.status == 200 && head.body == "" && head.headers["Content-Length"] != "0")
    process.terminate()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(errors(process).hasPrefix("streaks: serving "))
  }

  @Test(.enabled(if: SchemaValidator.isThere, "there is no python3"))
  func `it tells its service manager once requests are taken`() throws {
    defer { remove() }
    let script = """
      import socket, subprocess, sys
      manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
      manager.bind("manager")
      manager.settimeout(60)
      words = [sys.argv[1], "serve", "--socket", "socket", "--root", "."]
      service = subprocess.Popen(words, env={"NOTIFY_SOCKET": "manager"})
      said = manager.recv(100).decode()
      socket.socket(socket.AF_UNIX, socket.SOCK_STREAM).connect("socket")
      service.terminate()
      print(said, service.wait())
      """
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments = ["-c", script, BuiltProgram.url.path]
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    let said = Pipe()
    (process.standardOutput, process.standardError) = (said, Pipe())
    try process.run()
    #expect(try said.fileHandleForReading.readToEnd() == Data("READY=1 0\n".utf8))
  }

  @Test func `one socket has one process, and nothing else is removed for it`() throws {
    defer { remove() }
    let process = try serve()
    let second = try start()
    second.waitUntilExit()
    #expect(second.terminationStatus == 5 && errors(second).contains("another `streaks serve`"))
    #expect(SocketClient(path) != nil)
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    #expect(FileManager.default.fileExists(atPath: path))
    let third = try serve()
    third.terminate()
    third.waitUntilExit()
    #expect(third.terminationStatus == 0)
    try Data("text".utf8).write(to: URL(filePath: path))
    let fourth = try start()
    fourth.waitUntilExit()
    #expect(fourth.terminationStatus == 5 && errors(fourth).contains("no socket"))
    #expect(FileManager.default.contents(atPath: path) == Data("text".utf8))
  }

  @Test func `a folder in which another user could put a socket is refused`() throws {
    defer { remove() }
    // Root can give the folder away; for other users, the root folder belongs to somebody else.
    let isRoot = geteuid() == 0
    if isRoot { try FileManager.default.setAttributes([.ownerAccountID: 65_534], ofItemAtPath: folder) }
    let process = try start(at: isRoot ? path : "/socket")
    process.waitUntilExit()
    #expect(process.terminationStatus == 5 && errors(process).contains("belongs to another user"))
    if isRoot { try FileManager.default.setAttributes([.ownerAccountID: 0], ofItemAtPath: folder) }
    try FileManager.default.setAttributes([.posixPermissions: 0o770], ofItemAtPath: folder)
    let second = try start()
    second.waitUntilExit()
    #expect(second.terminationStatus == 5 && errors(second).contains("others may write"))
    #expect((try? FileManager.default.contentsOfDirectory(atPath: folder)) == [])
  }

  @Test func `with every worker held it tells its health, and answers each when one is free`() throws {
    defer { remove() }
    let process = try serve(requests: 2)
    func request(_ user: String, _ body: String) -> [UInt8] {
      WebRequest("POST", "/v1/events", root: "", body: body).with(["REMOTE_USER": user]).scgi
    }
    let health = WebRequest("GET", "/healthz", root: "").with(["REMOTE_USER": ""])
    #expect(answer(health)?.status == 200)
    let users = ["ana", "ben", "cleo"]
    for user in users {
      let client = try #require(SocketClient(path))
      client.send(request(user, ServeProcessTests.first))
      #expect(client.receiveAll().map { WebAnswer($0).status } == 201)
    }
    // Each login has two requests: one of each occupies the workers, and the others wait.
    let bytes = users.map { request($0, #"{"type":"entry.logged","habit":"noalc"}"#) }
    let clients = try (users + users).map { _ in try #require(SocketClient(path)) }
    for (place, client) in clients.enumerated() { client.send(Array(bytes[place % 3].dropLast(10))) }
    for _ in 0..<20 { #expect(answer(health)?["status"] == "ok") }
    for (place, client) in clients.enumerated() { client.send(Array(bytes[place % 3].suffix(10))) }
    for client in clients { #expect(client.receiveAll().map { WebAnswer($0).status } == 201) }
    process.terminate()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }

  @Test func `asked to end, it finishes the request that was begun`() throws {
    defer { remove() }
    let process = try serve()
    #expect(answer(WebRequest("POST", "/v1/events", root: "", body: ServeProcessTests.first))?.status == 201)
    let request = WebRequest(
      "POST", "/v1/events", root: "", body: #"{"id":"begun","type":"entry.logged","habit":"noalc"}"#)
    let client = try #require(SocketClient(path))
    let silent = try #require(SocketClient(path))
    client.send(Array(request.scgi.dropLast(10)))
    usleep(200_000)
    process.terminate()
    usleep(100_000)
    #expect(process.isRunning)
    client.send(Array(request.scgi.suffix(10)))
    #expect(client.receiveAll().map { WebAnswer($0).status } == 201)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    // The end doesn't wait for clients that have sent nothing.
    #expect(silent.receiveAll() == [])
  }

  @Test func `asked to end, it ends though its socket is gone, and leaves another's alone`() throws {
    defer { remove() }
    let process = try serve()
    try FileManager.default.removeItem(atPath: path)
    try Data("text".utf8).write(to: URL(filePath: path))
    process.terminate()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(FileManager.default.contents(atPath: path) == Data("text".utf8))
  }

  @Test func `asked to end as soon as its socket is there, it takes it away`() throws {
    defer { remove() }
    for _ in 0..<5 {
      let process = try start()
      while process.isRunning, !FileManager.default.fileExists(atPath: path) { usleep(50) }
      process.terminate()
      process.waitUntilExit()
      #expect(process.terminationStatus == 0 && !FileManager.default.fileExists(atPath: path))
    }
  }

  @Test func `an answer of which nothing is taken for half a minute is given up`() async throws {
    defer { remove() }
    let process = try serve()
    #expect(answer(WebRequest("POST", "/v1/events", root: "", body: ServeProcessTests.first))?.status == 201)
    // The answer, with one result per event, exceeds the socket's buffers.
    let entries = [String](repeating: #"{"type":"entry.logged","habit":"noalc"}"#, count: 10_000)
    let request = WebRequest("POST", "/v1/events", root: "", body: "[\(entries.joined(separator: ","))]")
    let begin = ContinuousClock.now
    let whole = try #require(answer(request)?.body.utf8.count)
    let posting = begin.duration(to: .now)
    let client = try #require(SocketClient(path))
    client.send(request.scgi)
    // Sleeping leaves the thread to other tests.
    try await Task.sleep(for: .seconds(31) + posting * 3)
    #expect(try #require(client.receiveAll()).count < whole)
    process.terminate()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }

  @Test func `a kill loses nothing that was acknowledged`() throws {
    defer { remove() }
    var random = SystemRandomNumberGenerator()
    for round in 0..<4 {
      let process = try serve()
      if round == 0 {
        #expect(
          answer(WebRequest("POST", "/v1/events", root: "", body: ServeProcessTests.first))?.status == 201)
      }
      let delay = UInt32.random(in: 0..<200_000, using: &random)
      DispatchQueue.global().async {
        usleep(delay)
        kill(process.processIdentifier, SIGKILL)
      }
      var acknowledged: [String] = []
      var number = 0
      while let answer = post("r\(round)-\(number)"), answer.status == 201 {
        acknowledged.append("r\(round)-\(number)")
        number += 1
      }
      process.waitUntilExit()
      let file = String(
        decoding: FileManager.default.contents(atPath: ledger.folder + "/ana/main.jsonl") ?? Data(),
        as: UTF8.self)
      for id in acknowledged { #expect(file.contains("\"\(id)\""), "round \(round), after \(delay) µs") }
    }
    let ana = "--events \(ledger.folder)/ana --now \(Date.now.ISO8601Format())"
    #expect(ledger.run("log noalc \(ana)").status == .done)
    #expect(ledger.run("verify \(ana)").screen == "")
  }
}
