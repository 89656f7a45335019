package import StreakDomain

/// A splitter of bytes that arrive in pieces into lines; it needs memory for only one line.
struct LineCutter {
  private var line: [UInt8] = []
  private var count = 0
  /// The digest so far of a line that exceeds `LineLimits.bytes`.
  private var long: SHA256?

  struct Line {
    let bytes: [UInt8]
    let count: Int
    fileprivate let long: SHA256?

    /// The line's digest for seals and heads.
    var digest: [UInt8] {
      guard var long else { return LineTexts.digest(of: bytes) }
      long.update([UInt8(ascii: "\n")])
      return long.bytes()
    }
  }

  /// Removes the next complete line from `bytes`; if there is none, stores the bytes and returns `nil`.
  mutating func next(_ bytes: inout ArraySlice<UInt8>) -> Line? {
    guard let newline = bytes.firstIndex(of: UInt8(ascii: "\n")) else {
      take(bytes)
      bytes = []
      return nil
    }
    take(bytes[..<newline])
    bytes = bytes[(newline + 1)...]
    return cut()
  }

  mutating func end() -> Line? { line.isEmpty && long == nil ? nil : cut() }

  private mutating func cut() -> Line {
    let cut = Line(bytes: line, count: count, long: long)
    line.removeAll(keepingCapacity: true)
    (count, long) = (0, nil)
    return cut
  }

  private mutating func take(_ bytes: ArraySlice<UInt8>) {
    count += bytes.count
    guard long == nil else {
      long?.update(bytes)
      return
    }
    line += bytes
    guard line.count > LineLimits.bytes else { return }
    long = SHA256(of: line)
    line.removeAll()
  }
}

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

/// A line of a segment with its texts.
package struct TextLine: Sendable {
  package let number: Int
  package let offset: Int
  package let bytes: [UInt8]
  package let event: Event
  package let texts: [LineTexts.Found]

  package func content(of text: LineTexts.Found) -> [UInt8] { Array(bytes[text.content]) }
}

extension EventStream {
  /// Calls `body` with each event of a segment whose id and bytes `wants` accepts.
  package func eachLine(
    of segment: Text, where wants: (_ id: String?, _ line: [UInt8]) -> Bool,
    _ body: (TextLine) -> Void
  ) throws(Failure) {
    guard let reader = readers.first(where: { $0.name == segment }) else { return }
    var cutter = LineCutter()
    var (number, offset) = (0, 0)
    func take(_ line: LineCutter.Line) {
      number += 1
      guard let fields = try? LineFields(line.bytes) else { return }
      let id = (try? fields.optional(.id, .id)) ?? nil
      guard wants(id, line.bytes), let event = try? EventDecoder.event(line.bytes) else { return }
      body(
        TextLine(
          number: number, offset: offset, bytes: line.bytes, event: event, texts: LineTexts(fields).found))
    }
    try JSONLines.pieces(of: reader.path, limit: reader.size, on: options.disk) { piece in
      var rest = piece[...]
      while let line = cutter.next(&rest) {
        take(line)
        offset += line.count + 1
      }
    }
    if let line = cutter.end() { take(line) }
  }
}

/// A byte pattern for searching with Horspool's algorithm.
package struct BytePattern: Sendable {
  private let bytes: [UInt8]
  /// The skip table: how far the pattern can advance, indexed by the byte under its last byte.
  private let skips: [Int]

  package init(_ text: String) { self.init(Array(text.utf8)) }

  package init(_ bytes: [UInt8]) {
    var skips = [Int](repeating: max(1, bytes.count), count: 256)
    for (index, byte) in bytes.dropLast().enumerated() { skips[Int(byte)] = bytes.count - 1 - index }
    (self.bytes, self.skips) = (bytes, skips)
  }

  package func first(in text: [UInt8]) -> Int? {
    guard let last = bytes.last else { return nil }
    var end = bytes.count - 1
    while end < text.count {
      let byte = text[end]
      let start = end - bytes.count + 1
      if byte == last, text[start...end].elementsEqual(bytes) { return start }
      end += skips[Int(byte)]
    }
    return nil
  }
}
