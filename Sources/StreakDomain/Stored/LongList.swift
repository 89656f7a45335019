/// A list that only grows at its end, and of which few elements change; the first part of it may be stored.
///
/// What is stored is neither copied nor read before somebody asks for it, and a copy of the list costs what was added.
package struct LongList<Element: BitwiseCopyable & Sendable>: RandomAccessCollection, Sendable {
  @usableFromInline let stored: StoredElements?
  @usableFromInline let storedCount: Int
  /// Those of the stored part that are others now.
  @usableFromInline var changed: [Int: Element]?
  @usableFromInline var added: [Element] = []

  /// The elements that are stored.
  @usableFromInline final class StoredElements: Sendable {
    private let bytes: StoredBytes
    /// Where they begin.
    private let start: Int

    init(_ bytes: StoredBytes, from start: Int) { (self.bytes, self.start) = (bytes, start) }

    @usableFromInline func element(_ index: Int) -> Element {
      unsafe withBytes(of: index..<index + 1) { unsafe $0.loadUnaligned(as: Element.self) }
    }

    func withBytes<Result>(of range: Range<Int>, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
      let stride = MemoryLayout<Element>.stride
      return unsafe bytes.withBytes(
        start + range.lowerBound * stride..<start + range.upperBound * stride, body)
    }
  }

  @inlinable package init() { (stored, storedCount) = (nil, 0) }

  /// A list whose first elements are stored.
  init(_ bytes: StoredBytes, from start: Int, count: Int) {
    (stored, storedCount) = (StoredElements(bytes, from: start), count)
  }

  @inlinable package var startIndex: Int { 0 }
  @inlinable package var endIndex: Int { storedCount + added.count }
  // What a collection has by itself is not specialized in other modules.
  @inlinable package var count: Int { endIndex }
  @inlinable package var indices: Range<Int> { 0..<endIndex }
  @inlinable package func distance(from start: Int, to end: Int) -> Int { end - start }
  @inlinable package func index(after index: Int) -> Int { index + 1 }
  @inlinable package func index(_ index: Int, offsetBy distance: Int) -> Int { index + distance }

  @inlinable package mutating func reserveCapacity(_ capacity: Int) { added.reserveCapacity(capacity) }

  @inlinable package mutating func append(_ element: Element) { added.append(element) }

  @inlinable package subscript(index: Int) -> Element {
    get { index >= storedCount ? added[index - storedCount] : element(index) }
    _modify {
      if index >= storedCount {
        yield &added[index - storedCount]
      } else {
        var element = element(index)
        yield &element
        changed = changed ?? [:]
        changed?[index] = element
      }
    }
  }

  @usableFromInline func element(_ index: Int) -> Element {
    if let element = changed?[index] { return element }
    guard let stored, index >= 0 else { preconditionFailure("An index must be one of the list's.") }
    return stored.element(index)
  }

  /// Lends all elements' bytes, a part at a time.
  func eachPart(_ body: (UnsafeRawBufferPointer) -> Void) {
    if let stored {
      var from = 0
      // Between those that are others now.
      for (index, element) in (changed ?? [:]).sorted(by: { $0.key < $1.key }) {
        unsafe stored.withBytes(of: from..<index, body)
        unsafe [element].withUnsafeBytes(body)
        from = index + 1
      }
      unsafe stored.withBytes(of: from..<storedCount, body)
    }
    unsafe added.withUnsafeBytes(body)
  }
}
