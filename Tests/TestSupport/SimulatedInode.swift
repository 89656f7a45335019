/// What a file is while processes run, and what of it is on the disk.
///
/// Pages go to the disk one by one and in any order, the size apart from them, as real file systems do with what nobody
/// synced. Two things are given, as journals give them: a shortened file is short before any later page is written, and
/// what was synced stays.
struct SimulatedInode {
  static let page = 4096

  /// What processes see.
  private(set) var cached: [UInt8] = []
  private var durable: [UInt8] = []
  /// Pages that were changed since they were last written to the disk.
  private var dirty: Set<Int> = []
  private var isShortened = false

  var size: Int { cached.count }

  mutating func write(_ bytes: ArraySlice<UInt8>, at offset: Int) {
    if offset + bytes.count > cached.count {
      cached += [UInt8](repeating: 0, count: offset + bytes.count - cached.count)
    }
    cached.replaceSubrange(offset..<offset + bytes.count, with: bytes)
    guard !bytes.isEmpty else { return }
    for page in offset / SimulatedInode.page...(offset + bytes.count - 1) / SimulatedInode.page {
      dirty.insert(page)
    }
  }

  mutating func truncate(to size: Int) {
    cached = Array(cached.prefix(size))
    dirty = dirty.filter { $0 * SimulatedInode.page < size }
    isShortened = isShortened || size < durable.count
  }

  /// Everything reaches the disk that the system still knows to be changed.
  mutating func sync() {
    for page in dirty.sorted() { store(page) }
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
    for page in dirty.sorted() where random.chance(50) {
      store(page)
      dirty.remove(page)
    }
    if random.chance(50) { resize() }
  }

  /// The machine stops: what is on the disk is what there is.
  mutating func lose(_ random: inout SeededRandom) {
    writeBack(&random)
    cached = durable
    dirty = []
    isShortened = false
  }

  private mutating func store(_ page: Int) {
    shorten()
    let start = page * SimulatedInode.page
    let end = min(start + SimulatedInode.page, cached.count)
    guard start < end else { return }
    if durable.count < end { durable += [UInt8](repeating: 0, count: end - durable.count) }
    durable.replaceSubrange(start..<end, with: cached[start..<end])
  }

  private mutating func shorten() {
    guard isShortened else { return }
    durable = Array(durable.prefix(cached.count))
    isShortened = false
  }

  private mutating func resize() {
    shorten()
    if durable.count < cached.count {
      durable += [UInt8](repeating: 0, count: cached.count - durable.count)
    }
  }
}
