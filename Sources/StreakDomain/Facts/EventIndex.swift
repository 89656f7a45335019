/// The ids of all events of a stream with their positions, used to detect repeated ids.
///
/// While ids arrive in ascending order, which is usual, `keys` is sorted, and a binary search finds
/// an id. From the first id out of order on, a hash table is used instead.
package struct EventIndex: Sendable {
  private var keys: [EventKey] = []
  private var isAscending = true
  /// A hash table of positions, empty until an id arrives out of order.
  ///
  /// The low 32 bits of a slot are a position, or 0 if the slot is free. The high 32 bits are the
  /// upper half of the key's hash.
  private var slots: [UInt64] = []
  private var seed = SymbolTable.seed()

  package init(capacity: Int = 0) {
    keys.reserveCapacity(capacity)
  }

  package var count: Int { keys.count }

  package func key(at position: Int) -> EventKey { keys[position - 1] }

  package func position(of key: EventKey) -> Int? {
    guard isAscending else {
      let position = probe(key, hash(key)).position
      return position == 0 ? nil : position
    }
    guard let last = keys.last, key <= last else { return nil }
    let index = keys.partitioningIndex { $0 >= key }
    return index < keys.count && keys[index] == key ? index + 1 : nil
  }

  /// Adds `key` at the next position, unless the index already contains `key`.
  ///
  /// - Returns: The position of `key` if the index already contained it, or `nil` if it was added.
  package mutating func insert(_ key: EventKey) -> Int? {
    if isAscending {
      guard let last = keys.last, key <= last else {
        keys.append(key)
        return nil
      }
      // If a segment was copied, each of its ids is read twice in a row.
      if key == last { return keys.count }
      if let position = position(of: key) { return position }
      isAscending = false
      rehash(size: 1024)
    }

    let hash = hash(key)
    let (slot, position) = probe(key, hash)
    if position != 0 { return position }

    keys.append(key)
    slots[slot] = hash & 0xFFFF_FFFF_0000_0000 | UInt64(keys.count)
    if keys.count * 4 > slots.count * 3 { rehash(size: slots.count * 2) }
    return nil
  }

  private func probe(_ key: EventKey, _ hash: UInt64) -> (slot: Int, position: Int) {
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: hash) & mask
    while true {
      let entry = slots[slot]
      if entry == 0 { return (slot, 0) }
      if (entry ^ hash) >> 32 == 0 {
        let position = Int(entry & 0xFFFF_FFFF)
        if keys[position - 1] == key { return (slot, position) }
      }
      slot = (slot + 1) & mask
    }
  }

  private func hash(_ key: EventKey) -> UInt64 {
    let product = (key.high ^ seed).multipliedFullWidth(
      by: key.low ^ (seed &* 0x9E37_79B9_7F4A_7C15))
    return (product.high ^ product.low) &* 0xD6E8_FEB8_6659_FD93
  }

  private mutating func rehash(size: Int) {
    var size = size
    while keys.count * 4 > size * 3 { size *= 2 }
    slots = [UInt64](repeating: 0, count: size)
    for (index, key) in keys.enumerated() {
      let hash = hash(key)
      slots[probe(key, hash).slot] = hash & 0xFFFF_FFFF_0000_0000 | UInt64(index + 1)
    }
  }
}
