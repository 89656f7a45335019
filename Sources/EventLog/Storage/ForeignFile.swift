import StreakDomain

/// A file that is none of the ledger's, read from its start in pieces.
package struct ForeignFile: Sendable {
  private let file: File
  private var offset = 0
  /// In bytes, when it was opened.
  package let size: Int

  /// Opens a regular file; a symbolic link is followed, for it is the person's own.
  package init(_ path: String) throws(SystemError) {
    file = try File(SystemDisk.resolved(path), .read, on: SystemDisk())
    size = try file.size()
  }

  /// The next piece, empty at the end.
  package mutating func next() throws(SystemError) -> [UInt8] {
    let piece = try file.bytes(offset..<offset + 262_144)
    offset += piece.count
    return piece
  }

  /// The names in a folder, sorted; nil where the path leads to none.
  package static func names(in folder: String) -> [String]? {
    (try? SystemDisk().names(in: folder))?.filter { ![".", ".."].has($0) }
      .sorted { $0.spelling < $1.spelling }
  }
}
