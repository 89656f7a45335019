import EventLog
package import StreakCommands
import StreakDomain

/// A connection with a client, which only one thread uses.
package protocol Connection {
  /// Returns the next bytes, or an empty array if the client sends no more or if none arrive before
  /// `end`.
  func read(until end: ContinuousClock.Instant) -> [UInt8]

  /// Sends all bytes; returns false if the client has disconnected or has received nothing for half
  /// a minute.
  func write(_ bytes: [UInt8]) -> Bool

  /// Waits for at most `time`, and returns false if the client has disconnected or the process is
  /// ending.
  func staysOpen(for time: Duration) -> Bool
}

/// A server that answers one request per connection; several threads may call `answer` at a time.
package final class Server: Sendable {
  /// The ledgers that a server serves.
  package enum Ledgers: Sendable {
    /// The ledger in one folder, for the programs of this machine and without a login.
    case one(folder: String)
    /// A ledger for each login, each in its own folder below `root`.
    case eachLogin(root: String)
  }

  /// The limits of times, sizes and numbers, which tests change.
  package struct Limits: Sendable {
    package var head = Duration.seconds(10)
    package var body = Duration.seconds(60)
    /// The maximum time to wait while another process writes to the ledger.
    package var wait = Duration.seconds(5)
    /// The time without an event after which a listener gets a comment, which keeps its connection
    /// alive.
    package var quiet = Duration.seconds(15)
    /// The maximum number of bytes of an answer.
    package var answer = 16 << 20
    package var requestsOfLogin = 8
    package var listeners = 256
    package var listenersOfLogin = 32

    package init() {}
  }

  private let ledgers: Ledgers
  private let limits: Limits
  private let pool: LedgerPool

  /// Creates a server; `memory` is the approximate limit in bytes for the folded ledgers that it
  /// caches.
  package init(_ ledgers: Ledgers, memory: Int, limits: Limits = Limits()) {
    self.ledgers = ledgers
    self.limits = limits
    pool = LedgerPool(memory: memory, limits)
  }

  /// Answers the request on `connection`; returns whether the complete request was read.
  ///
  /// Calls `willListen` before a stream of changes, which can take days.
  @discardableResult
  package func answer(
    _ connection: any Connection, _ context: Context, willListen: () -> Void = {}
  ) -> Bool {
    var head = RequestHead()
    let end = ContinuousClock.now + limits.head
    var path = "/"
    var isHead = false
    var isRead = false
    var response: Response?
    do throws(Problem) {
      while true {
        let bytes = connection.read(until: end)
        guard !bytes.isEmpty else { return false }
        guard let (request, rest) = try head.take(bytes) else { continue }

        path = request.path
        isHead = request.method == "HEAD"
        response = try self.response(to: request, rest, connection, context, willListen)
        isRead = request.method == "POST" || request.length ?? 0 == 0
        break
      }
    } catch {
      if let message = error.forTheLog { context.errors(message + "\n") }
      response = error.response(to: path)
    }

    if let response { _ = connection.write(response.bytes(withBody: !isHead)) }
    return isRead
  }

  /// Returns the response, or `nil` if the request was for a stream of changes, which has been sent
  /// and has ended.
  private func response(
    to request: Request, _ rest: [UInt8], _ connection: any Connection, _ context: Context,
    _ willListen: () -> Void
  ) throws(Problem) -> Response? {
    try checkSource(of: request)
    let folder = request.path == Route.health.pattern ? "" : try folder(of: request)
    let (route, words) = try Route.matching(request)
    let options = try route.options(of: request)
    guard let command = route.command else {
      let headers = [("Content-Type", route.contentType), ("Cache-Control", "no-store")]
      return Response(status: .ok, headers: headers, body: route.document())
    }

    let listens = route.pattern == Route.changes.pattern
    return try pool.use(folder, listens: listens) { (ledger) throws(Problem) in
      let arguments = Arguments(
        positionals: words + route.fixed.words,
        values: options.merging(route.fixed.options) { $1 }.merging(["--events": [folder]]) { $1 })
      let service = Service(
        request: request, route: route,
        invocation: Invocation(forOtherProgram: command, arguments, context),
        ledger: ledger,
        limits: limits)

      try ledger.requireFewDays(service.invocation)
      if listens {
        willListen()
        try service.listen(connection)
        return nil
      }
      guard route.method == "POST" else { return try service.document() }
      return try service.post { () throws(Problem) in
        try request.body(rest, from: connection, until: .now + limits.body)
      }
    }
  }

  /// Throws if a web page of another origin may have caused the request.
  private func checkSource(of request: Request) throws(Problem) {
    let host = (request["host"] ?? "").asciiLowercased
    if case .one = ledgers {
      let isOwn = ["localhost", "127.0.0.1", "[::1]"].contains { name in
        let port = host.droppingBytes(name.utf8.count)
        return host.begins(with: name) && (port.isEmpty || port.begins(with: ":"))
          && port.utf8.dropFirst().allSatisfy(\.isDigit)
      }
      guard isOwn else {
        throw Problem(
          status: .misdirectedRequest,
          "Host is \(quoted(host)); this service is for http://localhost only")
      }
    }

    if let origin = request["origin"]?.asciiLowercased,
      !["http://" + host, "https://" + host].contains(origin)
    {
      throw Problem(
        status: .forbidden,
        """
        Origin is \(quoted(origin)), and Host \(quoted(host)); requests from pages of other \
        origins are refused
        """)
    }
  }

  /// Returns the folder of the ledger that the request is about.
  private func folder(of request: Request) throws(Problem) -> String {
    switch ledgers {
    case .one(let folder): return folder
    case .eachLogin(let root):
      guard let login = request["remote-user"] else {
        throw Problem(
          .notLoggedIn, "the web server must ask for a login and pass it as Remote-User",
          headers: [("WWW-Authenticate", "Basic realm=\"streaks\", charset=\"UTF-8\"")])
      }
      let name = try Server.folder(of: login)

      // Without this check, the first event of a login would create the folder of all ledgers.
      do throws(SystemError) { _ = try File(root, .folder, on: SystemDisk()) } catch {
        throw Problem(
          .notConfigured, "the folder of the ledgers cannot be opened; the server's log says why",
          forTheLog: "streaks: --root: \(error)")
      }
      return root + "/" + name
    }
  }

  /// Returns the name of the folder with the ledger of `login`, such as `ana%40example.org`.
  ///
  /// Bytes except `a-z 0-9` and, after the first, `-._` are encoded: logins stay distinct on disks
  /// that ignore case.
  package static func folder(of login: String) throws(Problem) -> String {
    guard !login.hasReplacedBytes else {
      throw Problem(
        .badName, "the name is not valid UTF-8, so it cannot be distinguished from others")
    }

    let name = login.utf8.enumerated().map { index, byte in
      (97...122).contains(byte) || byte.isDigit || index > 0 && "-._".utf8.contains(byte)
        ? String(Unicode.Scalar(byte))
        : "%" + String(256 + Int(byte), radix: 16, uppercase: true).droppingBytes(1)
    }.joined()
    guard name.utf8.count <= 255 else {
      throw Problem(
        .badName,
        """
        the name of its folder would have \(name.utf8.count) characters, percent-encoded, and at \
        most 255 are allowed
        """)
    }
    return name
  }
}
