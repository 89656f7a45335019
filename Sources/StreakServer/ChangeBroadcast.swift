import Dispatch
import EventLog
import StreakCommands
import StreakDomain
import Synchronization

/// The changes of a ledger for all listeners; the first listener that reads a new event folds it for all.
final class ChangeBroadcast: Sendable {
  struct Message: Sendable {
    let bytes: [UInt8]
    let cursor: Cursor
  }

  private struct State {
    var messages: [Message] = []
    var bytes = 0
    /// The number of the first stored message.
    var first = 0
    /// The cursor before the first stored message, or `nil` until a listener has read the ledger.
    var before: Cursor?
    var listeners: [ObjectIdentifier: DispatchSemaphore] = [:]
    var memory = 0
  }

  private let state = Mutex(State())
  private let feed = Mutex<ChangeFeed?>(nil)

  /// The maximum number of bytes stored for slow listeners, unless a single message is longer.
  private static let most = 1 << 18

  var memory: Int { state.withLock { $0.memory } }

  func append() {
    for listener in state.withLock({ Array($0.listeners.values) }) { listener.signal() }
  }

  /// Returns the number of the next message and the cursor before it, or `nil` if the ledger hasn't been
  /// read.
  func end() -> (place: Int, cursor: Cursor)? {
    state.withLock { state in
      guard let before = state.before else { return nil }
      return (state.first + state.messages.count, state.messages.last?.cursor ?? before)
    }
  }

  /// Returns the number of the message after `cursor`, or `nil` if it is not stored.
  func place(after cursor: Cursor) -> Int? {
    state.withLock { state in
      guard let before = state.before else { return nil }
      if let index = state.messages.lastIndex(where: { $0.cursor == cursor }) {
        return state.first + index + 1
      }
      return cursor == before ? state.first : nil
    }
  }

  /// Returns the messages from a number on, or `nil` if they aren't stored any more.
  func messages(from place: Int) -> [Message]? {
    state.withLock { state in
      guard state.before != nil, place >= state.first else { return nil }
      return Array(state.messages.dropFirst(place - state.first))
    }
  }

  func join(_ signal: DispatchSemaphore) {
    state.withLock { $0.listeners[ObjectIdentifier(signal)] = signal }
  }

  func leave(_ signal: DispatchSemaphore) {
    feed.withLock { feed in
      let isLast = state.withLock { state in
        state.listeners[ObjectIdentifier(signal)] = nil
        return state.listeners.isEmpty
      }
      if isLast { forget(&feed) }
    }
  }

  /// Reads new events, unless another listener is doing so; `make` creates a feed before the first event.
  func look(_ make: () throws(Failure) -> ChangeFeed) throws(Failure) {
    try feed.withLockIfAvailable { (feed) throws(Failure) in
      do throws(Failure) {
        if feed == nil {
          var begun = try make()
          try begun.passAll()
          let cursor = begun.cursor
          let memory = FoldedLog.bytes(ofEvents: begun.position) + ChangeBroadcast.most
          feed = begun
          state.withLock { ($0.before, $0.memory) = (cursor, memory) }
          append()
        }
        if try !sendSome(of: &feed), try feed?.follow() == true { _ = try sendSome(of: &feed) }
      } catch {
        forget(&feed)
        append()
        throw error
      }
    }
  }

  private func forget(_ feed: inout ChangeFeed?) {
    feed = nil
    state.withLock { state in
      // A number past every listener's: the next read may skip events that they haven't received.
      state.first += state.messages.count + 1
      (state.messages, state.bytes, state.before, state.memory) = ([], 0, nil, 0)
    }
  }

  /// Sends much less than can be stored, so that listeners have time to take the messages.
  private func sendSome(of feed: inout ChangeFeed?) throws(Failure) -> Bool {
    var sent = 0
    while sent < ChangeBroadcast.most / 4, let message = try feed?.nextMessage() {
      send(message)
      sent += message.bytes.count
    }
    return sent > 0
  }

  private func send(_ message: Message) {
    state.withLock { state in
      state.messages.append(message)
      state.bytes += message.bytes.count
      // The longest one doesn't count: it may exceed the limit alone, and listeners need time to take it.
      let longest = state.messages.reduce(0) { max($0, $1.bytes.count) }
      while state.bytes - longest > ChangeBroadcast.most {
        let gone = state.messages.removeFirst()
        state.bytes -= gone.bytes.count
        (state.before, state.first) = (gone.cursor, state.first + 1)
      }
    }
    append()
  }
}

extension ChangeFeed {
  mutating func nextMessage() throws(Failure) -> ChangeBroadcast.Message? {
    while try addNext() {
      guard let line = lines.take() else { continue }
      let cursor = cursor
      return ChangeBroadcast.Message(
        bytes: Array("id: \(cursor)\ndata: ".utf8) + line + [UInt8(ascii: "\n")], cursor: cursor)
    }
    return nil
  }
}
