import DomainFixtures

/// What a file is while processes run, and what of it is on the disk.
///
/// Pages go to the disk one by one and in any order, the size apart from them, as real file systems do with what nobody
/// synced. Two things are given, as journals give them: a shortened file is short before any later page is written, and
/// what was synced stays.
struct SimulatedInode {
  /// What goes to the disk at once: a page of the system's, or a sector where its file system has blocks of one.
  let page: Int
  /// What processes see.
  private(set) var cached: [UInt8] = []
  private var durable: [UInt8] = []
  /// Pages that were changed since they were last written to the disk.
  private var dirty: Set<Int> = []
  /// The least size since the disk last knew it, where the file was shortened: it may have grown again.
  private var shortened: Int?

  var size: Int { cached.count }
  /// How often it was changed.
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

  /// Everything reaches the disk that the system still knows to be changed.
  mutating func sync() {
    for number in dirty.sorted() { store(number) }
    resize()
    dirty = []
  }

  /// A sync that failed: some pages reach the disk, and the system forgets that the others did not.
  mutating func failSync(_ random: inout SeededRandom) {
    writeBack(&random)
    dirty = []
  }

  /// Some pages reach the disk without anybody asking, and perhaps the size.
  mutating func writeBack(_ random: inout SeededRandom) {
    for number in dirty.sorted() where random.chance(50) {
      store(number)
      dirty.remove(number)
    }
    if random.chance(50) { resize() }
  }

  /// The machine stops: what is on the disk is what there is.
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
