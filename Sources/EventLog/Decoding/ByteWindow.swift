#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Raw reads from a buffer, eight bytes at a time: the one place that reads memory without a bounds check.
///
/// Why it cannot leave the buffer: every buffer ends with `padding` zero bytes after its last byte of data. A
/// reader moves on only past bytes it has recognized, and no pattern, digit, name or quote it looks for is a
/// zero byte; so it stops within the padding at the latest, having read at most `padding` bytes beyond the data.
@safe struct ByteWindow {
  static let padding = 256

  private let base: UnsafeRawPointer

  fileprivate init(base: UnsafeRawPointer) {
    unsafe self.base = base
  }

  @inline(__always)
  func byte(_ offset: Int) -> UInt8 {
    unsafe base.load(fromByteOffset: offset, as: UInt8.self)
  }

  /// Eight bytes, the first in the lowest bits.
  @inline(__always)
  func word(_ offset: Int) -> UInt64 {
    UInt64(littleEndian: unsafe base.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// Sixty-four bytes, the first in the lowest bits of the first word.
  @inline(__always)
  func words(_ offset: Int) -> SIMD8<UInt64> {
    unsafe base.loadUnaligned(fromByteOffset: offset, as: SIMD8<UInt64>.self)
  }

  /// Four bytes, the first in the lowest bits.
  @inline(__always)
  func half(_ offset: Int) -> UInt64 {
    UInt64(UInt32(littleEndian: unsafe base.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
  }
}

extension ByteWindow {
  /// Adds the bytes of a range, which were all recognized.
  func append(_ range: Range<Int>, to bytes: inout [UInt8]) {
    unsafe bytes.append(
      contentsOf: UnsafeRawBufferPointer(start: base + range.lowerBound, count: range.count))
  }

  /// The value of `count` decimal digits, or nil where one is no digit.
  func decimal(_ offset: Int, _ count: Int) -> Int? {
    var value = 0
    for index in offset..<offset + count {
      let digit = Int(byte(index)) - 48
      guard digit >= 0, digit <= 9 else { return nil }
      value = value * 10 + digit
    }
    return value
  }
}

/// Memory for a piece of a segment, with the zeros behind it that `ByteWindow` relies on.
@safe final class LineBuffer {
  let capacity: Int
  /// Bytes of data, from the start.
  private(set) var filled = 0
  private let memory: UnsafeMutableRawPointer

  init(capacity: Int) {
    self.capacity = capacity
    unsafe memory = UnsafeMutableRawPointer.allocate(byteCount: capacity + ByteWindow.padding, alignment: 8)
    pad()
  }

  /// Memory with these bytes in it.
  convenience init(_ bytes: [UInt8]) {
    self.init(capacity: bytes.count)
    unsafe bytes.withUnsafeBytes { source in
      if let base = source.baseAddress { unsafe memory.copyMemory(from: base, byteCount: bytes.count) }
    }
    filled = bytes.count
    pad()
  }

  deinit {
    unsafe memory.deallocate()
  }

  /// A window on the data; it must not outlive the buffer.
  @inline(__always)
  func window(at offset: Int) -> ByteWindow {
    precondition(offset >= 0 && offset <= filled, "A window must begin within the data.")
    return unsafe ByteWindow(base: UnsafeRawPointer(memory) + offset)
  }

  func bytes(_ range: Range<Int>) -> [UInt8] {
    precondition(range.lowerBound >= 0 && range.upperBound <= filled, "Only data can be read.")
    return unsafe Array(UnsafeRawBufferPointer(start: memory + range.lowerBound, count: range.count))
  }

  /// The next newline from an offset on.
  func newline(from offset: Int) -> Int? {
    guard offset < filled else { return nil }
    let found = unsafe memchr(memory + offset, 0x0A, filled - offset)
    return unsafe found.map { unsafe UnsafeRawPointer($0) - UnsafeRawPointer(memory) }
  }

  /// Drops all data.
  func clear() {
    filled = 0
    pad()
  }

  /// Drops the data before an offset and moves the rest to the front.
  func drop(before offset: Int) {
    precondition(offset >= 0 && offset <= filled, "Only data can be dropped.")
    unsafe memory.copyMemory(from: memory + offset, byteCount: filled - offset)
    filled -= offset
    pad()
  }

  /// Lets `read` put up to `count` bytes behind the data; it returns how many it did.
  func fill<Failure>(
    _ count: Int, _ read: (UnsafeMutableRawPointer, Int) throws(Failure) -> Int
  ) throws(Failure) -> Int {
    let read = unsafe try read(memory + filled, min(count, capacity - filled))
    precondition(read >= 0 && filled + read <= capacity, "A read must fit its buffer.")
    filled += read
    pad()
    return read
  }

  /// Puts bytes behind the data.
  func append(_ bytes: [UInt8]) {
    precondition(filled + bytes.count <= capacity, "What is appended must fit.")
    for (offset, byte) in bytes.enumerated() {
      unsafe memory.storeBytes(of: byte, toByteOffset: filled + offset, as: UInt8.self)
    }
    filled += bytes.count
    pad()
  }

  private func pad() {
    unsafe (memory + filled).initializeMemory(as: UInt8.self, repeating: 0, count: ByteWindow.padding)
  }
}
