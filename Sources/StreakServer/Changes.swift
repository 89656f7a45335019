import EventLog
import StreakCommands
import StreakDomain
import Synchronization

extension Service {
  /// Sends each new event to a connection until it is closed; throws only before anything has been sent.
  func listen(_ connection: any Connection) throws(Problem) {
    let cursor = try cursor(try Route.changes.options(of: request))
    var isBegun = false
    func send(_ bytes: [UInt8]) -> Bool {
      defer { isBegun = true }
      return connection.write((isBegun ? [] : Service.changesHead) + bytes) && request.method != "HEAD"
    }
    try use(.timeline, ["--json": [""]]) { (ledger, invocation) throws(Problem) in
      ledger.changes.join()
      defer { ledger.changes.leave() }
      do throws(Failure) {
        guard var number = try start(after: cursor, ledger, invocation, send) else { return }
        var last = ContinuousClock.now
        while connection.staysOpen(for: .milliseconds(200)),
          let messages = try ledger.changes.messages(from: number, limits.answer)
        {
          number += messages.count
          if messages.isEmpty, last.duration(to: .now) < limits.quiet { continue }
          let bytes = messages.isEmpty ? Array(": still there\n\n".utf8) : messages.flatMap(\.self)
          guard send(bytes) else { return }
          last = .now
        }
      } catch {
        if isBegun { return }
        guard error.kind == .refused else { throw Problem(error, in: Route.changes) }
        throw Problem(
          status: .contentTooLarge, "\(error.says); ask for /v1/state, and listen without a cursor")
      }
    }
  }

  /// Sends the events after `cursor` to a new listener; returns the next message's number, or `nil` if it disconnected.
  private func start(
    after cursor: Cursor?, _ ledger: ServedLedger, _ invocation: Invocation, _ send: ([UInt8]) -> Bool
  ) throws(Failure) -> Int? {
    func end() throws(Failure) -> (number: Int, cursor: Cursor) {
      try ledger.changes.end(limits.answer) { () throws(Failure) in try ChangeFeed(invocation, after: nil) }
    }
    guard let cursor else {
      let end = try end()
      // With this id, the client misses nothing if the connection is lost before the first event.
      return send(Array("id: \(end.cursor)\n\n".utf8)) ? end.number : nil
    }
    return try ledger.history.withLock { _ throws(Failure) in
      var feed = try ChangeFeed(invocation, after: cursor)
      repeat {
        while let message = try feed.nextMessage(limits.answer) {
          guard send(message) else { return nil }
        }
        let end = try end()
        if end.cursor == feed.cursor { return send([]) ? end.number : nil }
        _ = try feed.follow()
      } while true
    }
  }

  /// Returns the cursor in the header `Last-Event-ID`, sent on reconnecting, else in the parameter `after`, else `nil`.
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
  private static let changesHead =
    Response.head(
      .ok,
      [("Content-Type", "text/event-stream"), ("Cache-Control", "no-store"), ("X-Accel-Buffering", "no")])
    + Array(": streaks\n\n".utf8)
}

/// The new events of a ledger as messages for all listeners at `/v1/changes`, for whom the ledger is folded only once.
final class ChangeBroadcast: Sendable {
  fileprivate struct State {
    var feed: ChangeFeed?
    /// The last messages; `first` is the number of the first stored message, counted from 0.
    var messages: [[UInt8]] = []
    var first = 0
    var listeners = 0

    var end: Int { first + messages.count }
  }

  private let state = Mutex(State())

  /// The number of bytes of messages to store for slow listeners; a single message may be longer.
  fileprivate static let storedBytes = 1 << 18

  var isFolded: Bool { state.withLock { $0.feed != nil } }

  func join() { state.withLock { $0.listeners += 1 } }

  func leave() {
    state.withLock { state in
      state.listeners -= 1
      if state.listeners == 0 { state = State() }
    }
  }

  /// Returns the number of the next message, and the cursor just past the last message.
  ///
  /// A new listener starts with that message, because earlier messages may contain a text that was redacted since.
  func end(
    _ messageLimit: Int, _ make: () throws(Failure) -> ChangeFeed
  ) throws(Failure) -> (number: Int, cursor: Cursor) {
    try state.withLock { (state) throws(Failure) in
      if state.feed == nil {
        var feed = try make()
        try feed.passAll()
        state.feed = feed
      }
      while try state.follow(messageLimit) {}
      return (state.end, state.feed?.cursor ?? Cursor())
    }
  }

  /// Returns the messages from `number` on, or `nil` if the listener was too slow and some of them were discarded.
  func messages(from number: Int, _ messageLimit: Int) throws(Failure) -> [[UInt8]]? {
    try state.withLock { (state) throws(Failure) in
      if number == state.end { _ = try state.follow(messageLimit) }
      return number >= state.first ? Array(state.messages.dropFirst(number - state.first)) : nil
    }
  }
}

extension ChangeBroadcast.State {
  /// Adds messages of appended events, up to a quarter of the bytes kept for listeners; returns false if none.
  fileprivate mutating func follow(_ messageLimit: Int) throws(Failure) -> Bool {
    var size = 0
    do throws(Failure) {
      let hasMore = try feed?.follow() ?? false
      while hasMore, size < ChangeBroadcast.storedBytes / 4, let message = try feed?.nextMessage(messageLimit)
      {
        messages.append(message)
        size += message.count
      }
    } catch {
      // The next listener reads the ledger again. The connections of the others are closed; they reconnect with their
      // cursors.
      (feed, first, messages) = (nil, end + 1, [])
      throw error
    }
    var stored = messages.reduce(0) { $0 + $1.count }
    while stored > ChangeBroadcast.storedBytes, messages.count > 1 {
      stored -= messages.removeFirst().count
      first += 1
    }
    return size > 0
  }
}

extension ChangeFeed {
  /// Returns the next event as a server-sent event, or `nil` if there is none; throws if it exceeds `limit` bytes.
  fileprivate mutating func nextMessage(_ limit: Int) throws(Failure) -> [UInt8]? {
    while try addNext() {
      guard let line = lines.take() else { continue }
      guard line.count <= limit else {
        throw Failure(.refused, "what the event after this cursor changed has more than \(limit) bytes")
      }
      return Array("id: \(cursor)\ndata: ".utf8) + line + [UInt8(ascii: "\n")]
    }
    return nil
  }
}
