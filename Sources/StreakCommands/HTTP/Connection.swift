/// A connection that a web server made to the socket of `serve`.
package protocol Connection: Sendable {
  /// The next bytes; empty at their end, where none come until then, or, while nothing has come, once the process is
  /// to end.
  func read(until end: ContinuousClock.Instant, isBegun: Bool) -> [UInt8]

  /// Whether the other side may still take something.
  var isOpen: Bool { get }

  /// Sends all of it; false once the other side has taken nothing for half a minute, or is gone.
  func write(_ bytes: [UInt8]) -> Bool
}

/// A program that answers requests over a socket until it is asked to end.
package struct SocketService: Sendable {
  /// The path of the socket to make.
  package let path: String
  /// How many requests are answered at once.
  package let requests: Int
  /// Printed on standard error once the socket is ready.
  package let greeting: String
  /// Answers a request, in a world of its own that is made once the request is there; returns what is to be run on a
  /// thread for a connection that stays.
  package let answer: @Sendable (any Connection, () -> Context) -> (@Sendable (Context) -> Void)?
  /// Called every minute.
  package let tidy: @Sendable () -> Void
}
