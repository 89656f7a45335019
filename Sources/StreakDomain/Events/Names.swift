/// An index into `Names`: equal names have equal indexes, so comparing names costs one integer.
package struct NameIndex: Hashable, Sendable {
  package let value: UInt32

  package init(_ value: UInt32) {
    self.value = value
  }
}

/// Every distinct name of a stream once: habits, levels, activities, zones, ids that are no UUID.
///
/// Looking a name up costs O(its length); the bytes are kept in one array.
package struct Names: Sendable {
  private var bytes: [UInt8] = []
  private var ends: [UInt32] = []
  /// Open addressing; 0 is free, else the index + 1.
  private var slots = [UInt32](repeating: 0, count: 256)
  private let seed = Names.seed()

  package init() {}

  package var count: Int { ends.count }

  package func text(_ index: NameIndex) -> String {
    String(decoding: bytes[range(Int(index.value))], as: UTF8.self)
  }

  package mutating func intern(_ text: String) -> NameIndex {
    let utf8 = Array(text.utf8)
    return intern(utf8.span)
  }

  package func find(_ text: String) -> NameIndex? {
    let utf8 = Array(text.utf8)
    let found = slots[slot(of: utf8.span)]
    return found == 0 ? nil : NameIndex(found - 1)
  }

  package mutating func intern(_ name: Span<UInt8>) -> NameIndex {
    let free = slot(of: name)
    if slots[free] != 0 { return NameIndex(slots[free] - 1) }
    for index in name.indices { bytes.append(name[index]) }
    ends.append(UInt32(bytes.count))
    slots[free] = UInt32(ends.count)
    if ends.count * 2 > slots.count { grow() }
    return NameIndex(UInt32(ends.count - 1))
  }

  private func range(_ index: Int) -> Range<Int> {
    (index == 0 ? 0 : Int(ends[index - 1]))..<Int(ends[index])
  }

  /// The slot that holds the name, or the free one where it belongs.
  private func slot(of name: Span<UInt8>) -> Int {
    var slot = Int(truncatingIfNeeded: hash(name)) & (slots.count - 1)
    while slots[slot] != 0, !isEqual(Int(slots[slot] - 1), name) {
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

  private func hash(_ name: Span<UInt8>) -> UInt64 {
    var hash = seed
    for index in name.indices { hash = (hash ^ UInt64(name[index])) &* 0x0000_0100_0000_01B3 }
    return hash ^ (hash >> 29)
  }

  private mutating func grow() {
    slots = [UInt32](repeating: 0, count: slots.count * 2)
    for index in ends.indices {
      let name = Array(bytes[range(index)])
      slots[slot(of: name.span)] = UInt32(index + 1)
    }
  }

  /// Differs in every process, so that no log can be written to make names collide.
  static func seed() -> UInt64 { UInt64(bitPattern: Int64(Hasher().finalize())) }
}
