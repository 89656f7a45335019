import Dispatch
import EventLog
import StreakCommands
import StreakDomain

/// A connection that receives each new event of a ledger until it is closed (http.md, "Concurrency").
struct ChangeListener {
  let connection: any Connection
  let broadcast: ChangeBroadcast
  /// Creates a feed after a cursor, or before the first event if the cursor is `nil`.
  let make: (Cursor?) throws(Failure) -> ChangeFeed
  /// The time without an event after which a comment is sent to keep the connection alive.
  let quiet: Duration

  /// The interval between two checks for events of other processes, in milliseconds.
  private static let pause = 250

  /// Sends the events after `cursor`, or new events only if it is `nil`, until the connection is closed.
  ///
  /// `caughtUp` is called repeatedly once the listener reads the broadcast instead of its own feed.
  /// - Throws: The reason why nothing could be sent, if the head wasn't sent yet.
  func run(after cursor: Cursor?, isHead: Bool, caughtUp: () -> Void) throws(Failure) {
    let signal = DispatchSemaphore(value: 0)
    broadcast.join(signal)
    defer { broadcast.leave(signal) }
    var place = cursor.flatMap { broadcast.place(after: $0) }
    // A separate feed for as long as the listener is behind the broadcast's messages.
    var own: ChangeFeed?
    if place == nil, let cursor { own = try make(cursor) }
    var head = ChangeListener.head
    while place == nil, own == nil {
      try look()
      guard let end = broadcast.end() else {
        wait(signal)
        continue
      }
      place = end.place
      // With this id, the client misses nothing if the connection is lost before the first event.
      head += Array("id: \(end.cursor)\n\n".utf8)
    }
    guard connection.write(head), !isHead else { return }
    var last = ContinuousClock.now
    while true {
      if place != nil { caughtUp() }
      guard let bytes = try? next(&place, &own) else { return }
      if !bytes.isEmpty {
        guard connection.write(bytes) else { return }
        last = .now
      } else if last.duration(to: .now) >= quiet {
        guard connection.write(Array(": still there\n\n".utf8)) else { return }
        last = .now
      } else {
        wait(signal)
        guard connection.isOpen else { return }
        // While another listener reads, this does nothing, and `next` returns what that one has read.
        if (try? look()) == nil { return }
      }
    }
  }

  private func next(_ place: inout Int?, _ own: inout ChangeFeed?) throws(Failure) -> [UInt8]? {
    if let number = place {
      guard let messages = broadcast.messages(from: number) else { return nil }
      place = number + messages.count
      return messages.flatMap(\.bytes)
    }
    guard var feed = own else { return nil }
    own = nil
    defer { own = place == nil ? feed : nil }
    if let message = try feed.nextMessage() { return message.bytes }
    place = broadcast.place(after: feed.cursor)
    if place == nil { _ = try feed.follow() }
    return []
  }

  private func look() throws(Failure) {
    try broadcast.look { () throws(Failure) in try make(nil) }
  }

  private func wait(_ signal: DispatchSemaphore) {
    _ = signal.wait(timeout: .now() + .milliseconds(ChangeListener.pause))
    while signal.wait(timeout: .now()) == .success {}
  }

  /// The head of the response; `X-Accel-Buffering` disables the buffering of proxies.
  private static let head =
    Array(
      """
      Status: 200 OK
      Content-Type: text/event-stream
      Cache-Control: no-store
      X-Accel-Buffering: no
      X-Content-Type-Options: nosniff

      : streaks

      """.utf8) + [UInt8(ascii: "\n")]
}
