import DomainFixtures

/// A file as processes see it, and as it is on the disk.
///
/// Unsynced pages and the size reach the disk separately and in any order, as in real file systems.
/// Two guarantees are those of journals: a truncation precedes later pages, and synced data stay.
struct SimulatedInode {
  /// The unit of writing in bytes: a page, or a sector on file systems with such blocks.
  let page: Int
  private(set) var cached: [UInt8] = []
  private var durable: [UInt8] = []
  private var dirty: Set<Int> = []
  /// The smallest size since the last sync, if the file was truncated; it may have grown again.
  private var shortened: Int?

  var size: Int { cached.count }
  private(set) var changes = 0

  init(page: Int) {
    self.page = page
  }

  mutating func write(_ bytes: ArraySlice<UInt8>, at offset: Int) {
    changes += 1
    if offset + bytes.count > cached.count {
      cached += [UInt8](repeating: 0, count: offset + bytes.count - cached.count)
    }
    cached.replaceSubrange(offset..<offset + bytes.count, with: bytes)
    guard !bytes.isEmpty else { return }
    dirty.formUnion(offset / page...(offset + bytes.count - 1) / page)
  }

  mutating func truncate(to size: Int) {
    changes += 1
    cached = Array(cached.prefix(size))
    dirty = dirty.filter { $0 * page < size }
    if size < durable.count { shortened = min(shortened ?? size, size) }
  }

  mutating func sync() {
    for number in dirty.sorted() { store(number) }
    resize()
    dirty = []
  }

  /// Fails a sync: some pages reach the disk, and the system forgets that the others are dirty.
  mutating func failSync(_ random: inout SeededRandom) {
    writeBack(&random)
    dirty = []
  }

  /// Writes some pages and perhaps the size, as the system does at any time.
  mutating func writeBack(_ random: inout SeededRandom) {
    for number in dirty.sorted() where random.chance(50) {
      store(number)
      dirty.remove(number)
    }
    if random.chance(50) { resize() }
  }

  mutating func lose(_ random: inout SeededRandom) {
    writeBack(&random)
    cached = durable
    dirty = []
    shortened = nil
  }

  private mutating func store(_ number: Int) {
    shorten()
    let start = number * page
    let end = min(start + page, cached.count)
    guard start < end else { return }
    if durable.count < end { durable += [UInt8](repeating: 0, count: end - durable.count) }
    durable.replaceSubrange(start..<end, with: cached[start..<end])
  }

  private mutating func shorten() {
    guard let size = shortened else { return }
    durable = Array(durable.prefix(size))
    shortened = nil
  }

  private mutating func resize() {
    shorten()
    if durable.count < cached.count {
      durable += [UInt8](repeating: 0, count: cached.count - durable.count)
    }
  }
}
