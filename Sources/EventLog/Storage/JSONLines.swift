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

  /// Calls back with the subject that each line names, nil where it names none; most lines are not decoded for that.
  ///
  /// - Returns: how many lines there are.
  package static func subjects(of bytes: [UInt8], _ body: (String?) -> Void) -> Int {
    var places = FieldPlaces()
    var count = 0
    var start = 0
    while start < bytes.count {
      // Cut behind a line, so that a copy of a piece is all that is held beside the bytes.
      let rest = bytes[min(bytes.count, start + 262_144)...]
      let end = rest.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? bytes.count
      count += subjects(in: LineBuffer(Array(bytes[start..<end])), &places, body)
      start = end
    }
    return count
  }

  private static func subjects(
    in buffer: LineBuffer, _ places: inout FieldPlaces, _ body: (String?) -> Void
  ) -> Int {
    var count = 0
    var place = 0
    while place < buffer.filled {
      let end = buffer.newline(from: place) ?? buffer.filled
      let window = buffer.window(at: place)
      var length = 0
      if places.scan(window, &length) {
        let subject = places[.subject]
        body(
          subject.form.isText ? String(decoding: LineText.bytes(window, subject.range), as: UTF8.self) : nil)
      } else if let fields = try? LineFields(buffer.bytes(place..<end)) {
        body(fields[.subject].form.isText ? fields.string(fields[.subject]) : nil)
      }
      count += 1
      place = end + 1
    }
    return count
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
