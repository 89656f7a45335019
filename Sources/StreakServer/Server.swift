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
  private let limits: Limits
  private let usage: @Sendable () -> ProcessUsage
  private let slots: Slots
  private let ledger = ServedLedger()
  private let metrics = Mutex(Metrics())

  package init(
    folder: String, login: String? = nil, isQuiet: Bool = false, limits: Limits = Limits(),
    usage: @escaping @Sendable () -> ProcessUsage = { ProcessUsage() },
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
      var record = RequestRecord()
      var isLast = true
      do throws(Problem) {
        guard let request = try readHead(connection, &received) else { return true }
        record.start = .now
        record.request = request
        let (route, words) = try route(of: request)
        if route.method == "POST" {
          try record.request?.readBody(&received, from: connection, until: .now + limits.body)
        }
        isLast = login != nil || record.request?.isLast ?? true || route.listens
        try respond(route, words, connection, context(), isLast: isLast, &record)
      } catch {
        if let request = record.request { isLast = login != nil || request.isLast }
        record.error = error.forTheLog ?? error.detail
        send(error.response(to: record.path), connection, isLast: isLast, &record)
      }

      log(record, context())
      if isLast { return record.request?.isComplete ?? false }
    }
  }

  /// Whether the connection waits for the service, and not the service for its client.
  package func isBusy(with connection: any Connection) -> Bool { slots.isBusy(with: connection) }

  /// Answers 503 if a request takes too much processor time; returns whether one does, and the
  /// process must then end.
  package func refuseIfOverdue(_ context: () -> Context) -> Bool {
    let refused = slots.refuseIfOverdue()
    for record in refused { log(record, context()) }
    return !refused.isEmpty
  }

  private func log(_ record: RequestRecord, _ context: Context) {
    if let status = record.status { metrics.withLock { $0.count(status) } }
    // The login that the web server has checked, which may be another one than this ledger's.
    let sender = login.map { _ in record.request?.fields["remote-user"] ?? "-" }
    if !isQuiet { context.errors(record.line(at: context.now, login: sender)) }
  }

  /// Returns the next request, without its body, or `nil` if the client sends none; the bytes after
  /// the head stay in `received`.
  private func readHead(
    _ connection: any Connection, _ received: inout [UInt8]
  ) throws(Problem) -> Request? {
    var head = RequestHead()
    let end = ContinuousClock.now + limits.head
    var bytes = received
    var isBegun = !received.isEmpty
    while true {
      if let (request, rest) = try head.take(bytes) {
        received = rest
        return request
      }

      bytes = connection.read(until: end, mayEnd: !isBegun)
      isBegun = true
      if bytes.isEmpty { return nil }
    }
  }

  private func send(
    _ response: Response, _ connection: any Connection, isLast: Bool, _ record: inout RequestRecord
  ) {
    let isHead = record.request?.method == "HEAD"
    record.status = response.status
    record.bytes = isHead ? 0 : response.body.count
    _ = connection.write(response.bytes(withBody: !isHead, isLast: isLast))
  }

  /// Returns the route of a request that may be answered, with the words of its path.
  private func route(of request: Request) throws(Problem) -> (route: Route, words: [String]) {
    try checkSource(of: request)
    let isOpen = Route.open.contains { $0.pattern == request.path }
    if !isOpen { try checkLogin(of: request) }
    return try Route.matching(request)
  }

  /// Sends the answer to the request of `record`, or the stream of changes until it ends.
  private func respond(
    _ route: Route, _ words: [String], _ connection: any Connection, _ context: Context,
    isLast: Bool, _ record: inout RequestRecord
  ) throws(Problem) {
    guard let request = record.request else { return }
    let query = try route.arguments(ofQuery: request.query)

    guard let command = route.command else {
      let body = try route.document(self)
      let response = try request.answer(body, EntityTag.text(of: body), route.headers)
      return send(response, connection, isLast: isLast, &record)
    }

    let fixed = Arguments(
      positionals: words + route.fixed.words,
      values: route.fixed.options.merging(["--events": [folder]]) { $1 })
    let service = Service(
      request: request, route: route, connection: connection, record: record,
      invocation: Invocation(forOtherProgram: command, query.adding(fixed), context),
      ledger: ledger, slots: slots, limits: limits)
    try slots.withSlot(for: connection, listens: route.listens) { () throws(Problem) in
      if route.listens {
        record.status = .ok
        record.bytes = try service.listen()
      } else {
        send(try service.answer(), connection, isLast: isLast, &record)
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

  /// Returns the document of `/metrics`.
  var metricsDocument: [UInt8] {
    let usage = usage()
    let text = metrics.withLock { $0.text(usage, events: ledger.lastPosition) }
    return Array(text.utf8)
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
