import EventLog
package import StreakCommands
import StreakDomain
import Synchronization

/// A connection to a client; only one thread uses it, except that another thread can refuse its
/// request.
package protocol Connection: AnyObject, Sendable {
  /// Returns the next bytes, or an empty array if the client sends no more or if none arrive before
  /// `end`.
  ///
  /// If `mayEnd` is true, it also returns an empty array if the process is ending.
  func read(until end: ContinuousClock.Instant, mayEnd: Bool) -> [UInt8]

  /// Sends all bytes; returns false if the client has disconnected or has received nothing for half
  /// a minute.
  func write(_ bytes: [UInt8]) -> Bool

  /// Sends the bytes that the system takes at once.
  func writeAtOnce(_ bytes: [UInt8])

  /// Waits for at most `time`, and returns false if the client has disconnected or the process is
  /// ending.
  func staysOpen(for time: Duration) -> Bool

  /// Whether the client has disconnected, so that nobody waits for the answer.
  var isAbandoned: Bool { get }
}

/// The processor time that the process has used, and the largest number of bytes of memory that it
/// has had.
package typealias ProcessUsage = (processorTime: Duration, peakMemory: Int)

/// A server of one ledger; several threads may call `serve` at a time.
package final class Server: Sendable {
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
    /// The maximum size of one change that is sent to a listener, in bytes.
    package var change = 1 << 20
    package var requests = 8
    package var listeners = 32
    /// The maximum processor time of a request; then the process ends.
    package var work = Duration.seconds(30)

    package init() {}
  }

  private let folder: String
  /// The login whose requests are answered, or `nil` if the programs of this machine need none.
  private let login: String?
  private let isQuiet: Bool
  let limits: Limits
  private let usage: @Sendable () -> ProcessUsage
  let slots: Slots
  let ledger = ServedLedger()
  /// The number of answers with each status.
  private let answers = Mutex<[Int: Int]>([:])

  package init(
    folder: String, login: String? = nil, isQuiet: Bool = false, limits: Limits = Limits(),
    usage: @escaping @Sendable () -> ProcessUsage = { (.zero, 0) },
    threadClock: @escaping @Sendable () -> @Sendable () -> Duration = { { .zero } }
  ) {
    self.folder = folder
    self.login = login
    self.isQuiet = isQuiet
    self.limits = limits
    self.usage = usage
    slots = Slots(limits, threadClock: threadClock)
  }

  /// Answers the requests on `connection`: one of a web server, several of a browser.
  ///
  /// Returns whether everything that the client sent was read.
  @discardableResult
  package func serve(_ connection: any Connection, _ context: () -> Context) -> Bool {
    var received: [UInt8] = []
    while true {
      var exchange = Exchange(connection: connection)
      var wasStream = false
      do throws(Problem) {
        guard
          let request = try Request.readHead(
            &received, from: connection, until: .now + limits.head)
        else { return true }
        exchange = Exchange(connection: connection, request: request)
        let (route, words) = try route(of: request)
        if route.method == "POST" {
          try exchange.request?.readBody(&received, from: connection, until: .now + limits.body)
        }
        try respond(route, words, context(), &exchange)
        wasStream = route.listens
      } catch {
        exchange.error = error.forTheLog ?? error.detail
        send(error.response(to: exchange.request?.path ?? "/"), &exchange)
      }

      log(exchange, context())
      if wasStream || isLast(exchange) { return exchange.request?.isComplete ?? false }
    }
  }

  /// Whether the connection is closed after the answer.
  private func isLast(_ exchange: Exchange) -> Bool {
    login != nil || exchange.request?.isLast ?? true
  }

  /// Whether the connection waits for the service: its request is being answered, or it follows
  /// changes.
  package func isBusy(with connection: any Connection) -> Bool { slots.isBusy(with: connection) }

  /// Answers 503 if a request takes too much processor time.
  ///
  /// Returns whether one does; the process must then end.
  package func refuseIfOverdue(_ context: () -> Context) -> Bool {
    let refused = slots.refuseIfOverdue()
    for exchange in refused { log(exchange, context()) }
    return !refused.isEmpty
  }

  private func log(_ exchange: Exchange, _ context: Context) {
    if let status = exchange.status { answers.withLock { $0[status.code, default: 0] += 1 } }
    // The login that the web server has checked, which may be another one than this ledger's.
    let sender = login.map { _ in exchange.request?.fields["remote-user"] ?? "-" }
    if !isQuiet { context.errors(exchange.line(at: context.now, login: sender)) }
  }

  private func send(_ response: Response, _ exchange: inout Exchange) {
    let isHead = exchange.request?.method == "HEAD"
    exchange.status = response.status
    exchange.bytes = isHead ? 0 : response.body.count
    let isSent = exchange.connection.write(
      response.bytes(withBody: !isHead, isLast: isLast(exchange)))
    if !isSent { exchange.error = exchange.error ?? "the client did not receive all of it" }
  }

  /// Returns the route of a request that may be answered, with the words of its path.
  private func route(of request: Request) throws(Problem) -> (route: Route, words: [String]) {
    try checkSource(of: request)
    let isOpen = Route.open.contains { $0.pattern == request.path }
    if !isOpen { try checkLogin(of: request) }
    return try Route.matching(request)
  }

  /// Sends the answer to the request, or the stream of changes until it ends.
  private func respond(
    _ route: Route, _ words: [String], _ context: Context, _ exchange: inout Exchange
  ) throws(Problem) {
    guard let request = exchange.request else { return }
    let query = try route.arguments(ofQuery: request.query)

    guard let command = route.command else {
      let body = try route.document(self)
      let response = try request.answer(
        body, EntityTag.text(of: body), [("Content-Type", route.contentType)] + route.fixedHeaders)
      return send(response, &exchange)
    }

    let fixed = Arguments(
      positionals: words + route.fixed.words,
      values: route.fixed.options.merging(["--events": [folder]]) { $1 })
    let service = Service(
      server: self, request: request, route: route, exchange: exchange,
      invocation: Invocation(forOtherProgram: command, query.adding(fixed), context))
    try slots.withSlot(for: exchange.connection, listens: route.listens) { () throws(Problem) in
      if route.listens {
        exchange.status = .ok
        exchange.bytes = try service.listen()
      } else {
        send(try service.answer(), &exchange)
      }
    }
  }

  /// Throws if a web page of another origin may have caused the request.
  private func checkSource(of request: Request) throws(Problem) {
    let host = (request["host"] ?? "").asciiLowercased
    if login == nil {
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

    // A link of any page could start work, so only the page itself can be visited.
    let isFromOtherSite = ["cross-site", "same-site"].contains(request["sec-fetch-site"])
    let isVisit = request.isVisit && request.path == "/"
    guard !isFromOtherSite || isVisit else {
      throw Problem(status: .forbidden, "requests from pages of other origins are refused")
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

  /// Throws unless the web server has checked the password of this ledger's login.
  private func checkLogin(of request: Request) throws(Problem) {
    guard let login else { return }
    guard let claimed = request["remote-user"] else {
      throw Problem(
        .notLoggedIn, "the web server must ask for a login and pass it as Remote-User",
        headers: [("WWW-Authenticate", "Basic realm=\"streaks\", charset=\"UTF-8\"")])
    }
    guard claimed.utf8.elementsEqual(login.utf8) else {
      throw Problem(.otherLogin, "this is the ledger of another login")
    }
  }

  /// The document of `/metrics`, in the text format of Prometheus.
  var metricsDocument: [UInt8] {
    let usage = usage()
    let requests = answers.withLock { $0 }.sorted { $0.key < $1.key }.map { status, count in
      "streaks_requests_total{status=\"\(status)\"} \(count)\n"
    }
    let events = ledger.lastPosition.map {
      "# TYPE streaks_events gauge\nstreaks_events \($0)\n"
    }
    return Array(
      """
      # TYPE streaks_requests_total counter
      \(requests.joined())\
      # TYPE process_cpu_seconds_total counter
      process_cpu_seconds_total \(usage.processorTime / .seconds(1))
      # TYPE streaks_memory_peak_bytes gauge
      streaks_memory_peak_bytes \(usage.peakMemory)
      \(events ?? "")
      """.utf8)
  }

  /// Returns the document of `/readyz`; throws if the ledger's folder can't be read and written.
  func readinessDocument() throws(Problem) -> [UInt8] {
    let disk = SystemDisk()
    var existing: String? = folder
    do throws(SystemError) {
      _ = try disk.names(in: folder)
    } catch {
      existing = error.isNotFound ? FolderPath.parent(of: folder) : nil
    }
    guard let existing, disk.isWritable(existing) else {
      throw Problem(
        status: .serviceUnavailable, "the folder of the ledger cannot be read and written")
    }
    return Route.status("ready")
  }
}
