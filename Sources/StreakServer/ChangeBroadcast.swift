import EventLog
import StreakCommands
import StreakDomain
import Synchronization

/// The new events of a ledger as messages for all listeners at `/v1/changes`; the ledger is folded only once for them.
final class ChangeBroadcast: Sendable {
  fileprivate struct State {
    var feed: ChangeFeed?
    /// The last messages; `first` is the number of the first stored message, counted from 0.
    var messages: [[UInt8]] = []
    var first = 0
    var listeners = 0
    var followed = ContinuousClock.now

    var end: Int { first + messages.count }
  }

  private let state = Mutex(State())
  private let messageLimit: Int

  init(messageLimit: Int) { self.messageLimit = messageLimit }

  /// The number of bytes of messages to store for slow listeners; a single message may be longer.
  private static let limit = 1 << 18

  /// The minimum time between two checks for new events.
  static let pause = Duration.milliseconds(200)

  var isFolded: Bool { state.withLock { $0.feed != nil } }

  func join() { state.withLock { $0.listeners += 1 } }

  func leave() {
    state.withLock { state in
      state.listeners -= 1
      if state.listeners == 0 { state = State() }
    }
  }

  /// Returns the number of the next message, and the cursor that was reached before it.
  ///
  /// Listeners join only there, because earlier messages may contain a text that was redacted before they connected.
  func end(_ make: () throws(Failure) -> ChangeFeed) throws(Failure) -> (number: Int, cursor: Cursor) {
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

  /// Returns the messages from `number` on, or `nil` if they aren't stored anymore for such a slow listener.
  func messages(from number: Int) throws(Failure) -> [[UInt8]]? {
    try state.withLock { (state) throws(Failure) in
      if number == state.end, state.followed.duration(to: .now) > ChangeBroadcast.pause {
        _ = try state.follow(messageLimit)
      }
      return number >= state.first ? Array(state.messages.dropFirst(number - state.first)) : nil
    }
  }
}

extension ChangeBroadcast.State {
  /// Adds messages for appended events, few enough for listeners to fetch in time; returns false if there are none.
  fileprivate mutating func follow(_ messageLimit: Int) throws(Failure) -> Bool {
    var size = 0
    do throws(Failure) {
      let hasMore = try feed?.follow() ?? false
      while hasMore, size < ChangeBroadcast.limit / 4,
        let message = try feed?.nextMessage(limit: messageLimit)
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
    if size == 0 { followed = .now }
    var stored = messages.reduce(0) { $0 + $1.count }
    while stored > ChangeBroadcast.limit, messages.count > 1 {
      stored -= messages.removeFirst().count
      first += 1
    }
    return size > 0
  }
}

extension ChangeFeed {
  /// Returns the next event as a server-sent event, or `nil`; throws if it is longer than `limit` bytes.
  mutating func nextMessage(limit: Int) throws(Failure) -> [UInt8]? {
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
