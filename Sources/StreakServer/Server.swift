import EventLog
package import StreakCommands
import StreakDomain
import Synchronization

/// The server of `serve`: one thread receives requests, and workers answer them in turn.
package struct Server: Sendable {
  /// The variables of the service, which override those of a request.
  private let settings: [String: String]
  private let pool: LedgerPool
  private let limits: Limits
  private let turns: Turns<Waiting>
  private let listeners = Listeners()
  private let metrics = Metrics()

  private struct Waiting: Sendable {
    let connection: any Connection
    let request: Request
    let began: ContinuousClock.Instant
    let rest: [UInt8]
  }

  private final class Listeners: Sendable {
    let counts = Mutex<[String: Int]>([:])
  }

  package struct Limits: Sendable {
    package var head = Duration.seconds(10)
    package var body = Duration.seconds(60)
    package var unused = Duration.seconds(600)
    package var listeners = 256
    package var listenersOfLogin = 32
    /// The maximum time between two messages on a connection that listens for changes.
    package var quiet = Duration.seconds(15)
    /// The maximum number of bytes of waiting requests; a single login may have half of them.
    package var waiting = 1 << 24

    package init() {}
  }

  /// Creates a server for the ledgers below `root`.
  ///
  /// Cached ledgers may take about `memory` bytes, and the running requests as much again.
  package init(
    root: String, _ environment: [String: String], memory: Int, requests: Int = 64, limits: Limits = Limits()
  ) {
    var settings = environment.filter { $0.key.begins(with: "STREAKS_") }
    settings["STREAKS_ROOT"] = root
    self.settings = settings
    self.limits = limits
    pool = LedgerPool(memory: memory)
    turns = Turns(workers: requests, memory: memory, room: limits.waiting)
  }

  /// Checks the settings that all requests need.
  func check() throws(Problem) { try Request(settings).checkSettings() }

  /// The number of running requests, the memory reserved for them, and the number of waiting requests.
  package var load: (running: Int, memory: Int, waiting: Int) { turns.load }

  /// Evicts unused ledgers.
  package func tidy() { pool.letGo(unusedFor: limits.unused) }

  package func end() { turns.end() }
}

/// The part of the receiving thread, which never waits for a ledger or a worker.
extension Server {
  package func arrival(of connection: any Connection) -> Arrival {
    Arrival(connection, until: .now + limits.head)
  }

  package enum Step: Sendable {
    case arriving
    case waits
    case finished
  }

  /// Adds bytes to a request's head; empty `bytes` mean that no more will come.
  package func take(_ bytes: [UInt8], of arrival: inout Arrival) -> Step {
    var (path, isHead) = ("", false)
    let response: Response
    do throws(Problem) {
      guard !bytes.isEmpty else {
        arrival.connection.finish()
        return .finished
      }
      guard try arrival.head.take(bytes) else { return .arriving }
      let request = Request(try arrival.head.variables().merging(settings) { $1 })
      (path, isHead) = (request.path, request.method == "HEAD")
      guard let watched = try watched(request) else {
        try enter(
          Waiting(
            connection: arrival.connection, request: request, began: arrival.began,
            rest: Array(arrival.head.rest)),
          bytes: arrival.head.count)
        return .waits
      }
      response = watched
    } catch { response = error.response(to: path) }
    _ = arrival.connection.write(response.bytes(withBody: !isHead))
    metrics.answered(path, response.status, in: arrival.began.duration(to: .now))
    arrival.connection.finish()
    return .finished
  }

  /// Answers health checks and metrics, which need no login, ledger or worker.
  private func watched(_ request: Request) throws(Problem) -> Response? {
    guard let route = Route.all.first(where: { !$0.needsLogin && $0.matches(request.path) }) else {
      return nil
    }
    _ = try Route.matching(request).route.options(of: request)
    guard Route.metrics.matches(request.path) else { return route.answer(route.document()) }
    guard request.user == nil else {
      throw Problem(.noPath, "metrics are for the administrator, whom the web server lets in without a login")
    }
    return route.answer(Array(metricsPage.utf8))
  }

  private var metricsPage: String {
    let (load, kept) = (turns.load, pool.load)
    let listening = listeners.counts.withLock { $0.values.reduce(0, +) }
    var gauges = [
      ("streaks_requests_running", "Requests that are being answered.", load.running),
      ("streaks_requests_waiting", "Requests that wait for their turn.", load.waiting),
      ("streaks_requests_bytes", "Memory given to those that are being answered, of --memory.", load.memory),
      ("streaks_listeners", "Connections that stay for changes.", listening),
      ("streaks_ledgers", "Ledgers that stay folded.", kept.ledgers),
      ("streaks_ledgers_bytes", "Memory that they take, of --memory.", kept.memory),
    ]
    if let memory = Metrics.residentMemory {
      gauges.append(
        ("process_resident_memory_bytes", "Memory that the process takes of the machine.", memory))
    }
    return metrics.page(gauges)
  }

  private func enter(_ waiting: Waiting, bytes: Int) throws(Problem) {
    let login = try waiting.request.login()
    if waiting.request.asksForChanges { try listen(login) }
    if turns.enter(waiting, of: login, bytes: bytes + 4096) { return }
    if waiting.request.asksForChanges { leave(login) }
    var problem = Problem(.busy, "too many requests of this login wait already; send this one again")
    problem.headers = [("Retry-After", "1")]
    throw problem
  }

  private func listen(_ login: String) throws(Problem) {
    let (own, all) = listeners.counts.withLock { listeners in
      listeners[login, default: 0] += 1
      return (listeners[login] ?? 0, listeners.values.reduce(0, +))
    }
    if own <= limits.listenersOfLogin, all <= limits.listeners { return }
    leave(login)
    var problem =
      own > limits.listenersOfLogin
      ? Problem(
        .tooManyListeners,
        "this login has \(limits.listenersOfLogin) connections for changes, and no more are allowed; close one"
      )
      : Problem(.busy, "no more connections for changes are allowed; try again later")
    problem.headers = [("Retry-After", "10")]
    throw problem
  }

  private func leave(_ login: String) {
    listeners.counts.withLock { listeners in
      listeners[login, default: 0] -= 1
      if listeners[login] == 0 { listeners[login] = nil }
    }
  }
}

/// The part of the workers.
extension Server {
  package enum Work: Sendable {
    case answered
    /// A listener, which must run on a separate thread.
    case stays(@Sendable (Context) -> Void)
    case ended
  }

  package func work(_ context: () -> Context) -> Work {
    guard let turn = next() else { return .ended }
    let (connection, request) = (turn.item.connection, turn.item.request)
    if request.asksForChanges { return .stays { context in stay(turn, context) } }
    var context = context()
    var rest = turn.item.rest
    let end = ContinuousClock.now + limits.body
    context.input = {
      defer { rest = [] }
      return rest.isEmpty ? connection.read(until: end) : rest
    }
    let response = Service(request: request, context: context, pool: pool).response()
    _ = connection.write(response.bytes(withBody: request.method != "HEAD"))
    done(turn, response.status)
    connection.finish()
    return .answered
  }

  private func next() -> Turns<Waiting>.Turn? {
    while var turn = turns.next() {
      let (request, folder) = (turn.item.request, (settings["STREAKS_ROOT"] ?? "") + "/" + turn.login)
      if turns.weigh(&turn, { RequestMemory(request, folder: folder) }) { return turn }
    }
    return nil
  }

  private func stay(_ turn: Turns<Waiting>.Turn, _ context: Context) {
    let (connection, request) = (turn.item.connection, turn.item.request)
    var hasTurn = true
    func endTurn(_ status: HTTPStatus) {
      if hasTurn { done(turn, status) }
      hasTurn = false
    }
    let service = Service(request: request, context: context, pool: pool)
    if let response = service.listen(connection, quiet: limits.quiet, caughtUp: { endTurn(.ok) }) {
      _ = connection.write(response.bytes(withBody: request.method != "HEAD"))
      endTurn(response.status)
    }
    endTurn(.ok)
    leave(turn.login)
    connection.finish()
  }

  private func done(_ turn: Turns<Waiting>.Turn, _ status: HTTPStatus) {
    metrics.answered(turn.item.request.path, status, in: turn.item.began.duration(to: .now))
    turns.done(turn)
  }
}
