import EventLog
package import StreakDomain

/// The bytes of a foreign file, piece by piece, each once.
package final class ByteSource {
  /// The file's name as errors show it; `-` is standard input.
  package let name: String
  private let read: () throws(Failure) -> [UInt8]
  /// Pieces given back, to be read first.
  private var returned: [[UInt8]] = []
  /// How many bytes were read.
  package private(set) var count = 0
  package private(set) var isAtEnd = false

  package init(_ name: String, _ read: @escaping () throws(Failure) -> [UInt8]) {
    self.name = name
    self.read = read
  }

  /// A file, opened at once; refuses what cannot be read.
  package convenience init(file path: String) throws(Failure) {
    var file: ForeignFile
    do throws(SystemError) { file = try ForeignFile(path) } catch { throw .notImported(error) }
    self.init(path) { () throws(Failure) in
      do throws(SystemError) { return try file.next() } catch { throw .notImported(error) }
    }
  }

  /// The next piece, empty at the end.
  package func next() throws(Failure) -> [UInt8] {
    if let piece = returned.popLast() { return piece }
    guard !isAtEnd else { return [] }
    let piece = try read()
    isAtEnd = piece.isEmpty
    count += piece.count
    return piece
  }

  /// Puts a piece back, so that it is the next.
  package func giveBack(_ piece: [UInt8]) {
    if !piece.isEmpty { returned.append(piece) }
  }

  /// The most of a file that is held as a whole: a table, a log, a mapping.
  static let most = 64 << 20

  /// Everything that is left; refuses more than `limit` bytes.
  package func all(atMost limit: Int = ByteSource.most) throws(Failure) -> [UInt8] {
    var bytes: [UInt8] = []
    while true {
      let piece = try next()
      if piece.isEmpty { return bytes }
      bytes += piece
      guard bytes.count <= limit else {
        throw Failure(
          .refused,
          "\(quoted(name)) has more than \(limit >> 20) MiB, the most that is read at once; nothing was imported",
          remedy: "split it, such as by year: importing one part after the other is the same")
      }
    }
  }

  package func place(_ line: Int, _ column: Int) -> Place { Place(file: name, line: line, column: column) }
}

extension Place {
  /// The place of a byte, which is at `offset` from 0.
  package init(of offset: Int, in bytes: [UInt8], file: String) {
    let before = bytes.prefix(offset)
    let start = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    self.init(file: file, line: before.count { $0 == 0x0A } + 1, column: before.count - start + 1)
  }
}
