/// An index into `SymbolTable`: equal names have equal indexes, so comparing names costs one integer.
package struct Symbol: Hashable, BitwiseCopyable, Sendable {
  package let value: UInt32

  package init(_ value: UInt32) {
    self.value = value
  }
}

/// Every distinct name of a stream once: habits, levels, activities, zones, stems of ids.
///
/// Looking a name up costs O(its length); the bytes are kept in one array.
package struct SymbolTable: Sendable {
  private var bytes: [UInt8] = []
  private var ends: [UInt32] = []
  /// Open addressing; the low half is the index + 1 (0 is free), the high half the hash, so that the bytes of another
  /// name are hardly ever read.
  private var slots = [UInt64](repeating: 0, count: 256)
  private var seed = SymbolTable.seed()

  package init() {}

  package var count: Int { ends.count }

  package func text(_ index: Symbol) -> String {
    String(decoding: bytes[range(Int(index.value))], as: UTF8.self)
  }

  package mutating func intern(_ text: String) -> Symbol {
    let utf8 = Array(text.utf8)
    return intern(utf8.span)
  }

  package func find(_ text: String) -> Symbol? {
    let utf8 = Array(text.utf8)
    return find(utf8.span)
  }

  func find(_ name: Span<UInt8>) -> Symbol? {
    let found = slots[slot(of: name, hash(name))]
    return found == 0 ? nil : SymbolTable.index(found)
  }

  package mutating func intern(_ name: Span<UInt8>) -> Symbol {
    let hash = hash(name)
    let free = slot(of: name, hash)
    if slots[free] != 0 { return SymbolTable.index(slots[free]) }
    unsafe name.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
    ends.append(UInt32(bytes.count))
    slots[free] = UInt64(hash) << 32 | UInt64(ends.count)
    if ends.count * 4 > slots.count * 3 { grow() }
    return Symbol(UInt32(ends.count - 1))
  }

  /// The index that one of these names has among others.
  package func intern(_ index: Symbol, into others: inout SymbolTable) -> Symbol {
    others.intern(bytes.span.extracting(range(Int(index.value))))
  }

  private func range(_ index: Int) -> Range<Int> {
    (index == 0 ? 0 : Int(ends[index - 1]))..<Int(ends[index])
  }

  private static func index(_ entry: UInt64) -> Symbol {
    Symbol(UInt32(truncatingIfNeeded: entry) - 1)
  }

  /// The slot that holds the name, or the free one where it belongs.
  private func slot(of name: Span<UInt8>, _ hash: UInt32) -> Int {
    var slot = Int(hash) & (slots.count - 1)
    while slots[slot] != 0 {
      if slots[slot] >> 32 == hash, isEqual(Int(SymbolTable.index(slots[slot]).value), name) { break }
      slot = (slot + 1) & (slots.count - 1)
    }
    return slot
  }

  private func isEqual(_ index: Int, _ name: Span<UInt8>) -> Bool {
    let range = range(index)
    guard range.count == name.count else { return false }
    for offset in name.indices where bytes[range.lowerBound + offset] != name[offset] { return false }
    return true
  }

  /// Eight bytes at a time, each mixed in by a multiplication.
  private func hash(_ name: Span<UInt8>) -> UInt32 {
    var hash = seed
    var word = UInt64(name.count)
    for index in name.indices {
      word = word << 8 | UInt64(name[index])
      if index & 7 == 7 || index == name.count - 1 {
        let product = (hash ^ word).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        hash = product.high ^ product.low
        word = 0
      }
    }
    return UInt32(truncatingIfNeeded: hash >> 32)
  }

  private mutating func grow() {
    var larger = [UInt64](repeating: 0, count: slots.count * 2)
    for entry in slots where entry != 0 {
      var slot = Int(entry >> 32) & (larger.count - 1)
      while larger[slot] != 0 { slot = (slot + 1) & (larger.count - 1) }
      larger[slot] = entry
    }
    slots = larger
  }

  /// Nobody knows it who writes a log, so none can be written to make names collide.
  static func seed() -> UInt64 { UInt64(bitPattern: Int64(Hasher().finalize())) }
}

extension SymbolTable: StoredPart {
  package mutating func pass(_ coder: inout StateCoder) {
    coder.value(&seed)
    coder.list(&bytes)
    coder.list(&ends)
    coder.list(&slots)
  }
}
