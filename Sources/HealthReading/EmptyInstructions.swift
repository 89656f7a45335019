#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A filter that replaces empty processing instructions, `<?name?>`, in an XML file by blanks.
///
/// Foundation's `XMLParser` on Linux crashes at them. Blanks of the same length preserve lines and columns.
package struct EmptyInstructions {
  /// The end of the bytes so far if it may begin an instruction.
  private var rest: [UInt8] = []
  private static let longest = 256

  package init() {}

  /// Filters the next bytes; an empty array means the end of the file.
  package mutating func blank(_ piece: [UInt8]) -> [UInt8] {
    let isAtEnd = piece.isEmpty
    var bytes = rest.isEmpty ? piece : rest + piece
    rest = []
    var place = 0
    while let start = EmptyInstructions.start(in: bytes, from: place) {
      place = start + 2
      var end = place
      while end < bytes.count, end - start < EmptyInstructions.longest, !isEnd(bytes[end]) { end += 1 }
      if end + 1 >= bytes.count, end - start < EmptyInstructions.longest, !isAtEnd {
        return cut(&bytes, at: start)
      }
      guard end > start + 2, end + 1 < bytes.count, bytes[end] == UInt8(ascii: "?"),
        bytes[end + 1] == UInt8(ascii: ">")
      else { continue }
      for index in start...(end + 1) { bytes[index] = UInt8(ascii: " ") }
    }
    if !isAtEnd, bytes.last == UInt8(ascii: "<") { return cut(&bytes, at: bytes.count - 1) }
    return bytes
  }

  private mutating func cut(_ bytes: inout [UInt8], at start: Int) -> [UInt8] {
    rest = Array(bytes[start...])
    bytes.removeLast(rest.count)
    return bytes
  }

  private func isEnd(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "?") || byte == UInt8(ascii: ">") || byte <= 0x20
  }

  /// Finds the next `<?` with `memchr`, because there are few.
  private static func start(in bytes: [UInt8], from place: Int) -> Int? {
    unsafe bytes.withUnsafeBytes { buffer in
      var place = place
      while place < buffer.count, let base = buffer.baseAddress,
        let found = unsafe memchr(base + place, Int32(UInt8(ascii: "?")), buffer.count - place)
      {
        let index = unsafe UnsafeRawPointer(found) - base
        if index > 0, unsafe buffer[index - 1] == UInt8(ascii: "<") { return index - 1 }
        place = index + 1
      }
      return nil
    }
  }
}
