/// A connection that a web server made to the socket of `serve`.
package protocol Connection: Sendable {
  /// Returns the next bytes, or none at their end or if none arrive before `end`.
  func read(until end: ContinuousClock.Instant) -> [UInt8]

  /// Whether the client can still receive bytes.
  var isOpen: Bool { get }

  /// Sends all bytes; returns false if the client is gone or has received nothing for half a minute.
  func write(_ bytes: [UInt8]) -> Bool

  /// Ends the response; nothing is read or sent afterwards.
  func finish()
}

/// A connection whose request's head is still arriving.
package struct Arrival: Sendable {
  package let connection: any Connection
  let began = ContinuousClock.now
  package let end: ContinuousClock.Instant
  var head = SCGIHead()

  package var isBegun: Bool { !head.isEmpty }

  init(_ connection: any Connection, until end: ContinuousClock.Instant) {
    (self.connection, self.end) = (connection, end)
  }
}

package struct SocketService: Sendable {
  package let path: String
  package let requests: Int
  package let greeting: String
  package let server: Server
}
