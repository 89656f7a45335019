import StreakDomain

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A file, pipe or terminal that isn't part of the ledger, such as a file to import.
///
/// It is read once from its start.
package final class ForeignFile: Sendable {
  private let path: String
  private let descriptor: Int32
  /// The size in bytes when the file was opened; 0 for a pipe or a terminal.
  package let size: Int

  /// Opens the file at `path`, following symbolic links; throws for a folder.
  package init(_ path: String) throws(SystemError) {
    self.path = path
    descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemError(operation: "open", path: path, code: errno) }

    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else {
      throw SystemError(operation: "inspect", path: path, code: errno)
    }
    guard status.st_mode & S_IFMT != S_IFDIR else {
      throw SystemError(operation: "read", path: path, code: EISDIR)
    }
    size = status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : 0
  }

  /// Creates a file that reads from an open pipe, and closes the pipe when released; `path` is for
  /// error messages.
  package init(pipe descriptor: Int32, path: String) {
    self.path = path
    self.descriptor = descriptor
    size = 0
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Returns the next bytes, or an empty array at the end.
  package func next() throws(SystemError) -> [UInt8] {
    let count = 262_144
    while true {
      var read = 0
      let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
        read = unsafe systemRead(descriptor, buffer.baseAddress, count)
        filled = max(0, read)
      }
      if read >= 0 { return bytes }
      guard errno == EINTR else { throw SystemError(operation: "read", path: path, code: errno) }
    }
  }

  package static func bytes(of path: String) throws(SystemError) -> [UInt8] {
    let file = try ForeignFile(path)
    var bytes: [UInt8] = []
    while case let piece = try file.next(), !piece.isEmpty { bytes += piece }
    return bytes
  }

  package static func names(in folder: String) -> [String]? {
    (try? SystemDisk().names(in: folder))?.filter { ![".", ".."].contains($0) }
      .sorted { Text($0) < Text($1) }
  }
}

// In `next`, the local variable `read` would hide the system call.
private func systemRead(_ descriptor: Int32, _ memory: UnsafeMutablePointer<UInt8>?, _ count: Int)
  -> Int
{
  unsafe read(descriptor, memory, count)
}
