import EventLog
import StreakDomain

/// What all requests of one `serve` share.
package struct Server: Sendable {
  /// The settings that `cgi` takes from its variables, too.
  private let settings: [String: String]
  private let pool: LedgerPool
  private let limits: Limits

  /// How long a web server may take to send a request.
  package struct Limits: Sendable {
    package var head = Duration.seconds(10)
    package var body = Duration.seconds(60)
    /// How long a ledger stays that nobody uses.
    package var unused = Duration.seconds(600)

    package init() {}
  }

  /// Answers for the ledgers below `root`, of which about so many bytes stay in memory.
  package init(root: String, _ environment: [String: String], memory: Int, limits: Limits = Limits()) {
    var settings = environment.filter { $0.key.begins(with: "STREAKS_") }
    settings["STREAKS_ROOT"] = root
    self.settings = settings
    self.limits = limits
    pool = LedgerPool(memory: memory)
  }

  /// Lets go of what nobody used for a while.
  func tidy() { pool.letGo(unusedFor: limits.unused) }

  /// Answers the request of a connection.
  package func answer(_ connection: any Connection, _ context: Context) {
    var head = SCGIHead()
    let response: Response
    var isHead = false
    do throws(Problem) {
      guard try read(&head, from: connection) else { return }
      let request = Request(try head.variables().merging(settings) { $1 })
      isHead = request.method == "HEAD"
      var context = context
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
