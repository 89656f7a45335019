import StreakDomain

extension SegmentReader {
  func line(at offset: Int) throws(Failure) -> [UInt8] {
    try reading { () throws(SystemError) in
      let file = try bytes.file()
      var count = 512
      while true {
        let bytes = try file.bytes(offset..<min(size, offset + count))
        if let newline = bytes.firstIndex(of: UInt8(ascii: "\n")) { return Array(bytes[..<newline]) }
        guard count <= LineLimits.bytes, offset + count < size else { return bytes }
        count *= 2
      }
    }
  }

  /// Returns the line number, from 1, of the line at `offset`; takes time proportional to `offset`.
  func number(ofLineAt offset: Int) throws(Failure) -> Int {
    try reading { () throws(SystemError) in
      try bytes.file().bytes(0..<offset).count { $0 == UInt8(ascii: "\n") } + 1
    }
  }

  /// Returns a line by its number, from 1, searching from the nearest mark; `nil` if there are fewer lines.
  func line(_ number: Int, from marks: [Progress.Mark]) throws(Failure) -> [UInt8]? {
    let found = try place(ofLine: number, from: marks)
    return found.lines == number ? try line(at: found.offset) : nil
  }

  func lineCount(from marks: [Progress.Mark]) throws(Failure) -> Int {
    try place(ofLine: .max, from: marks).lines
  }

  /// Returns the offset of a line, or the end of the segment, and the number of lines up to there.
  private func place(
    ofLine number: Int, from marks: [Progress.Mark]
  ) throws(Failure) -> (offset: Int, lines: Int) {
    let mark = marks.last { $0.line <= number } ?? Progress.Mark(line: 1, offset: 0)
    var line = mark.line
    var offset = mark.offset
    while line < number, offset < size {
      let piece = try reading { () throws(SystemError) in
        try bytes.file().bytes(offset..<min(size, offset + (1 << 16)))
      }
      // The file was truncated meanwhile.
      guard !piece.isEmpty else { break }
      var place = 0
      while line < number, let newline = piece[place...].firstIndex(of: UInt8(ascii: "\n")) {
        line += 1
        place = newline + 1
      }
      offset += line < number ? piece.count : place
    }
    return offset < size || size == tail.validEnd && tail.isUnended && line < number
      ? (offset, line) : (offset, line - 1)
  }
}
