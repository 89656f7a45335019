import StreakDomain

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

/// A file that is none of the ledger's, read from its start in pieces: a regular file, a pipe, what a link leads to.
package struct ForeignFile: Sendable {
  private let file: SequentialFile
  /// In bytes, when it was opened; 0 of what has no size, such as a pipe.
  package var size: Int { file.size }

  /// Opens what a person named; a symbolic link is followed, because it is their own.
  package init(_ path: String) throws(SystemError) { file = try SequentialFile(path) }

  /// The next piece, empty at the end.
  package func next() throws(SystemError) -> [UInt8] { try file.next(262_144) }

  /// The whole of a file.
  package static func bytes(of path: String) throws(SystemError) -> [UInt8] {
    let file = try ForeignFile(path)
    var bytes: [UInt8] = []
    while case let piece = try file.next(), !piece.isEmpty { bytes += piece }
    return bytes
  }

  /// The names in a folder, sorted; nil where the path leads to none.
  package static func names(in folder: String) -> [String]? {
    (try? SystemDisk().names(in: folder))?.filter { ![".", ".."].contains($0) }
      .sorted { Text($0) < Text($1) }
  }
}
