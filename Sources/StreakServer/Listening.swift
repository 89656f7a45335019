import EventLog
import StreakCommands
import StreakDomain
import Synchronization

extension Service {
  /// Sends each new event to a connection until the connection is closed; throws if nothing could be sent.
  func listen(_ connection: any Connection) throws(Problem) {
    let cursor = try cursor(try Route.changes.options(of: request))
    let invocation = Invocation(
      context, .timeline, Arguments(positionals: [], values: ["--json": [""], "--events": [folder]]))
    try use(invocation) { (ledger, requestContext) throws(Problem) in
      // Throws if the ledger is too large to be folded.
      _ = try ledger.state(requestContext)
      ledger.changes.join()
      defer { ledger.changes.leave() }
      var isBegun = false
      func send(_ bytes: [UInt8]) -> Bool {
        defer { isBegun = true }
        return connection.write((isBegun ? [] : Service.head) + bytes) && request.method != "HEAD"
      }
      do throws(Failure) {
        guard let number = try start(after: cursor, ledger, invocation, send) else { return }
        follow(ledger.changes, from: number, connection, send)
      } catch {
        if isBegun { return }
        guard error.kind == .refused else { throw Problem(error, in: Route.changes) }
        throw Problem(
          status: .contentTooLarge, "\(error.says); ask for /v1/state, and listen without a cursor")
      }
    }
  }

  /// Sends the events after `cursor` to a new listener; returns the next message's number, or `nil` if disconnected.
  private func start(
    after cursor: Cursor?, _ ledger: ServedLedger, _ invocation: Invocation, _ send: ([UInt8]) -> Bool
  ) throws(Failure) -> Int? {
    func end() throws(Failure) -> (number: Int, cursor: Cursor) {
      try ledger.changes.end { () throws(Failure) in try ChangeFeed(invocation, after: nil) }
    }
    guard let cursor else {
      let end = try end()
      // With this id, the client misses nothing if the connection is lost before the first event.
      return send(Array("id: \(end.cursor)\n\n".utf8)) ? end.number : nil
    }
    return try ledger.history.withLock { _ throws(Failure) in
      var feed = try ChangeFeed(invocation, after: cursor)
      repeat {
        while let message = try feed.nextMessage(limit: limits.answer) {
          guard send(message) else { return nil }
        }
        let end = try end()
        if end.cursor == feed.cursor { return send([]) ? end.number : nil }
        _ = try feed.follow()
      } while true
    }
  }

  private func follow(
    _ changes: ChangeBroadcast, from start: Int, _ connection: any Connection, _ send: ([UInt8]) -> Bool
  ) {
    var (number, last) = (start, ContinuousClock.now)
    while connection.staysOpen(for: ChangeBroadcast.pause), let messages = try? changes.messages(from: number)
    {
      number += messages.count
      if messages.isEmpty, last.duration(to: .now) < limits.quiet { continue }
      guard send(messages.isEmpty ? Array(": still there\n\n".utf8) : messages.flatMap(\.self)) else {
        return
      }
      last = .now
    }
  }

  /// Returns the cursor in `Last-Event-ID`, which a client sends on reconnecting, or the parameter `after`, or `nil`.
  private func cursor(_ options: [String: [String]]) throws(Problem) -> Cursor? {
    let header = request["last-event-id"]
    guard let text = header ?? options["--after"]?.first else { return nil }
    if let cursor = Cursor(text) { return cursor }
    throw Problem(
      header == nil ? .badParameter : .badHeader,
      "\(header == nil ? "after" : "Last-Event-ID") is \(quoted(text)); it must be a cursor that came with a "
        + "change, or start")
  }

  /// The head of the response; `X-Accel-Buffering` disables the buffering of proxies.
  private static let head =
    Response.head(
      .ok,
      [("Content-Type", "text/event-stream"), ("Cache-Control", "no-store"), ("X-Accel-Buffering", "no")])
    + Array(": streaks\n\n".utf8)
}
