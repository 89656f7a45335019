package import StreakDomain

package enum JSONLines {
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

  package static func pieces(
    of path: String, limit: Int = .max, on disk: any Disk = SystemDisk(), _ body: ([UInt8]) -> Void
  ) throws(Failure) {
    try reading { () throws(SystemError) in
      let file = try File(path, .read, on: disk)
      let end = min(limit, try file.size())
      var offset = 0
      while offset < end {
        let piece = try file.bytes(offset..<min(end, offset + 262_144))
        // The file was truncated meanwhile.
        guard !piece.isEmpty else { return }
        body(piece)
        offset += piece.count
      }
    }
  }

  package static func bytes(of path: String) throws(Failure) -> [UInt8] {
    try reading { () throws(SystemError) in try ForeignFile.bytes(of: path) }
  }
}
