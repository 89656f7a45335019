import StreakDomain

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
    (try? SystemDisk().names(in: folder))?.filter { ![".", ".."].has($0) }
      .sorted { $0.spelling < $1.spelling }
  }
}
