import EventLog
import StreakDomain
import Synchronization

/// What all requests of one `serve` share.
package struct Server: Sendable {
  /// The settings that `cgi` takes from its variables, too.
  private let settings: [String: String]
  private let pool: LedgerPool
  private let limits: Limits
  private let listeners = Counter()

  /// How many connections there are that stay.
  private final class Counter: Sendable {
    let count = Atomic(0)
  }

  /// How long a web server may take to send a request.
  package struct Limits: Sendable {
    package var head = Duration.seconds(10)
    package var body = Duration.seconds(60)
    /// How long a ledger stays that nobody uses.
    package var unused = Duration.seconds(600)
    /// How many connections may stay for changes, and how often they hear from the server at least.
    package var listeners = 256
    package var quiet = Duration.seconds(15)

    package init() {}
  }

  /// Answers for the ledgers below `root`, of which about so many bytes stay in memory, so many requests at once.
  package init(
    root: String, _ environment: [String: String], memory: Int, requests: Int = 64, limits: Limits = Limits()
  ) {
    var settings = environment.filter { $0.key.begins(with: "STREAKS_") }
    settings["STREAKS_ROOT"] = root
    self.settings = settings
    self.limits = limits
    pool = LedgerPool(memory: memory, requests: requests)
  }

  /// Refuses settings that no request could be answered with.
  func check() throws(Problem) { try Request(settings).checkSettings() }

  /// Lets go of what nobody used for a while.
  package func tidy() { pool.letGo(unusedFor: limits.unused) }

  /// Answers the request of a connection.
  ///
  /// - Returns: what is to be run on a thread of its own, for a connection that stays.
  package func answer(_ connection: any Connection, _ context: () -> Context) -> (
    @Sendable (Context) -> Void
  )? {
    var head = SCGIHead()
    let response: Response
    var isHead = false
    do throws(Problem) {
      guard try read(&head, from: connection) else { return nil }
      let request = Request(try head.variables().merging(settings) { $1 })
      isHead = request.method == "HEAD"
      if request.path.spelling == Route.changes.pattern.spelling, isHead || request.method == "GET" {
        return try staying(connection, request)
      }
      var context = context()
      context.sharesCores = true
      var rest = Array(head.rest)
      let end = ContinuousClock.now + limits.body
      context.input = {
        defer { rest = [] }
        return rest.isEmpty ? connection.read(until: end, isBegun: true) : rest
      }
      response = Service(request: request, context: context, pool: pool).response()
    } catch { response = error.response(to: "") }
    _ = connection.write(response.bytes(withBody: !isHead))
    return nil
  }

  /// Sends changes for as long as the connection stays.
  private func staying(
    _ connection: any Connection, _ request: Request
  ) throws(Problem) -> @Sendable (Context) -> Void {
    guard listeners.count.add(1, ordering: .relaxed).newValue <= limits.listeners else {
      listeners.count.subtract(1, ordering: .relaxed)
      var problem = Problem(.busy, "no more connections for changes are allowed; try again later")
      problem.headers = [("Retry-After", "10")]
      throw problem
    }
    return { context in
      let service = Service(request: request, context: context, pool: pool)
      if let response = service.listen(connection, quiet: limits.quiet) {
        _ = connection.write(response.bytes(withBody: request.method != "HEAD"))
      }
      listeners.count.subtract(1, ordering: .relaxed)
    }
  }

  /// Reads the head of a request; false where there is none.
  private func read(_ head: inout SCGIHead, from connection: any Connection) throws(Problem) -> Bool {
    let end = ContinuousClock.now + limits.head
    while true {
      let bytes = connection.read(until: end, isBegun: !head.isEmpty)
      if bytes.isEmpty { return false }
      if try head.take(bytes) { return true }
    }
  }
}
