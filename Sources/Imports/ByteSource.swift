import EventLog
package import StreakDomain

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The bytes of a file to import, or of standard input, read once from start to end.
package final class ByteSource {
  /// The file's name for error messages, or `-` for standard input.
  package let name: String
  private let read: () throws(Failure) -> [UInt8]
  /// The size of the file in bytes, or 0 if it is unknown.
  private let size: Int
  private var peeked: [UInt8]?
  private var count = 0
  private var isAtEnd = false
  /// Called with the number of bytes read so far, and the size of the file, or 0.
  var report: (_ done: Int, _ total: Int) -> Void = { _, _ in }

  package init(
    _ name: String, size: Int = 0, _ read: @escaping () throws(Failure) -> [UInt8]
  ) {
    self.name = name
    self.size = size
    self.read = read
  }

  package convenience init(file path: String) throws(Failure) {
    var status = stat()
    // Opening a pipe or a terminal may wait forever.
    guard unsafe stat(path, &status) != 0 || [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
    else {
      throw Failure(
        .usage, "\(quoted(path)) is not a file but a pipe or a device",
        remedy: "pass what it contains as standard input, with - for the file")
    }
    let file: ForeignFile
    do throws(SystemError) { file = try ForeignFile(path) } catch { throw .notImported(error) }
    self.init(path, size: file.size) { () throws(Failure) in
      do throws(SystemError) { return try file.next() } catch { throw .notImported(error) }
    }
  }

  /// Returns the next bytes, or an empty array at the end.
  package func next() throws(Failure) -> [UInt8] {
    if let piece = peeked.take() { return piece }
    guard !isAtEnd else { return [] }
    let piece = try read()
    isAtEnd = piece.isEmpty
    count += piece.count
    report(count, size)
    return piece
  }

  /// Returns the next bytes without consuming them, so that `next` returns the same bytes.
  func peek() throws(Failure) -> [UInt8] {
    let piece = try next()
    peeked = piece
    return piece
  }

  /// The maximum size in bytes of a file that is read as a whole.
  private static let maximumSize = 64 << 20

  package func all() throws(Failure) -> [UInt8] {
    var bytes: [UInt8] = []
    while case let piece = try next(), !piece.isEmpty {
      bytes += piece
      guard bytes.count <= ByteSource.maximumSize else {
        throw Failure(
          .refused,
          """
          \(quoted(name)) has more than \(ByteSource.maximumSize >> 20) MiB, the most that is read \
          at once; nothing was imported
          """,
          remedy: "split it, such as by year: importing one part after the other is the same")
      }
    }
    return bytes
  }
}
