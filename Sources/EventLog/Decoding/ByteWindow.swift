#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Reads of eight bytes at a time, without bounds checks.
///
/// Every buffer ends with `padding` zero bytes. A reader advances only past bytes that it recognizes, and
/// never recognizes a zero byte, so it stops within the padding.
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

  /// Returns eight bytes, the first in the lowest bits.
  @inline(__always)
  func word(_ offset: Int) -> UInt64 {
    UInt64(littleEndian: unsafe base.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  @inline(__always)
  func words(_ offset: Int) -> SIMD8<UInt64> {
    unsafe base.loadUnaligned(fromByteOffset: offset, as: SIMD8<UInt64>.self)
  }

  @inline(__always)
  func half(_ offset: Int) -> UInt64 {
    UInt64(UInt32(littleEndian: unsafe base.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
  }
}

extension ByteWindow {
  func append(_ range: Range<Int>, to bytes: inout [UInt8]) {
    unsafe bytes.append(
      contentsOf: UnsafeRawBufferPointer(start: base + range.lowerBound, count: range.count))
  }

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

/// A buffer for a piece of a segment, followed by the zero bytes that `ByteWindow` relies on.
@safe final class LineBuffer {
  let capacity: Int
  private(set) var filled = 0
  private let memory: UnsafeMutableRawPointer

  init(capacity: Int) {
    self.capacity = capacity
    unsafe memory = UnsafeMutableRawPointer.allocate(byteCount: capacity + ByteWindow.padding, alignment: 8)
    pad()
  }

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

  /// Returns a window on the data, which must not outlive the buffer.
  @inline(__always)
  func window(at offset: Int) -> ByteWindow {
    precondition(offset >= 0 && offset <= filled, "A window must begin within the data.")
    return unsafe ByteWindow(base: UnsafeRawPointer(memory) + offset)
  }

  func bytes(_ range: Range<Int>) -> [UInt8] {
    precondition(range.lowerBound >= 0 && range.upperBound <= filled, "Only data can be read.")
    return unsafe Array(UnsafeRawBufferPointer(start: memory + range.lowerBound, count: range.count))
  }

  func newline(from offset: Int) -> Int? {
    guard offset < filled else { return nil }
    let found = unsafe memchr(memory + offset, 0x0A, filled - offset)
    return unsafe found.map { unsafe UnsafeRawPointer($0) - UnsafeRawPointer(memory) }
  }

  func clear() {
    filled = 0
    pad()
  }

  func drop(before offset: Int) {
    precondition(offset >= 0 && offset <= filled, "Only data can be dropped.")
    unsafe memory.copyMemory(from: memory + offset, byteCount: filled - offset)
    filled -= offset
    pad()
  }

  /// Calls `read` to append up to `count` bytes; `read` returns the number of bytes that it has written.
  func fill<Failure>(
    _ count: Int, _ read: (UnsafeMutableRawPointer, Int) throws(Failure) -> Int
  ) throws(Failure) -> Int {
    let read = unsafe try read(memory + filled, min(count, capacity - filled))
    precondition(read >= 0 && filled + read <= capacity, "A read must fit its buffer.")
    filled += read
    pad()
    return read
  }

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
