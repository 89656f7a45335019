import Dispatch
import EventLog
import StreakCommands
import StreakDomain

/// A connection to which each new event of a ledger is sent, until it is closed (http.md, "Concurrency").
struct ChangeListener {
  let connection: any Connection
  let broadcast: ChangeBroadcast
  /// Begins a feed after a cursor, or before the first event.
  let make: (Cursor?) throws(Failure) -> ChangeFeed
  /// How long nothing is sent before a comment says that the connection is alive.
  let quiet: Duration

  /// How long to wait between two looks for what other processes append, in milliseconds.
  private static let pause = 250

  /// Sends what comes after a cursor, or after all there is; `caughtUp` is called, again and again, as soon as it has
  /// what others have.
  ///
  /// - Throws: why nothing can be sent, before anything was.
  func run(after cursor: Cursor?, isHead: Bool, caughtUp: () -> Void) throws(Failure) {
    let signal = DispatchSemaphore(value: 0)
    broadcast.join(signal)
    defer { broadcast.leave(signal) }
    var place = cursor.flatMap { broadcast.place(after: $0) }
    // A feed of its own for as long as it is behind what the others have.
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
      // Kept by the client, which so misses nothing if the connection is lost before the first event.
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
        // Others may read on meanwhile; the next one finds what they found.
        if (try? look()) == nil { return }
      }
    }
  }

  /// What is to be sent next, empty where there is nothing as yet; nil where the listener was too slow.
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
    place = broadcast.place(after: feed.cursor())
    if place == nil { _ = try feed.follow() }
    return []
  }

  private func look() throws(Failure) {
    try broadcast.look { () throws(Failure) in try make(nil) }
  }

  private func wait(_ signal: DispatchSemaphore) {
    _ = signal.wait(timeout: .now() + .milliseconds(ChangeListener.pause))
    // One look finds all that it was woken for.
    while signal.wait(timeout: .now()) == .success {}
  }

  /// Proxies are asked not to hold back what comes.
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
