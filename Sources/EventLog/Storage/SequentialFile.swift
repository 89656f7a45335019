#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Something a person named that can be read once, from its start: a file, a pipe, a terminal.
final class SequentialFile: Sendable {
  private let path: String
  private let descriptor: Int32
  /// In bytes, when it was opened; 0 of what has no size.
  let size: Int

  /// Opens a path, through symbolic links; a folder is refused.
  init(_ path: String) throws(SystemError) {
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

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Up to so many bytes, empty at the end.
  func next(_ count: Int) throws(SystemError) -> [UInt8] {
    while true {
      var read = 0
      // Unsafe only because the call fills memory, whose size it is given.
      let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
        read = unsafe systemRead(descriptor, buffer.baseAddress, count)
        filled = max(0, read)
      }
      if read >= 0 { return bytes }
      guard errno == EINTR else { throw SystemError(operation: "read", path: path, code: errno) }
    }
  }
}

// A name that a method of the same name would hide.
private func systemRead(_ descriptor: Int32, _ memory: UnsafeMutablePointer<UInt8>?, _ count: Int) -> Int {
  unsafe read(descriptor, memory, count)
}
