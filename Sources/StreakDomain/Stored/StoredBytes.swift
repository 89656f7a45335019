/// The bytes of a stored state, which stay as they are for as long as somebody has them.
@safe package final class StoredBytes: Sendable {
  package let count: Int
  private let address: UInt
  private let release: @Sendable (UnsafeMutableRawBufferPointer) -> Void

  /// Takes memory that nobody writes to any more; `release` gives it back.
  package init(
    _ memory: UnsafeMutableRawBufferPointer,
    release: @escaping @Sendable (UnsafeMutableRawBufferPointer) -> Void
  ) {
    unsafe (count, address, self.release) = (memory.count, UInt(bitPattern: memory.baseAddress), release)
  }

  deinit {
    let start = unsafe UnsafeMutableRawPointer(bitPattern: address)
    unsafe release(UnsafeMutableRawBufferPointer(start: start, count: count))
  }

  /// Lends the bytes of a range.
  @inline(__always)
  package func withBytes<Result>(_ range: Range<Int>, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "Only what is stored can be read.")
    let start = unsafe UnsafeRawPointer(bitPattern: address + UInt(range.lowerBound))
    return withExtendedLifetime(self) {
      unsafe body(UnsafeRawBufferPointer(start: start, count: range.count))
    }
  }

  /// A number that differs where any byte does, as far as 64 bits can tell: certainly for bytes of one word.
  ///
  /// Four words at a time, each mixed into a number of its own by steps that lose nothing.
  package func checksum(from start: Int) -> UInt64 {
    unsafe withBytes(start..<count) { bytes in
      var (a, b, c, d) = (UInt64(1), UInt64(2), UInt64(3), UInt64(4))
      func mixed(_ sum: UInt64, _ word: UInt64) -> UInt64 {
        let product = (sum ^ word) &* 0x9E37_79B9_7F4A_7C15
        return product ^ product >> 29
      }
      func word(_ place: Int) -> UInt64 { unsafe bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self) }
      var place = 0
      while place + 32 <= bytes.count {
        (a, b) = (mixed(a, word(place)), mixed(b, word(place + 8)))
        (c, d) = (mixed(c, word(place + 16)), mixed(d, word(place + 24)))
        place += 32
      }
      while place < bytes.count {
        a = unsafe mixed(a, UInt64(bytes[place]))
        place += 1
      }
      return mixed(mixed(mixed(mixed(UInt64(bytes.count), a), b), c), d)
    }
  }
}
