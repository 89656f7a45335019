/// A connection that a web server made to the socket of `serve`.
package protocol Connection: Sendable {
  /// The next bytes; empty at their end, and where none come until then.
  func read(until end: ContinuousClock.Instant) -> [UInt8]

  /// Whether the other side may still take something.
  var isOpen: Bool { get }

  /// Sends all of it; false once the other side has taken nothing for half a minute, or is gone.
  func write(_ bytes: [UInt8]) -> Bool

  /// Says that the answer is whole; nothing is read or sent any more.
  func finish()
}

/// A connection on which the head of a request comes.
package struct Arrival: Sendable {
  package let connection: any Connection
  let began = ContinuousClock.now
  /// Until when the head may come.
  package let end: ContinuousClock.Instant
  var head = SCGIHead()

  /// Whether anything has come yet.
  package var isBegun: Bool { !head.isEmpty }

  init(_ connection: any Connection, until end: ContinuousClock.Instant) {
    (self.connection, self.end) = (connection, end)
  }
}

/// A program that answers requests over a socket until it is asked to end.
package struct SocketService: Sendable {
  /// The path of the socket to make.
  package let path: String
  /// How many requests are answered at once.
  package let requests: Int
  /// Printed on standard error once the socket is ready.
  package let greeting: String
  package let server: Server
}
