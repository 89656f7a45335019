import StreakDomain

/// Functions that read lines by offset or number, independent of the position of the reader.
extension SegmentReader {
  /// Returns the line at `offset`, without its newline.
  func line(at offset: Int) throws(Failure) -> [UInt8] {
    if let line = bufferedLine(at: offset) { return line }
    return try Failure.converting { () throws(SystemError) in
      let file = try self.file()
      var count = 512
      while true {
        let bytes = try file.bytes(offset..<min(size, offset + count))
        if let newline = bytes.firstIndex(of: UInt8(ascii: "\n")) {
          return Array(bytes[..<newline])
        }

        guard count <= LineLimits.bytes, offset + count < size else { return bytes }
        count *= 2
      }
    }
  }

  /// Returns the number of the line at `offset`, from 1; takes time proportional to `offset`.
  func number(ofLineAt offset: Int) throws(Failure) -> Int {
    try Failure.converting { () throws(SystemError) in
      try file().newlineCount(in: 0..<offset) + 1
    }
  }

  /// Returns line `number`, counted from 1, or `nil` if the segment has fewer lines.
  func line(_ number: Int) throws(Failure) -> [UInt8]? {
    if let last = progress.last, last.line == number { return try line(at: last.offset) }
    return try offset(ofLine: number).map { (offset) throws(Failure) in try line(at: offset) }
  }

  func lineCount() throws(Failure) -> Int {
    // A last line without a newline is a line, too.
    let isUnended = size == tail.validEnd && tail.isUnended
    return try number(ofLineAt: size) - (isUnended ? 0 : 1)
  }

  /// Returns the offset of line `number`, or `nil` if the segment has fewer lines.
  private func offset(ofLine number: Int) throws(Failure) -> Int? {
    var line = 1
    var offset = 0
    while line < number {
      let piece = try Failure.converting { () throws(SystemError) in
        try file().bytes(offset..<min(size, offset + (1 << 16)))
      }
      // The segment ends here, or its file was truncated meanwhile.
      guard !piece.isEmpty else { return nil }

      var start = 0
      while line < number, let newline = piece[start...].firstIndex(of: UInt8(ascii: "\n")) {
        line += 1
        start = newline + 1
      }
      offset += line < number ? piece.count : start
    }
    return offset < size ? offset : nil
  }
}
