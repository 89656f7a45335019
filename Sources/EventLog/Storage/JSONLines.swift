package import StreakDomain

/// Files and streams of one JSON object a line.
package enum JSONLines {
  /// Calls back for each line with its number; a last line needs no newline.
  package static func each(
    _ bytes: [UInt8], _ body: ([UInt8], Int) throws(Failure) -> Void
  ) throws(Failure) {
    var start = 0
    var number = 1
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      try body(Array(bytes[start..<end]), number)
      start = end + 1
      number += 1
    }
  }

  /// Calls back with the bytes of a file in pieces, up to `limit`.
  package static func pieces(
    of path: String, limit: Int = .max, on disk: any Disk = SystemDisk(), _ body: ([UInt8]) -> Void
  ) throws(Failure) {
    try reading { () throws(SystemError) in
      let file = try File(path, .read, on: disk)
      let end = min(limit, try file.size())
      var offset = 0
      while offset < end {
        let piece = try file.bytes(offset..<min(end, offset + 262_144))
        // Cut off meanwhile.
        guard !piece.isEmpty else { return }
        body(piece)
        offset += piece.count
      }
    }
  }

  /// The whole of a file that a person named.
  package static func bytes(of path: String) throws(Failure) -> [UInt8] {
    try reading { () throws(SystemError) in try ForeignFile.bytes(of: path) }
  }
}
