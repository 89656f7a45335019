import StreakDomain

/// Lines looked up by where they are, or by their number.
extension SegmentReader {
  /// The line at an offset, without its newline.
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

  /// The number of the line at an offset, from 1; O(offset).
  func number(ofLineAt offset: Int) throws(Failure) -> Int {
    try reading { () throws(SystemError) in
      try bytes.file().bytes(0..<offset).count { $0 == UInt8(ascii: "\n") } + 1
    }
  }

  /// The line of a number, from 1, looked for from the nearest mark on; nil where the segment ends before it.
  func line(_ number: Int, from marks: [Progress.Mark]) throws(Failure) -> [UInt8]? {
    let found = try place(ofLine: number, from: marks)
    return found.lines == number ? try line(at: found.offset) : nil
  }

  /// How many lines the segment has, counted from the last mark on.
  func lineCount(from marks: [Progress.Mark]) throws(Failure) -> Int {
    try place(ofLine: .max, from: marks).lines
  }

  /// Where a line begins, or where the segment ends, and how many lines there are up to it.
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
      // Cut off meanwhile.
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
