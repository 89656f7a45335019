/// A list that only grows at its end, and of which few elements change; the first part of it may be stored.
///
/// What is stored is neither copied nor read before somebody asks for it, and a copy of the list costs what was added.
package struct LongList<Element: BitwiseCopyable & Sendable>: RandomAccessCollection, Sendable {
  private var stored: StoredBytes?
  /// Where the stored part begins in its bytes.
  private var start = 0
  private var storedCount = 0
  /// Those of the stored part that are others now.
  private var changed: [Int: Element] = [:]
  private var added: [Element] = []

  package init() {}

  /// A list whose first elements are stored; they must be aligned there.
  init(_ bytes: StoredBytes, from start: Int, count: Int) {
    (stored, self.start, storedCount) = (bytes, start, count)
  }

  package var startIndex: Int { 0 }
  package var endIndex: Int { storedCount + added.count }

  package mutating func reserveCapacity(_ capacity: Int) { added.reserveCapacity(capacity) }

  @inline(__always)
  package mutating func append(_ element: Element) { added.append(element) }

  package subscript(index: Int) -> Element {
    @inline(__always) get { index >= storedCount ? added[index - storedCount] : element(index) }
    @inline(__always) _modify {
      if index >= storedCount {
        yield &added[index - storedCount]
      } else {
        var element = element(index)
        yield &element
        changed[index] = element
      }
    }
  }

  private func element(_ index: Int) -> Element {
    if !changed.isEmpty, let element = changed[index] { return element }
    guard let stored, index >= 0 else { preconditionFailure("An index must be one of the list's.") }
    let stride = MemoryLayout<Element>.stride
    let place = start + index * stride
    return unsafe stored.withBytes(place..<place + stride) { unsafe $0.loadUnaligned(as: Element.self) }
  }

  /// Lends all elements' bytes, a part at a time.
  func eachPart(_ body: (UnsafeRawBufferPointer) -> Void) {
    let stride = MemoryLayout<Element>.stride
    if let stored {
      var from = 0
      // Between those that are others now.
      for (index, element) in changed.sorted(by: { $0.key < $1.key }) {
        unsafe stored.withBytes(start + from * stride..<start + index * stride, body)
        unsafe [element].withUnsafeBytes(body)
        from = index + 1
      }
      unsafe stored.withBytes(start + from * stride..<start + storedCount * stride, body)
    }
    unsafe added.withUnsafeBytes(body)
  }
}
