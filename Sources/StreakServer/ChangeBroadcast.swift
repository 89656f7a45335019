import Dispatch
import EventLog
import StreakCommands
import StreakDomain
import Synchronization

/// What changes in a ledger, for all who listen: each new event is folded once, by whichever listener comes first.
final class ChangeBroadcast: Sendable {
  /// An event as it is sent, and the cursor after it.
  struct Message: Sendable {
    let bytes: [UInt8]
    let cursor: Cursor
  }

  private struct State {
    var messages: [Message] = []
    var bytes = 0
    /// The number of the first message that is held.
    var first = 0
    /// The cursor before it; nil while nobody has read the ledger.
    var before: Cursor?
    var listeners: [ObjectIdentifier: DispatchSemaphore] = [:]
    /// About how many bytes the fold takes.
    var memory = 0
  }

  private let state = Mutex(State())
  /// The fold of what is sent; nil while nobody listens.
  private let feed = Mutex<ChangeFeed?>(nil)

  /// The most bytes that are held for a listener who does not take them.
  private static let most = 1 << 18

  /// About how much memory it takes, in bytes; 0 while nobody listens.
  var memory: Int { state.withLock { $0.memory } }

  /// Wakes the listeners because something was appended.
  func append() {
    for listener in state.withLock({ Array($0.listeners.values) }) { listener.signal() }
  }

  /// The number of the next message, and the cursor before it; nil while nobody has read the ledger.
  func end() -> (place: Int, cursor: Cursor)? {
    state.withLock { state in
      guard let before = state.before else { return nil }
      return (state.first + state.messages.count, state.messages.last?.cursor ?? before)
    }
  }

  /// The number of the next message after a cursor; nil where that is not held.
  func place(after cursor: Cursor) -> Int? {
    state.withLock { state in
      guard let before = state.before else { return nil }
      if let index = state.messages.lastIndex(where: { $0.cursor == cursor }) {
        return state.first + index + 1
      }
      return cursor == before ? state.first : nil
    }
  }

  /// The messages from a number on; nil for a listener who was too slow, and where the ledger cannot be read on.
  func messages(from place: Int) -> [Message]? {
    state.withLock { state in
      guard state.before != nil, place >= state.first else { return nil }
      return Array(state.messages.dropFirst(place - state.first))
    }
  }

  /// Lets a listener be woken by each message.
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

  /// Looks for what was appended, unless another listener is at it; `make` begins a feed before the first event.
  func look(_ make: () throws(Failure) -> ChangeFeed) throws(Failure) {
    try feed.withLockIfAvailable { (feed) throws(Failure) in
      do throws(Failure) {
        if feed == nil {
          var begun = try make()
          try begun.passAll()
          let cursor = begun.cursor()
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

  /// Forgets what was read; who listens has to begin with a cursor.
  private func forget(_ feed: inout ChangeFeed?) {
    feed = nil
    state.withLock { state in
      // Past the place of any listener: what is read again may have passed over events that it has not had.
      state.first += state.messages.count + 1
      (state.messages, state.bytes, state.before, state.memory) = ([], 0, nil, 0)
    }
  }

  /// Sends the next events, far fewer than are held, so that who keeps up has time to take them; false where there
  /// are none.
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
      // One message may be longer than all that is held, and its listeners have had no time to take it.
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
  /// The next event as a server-sent event; `nil` if there is none.
  mutating func nextMessage() throws(Failure) -> ChangeBroadcast.Message? {
    while try addNext() {
      guard let line = lines.take() else { continue }
      let cursor = cursor()
      return ChangeBroadcast.Message(
        bytes: Array("id: \(cursor)\ndata: ".utf8) + line + [UInt8(ascii: "\n")], cursor: cursor)
    }
    return nil
  }
}
