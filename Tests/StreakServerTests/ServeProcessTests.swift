import CommandFixtures
import Foundation
import StreakCommands
import StreakDomain
import StreakServer
import Synchronization
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

  private func start(_ words: [String] = [], at path: String? = nil) throws -> Process {
    let process = Process()
    process.executableURL = BuiltProgram.url
    process.arguments =
      ["serve", "--socket", path ?? self.path, "--events", ledger.folder + "/ana"]
      + ["--login", "ana"] + words
    process.environment = ProcessInfo.processInfo.environment.merging([
      "STREAKS_WRITER": "main"
    ]) { $1 }
    process.standardError = Pipe()
    try process.run()
    return process
  }

  /// Starts a service without a log, because nobody reads its standard error meanwhile.
  private func serve(_ words: String...) throws -> Process {
    let process = try start(words + ["--quiet"])
    for _ in 0..<1000 where SocketClient(path) == nil { usleep(5000) }
    return process
  }

  private func remove() { try? FileManager.default.removeItem(atPath: folder) }

  private func answer(_ request: WebRequest) -> WebAnswer? {
    guard let client = SocketClient(path), client.send(request.bytes) else { return nil }
    return client.receiveAll().map { WebAnswer($0) }
  }

  private func post(_ id: String) -> WebAnswer? {
    answer(
      WebRequest(
        "POST", "/v1/events", root: "",
        body: #"{"id":"\#(id)","type":"entry.logged","habit":"noalc"}"#))
  }

  private func errors(_ process: Process) -> String {
    let pipe = process.standardError as? Pipe
    return String(
      decoding: pipe?.fileHandleForReading.readDataToEndOfFile() ?? Data(), as: UTF8.self)
  }

  @Test
  func `serve answers at a socket that its group can use, and removes the socket when it ends`()
    throws
  {
    defer { remove() }
    let process = try serve()
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o660)
    #expect(
      answer(WebRequest("POST", "/v1/events", root: "", body: ServeProcessTests.first))?.status
        == 201)
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

  @Test
  func `serve refuses a socket in use and a file that is not a socket, and removes neither`() throws
  {
    defer { remove() }
    let process = try serve()
    let second = try start()
    second.waitUntilExit()
    #expect(second.terminationStatus == 5 && errors(second).contains("another program listens"))
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
    #expect(fourth.terminationStatus == 5 && errors(fourth).contains("not a socket"))
    #expect(FileManager.default.contents(atPath: path) == Data("text".utf8))
  }

  @Test func `serve refuses a socket folder that another user owns or can write to`() throws {
    defer { remove() }
    // Root can give the folder away; for other users, the root folder belongs to somebody else.
    let isRoot = geteuid() == 0
    if isRoot {
      try FileManager.default.setAttributes([.ownerAccountID: 65_534], ofItemAtPath: folder)
    }
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

  @Test func `serve finishes a request that has begun before it ends`() throws {
    defer { remove() }
    let process = try serve()
    #expect(
      answer(WebRequest("POST", "/v1/events", root: "", body: ServeProcessTests.first))?.status
        == 201)
    let request = WebRequest(
      "POST", "/v1/events", root: "", body: #"{"id":"begun","type":"entry.logged","habit":"noalc"}"#
    )
    let client = try #require(SocketClient(path))
    let silent = try #require(SocketClient(path))
    client.send(Array(request.bytes.dropLast(10)))
    usleep(200_000)
    process.terminate()
    usleep(100_000)
    #expect(process.isRunning)
    client.send(Array(request.bytes.suffix(10)))
    #expect(client.receiveAll().map { WebAnswer($0).status } == 201)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    // The end doesn't wait for clients that have sent nothing.
    #expect(silent.receiveAll() == [])
  }

  @Test func `serve ends even if a file has replaced its socket, and keeps that file`() throws {
    defer { remove() }
    let process = try serve()
    try FileManager.default.removeItem(atPath: path)
    try Data("text".utf8).write(to: URL(filePath: path))
    process.terminate()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(FileManager.default.contents(atPath: path) == Data("text".utf8))
  }

  @Test func `serve removes its socket even if it is terminated right after the start`() throws {
    defer { remove() }
    for _ in 0..<5 {
      let process = try start()
      while process.isRunning, !FileManager.default.fileExists(atPath: path) { usleep(50) }
      process.terminate()
      process.waitUntilExit()
      #expect(process.terminationStatus == 0 && !FileManager.default.fileExists(atPath: path))
    }
  }

  @Test
  func `serve without a login serves the local ledger at a port and prints the address`() throws {
    defer { remove() }
    ledger.run("init noalc")
    let port = UInt16.random(in: 20_000..<60_000)
    let process = Process()
    process.executableURL = BuiltProgram.url
    process.arguments = ["serve", "--events", ledger.folder + "/events", "--port", "\(port)"]
    process.environment = ["STREAKS_WRITER": "main"]
    process.standardError = Pipe()
    try process.run()
    for _ in 0..<1000 where SocketClient(port: port) == nil { usleep(5000) }
    let client = try #require(SocketClient(port: port))
    let head = "GET / HTTP/1.1\r\nHost: localhost:\(port)\r\nConnection: close\r\n\r\n"
    client.send(Array(head.utf8))
    let page = WebAnswer(try #require(client.receiveAll()))
    #expect(page.status == 200 && page.body.contains("<!doctype html>"))
    let other = try #require(SocketClient(port: port))
    other.send(Array(head.replacing("localhost", with: "evil.example").utf8))
    #expect(WebAnswer(try #require(other.receiveAll())).status == 421)
    let second = try Process.run(BuiltProgram.url, arguments: process.arguments ?? [])
    second.waitUntilExit()
    #expect(second.terminationStatus == 5)
    process.interrupt()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(
      errors(process).hasPrefix(
        "streaks: serving \(ledger.folder)/events at http://127.0.0.1:\(port)\n"))
  }

  @Test func `two hundred slow clients do not block other clients`() throws {
    defer { remove() }
    let process = try serve()
    let first = WebRequest("POST", "/v1/events", root: "", body: ServeProcessTests.first)
    #expect(answer(first)?.status == 201)

    // Each has sent a part of a head, or of a body.
    let slow = try (0..<200).map { number in
      let client = try #require(SocketClient(path))
      client.send(Array(first.bytes.dropLast(number % 2 == 0 ? 3 : first.body.count + 3)))
      return client
    }
    #expect(answer(WebRequest("GET", "/healthz", root: ""))?.status == 200)
    #expect(answer(WebRequest("GET", "/v1/state", root: ""))?["position"] == "2")
    #expect(slow.count { !$0.hasEnded } < 64)
    #expect(try #require(slow.last).hasEnded == false)
    process.terminate()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }

  @Test
  func `serve ends in less than ten seconds even if a client has sent half a request`() throws {
    defer { remove() }
    let process = try serve()
    let client = try #require(SocketClient(path))
    client.send(Array("GET /v1/state HTTP/1.1\r\n".utf8))
    usleep(100_000)
    let start = ContinuousClock.now
    process.terminate()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(start.duration(to: .now) < .seconds(10), "the client could send for ten seconds")
  }

  @Test func `serve with --idle ends when nobody is connected, and not before`() throws {
    defer { remove() }
    let process = try serve("--idle", "1")
    let listener = try #require(SocketClient(path))
    let changes = WebRequest("GET", "/v1/changes", root: "")
    #expect(
      answer(WebRequest("POST", "/v1/events", root: "", body: ServeProcessTests.first))?.status
        == 201)
    listener.send(changes.bytes)
    #expect(listener.receive()?.starts(with: "HTTP/1.1 200 ".utf8) == true)
    usleep(2_500_000)
    #expect(process.isRunning)
    listener.disconnect()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }

  @Test
  func `serve logs a line for each request to standard error, and none with --quiet`() throws {
    defer { remove() }
    for words in [[], ["--quiet"]] {
      let process = try start(words)
      for _ in 0..<1000 where SocketClient(path) == nil { usleep(5000) }
      #expect(answer(WebRequest("GET", "/v1/streks", root: ""))?.status == 404)
      process.terminate()
      process.waitUntilExit()
      let lines = errors(process).split(separator: "\n").dropFirst()
      #expect(lines.count == (words.isEmpty ? 1 : 0))
      guard let line = lines.first else { continue }
      #expect(
        line.contains(" login=ana method=GET path=/v1/streks status=404 ms=")
          && line.hasSuffix(
            #" error="there is nothing at \"/v1/streks\" (did you mean \"/v1/streaks\"?)""#),
        "\(line)")
    }
  }

  private static let activates = "/usr/bin/systemd-socket-activate"

  @Test(
    .enabled(if: FileManager.default.isExecutableFile(atPath: activates), "it comes with systemd"))
  func `with socket activation, the first request starts serve`() throws {
    defer { remove() }
    let process = Process()
    process.executableURL = URL(filePath: ServeProcessTests.activates)
    process.arguments =
      ["--listen", path, BuiltProgram.url.path, "serve", "--events", ledger.folder + "/ana"]
      + ["--login", "ana", "--idle", "1"]
    process.standardError = Pipe()
    try process.run()
    // The socket is there a moment before it listens.
    var first = answer(WebRequest("GET", "/v1/state", root: ""))
    for _ in 0..<1000 where first == nil {
      usleep(5000)
      first = answer(WebRequest("GET", "/v1/state", root: ""))
    }

    #expect(first?.problem == "no-ledger")
    #expect(
      answer(WebRequest("POST", "/v1/events", root: "", body: ServeProcessTests.first))?.status
        == 201)
    let other = WebRequest("GET", "/v1/state", root: "").with(["Remote-User": "ben"])
    #expect(answer(other)?.problem == "other-login")
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }

  @Test(arguments: [
    (["--fd", "3", "--login", "ana"], 5, "descriptor 3 is not a listening socket"),
    (["--login", "ana"], 2, "--login needs --socket, --fd or the variable LISTEN_FDS"),
    (["--socket", "x"], 2, "--socket goes with --login"),
    (["--socket", "x", "--login", "Ana"], 2, "must be 1 to 64 of a-z 0-9 . _ -"),
    (["--socket", "x", "--login", "../ben"], 2, "must be 1 to 64 of a-z 0-9 . _ -"),
  ])
  func `serve refuses a socket without a login, an invalid login and an unusable descriptor`(
    words: [String], status: Int32, message: String
  ) throws {
    defer { remove() }
    let process = Process()
    process.executableURL = BuiltProgram.url
    process.arguments = ["serve"] + words
    process.standardError = Pipe()
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == status)
    #expect(errors(process).contains(message))
  }

  @Test func `serve answers a thousand simultaneous connections and a body that arrives slowly`()
    throws
  {
    defer { remove() }
    let process = try serve()
    #expect(
      answer(WebRequest("POST", "/v1/events", root: "", body: ServeProcessTests.first))?.status
        == 201)
    let health = WebRequest("GET", "/healthz", root: "")
    let answered = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: 1000) { [path] _ in
      guard let client = SocketClient(path), client.send(health.bytes) else { return }
      if client.receiveAll().map({ WebAnswer($0).status }) == 200 {
        answered.add(1, ordering: .relaxed)
      }
    }
    #expect(answered.load(ordering: .relaxed) == 1000)
    let post = WebRequest(
      "POST", "/v1/events", root: "", body: #"{"type":"entry.logged","habit":"noalc"}"#)
    let client = try #require(SocketClient(path))
    client.send(Array(post.with(["Expect": "100-continue"]).bytes.dropLast(post.body.count)))
    #expect(
      client.receive().map { String(decoding: $0, as: UTF8.self) }
        == "HTTP/1.1 100 Continue\r\n\r\n")
    for byte in post.body { client.send([byte]) }
    #expect(client.receiveAll().map { WebAnswer($0).status } == 201)
    process.terminate()
    process.waitUntilExit()
  }

  @Test func `events that serve acknowledged survive a kill`() throws {
    defer { remove() }
    var random = SystemRandomNumberGenerator()
    for round in 0..<4 {
      let process = try serve()
      if round == 0 {
        #expect(
          answer(WebRequest("POST", "/v1/events", root: "", body: ServeProcessTests.first))?.status
            == 201)
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
      for id in acknowledged {
        #expect(file.contains("\"\(id)\""), "round \(round), after \(delay) µs")
      }
    }
    let ana = "--events \(ledger.folder)/ana --now \(Date.now.ISO8601Format())"
    #expect(ledger.run("log noalc \(ana)").status == .done)
    #expect(ledger.run("verify \(ana)").screen == "")
  }

  @Test func `serve disconnects a client that reads nothing for half a minute`() async throws {
    defer { remove() }
    let process = try serve()
    defer { process.terminate() }
    _ = answer(WebRequest("POST", "/v1/events", root: "", body: ServeProcessTests.first))
    let early = #"{"type":"entry.logged","habit":"noalc","day":"1980-01-01"}"#
    #expect(answer(WebRequest("POST", "/v1/events", root: "", body: early))?.status == 201)
    // The answer is larger than the buffers between the two processes.
    let request = WebRequest("GET", "/v1/streaks/noalc/calendar?all", root: "")
    let whole = try #require(answer(request)).body.utf8.count
    #expect(whole > 1 << 19)
    let client = try #require(SocketClient(path))
    #expect(client.send(request.bytes))
    for _ in 0..<600 where !client.hasEnded { try await Task.sleep(for: .milliseconds(500)) }
    #expect(client.hasEnded)
    #expect(client.receiveAll().map { $0.count < whole } ?? true)
  }
}
