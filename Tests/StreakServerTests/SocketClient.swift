import Foundation

final class SocketClient {
  private let connection: Int32

  init?(_ path: String) {
    #if canImport(Glibc)
      connection = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    #else
      connection = socket(AF_UNIX, SOCK_STREAM, 0)
    #endif
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    // Unsafe only because the system calls get memory that is large enough and lives until they
    // return.
    unsafe withUnsafeMutableBytes(of: &address.sun_path) {
      unsafe $0.copyBytes(from: path.utf8.prefix(100))
    }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let isConnected = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe connect(connection, $0, size) == 0
      }
    }
    guard isConnected else { return nil }
  }

  /// Connects to a port of this machine.
  init?(port: UInt16) {
    #if canImport(Glibc)
      connection = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      connection = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    // Unsafe only because the system call gets memory that is large enough and lives until it
    // returns.
    let isConnected = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe connect(connection, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    guard isConnected else { return nil }
  }

  deinit { close(connection) }

  func disconnect() { shutdown(connection, Int32(SHUT_RDWR)) }

  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    unsafe Foundation.send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
  }

  func receive() -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = unsafe recv(connection, &bytes, bytes.count, 0)
    return count < 0 ? nil : Array(bytes.prefix(count))
  }

  /// Whether the server has closed the connection.
  var hasEnded: Bool {
    var state = pollfd(fd: connection, events: 0, revents: 0)
    return unsafe poll(&state, 1, 0) == 1 && Int32(state.revents) & Int32(POLLHUP) != 0
  }

  func receiveAll() -> [UInt8]? {
    var all: [UInt8] = []
    while let bytes = receive() {
      if bytes.isEmpty { return all }
      all += bytes
    }
    return nil
  }
}
