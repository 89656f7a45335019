import StreakServer

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

func systemClose(_ descriptor: Int32) { close(descriptor) }

/// A connection at a socket, whose calls never block for long.
final class SocketConnection: Connection, Sendable {
  private let descriptor: Int32
  let start = ContinuousClock.now

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
  }

  deinit { close(descriptor) }

  /// Disconnects the client, whatever the connection's thread waits for.
  func end() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  /// Ends the response, and reads for up to two seconds, because closing with unread input could
  /// destroy the response.
  func readRest() {
    shutdown(descriptor, Int32(SHUT_WR))
    let end = ContinuousClock.now + .seconds(2)
    while !read(until: end, mayEnd: true).isEmpty {}
  }

  func read(until end: ContinuousClock.Instant, mayEnd: Bool) -> [UInt8] {
    while !mayEnd || !Interruption.isAsked {
      let left = ContinuousClock.now.duration(to: end)
      guard left > .zero else { return [] }
      guard wait(for: POLLIN, min(left, .milliseconds(250))) else { continue }
      // Unsafe only because the call fills memory, whose size is passed.
      return unsafe [UInt8](unsafeUninitializedCapacity: 1 << 14) { buffer, filled in
        filled = unsafe max(0, recv(descriptor, buffer.baseAddress, buffer.count, 0))
      }
    }
    return []
  }

  func write(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      guard wait(for: POLLOUT, .seconds(30)) else { return false }
      let count = sendPart(rest)
      guard count > 0 || errno == EAGAIN else { return false }
      rest = rest.dropFirst(max(0, count))
    }
    return true
  }

  func writeAtOnce(_ bytes: [UInt8]) { _ = sendPart(bytes[...]) }

  private func sendPart(_ bytes: ArraySlice<UInt8>) -> Int {
    // Unsafe only because the call reads memory, whose size is passed.
    unsafe bytes.withUnsafeBytes { unsafe send(descriptor, $0.baseAddress, $0.count, 0) }
  }

  func staysOpen(for time: Duration) -> Bool {
    !wait(for: 0, time) && !isAbandoned && !Interruption.isAsked
  }

  var isAbandoned: Bool {
    guard wait(for: POLLIN, .zero) else { return false }
    var byte: UInt8 = 0
    // Unsafe only because the call fills one byte of memory, which lives until it returns.
    return unsafe recv(descriptor, &byte, 1, Int32(MSG_PEEK)) <= 0
  }

  /// Waits up to `time` for `event`, such as POLLIN, or 0 for the end of the connection; returns
  /// whether it occurred.
  private func wait(for event: Int32, _ time: Duration) -> Bool {
    var polled = pollfd(fd: descriptor, events: Int16(event), revents: 0)
    let milliseconds = time > .zero ? Int32(time / .milliseconds(1)) + 1 : 0
    while true {
      let count = unsafe poll(&polled, 1, milliseconds)
      // A signal interrupts the call.
      if count >= 0 || errno != EINTR { return count > 0 }
    }
  }
}
