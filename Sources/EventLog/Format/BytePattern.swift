/// A byte pattern for searching with Horspool's algorithm.
package struct BytePattern: Sendable {
  private let bytes: [UInt8]
  /// The skip table: how far the pattern can advance, indexed by the byte under its last byte.
  private let skips: [Int]

  package init(_ text: String) { self.init(Array(text.utf8)) }

  package init(_ bytes: [UInt8]) {
    var skips = [Int](repeating: max(1, bytes.count), count: 256)
    for (index, byte) in bytes.dropLast().enumerated() {
      skips[Int(byte)] = bytes.count - 1 - index
    }
    self.bytes = bytes
    self.skips = skips
  }

  /// Returns the offset of the pattern's first occurrence in `text`, or `nil` if there is none.
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
