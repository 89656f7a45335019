import EventLog
package import StreakCommands
import StreakDomain
package import Synchronization

/// A connection with a client, which only one thread uses.
package protocol Connection {
  /// Returns the next bytes, or an empty array if the client sends no more or if none arrive before `end`.
  func read(until end: ContinuousClock.Instant) -> [UInt8]

  /// Sends all bytes; returns false if the client has disconnected or has received nothing for half a minute.
  func write(_ bytes: [UInt8]) -> Bool

  /// Waits for at most `time`, and returns false if the client has disconnected or the process is ending.
  func staysOpen(for time: Duration) -> Bool
}

/// A server that answers one request per connection, each on its own thread.
package final class Server: Sendable {
  package enum Ledgers: Sendable {
    /// The ledger in one folder, for the programs of this machine and without a login.
    case one(folder: String)
    /// A ledger for each login, each in its own folder below `root`.
    case eachLogin(root: String)
  }

  package struct Limits: Sendable {
    package var head = Duration.seconds(10)
    package var body = Duration.seconds(60)
    /// The maximum time to wait while another process writes to the ledger.
    package var wait = Duration.seconds(5)
    /// The time without an event after which a listener gets a comment, which keeps its connection alive.
    package var quiet = Duration.seconds(15)
    /// The maximum number of bytes of an answer.
    package var answer = 16 << 20
    package var requests = 64
    package var requestsOfLogin = 8
    package var listeners = 256
    package var listenersOfLogin = 32

    package init() {}
  }

  /// The numbers of a login's requests and of its connections for changes that are being answered.
  private struct Counts {
    var requests = 0
    var listeners = 0
  }

  private let ledgers: Ledgers
  private let limits: Limits
  private let pool: LedgerPool
  /// The number of connections being answered, except those for changes; the caller of `answer` adds and subtracts one.
  package let connections = Atomic(0)
  private let logins = Mutex<[String: Counts]>([:])

  /// Creates a server; `memory` is the approximate limit in bytes for the folded ledgers that it caches.
  package init(_ ledgers: Ledgers, memory: Int, limits: Limits = Limits()) {
    (self.ledgers, self.limits, pool) = (ledgers, limits, LedgerPool(memory: memory))
  }

  /// Whether another connection may be accepted now; connections for changes don't count.
  package var hasRoom: Bool { connections.load(ordering: .relaxed) < limits.requests }

  package func answer(_ connection: any Connection, _ context: Context) {
    var head = RequestHead()
    let end = ContinuousClock.now + limits.head
    var (path, isHead) = ("/", false)
    var response: Response?
    do throws(Problem) {
      while true {
        let bytes = connection.read(until: end)
        guard !bytes.isEmpty else { return }
        guard let (request, rest) = try head.take(bytes) else { continue }
        (path, isHead) = (request.path, request.method == "HEAD")
        response = try self.response(to: request, rest, connection, context)
        break
      }
    } catch {
      if let says = error.forTheLog { context.errors(says + "\n") }
      response = error.response(to: path)
    }
    if let response { _ = connection.write(response.bytes(withBody: !isHead)) }
  }

  /// Returns the response, or `nil` if the request was for a stream of changes, which has been sent and has ended.
  private func response(
    to request: Request, _ rest: [UInt8], _ connection: any Connection, _ context: Context
  ) throws(Problem) -> Response? {
    try checkSource(of: request)
    if request.path == Route.health.pattern {
      return try response(try Route.matching(request).route, request)
    }
    let (login, folder) = try ledger(of: request)
    let (route, words) = try Route.matching(request)
    if route.command == nil { return try response(route, request) }
    let service = Service(request: request, folder: folder, context: context, limits: limits, pool: pool)
    let listens = route.pattern == Route.changes.pattern
    return try counting(login, listens: listens) { () throws(Problem) in
      if listens {
        connections.subtract(1, ordering: .relaxed)
        defer { connections.add(1, ordering: .relaxed) }
        try service.listen(connection)
        return nil
      }
      guard route.method == "POST" else { return try service.document(route, words) }
      return try service.post(route) { () throws(Problem) in
        if request["expect"]?.asciiLowercased == "100-continue", rest.isEmpty {
          _ = connection.write(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
        }
        let end = ContinuousClock.now + limits.body
        return try request.body(rest) { connection.read(until: end) }
      }
    }
  }

  private func response(_ route: Route, _ request: Request) throws(Problem) -> Response {
    _ = try route.options(of: request)
    return Response(
      .ok, headers: [("Content-Type", route.contentType), ("Cache-Control", "no-store")],
      body: route.document())
  }

  /// Throws if a web page of another origin may have caused the request.
  private func checkSource(of request: Request) throws(Problem) {
    let host = (request["host"] ?? "").asciiLowercased
    if case .one = ledgers {
      let port = host.utf8.reversed().prefix { $0.isDigit }.count
      let hasPort = host.utf8.dropLast(port).last == UInt8(ascii: ":")
      let name = hasPort ? String(Substring(host.utf8.dropLast(port + 1))) : host
      guard ["localhost", "127.0.0.1", "[::1]"].contains(name) else {
        throw Problem(
          status: .misdirectedRequest, "Host is \(quoted(host)); this service is for http://localhost only")
      }
    }
    if let origin = request["origin"]?.asciiLowercased,
      !["http://" + host, "https://" + host].contains(origin)
    {
      throw Problem(
        status: .forbidden,
        "Origin is \(quoted(origin)), and Host \(quoted(host)); requests from pages of other origins are refused"
      )
    }
  }

  /// Returns the login, or an empty text if there is none, and the folder of its ledger.
  private func ledger(of request: Request) throws(Problem) -> (login: String, folder: String) {
    switch ledgers {
    case .one(let folder): return ("", folder)
    case .eachLogin(let root):
      guard let login = request["remote-user"] else {
        throw Problem(
          .notLoggedIn, "the web server must ask for a login and pass it as Remote-User",
          headers: [("WWW-Authenticate", "Basic realm=\"streaks\", charset=\"UTF-8\"")])
      }
      let name = try Server.folder(of: login)
      // Without this check, the first event of a login would create the folder of all ledgers.
      do throws(SystemError) { _ = try File(root, .folder, on: SystemDisk()) } catch {
        var problem = Problem(
          .notConfigured, "the folder of the ledgers cannot be opened; the server's log says why")
        problem.forTheLog = "streaks: --root: \(error)"
        throw problem
      }
      return (login, root + "/" + name)
    }
  }

  /// Calls `body` as one more request or listener of `login`; throws if there are too many.
  private func counting<Result>(
    _ login: String, listens: Bool, _ body: () throws(Problem) -> Result
  ) throws(Problem) -> Result {
    let counted: any WritableKeyPath<Counts, Int> & Sendable = listens ? \.listeners : \.requests
    let refusal: Problem? = logins.withLock { logins in
      let own = logins[login, default: Counts()][keyPath: counted]
      guard own < (listens ? limits.listenersOfLogin : limits.requestsOfLogin) else {
        return listens
          ? Problem(
            .tooManyListeners,
            "this login has \(own) connections for changes, and no more are allowed; close one")
          : Problem(
            status: .tooManyRequests,
            "\(own) requests of this login are being answered; send this one again")
      }
      if listens, logins.values.reduce(0, { $0 + $1.listeners }) >= limits.listeners {
        return Problem(.busy, "no more connections for changes are allowed; try again later")
      }
      logins[login, default: Counts()][keyPath: counted] += 1
      return nil
    }
    if var refusal {
      refusal.headers = [("Retry-After", listens ? "10" : "1")]
      throw refusal
    }
    defer {
      logins.withLock { logins in
        logins[login]?[keyPath: counted] -= 1
        if logins[login].map({ $0.requests + $0.listeners }) == 0 { logins[login] = nil }
      }
    }
    return try body()
  }

  /// Returns the name of the folder with the ledger of `login`, such as `ana%40example.org`.
  ///
  /// Bytes except `a-z 0-9` and, after the first, `-._` are encoded: logins stay distinct on disks that ignore case.
  package static func folder(of login: String) throws(Problem) -> String {
    guard !login.hasReplacedBytes else {
      throw Problem(.badName, "the name is not valid UTF-8, so it cannot be distinguished from others")
    }
    var name: [UInt8] = []
    for byte in login.utf8 {
      if (97...122).contains(byte) || byte.isDigit || !name.isEmpty && "-._".utf8.contains(byte) {
        name.append(byte)
      } else {
        let digits = Array("0123456789ABCDEF".utf8)
        name += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    guard name.count <= 255 else {
      throw Problem(
        .badName,
        "the name of its folder would have \(name.count) characters, percent-encoded, and at most 255 are allowed"
      )
    }
    return String(decoding: name, as: UTF8.self)
  }
}
