#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif
import StreakDomain

/// A computer; the segments that it writes are by default named after it.
package struct Machine: Sendable {
  private let host: String
  private let id: String

  /// Creates a machine; `id` identifies the installation of the operating system, or is empty if
  /// there is no such id.
  package init(host: String, id: String) {
    self.host = host
    self.id = id
  }

  /// Returns the name of the segment that this machine writes in `folder` by default, such as
  /// `annas-laptop-3fa2c1`.
  ///
  /// The name depends on the machine and the folder's path, so a copy of the folder gets another
  /// segment.
  package func segment(in folder: String) -> String {
    // The first 40 letters and digits of the host's name.
    var name = ""
    for scalar in host.asciiLowercased.unicodeScalars.prefix(while: { $0 != "." }).prefix(40) {
      let isPlain = ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar)
      // A segment's name can't begin with a dash.
      if isPlain || !name.isEmpty { name.unicodeScalars.append(isPlain ? scalar : "-") }
    }

    let digest = SHA256(of: Array((id + "\n" + SystemDisk.absolute(folder)).utf8)).digest()
    return (name.isEmpty ? "host" : name) + "-" + String(Substring(digest.utf8.prefix(6)))
  }
}

extension Machine {
  package static func current() -> Machine { Machine(host: hostName, id: installation) }

  private static var hostName: String {
    var bytes = [CChar](repeating: 0, count: 256)
    guard unsafe gethostname(&bytes, bytes.count - 1) == 0 else { return "" }
    return String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private static var installation: String {
    #if os(macOS)
      var bytes = [UInt8](repeating: 0, count: 16)
      var wait = timespec(tv_sec: 1, tv_nsec: 0)
      guard unsafe gethostuuid(&bytes, &wait) == 0 else { return "" }
      return bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    #else
      return ["/etc/machine-id", "/var/lib/dbus/machine-id"].lazy.map(line).first { !$0.isEmpty }
        ?? ""
    #endif
  }

  private static func line(of path: String) -> String {
    let bytes = (try? File(path, .read, on: SystemDisk()).bytes(0..<256)) ?? []
    return String(decoding: bytes.prefix { $0 > UInt8(ascii: " ") }, as: UTF8.self)
  }
}
